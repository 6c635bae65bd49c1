// One request of a connection at a time. Node emits every pipelined request as soon as it has parsed it, so one connection
// could have hundreds of answers made for it at once, each waiting in memory for the one before. Here the next request is
// held until the answer before it has been written to the socket, and the socket is not read meanwhile.
//
// Node parses up to 64 KiB of a connection before it can be paused, so a connection may hold several requests. Their number is
// bounded for each connection and in all; beyond it they are refused, which costs a few hundred bytes each.
//
// A stream of events is the last answer of its connection. A client that sends a request behind it is cut: what it sent would
// be held for as long as the stream lasts.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const MAX_HELD = 100
const MAX_HELD_IN_ALL = 5_000

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Exchange = { request: IncomingMessage; response: ServerResponse }
type Connection = { isBusy: boolean; isLast: boolean; held: Exchange[] }

const connections = new WeakMap<Duplex, Connection>()

/** Says that no other answer follows on the connection of this one. */
export function markAsLast(response: ServerResponse) {
  response.setHeader('connection', 'close')
  const { socket } = response.req
  const connection = connections.get(socket)
  if (!connection) return
  connection.isLast = true
  if (connection.held.length > 0) socket.destroy()
}

export function createPipeline(refuse: Answer) {
  let heldInAll = 0

  function connectionOf(socket: Duplex): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { isBusy: false, isLast: false, held: [] }
    connections.set(socket, connection)
    socket.once('close', () => {
      heldInAll -= connection.held.length
      connection.held = []
    })
    return connection
  }

  function hold(connection: Connection, { request, response }: Exchange) {
    if (connection.isLast) return void request.socket.destroy()
    if (connection.held.length >= MAX_HELD || heldInAll >= MAX_HELD_IN_ALL) return refuse(request, response)
    heldInAll++
    connection.held.push({ request, response })
    // Also where Node has resumed it since the last time.
    request.socket.pause()
  }

  function guard(answer: Answer): Answer {
    function begin(connection: Connection, { request, response }: Exchange) {
      connection.isBusy = true
      // Emitted once the last byte has gone to the kernel, so that a client that does not read gets no further answer made.
      response.on('close', () => goOn(connection, request.socket))
      answer(request, response)
    }
    function goOn(connection: Connection, socket: Duplex) {
      connection.isBusy = false
      const next = socket.destroyed ? undefined : connection.held.shift()
      if (!next) return
      heldInAll--
      if (connection.held.length === 0) socket.resume()
      begin(connection, next)
    }
    return (request, response) => {
      const connection = connectionOf(request.socket)
      if (connection.isBusy) hold(connection, { request, response })
      else begin(connection, { request, response })
    }
  }

  /** Whether a request of this connection is held: then it is not read, and what arrives late on it is late because of us. */
  const isHolding = (socket: Duplex) => (connections.get(socket)?.held.length ?? 0) > 0

  /** Whether a request of this connection is being answered. */
  const isBusy = (socket: Duplex) => connections.get(socket)?.isBusy ?? false

  return { guard, isHolding, isBusy }
}
