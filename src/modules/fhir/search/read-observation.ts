// GET Observation/{id}: one reading, found by what the id says, with a row in the access log like every other read.
import type { IsGone } from '../../../db/batch.ts'
import { Refusal } from '../../../refusal.ts'
import type { ReadPage } from '../../casesheet/get/read-page.ts'
import type { Reader } from '../../casesheet/reader.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import type { Asked } from '../gets.ts'
import { type ParsedReading, parsedFrom } from '../observation/listed-readings.ts'
import type { ObservationIds, Place } from '../observation/observation-id.ts'
import { observationPrinter } from '../observation/print-observation.ts'

/** Bytes of stored readings in one page: each is parsed and printed anew, at several times its size. */
export const PAGE_COST = { maxBytes: 128 * 1_024, costOfByte: 8 }

/** Patients of one token that are looked at: each is a read of its own. */
const MAX_PATIENTS = 20

type PlaceOfPatient = Place & { patientUid: string; id: string }

/**
 * Where the reading of an Observation may be: at the patient that the id names. An id without one can be of each patient of
 * the token whose own id is too long for it.
 */
export function placesOf(id: string, patientUids: readonly string[], ids: ObservationIds): PlaceOfPatient[] {
  const place = ids.placeOf(id)
  if (!place) return []
  const { patientUid } = place
  if (patientUid !== undefined) return [{ ...place, patientUid, id }]
  return patientUids
    .filter((own) => ids.idOf(own, place) === id)
    .slice(0, MAX_PATIENTS)
    .map((own) => ({ ...place, patientUid: own, id }))
}

/** The Observation of one of these patients, as JSON. */
export function createReadObservation({ readPage, mustRead }: ReadingOperations, ids: ObservationIds) {
  return async (
    asked: Pick<Asked, 'request' | 'reply'>,
    id: string,
    patientUids: readonly string[],
  ): Promise<string> => {
    for (const place of placesOf(id, patientUids, ids)) {
      const found = await mustRead({ ...asked, named: place.patientUid, readAs: 'read' }, (reading) =>
        readListed(readPage, place, reading),
      )
      if (found) return observationPrinter(place.patientUid)({ ...found, id }).text
    }
    throw new Refusal('ReadingNotFound', 'There is no such Observation.')
  }
}

export async function readListed(
  readPage: ReadPage,
  { patientUid, readingId, timestamp }: PlaceOfPatient,
  { reader, isGone }: { reader: Reader; isGone: IsGone },
): Promise<ParsedReading | undefined> {
  const { readings } = await readPage(
    {
      range: {
        patientUid,
        from: timestamp,
        to: timestamp,
        readingTypes: null,
        order: 'asc',
        withdrawn: 'shown',
        after: { timestamp, readingId: idBefore(readingId) },
      },
      reader,
      page: 0,
      beganAt: null,
      size: 1,
      ...PAGE_COST,
      isLarge: false,
    },
    isGone,
  )
  const found = readings.find((one) => one.readingId === readingId)
  return found && parsedFrom(found)
}

/** The page begins behind this id, hence with the one that is asked for. */
function idBefore(readingId: string): string {
  const before = BigInt(`0x${readingId.replaceAll('-', '')}`) - 1n
  return before
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
