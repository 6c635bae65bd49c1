// Requests as bytes, for what no HTTP client would send.
import { connect } from 'node:net'

/** Sends bytes as they are and returns the whole answer, once the server has closed the connection. */
export function sendRaw(url: string, ...parts: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
    socket.on('close', () => done(answer))
    // A server that answers before everything was sent, and closes, may look like a reset to who is still sending.
    socket.on('error', (error) => (answer === '' ? fail(error) : done(answer)))
    for (const part of parts) socket.write(part)
  })
}

export function parseRaw(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, json: JSON.parse(body) as object }
}
