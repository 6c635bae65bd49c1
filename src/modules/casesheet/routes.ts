// The casesheet module's table of contents: {casesheet_url}/readings/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { codeOf } from '../../error-code.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import { prefers } from '../../http/answers/preferences.ts'
import { mustHaveNoQuery } from '../../http/json/validation.ts'
import { allowSilence } from '../../http/limits/stalled-connections.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import {
  hasGone,
  mustBeAllowedToAdd,
  mustBeAllowedToFollowChanges,
  mustBeAllowedToWithdraw,
  mustNameAPatient,
  mustRead,
} from './access.ts'
import { Access } from './access-log/access-entry.ts'
import { accessLogContract, createReadAccessLog } from './access-log/access-log.ts'
import { AddAnswer, addContract, addedAnswer, addValidatorOf } from './add/add-readings.ts'
import { AddVerdict, AddVerdicts, answerOf } from './add/add-verdict.ts'
import { listReadingTypesContract, READING_TYPES, ReadingTypeEntry } from './catalogue/list-catalogue.ts'
import { Change, changesContract, createChanges, MAX_HELD_MS } from './changes/changes.ts'
import { clearNoticesHourly } from './changes/clear-notices.ts'
import { createFeedDelay } from './changes/feed-delay.ts'
import { createChangeWatch } from './changes/watch-changes.ts'
import { getContract, getReadings, StoredReading } from './get/get-readings.ts'
import { formatFor } from './get/reading-formats.ts'
import { sendReadings } from './get/send-readings.ts'
import { createLatestReadings, latestContract } from './latest/latest-readings.ts'
import { READING_SCHEMAS } from './reading.ts'
import type { ReadingOperations } from './reading-operations.ts'
import { createReadingStatistics } from './statistics/reading-statistics.ts'
import { statisticsContract } from './statistics/statistics-contract.ts'
import { createOpenStreams, HEARTBEAT_MS } from './stream/open-streams.ts'
import { sendStream, streamContract } from './stream/stream-readings.ts'
import {
  compileBodyValidator,
  createCorrections,
  restoreContract,
  withdrawContract,
} from './withdraw/withdraw-reading.ts'

const SCHEMAS = [
  ...READING_SCHEMAS,
  StoredReading,
  ReadingTypeEntry,
  AddAnswer,
  AddVerdict,
  AddVerdicts,
  Access,
  Change,
]

/** What the module needs beside the database. */
type Surroundings = { operations: ReadingOperations; maxStreams: number; now: () => number }

export function casesheetRoutes(
  db: Db,
  { operations, maxStreams, now }: Surroundings,
): FastifyPluginAsyncTypebox {
  const { patientBytes, cell, addReadings, addEach, check, readPage } = operations
  const readAccessLog = createReadAccessLog(db, cell)
  const latestReadings = createLatestReadings(db, cell, now)
  const readingStatistics = createReadingStatistics(db, cell)
  const corrections = createCorrections(db, cell)

  return async (app) => {
    for (const schema of SCHEMAS) app.addSchema(schema)
    // By its code: the message of an error may hold values.
    const warn = (error: unknown, message: string) =>
      app.log.warn({ code: error instanceof Error && (codeOf(error) || error.name) }, message)
    const delay = createFeedDelay(db.metrics, now)
    const watch = createChangeWatch(db, { cell, delay, warn })
    const changes = createChanges(db, cell, watch, delay)
    const streams = createOpenStreams(db, {
      cell,
      watch,
      maxStreams,
      now,
      refusedRequests: app.admission.refusedKnown,
      warn,
    })

    app.post(
      '/readings/add',
      // What validation finds is handed on: it refuses the body, or only some of the readings in it.
      {
        schema: addContract,
        validatorCompiler: addValidatorOf(check),
        attachValidation: true,
        // Before the body is read.
        onRequest: async (request) => {
          mustNameAPatient(request.caller)
          mustHaveNoQuery(request)
        },
      },
      async (request, reply) => {
        const { caller, body, bodyBytes, headers, validationError } = request
        const isGone = hasGone(request)
        if (prefers(headers.prefer, 'return', 'representation')) {
          const named = { patientUids: namedIn(body, caller), bytes: bodyBytes }
          const verdicts = await patientBytes.countWhile(named, () =>
            addEach(body, validationError, { caller, isGone, check }),
          )
          void reply.header('preference-applied', 'return=representation')
          return answerOf(verdicts)
        }
        if (validationError) throw validationError
        const readings = Array.isArray(body) ? body : [body]
        const patientUids = readings.map(({ patientUid }) => patientUid)
        mustBeAllowedToAdd(caller, patientUids)
        await patientBytes.countWhile({ patientUids, bytes: bodyBytes }, () =>
          addReadings(readings, caller, isGone),
        )
        return addedAnswer({ isList: Array.isArray(body) })
      },
    )

    // No HEAD: it would read, and log, a whole range to answer nothing.
    app.get('/readings/get', { schema: getContract, exposeHeadRoute: false }, async (request, reply) => {
      const { query, headers } = request
      const { patientUid, ...asked } = mustRead(request, query.patientUid)
      const format = formatFor(headers.accept)
      const answer = await getReadings(readPage, { ...query, patientUid }, { ...asked, format })
      return sendReadings(request, reply, answer, format)
    })

    app.get('/readings/types', { schema: listReadingTypesContract }, async (request, reply) =>
      sendUnlessHeld(request, reply, READING_TYPES),
    )

    app.get(
      '/readings/access-log',
      { schema: accessLogContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { patientUid, reader } = mustRead(request, request.query.patientUid)
        void reply.header('cache-control', 'no-store')
        return readAccessLog({ ...request.query, patientUid }, reader)
      },
    )

    app.post(
      '/readings/withdraw',
      { schema: withdrawContract, validatorCompiler: compileBodyValidator, onRequest: mustHaveNoQueryAtAll },
      async (request) => {
        const { caller, body } = request
        mustBeAllowedToWithdraw(caller, body.patientUid)
        return corrections.withdraw(body, caller.subject, hasGone(request))
      },
    )

    app.post(
      '/readings/restore',
      { schema: restoreContract, validatorCompiler: compileBodyValidator, onRequest: mustHaveNoQueryAtAll },
      async (request) => {
        const { caller, body } = request
        mustBeAllowedToWithdraw(caller, body.patientUid)
        return corrections.restore(body, hasGone(request))
      },
    )

    app.get(
      '/readings/changes',
      { schema: changesContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { caller, query, id } = request
        mustBeAllowedToFollowChanges(caller)
        allowSilence(request, MAX_HELD_MS)
        const isGone = new AbortController()
        reply.raw.once('close', () => isGone.abort())
        if (hasGone(request)()) isGone.abort()
        const consumer = {
          readBy: caller.subject,
          requestId: id,
          isGone: isGone.signal,
          pause: () => app.admission.pause(request),
          resume: () => app.admission.resume(request),
        }
        return sendText(reply, changes(query, consumer))
      },
    )

    app.get(
      '/readings/stream',
      { schema: streamContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { patientUid, reader } = mustRead(request, request.query.patientUid)
        streams.mustHaveRoom(reader)
        await cell.serve([{ patientUid }], cell.known)
        app.admission.pause(request)
        // A heartbeat may be late.
        allowSilence(request, 2 * HEARTBEAT_MS)
        return sendStream(reply, (response) =>
          streams.open(
            {
              patientUid,
              reader,
              expiresAtMs: request.caller.expiresAtMs,
              lastEventId: request.headers['last-event-id'],
            },
            response,
          ),
        )
      },
    )
    // Requests that wait for changes are answered, and streams are ended, before the server stops.
    let stopClearing = () => {}
    app.addHook('onListen', async () => {
      stopClearing = clearNoticesHourly(db, warn)
    })
    app.addHook('preClose', async () => {
      stopClearing()
      streams.close()
      watch.close()
    })

    app.get(
      '/readings/latest',
      { schema: latestContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { patientUid, ...asked } = mustRead(request, request.query.patientUid)
        return sendText(reply, latestReadings({ ...request.query, patientUid }, asked))
      },
    )

    app.get(
      '/readings/statistics',
      { schema: statisticsContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { patientUid, ...asked } = mustRead(request, request.query.patientUid)
        return sendText(reply, readingStatistics({ ...request.query, patientUid }, asked))
      },
    )
  }
}

/** Of a body that may be anything, the patient of each reading that this caller may add. Longer lists are refused later. */
function namedIn(body: unknown, caller: Caller): string[] {
  const own = new Set<unknown>(caller.patientUids)
  const readings: ({ patientUid?: unknown } | null)[] = Array.isArray(body) ? body.slice(0, 1_000) : [body]
  return readings.flatMap((reading) => (own.has(reading?.patientUid) ? String(reading?.patientUid) : []))
}

async function mustHaveNoQueryAtAll(request: FastifyRequest) {
  mustHaveNoQuery(request)
}

/** Sends JSON that comes as text, and that must not be cached. */
async function sendText(reply: FastifyReply, text: Promise<string>) {
  void reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
  return reply.send(await text)
}
