// Receives NOTIFY messages of a channel over a connection of its own, which is opened again whenever it is lost. Messages sent
// meanwhile are lost, so every new connection counts as a message too.
//
// A statement may acknowledge each message, in the same session, once it has been handled.
import { setTimeout as pause } from 'node:timers/promises'
import { escapeIdentifier } from 'pg'
import { Client } from './client.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** Calls `onAnnouncement` until the returned function has been called and awaited. */
export function listenTo(
  url: string,
  channel: string,
  onAnnouncement: () => void,
  acknowledgement?: string,
): () => Promise<void> {
  const stopping = new AbortController()
  let client: Client | undefined

  async function listenUntilTheConnectionEnds() {
    client = new Client({
      connectionString: url,
      application_name: 'rounds listening',
      connectionTimeoutMillis: 3_000,
      query_timeout: 6_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    })
    const ended = new Promise<void>((done) => client?.once('end', done).on('error', () => done()))
    // A connection that is closed while it is being made never answers, so both are awaited.
    await Promise.race([startListening(client), ended])
    await ended
  }
  async function startListening(connection: Client) {
    await connection.connect()
    await connection.query(`listen ${escapeIdentifier(channel)}`)
    const handle = () => {
      onAnnouncement()
      if (acknowledgement !== undefined)
        connection.query(acknowledgement).catch(() => void connection.end().catch(ignore))
    }
    connection.on('notification', handle)
    handle()
  }
  async function keepListening() {
    let pauseMs = FIRST_PAUSE_MS
    while (!stopping.signal.aborted) {
      try {
        await listenUntilTheConnectionEnds()
        pauseMs = FIRST_PAUSE_MS
      } catch {
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
      }
      await close(client)
      await pause(pauseMs * (0.5 + Math.random() / 2), undefined, {
        signal: stopping.signal,
        ref: false,
      }).catch(ignore)
    }
  }
  const stopped = keepListening()
  return async () => {
    stopping.abort()
    await close(client)
    await stopped
  }
}

async function close(client: Client | undefined) {
  await client?.end().catch(ignore)
}

function ignore() {}
