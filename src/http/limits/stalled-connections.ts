// A connection is cut after some time without traffic: its client has vanished, or does not read.
import type { FastifyRequest } from 'fastify'

const MARGIN_MS = 10_000

/** Longer than a request may wait for the database. */
export const stalledAfterMs = (requestDeadlineMs: number) => requestDeadlineMs + MARGIN_MS

/** For a request that sends nothing on purpose for this time. Node gives the connection its usual time for the next one. */
export function allowSilence({ raw: { socket } }: FastifyRequest, ms: number) {
  socket.setTimeout(Math.max(socket.timeout ?? 0, ms + MARGIN_MS))
}
