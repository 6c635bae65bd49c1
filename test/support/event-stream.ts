// A stream of changes on a socket of its own, which a test can pause, half close or cut.
import { connect } from 'node:net'
import { until } from './until.ts'

/** Asks for a stream. */
export function requestStream(url: string, token: string, headers = '', query = '') {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.write(
    `GET /casesheet/readings/stream${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`,
  )
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => {})
  return { socket, text: () => text }
}

/** Waits until it is open, or refused. */
export async function openStream(url: string, token: string, headers = '', query = '') {
  const stream = requestStream(url, token, headers, query)
  await until(() => stream.text().includes('event: open') || /^HTTP\/1.1 [45]/.test(stream.text()))
  return stream
}

/** The value of a metric of a server, by its name and labels as they are printed. */
export async function metricOf(adminUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}
