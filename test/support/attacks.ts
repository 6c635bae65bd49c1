// Everything hostile that one client can send: floods, endless bodies, bodies in pieces, answers that nothing reads.
import { connect, type Socket } from 'node:net'
import { generateKeyPair } from 'jose'
import type { startIssuer } from './harness.ts'

export type Attack = {
  connections: number
  begin: (socket: Socket, index: number) => void
  reads?: boolean
  /** All of it is permitted and has to be done, so that others may be told to come again. */
  isAsked?: boolean
}

type Attacker = {
  url: string
  issuer: Awaited<ReturnType<typeof startIssuer>>
  /** Of a patient who has a mebibyte of readings or more. */
  token: string
}

const MEGABYTE = Buffer.alloc(1_000_000, ' ')

/** By name. Preflights are of the origin https://app.example. */
export async function attacksOn({ url, issuer, token }: Attacker): Promise<Record<string, Attack>> {
  const { host } = new URL(url)
  const { privateKey } = await generateKeyPair('RS256')
  const forged = await Promise.all(
    Array.from({ length: 200 }, () => issuer.token({ patientUid: 'x' }, { key: privateKey })),
  )
  const headOf = (line: string, headers: string[] = []) =>
    [`${line} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n')
  const bearer = `Authorization: Bearer ${token}`
  /** A page of a mebibyte. */
  const LARGE = headOf('GET /casesheet/readings/get?limit=1000', [bearer])
  const POST = 'POST /casesheet/readings/add'
  const JSON_TYPE = 'Content-Type: application/json'
  return {
    'requests without a token': {
      connections: 200,
      begin: flood(() => headOf('GET /casesheet/readings/get')),
    },
    preflights: {
      connections: 200,
      begin: flood(() =>
        headOf('OPTIONS /casesheet/readings/get', [
          'Origin: https://app.example',
          'Access-Control-Request-Method: GET',
        ]),
      ),
    },
    'forged tokens': {
      connections: 200,
      begin: flood((count) =>
        headOf('GET /casesheet/readings/get', [`Authorization: Bearer ${forged[count % forged.length]}`]),
      ),
    },
    'the script of the reference pages': {
      connections: 50,
      begin: flood(() => headOf('GET /docs/js/scalar.js', ['Accept-Encoding: br'])),
    },
    'bodies to addresses where nothing is': {
      connections: 50,
      begin: flood(
        () => headOf('POST /nothing', [JSON_TYPE, 'Content-Length: 60000']) + `[${'1,'.repeat(29_999)}]`,
      ),
    },
    'pipelined requests for large answers': {
      connections: 20,
      begin: (socket) => void socket.write(LARGE.repeat(60)),
      reads: false,
    },
    'large answers that are not read': {
      connections: 1_000,
      begin: (socket) => void socket.write(LARGE),
      reads: false,
      isAsked: true,
    },
    'large bodies that never end': {
      connections: 1_000,
      begin: (socket) => {
        socket.write(headOf(POST, [bearer, JSON_TYPE, 'Content-Length: 4000000']))
        socket.write(MEGABYTE)
      },
    },
    'bodies in pieces of a byte': {
      connections: 20,
      begin: (socket) => {
        socket.write(headOf(POST, [bearer, JSON_TYPE, 'Transfer-Encoding: chunked']))
        socket.write('1\r\n \r\n'.repeat(100_000))
      },
    },
  }
}

/** Sends the next request when an answer has begun; what is read is dropped. */
const flood = (next: (count: number) => string) => (socket: Socket) => {
  let count = 0
  socket.on('data', () => socket.write(next(count++)))
  socket.write(next(count++))
}

// What the server does not take for so long, it leaves unread on purpose.
const UNREAD_MS = 2_000

/**
 * Opens the connections of an attack, and returns how to end it, once the server has what they send first: a gigabyte that the
 * machine has to carry would else delay what is measured beside it.
 */
export async function beginAttack(
  url: string,
  { connections, begin, reads = true }: Attack,
): Promise<() => void> {
  const { port } = new URL(url)
  const sockets = Array.from({ length: connections }, (_, index) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    if (!reads) socket.pause()
    else socket.on('data', () => {})
    begin(socket, index)
    return socket
  })
  await Promise.all(sockets.map(untilTaken))
  return () => sockets.forEach((socket) => socket.destroy())
}

async function untilTaken(socket: Socket) {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve())
  socket.once('connect', () => {
    if (socket.writableLength === 0) resolve()
    else socket.once('drain', () => resolve())
  })
  const unread = setTimeout(resolve, UNREAD_MS)
  await promise
  clearTimeout(unread)
}
