// Bulk Data Access (HL7, 2.0): {FHIR_PATH}/$export and Patient/$export for services, the status of an export, its files and its end.
// Both give the same: all that is exported are Observations, and each has a patient.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../db/db.ts'
import { compressFor } from '../../../http/answers/compress.ts'
import { logCut } from '../../../http/answers/errors.ts'
import { baseOf } from '../../../http/base-address.ts'
import { boundWholeAnswers } from '../../../http/limits/whole-answers.ts'
import { varyBy } from '../../../http/preferences.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { Refusal } from '../../../refusal.ts'
import { hasGone, scopeMissing } from '../../casesheet/access.ts'
import { mustGiveReason } from '../../casesheet/access-log/access-reason.ts'
import type { ServedHere } from '../../casesheet/served-here.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import { readNoBodies } from '../write/read-bodies.ts'
import { beginExport, wantedFrom } from './begin-export.ts'
import { deleteExport, firstXidOf, type Named, noSuchExport, UUID } from './export.ts'
import { DELETED_FILE, manifestOf, partitionOf, statusOf } from './export-manifest.ts'
import { createExportFiles } from './send-export-file.ts'

type Deps = { servedHere: ServedHere; ids: ObservationIds; basePath: string }

type OfExport = { Params: { slot: string; exportId: string } }
type OfFile = { Params: OfExport['Params'] & { file: string } }

const schema = { hide: true }
// No HEAD: it would begin an export, or read and log a file, to answer nothing.
const UNLISTED = { schema, exposeHeadRoute: false }

/** Clients of Bulk Data read about five files at a time. */
const FILES_AT_ONCE = { what: 'files of exports', maxOfSubject: 8, maxAnswers: 32 }

const MOVING = 'waiting until patients have moved to another cell'
const RETRY_AFTER_S = '5'

export function exportRoutes(app: FastifyInstance, db: Db, { servedHere, ids, basePath }: Deps) {
  const openFile = createExportFiles(db, ids)
  const files = boundWholeAnswers(FILES_AT_ONCE)

  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    mustExport(request.caller)
    const url = request.raw.url ?? ''
    const wanted = wantedFrom(url, [request.headers.prefer ?? []].flat().join())
    const { subject } = request.caller
    const reason = mustGiveReason(request)
    const beginning = { ...wanted, subject, reason, request: url.slice(basePath.length) }
    const { exportId, slot } = await beginExport(db, servedHere, beginning)
    request.log.info({ requestId: request.id, exportId, isSince: wanted.since !== null }, 'an export began')
    return reply
      .code(202)
      .header('content-location', `${baseOf(request, basePath)}/$export/${slot}/${exportId}`)
      .header('preference-applied', 'respond-async')
      .header('cache-control', 'no-store')
      .send()
  }
  for (const path of ['/$export', '/Patient/$export']) {
    app.get(path, UNLISTED, begin)
    void app.register(async (posts) => {
      readNoBodies(posts)
      posts.post(path, { schema }, begin)
    })
  }

  app.get<OfExport>('/$export/:slot/:exportId', UNLISTED, async (request, reply) => {
    const status = await statusOf(db, namedIn(request))
    void reply.header('cache-control', 'no-store')
    if (!status)
      return reply.code(202).header('x-progress', MOVING).header('retry-after', RETRY_AFTER_S).send()
    const base = baseOf(request, basePath)
    const { slot, exportId } = request.params
    return reply
      .type('application/json; charset=utf-8')
      .header('expires', status.expiresAt.toUTCString())
      .send(manifestOf(status, `${base}/$export/${slot}/${exportId}`, base))
  })

  app.delete<OfExport>('/$export/:slot/:exportId', { schema }, async (request, reply) => {
    await deleteExport(db, namedIn(request))
    return reply.code(202).header('cache-control', 'no-store').send()
  })

  app.get<OfFile>('/$export/:slot/:exportId/:file', UNLISTED, async (request, reply) => {
    const { caller, id: requestId, params } = request
    const named = namedIn(request)
    const isDeleted = params.file === DELETED_FILE
    const partition = isDeleted ? 0 : partitionOf(params.file)
    if (partition === undefined) throw new Refusal('NotFound', 'The export has no such file.')
    const sinceXid = await firstXidOf(db, named)
    // Before its first page is read, and logged: one that is refused reads nothing.
    files.enter(caller.subject, reply.raw)
    const walk = isDeleted ? 'erasures' : sinceXid === null ? 'by-patient' : 'by-change'
    const beganAt = performance.now()
    const { sent, pieces } = await openFile({
      ...named,
      walk,
      partition,
      sinceXid: sinceXid ?? '0',
      requestId,
      caller,
      isGone: hasGone(request),
    })
    const about = { requestId, exportId: named.exportId, file: params.file }
    reply.raw.once('close', () =>
      request.log.info(
        { ...about, lines: sent.lines, ...outcomeOf(reply, beganAt) },
        'a file of an export was sent',
      ),
    )
    return sendLines(request, reply, Readable.from(pieces))
  })
}

const outcomeOf = ({ raw }: FastifyReply, beganAt: number) => ({
  seconds: Math.round((performance.now() - beganAt) / 100) / 10,
  isWhole: raw.writableFinished,
})

/** A file that fails has sent its 200 already: the client sees it cut off, and the log must say why. */
function sendLines(request: FastifyRequest, reply: FastifyReply, lines: Readable) {
  void reply.header('content-type', 'application/fhir+ndjson').header('cache-control', 'no-store')
  varyBy(reply, 'Accept-Encoding')
  lines.once('error', (error) => logCut(request, error))
  const { stream, encoding } = compressFor(request.headers['accept-encoding'], lines)
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply.send(stream)
}

function namedIn({ caller, params }: FastifyRequest<OfExport>): Named {
  mustExport(caller)
  if (!UUID.test(params.exportId)) throw noSuchExport()
  return { exportId: params.exportId, subject: caller.subject }
}

/** All patients at once: for programs and staff, and not for a clinician who reads the patients of a ward. */
function mustExport({ mayExport }: Caller) {
  if (!mayExport) throw scopeMissing('An export needs the scope system/Observation.rs, or that of staff.')
}
