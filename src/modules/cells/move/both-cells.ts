// The sessions of a move in both cells. They are watched from sessions of their own: each second the command is told which sessions they
// wait for, and when it is asked to stop, their statements are cancelled in the server.
import type { Client } from 'pg'
import { isCancelled } from '../../../db/database-errors.ts'
import { watchSession } from '../../../db/watch-session.ts'
import { Interrupted } from '../../../refusal.ts'
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'

export type BothCells = {
  /** The address of a role that owns the tables, in the old cell and in the new one. */
  sourceUrl: string
  targetUrl: string
  /** Asks to stop. */
  signal?: AbortSignal
  /** Told which sessions are waited for. */
  onWaiting?: (sessions: string[]) => void
}

export type Watch = {
  /** Throws if the move was asked to stop. */
  mustGoOn: () => void
  onWaiting: (sessions: string[]) => void
  /** From here on nothing is cancelled: it has to be brought to its end. */
  release: () => Promise<void>
}

export async function withBothCells<T>(
  { sourceUrl, targetUrl, signal = new AbortController().signal, onWaiting = () => {} }: BothCells,
  work: (source: Client, target: Client, watch: Watch) => Promise<T>,
): Promise<T> {
  return withOwnerSession(sourceUrl, (source) =>
    withOwnerSession(targetUrl, async (target) => {
      const watches = [
        await watchSession(sourceUrl, source, { onWaiting, signal }),
        await watchSession(targetUrl, target, { onWaiting, signal }),
      ]
      const release = async () => {
        for (const watch of watches) await watch.end()
      }
      const mustGoOn = () => {
        if (signal.aborted) throw new Interrupted()
      }
      try {
        mustGoOn()
        return await work(source, target, { mustGoOn, onWaiting, release })
      } catch (error) {
        throw signal.aborted && isCancelled(error) ? new Interrupted() : error
      } finally {
        await release()
      }
    }),
  )
}

/** For what must be done after `release`: a cancellation that was sent before may arrive late. */
export async function evenIfCancelled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isCancelled(error) || attempt === 3) throw error
    }
  }
}
