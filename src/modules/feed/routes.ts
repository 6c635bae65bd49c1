// What follows readings as they change: {casesheet_url}/readings/changes for services, …/readings/stream for apps.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { sendPrivateJson } from '../../http/answers/private-json.ts'
import { allowSilence } from '../../http/limits/stalled-connections.ts'
import { whenClosed } from '../../http/when-closed.ts'
import { type MustRead, mustBeAllowedToFollowChanges } from '../casesheet/access.ts'
import { sayLimitedTo } from '../casesheet/grants/limited-to.ts'
import { Change, changesContract, createChanges, MAX_HELD_MS } from './changes/changes.ts'
import { clearNoticesHourly } from './changes/clear-notices.ts'
import { watchDelay } from './changes/watch-delay.ts'
import type { Feed } from './feed.ts'
import { HEARTBEAT_MS, OpenStreams } from './stream/open-streams.ts'
import { beginStream, streamContract } from './stream/stream-readings.ts'

/** What the module needs beside the database. */
type Deps = { feed: Feed; mustRead: MustRead; maxStreams: number; now: () => number }

export function feedRoutes(db: Db, { feed, mustRead, maxStreams, now }: Deps): FastifyPluginAsyncTypebox {
  const { delay, watch, warn } = feed
  return async (app) => {
    app.addSchema(Change)
    const changes = createChanges(db, watch, delay)
    const streams = new OpenStreams(db, {
      watch,
      delay,
      maxStreams,
      now,
      refusedRequests: app.admission.refusedKnown,
      warn,
    })

    app.get(
      '/readings/changes',
      { schema: changesContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { caller, query, id } = request
        mustBeAllowedToFollowChanges(caller)
        allowSilence(request, MAX_HELD_MS)
        const isGone = new AbortController()
        whenClosed(reply.raw, () => isGone.abort())
        const consumer = {
          readBy: caller.subject,
          requestId: id,
          signingKey: caller.signingKey,
          isGone: isGone.signal,
          pause: () => app.admission.pause(request),
          resume: () => app.admission.resume(request),
        }
        return sendPrivateJson(reply, changes(query, consumer))
      },
    )

    app.get(
      '/readings/stream',
      { schema: streamContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { query, headers, caller } = request
        await mustRead({ request, reply, named: query.patientUid }, async ({ patientUid, reader }) => {
          app.admission.pause(request)
          // A heartbeat may be late.
          allowSilence(request, 2 * HEARTBEAT_MS)
          const { expiresAtMs, signingKey } = caller
          const lastEventId = headers['last-event-id']
          await streams.open({ patientUid, reader, expiresAtMs, signingKey, lastEventId }, reply.raw, () => {
            sayLimitedTo(reply, reader)
            beginStream(reply)
          })
        })
        return reply
      },
    )
    // Requests that wait for changes are answered, and streams are ended, before the server stops.
    let stopTimers: (() => void)[] = []
    app.addHook('onListen', async () => {
      stopTimers = [clearNoticesHourly(db, warn), watchDelay(db, delay, warn)]
    })
    app.addHook('preClose', async () => {
      for (const stop of stopTimers) stop()
      streams.close()
      watch.close()
    })
  }
}
