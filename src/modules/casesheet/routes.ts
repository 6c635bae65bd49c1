// The casesheet module's table of contents: {casesheet_url}/readings/… here, {casesheet_url}/grants/… in grants/grant-routes.ts
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import { sendPrivateJson } from '../../http/answers/private-json.ts'
import { mustHaveNoQuery } from '../../http/json/validation.ts'
import { boundWholeAnswers } from '../../http/limits/whole-answers.ts'
import { prefers } from '../../http/preferences.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import { hasGone, mustBeAllowedToAdd, mustCorrect, mustNameAPatient } from './access.ts'
import { Access } from './access-log/access-entry.ts'
import { accessLogContract, createReadAccessLog } from './access-log/access-log.ts'
import { AddAnswer, addContract, addedAnswer, addValidatorOf } from './add/add-readings.ts'
import { AddVerdict, AddVerdicts, answerOf } from './add/add-verdict.ts'
import { listReadingTypesContract, READING_TYPES, ReadingTypeEntry } from './catalogue/list-catalogue.ts'
import { getContract, getReadings, StoredReading } from './get/get-readings.ts'
import { formatFor } from './get/reading-formats.ts'
import { sendReadings } from './get/send-readings.ts'
import type { IsDoctor } from './grants/give-grant.ts'
import { grantRoutes } from './grants/grant-routes.ts'
import { latestContract } from './latest/latest-readings.ts'
import { READING_SCHEMAS } from './reading.ts'
import type { ReadingOperations } from './reading-operations.ts'
import { createReadingStatistics } from './statistics/reading-statistics.ts'
import { statisticsContract } from './statistics/statistics-contract.ts'
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
]

/** What the module needs beside the database. */
type Deps = { operations: ReadingOperations; isDoctor: IsDoctor; now: () => number }

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function casesheetRoutes(db: Db, deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const schema of SCHEMAS) app.addSchema(schema)
    addRoute(app, deps)
    readRoutes(app, db, deps)
    correctionRoutes(app, db)
    grantRoutes(app, db, deps)
  }
}

function addRoute(app: App, { operations: { patientBytes, addReadings, addEach, check } }: Deps) {
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
        const verdicts = await patientBytes.countWhile(
          named,
          () => addEach(body, validationError, { caller, isGone, check }),
          (all) => all.every(({ verdict }) => verdict === 'duplicate'),
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
}

function readRoutes(
  app: App,
  db: Db,
  { operations: { readPage, latestReadings, mustRead, summaries } }: Deps,
) {
  const readAccessLog = createReadAccessLog(db)
  const readingStatistics = createReadingStatistics(summaries)
  const wholeRanges = boundWholeAnswers()

  // No HEAD: it would read, and log, a whole range to answer nothing.
  app.get('/readings/get', { schema: getContract, exposeHeadRoute: false }, async (request, reply) => {
    const { query, headers } = request
    const format = formatFor(headers.accept)
    const { subject } = request.caller
    const answer = await mustRead(
      { request, reply, named: query.patientUid },
      async ({ patientUid, ...asked }) => {
        if (query.limit === undefined) wholeRanges.mustHaveRoom(subject)
        return getReadings(readPage, { ...query, patientUid }, { ...asked, format })
      },
    )
    // Most ranges fit one page, which takes no place.
    if (!Buffer.isBuffer(answer.body)) wholeRanges.enter(subject, reply.raw)
    return sendReadings(request, reply, answer, format)
  })

  app.get('/readings/types', { schema: listReadingTypesContract }, async (request, reply) =>
    sendUnlessHeld(request, reply, READING_TYPES),
  )

  app.get(
    '/readings/access-log',
    { schema: accessLogContract, exposeHeadRoute: false },
    async (request, reply) => {
      const { query } = request
      void reply.header('cache-control', 'no-store')
      return mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
        readAccessLog({ ...query, patientUid }, reader),
      )
    },
  )

  app.get('/readings/latest', { schema: latestContract, exposeHeadRoute: false }, async (request, reply) => {
    const { query } = request
    const answer = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
      latestReadings({ ...query, patientUid }, asked),
    )
    return sendPrivateJson(reply, answer)
  })

  app.get(
    '/readings/statistics',
    { schema: statisticsContract, exposeHeadRoute: false },
    async (request, reply) => {
      const { query } = request
      const answer = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
        readingStatistics({ ...query, patientUid }, asked),
      )
      return sendPrivateJson(reply, answer)
    },
  )
}

function correctionRoutes(app: App, db: Db) {
  const corrections = createCorrections(db)

  app.post(
    '/readings/withdraw',
    { schema: withdrawContract, validatorCompiler: compileBodyValidator, onRequest: mustHaveNoQueryAtAll },
    async (request) => {
      const { body } = request
      return corrections.withdraw(body, mustCorrect(request, body.patientUid), hasGone(request))
    },
  )

  app.post(
    '/readings/restore',
    { schema: restoreContract, validatorCompiler: compileBodyValidator, onRequest: mustHaveNoQueryAtAll },
    async (request) => {
      const { body } = request
      return corrections.restore(body, mustCorrect(request, body.patientUid), hasGone(request))
    },
  )
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
