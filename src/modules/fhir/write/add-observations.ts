// POST Observation, and batches of them: each becomes a reading, is checked as one, and is stored by the same statements as those of
// readings/add. A batch stores what it can and says of each what became of it.
import type { IsGone } from '../../../db/batch.ts'
import { mapInPieces } from '../../../http/json/pieces.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { MAX_ERRORS, Refusal, type RefusalCode } from '../../../refusal.ts'
import { mustBeAllowedToAdd } from '../../casesheet/access.ts'
import type { AddVerdict } from '../../casesheet/add/add-verdict.ts'
import { instantFrom, instantOf } from '../../casesheet/epoch-time.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import { type Checking, observationToReading } from '../observation/observation-to-reading.ts'
import { observationPrinter } from '../observation/print-observation.ts'
import { newBudget } from '../observation/read-other-fields.ts'
import type { Reading } from '../observation/reading-to-observation.ts'

/** How many faults are named of each of several: all of a thousand may have as many as one alone. */
export const MAX_ERRORS_OF_EACH = 4

/** Who sends, how much, and to which base address. */
export type Sender = { caller: Caller; bytes: number; isGone: IsGone; base: string }

/** An Observation that is stored: its id, and whether it is new. */
type Kept = { id: string; patientUid: string; isNew: boolean }

/** What became of an Observation, or why it was refused. */
export type Added = Kept | Refusal

export function createAddObservations(
  { addEach, addOne, check, patientBytes }: ReadingOperations,
  ids: ObservationIds,
) {
  /** Adds one; one that is new comes as it is stored. */
  async function addObservation(resource: unknown, sender: Sender): Promise<Kept & { stored?: string }> {
    const { caller, isGone, base } = sender
    const checking = { budget: newBudget(), check, maxErrors: MAX_ERRORS, base }
    const reading = observationToReading(resource, checking)
    mustBeAllowedToAdd(caller, [reading.patientUid])
    const add = () => addOne(reading, caller, isGone)
    const { readingId, receivedAt } = await patientBytes.countWhile(countedBytes([reading], sender), add)
    const kept = keptAs(reading, { readingId, isNew: receivedAt !== undefined })
    if (receivedAt === undefined) return kept
    const { patientUid, readingType, timestamp, ...fields } = reading
    const one = { readingType, timestamp, readingId, fields, id: kept.id }
    const times = { measuredAt: asPrinted(instantOf(timestamp)), updatedAt: instantFrom(receivedAt, 3) }
    return { ...kept, stored: observationPrinter(patientUid)({ ...one, ...times }).text }
  }

  /** Adds each that can be added. */
  async function addBatch(resources: readonly unknown[], sender: Sender): Promise<Added[]> {
    const { caller, isGone, base } = sender
    const checking = { budget: newBudget(), check, maxErrors: MAX_ERRORS_OF_EACH, base }
    const items = await mapInPieces([...resources], (resource) => readingOrRefusal(resource, checking))
    const add = () => addEach(items, undefined, { caller, isGone, check })
    const verdicts = await patientBytes.countWhile(countedBytes(items, sender), add)
    return verdicts.map((verdict, index) => addedFrom(verdict, items[index] as Reading))
  }

  function addedFrom(verdict: AddVerdict, reading: Reading): Added {
    if (verdict.verdict === 'rejected')
      return new Refusal(verdict.code as RefusalCode, verdict.message, { errors: verdict.errors })
    return keptAs(reading, { readingId: verdict.readingId, isNew: verdict.verdict === 'stored' })
  }

  function keptAs(
    { patientUid, timestamp }: Reading,
    { readingId, isNew }: { readingId: string; isNew: boolean },
  ): Kept {
    return { id: ids.idOf(patientUid, { readingId, timestamp }), patientUid, isNew }
  }

  return { addObservation, addBatch }
}

/** An instant as the database prints it. */
const asPrinted = (instant: string) => instant.replace('T', ' ').replace('Z', '+00')

function readingOrRefusal(resource: unknown, checking: Checking): Reading | Refusal {
  try {
    if (resource instanceof Refusal) return resource
    return observationToReading(resource, checking)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The bytes of a body count towards the limit of the patients whose readings its sender may add. */
function countedBytes(items: readonly (Reading | Refusal)[], { caller, bytes }: Sender) {
  const own = new Set(caller.patientUids)
  const patientUids = items.flatMap((item) =>
    !(item instanceof Refusal) && own.has(item.patientUid) ? item.patientUid : [],
  )
  return { patientUids, bytes }
}
