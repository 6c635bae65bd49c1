// Requests so broken that no route ever sees them: they too are answered in the one shape, and in time.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { assertRefused, startRounds } from './harness.ts'

const rounds = await startRounds()
const token = await rounds.token({ patientUid: 'p1' })
const ADD = '/casesheet/readings/add'

/** Sends bytes as they are and returns the whole answer, once the server has closed the connection. */
function sendRaw(...parts: string[]): Promise<string> {
  const { hostname, port } = new URL(rounds.url)
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
    socket.on('error', fail).on('close', () => done(answer))
    for (const part of parts) socket.write(part)
  })
}

function parseRaw(answer: string) {
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

test('what Node itself refuses is told in the same shape', async () => {
  const host = 'Host: x\r\n'
  const cases: Record<string, [string, number, string]> = {
    'no HTTP at all': ['HELLO\r\n\r\n', 400, 'ValidationFailed'],
    'two lengths': [
      `POST ${ADD} HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
      'ValidationFailed',
    ],
    'a length and chunks': [
      `POST ${ADD} HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'ValidationFailed',
    ],
    'two hosts': [
      `GET /nothing HTTP/1.1\r\n${host}${host}Connection: close\r\n\r\n`,
      400,
      'ValidationFailed',
    ],
    '20 KB of headers': [
      `GET / HTTP/1.1\r\n${host}X-A: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HeadersTooLarge',
    ],
    'a bad escape in the path': [
      `GET /casesheet/%zz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      400,
      'ValidationFailed',
    ],
  }
  for (const [name, [bytes, status, code]] of Object.entries(cases)) {
    await test(name, async () => assertRefused(parseRaw(await sendRaw(bytes)), status, code))
  }
})

test('slow headers, a slow body and a silent connection are cut off in time', async () => {
  const started = Date.now()
  const since = async (answer: Promise<string>) => ({
    ...parseRaw(await answer),
    seconds: (Date.now() - started) / 1000,
  })
  const [headers, body, silent] = await Promise.all([
    since(sendRaw('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')),
    since(
      sendRaw(
        `POST ${ADD} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
      ),
    ),
    since(sendRaw()),
  ])
  for (const answer of [headers, body, silent]) assertRefused(answer, 408, 'RequestTimeout')
  assert.ok(
    headers.seconds < 7 && body.seconds < 12 && silent.seconds < 15,
    JSON.stringify([headers.seconds, body.seconds, silent.seconds]),
  )
})
