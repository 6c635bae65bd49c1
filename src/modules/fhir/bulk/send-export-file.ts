// A file of an export, made while it is sent: a page at a time is read and printed, the next when the client has taken it. So a file
// of any length takes the memory of a page, and a client that stops reading holds nothing but that.
//
// In a process one page of all exports is read at a time, callers in turn: an export may take as long as it takes, and others must not
// notice. A page is printed in slices for the same reason.
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { IsGone } from '../../../db/batch.ts'
import { ConnectionTurns } from '../../../db/connection-turns.ts'
import type { Db } from '../../../db/db.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { tokenIsInvalid } from '../../../http/tokens/tokens.ts'
import { clientDisconnected, Refusal } from '../../../refusal.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import {
  FIELD_END,
  inOneLine,
  type ListedReading,
  READING_END,
  readingAt,
} from '../../casesheet/get/print-readings.ts'
import { identifiedFrom } from '../observation/listed-readings.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import { patientReference } from '../observation/patient-reference.ts'
import { observationPrinter } from '../observation/print-observation.ts'
import { mustBeReadable, type Named } from './export.ts'
import { type Entry, type Page, type Position, readExportPage, startOf, type Walk } from './export-page.ts'

/** A millisecond or two of printing. */
const SLICE = 100
const SLICE_CHARS = 65_536

/** `sinceXid` is the first transaction that may matter. */
export type FileRequest = Named & {
  walk: Walk
  partition: number
  sinceXid: string
  requestId: string
  caller: Caller
  isGone: IsGone
}

type Place = { after: Position; entry: Entry | undefined }

export function createExportFiles(db: Db, ids: ObservationIds) {
  const reads = countReads(db.metrics, 'fhir/export')
  const turns = new ConnectionTurns(1)

  async function readInTurn(request: FileRequest, place: Place): Promise<Page> {
    const { subject, caller, isGone } = request
    await new Promise<void>((begin, refuse) => turns.enter({ subject, hasBegun: true, begin, refuse }))
    try {
      if (isGone()) throw clientDisconnected()
      // It may have been sent for an hour, and must not be shown what its token would no longer be.
      if (!caller.signingKey.isTrusted()) throw tokenIsInvalid('unknownKey')
      const page = mustBeReadable(await readExportPage(db, { ...request, ...place }))
      if (!page.is_served)
        throw new Refusal('PatientMoving', 'Patients are being moved to another cell. Try again shortly.')
      if (request.walk !== 'erasures') {
        reads.rows += page.patients
        reads.readings += page.shown
      }
      return page
    } finally {
      turns.leave()
    }
  }

  /** The text of the file, in pieces, once its first page was read. */
  return async (request: FileRequest) => {
    const { walk, sinceXid } = request
    const print = walk === 'erasures' ? printErasures : printObservations
    const first = await readInTurn(request, { after: startOf(walk, sinceXid), entry: undefined })
    const sent = { lines: 0 }
    async function* pieces() {
      let entry: Entry | undefined
      for (let page = first; ; ) {
        yield* print(page, ids)
        sent.lines += page.shown
        if (!page.has_more || page.last === null) return
        entry = entryAfter(page, entry)
        page = await readInTurn(request, { after: page.last, entry })
      }
    }
    return { sent, pieces: pieces() }
  }
}

/** The entry of the access log of a page's last patient, who may go on in the next. */
function entryAfter({ last, at, is_last_logged }: Page, entry: Entry | undefined): Entry | undefined {
  const patientUid = last?.[0] ?? ''
  const pages = is_last_logged ? 1 : 0
  if (entry?.patientUid === patientUid) return { ...entry, pages: entry.pages + pages }
  return is_last_logged ? { patientUid, at, pages } : undefined
}

async function* printObservations({ items }: Page, ids: ObservationIds) {
  if (items === null) return
  let [text, count] = ['', 0]
  for (const { patient, readings } of runsOfPatients(inOneLine(items).split(READING_END))) {
    const patientUid = JSON.parse(patient) as string
    const print = observationPrinter(patientUid)
    for (const one of identifiedFrom(readings, patientUid, ids)) text += `${print(one).text}\n`
    count += readings.length
    if (count < SLICE && text.length < SLICE_CHARS) continue
    yield text
    ;[text, count] = ['', 0]
    await nextIteration()
  }
  if (text !== '') yield text
}

/** Readings that follow each other and are of one patient, at most a slice of them. */
function* runsOfPatients(items: string[]) {
  let [patient, chars] = ['', 0]
  let readings: ListedReading[] = []
  for (const item of items) {
    const of = item.slice(0, item.indexOf(FIELD_END))
    if (readings.length > 0 && (of !== patient || readings.length === SLICE || chars > SLICE_CHARS)) {
      yield { patient, readings }
      ;[readings, chars] = [[], 0]
    }
    patient = of
    chars += item.length
    readings.push(readingAt(item, patient.length + 1))
  }
  if (readings.length > 0) yield { patient, readings }
}

/** What a recipient has to delete: all of an erased patient. */
async function* printErasures({ items }: Page) {
  if (items === null) return
  const lines = items.split(READING_END).map((patient) => {
    const { reference, identifier } = patientReference(JSON.parse(patient) as string)
    const urls = identifier
      ? [
          `patient:identifier=${identifier.system}|${identifier.value}`,
          `Patient?identifier=${identifier.system}|${identifier.value}`,
        ]
      : [`patient=${reference}`, `${reference}`]
    const entry = [`Observation?${urls[0]}`, urls[1]].map((url) => ({ request: { method: 'DELETE', url } }))
    return `${JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry })}\n`
  })
  yield lines.join('')
}
