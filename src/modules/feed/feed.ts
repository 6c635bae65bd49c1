// What all consumers of the sequence of changes in this process share: one look at the database, and how late the sequence is.
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/db.ts'
import { codeOf } from '../../error-code.ts'
import { createFeedDelay } from './changes/feed-delay.ts'
import { ChangeWatch } from './changes/watch-changes.ts'

export type Feed = ReturnType<typeof createFeed>

type Deps = { log: FastifyBaseLogger; now: () => number }

export function createFeed(db: Db, { log, now }: Deps) {
  // By its code: the message of an error may hold values.
  const warn = (error: unknown, message: string, about: object = {}) =>
    log.warn({ ...about, code: error instanceof Error && (codeOf(error) || error.name) }, message)
  const delay = createFeedDelay(db.metrics, now)
  return { delay, warn, watch: new ChangeWatch(db, { delay, warn }) }
}
