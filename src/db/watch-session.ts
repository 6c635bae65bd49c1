// A session that works for long, seen from another one.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { sessionsBlocking } from './blocking-sessions.ts'
import { withSession } from './session.ts'

const WATCH_EVERY_MS = 1_000
const CANCEL_EVERY_MS = 100

type Watching = {
  onWaiting: (sessions: string[]) => void
  /** Cancels the statement of the client in the server. */
  signal: AbortSignal | undefined
}

/**
 * Reports each second which sessions the client waits for, and cancels its statement when it is asked to stop. It needs a
 * connection of its own: the client's is busy.
 */
export async function watchSession(databaseUrl: string, client: Client, { onWaiting, signal }: Watching) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const ended = new AbortController()
  const stopped = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal
  async function watch(watcher: Client) {
    while (!stopped.aborted) {
      const sessions = await sessionsBlocking(watcher, [pid])
      if (sessions.length > 0) onWaiting(sessions)
      await untilAborted(stopped, WATCH_EVERY_MS)
    }
    // Between two statements there is nothing to cancel, so it is cancelled until the work has ended.
    while (!ended.signal.aborted) {
      await watcher.query('select pg_cancel_backend($1)', [pid])
      await untilAborted(ended.signal, CANCEL_EVERY_MS)
    }
  }
  // Work that is fine does not fail because nobody can watch it.
  const watched = withSession(databaseUrl, 'rounds watching', watch).catch(() => {})
  return {
    isCancelled: () => signal?.aborted === true,
    /** From here on no statement of the client is cancelled. */
    async end() {
      ended.abort()
      await watched
    },
  }
}

/** Waits for the time, or less if the signal is aborted. */
async function untilAborted(signal: AbortSignal, ms: number) {
  await pause(ms, undefined, { signal }).catch(() => {})
}
