// POST Observation, and Bundles of them: each becomes a reading, is checked as one, and is stored by the same statements as
// those of readings/add. A batch stores what it can and says of each what became of it; a transaction stores all or none.
import type { IsGone } from '../../../db/batch.ts'
import { mapInPieces } from '../../../http/json/pieces.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { type FieldError, MAX_ERRORS, Refusal, type RefusalCode, refuseFields } from '../../../refusal.ts'
import { mustBeAllowedToAdd } from '../../casesheet/access.ts'
import type { Kept as KeptReading } from '../../casesheet/add/add-each.ts'
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
  { addEach, addAll, check, patientBytes }: ReadingOperations,
  ids: ObservationIds,
) {
  const counting = createCounting(patientBytes)

  /** Adds one; one that is new comes as it is stored. */
  async function addOne(resource: unknown, sender: Sender): Promise<Kept & { stored?: string }> {
    const { caller, isGone, base } = sender
    const checking = { budget: newBudget(), check, maxErrors: MAX_ERRORS, base }
    const reading = observationToReading(resource, checking)
    mustBeAllowedToAdd(caller, [reading.patientUid])
    const [found] = await counting([reading], sender, () => addAll([reading], caller, isGone))
    const { readingId, receivedAt } = found as KeptReading
    const kept = keptAs(reading, { readingId, isNew: receivedAt !== undefined })
    if (receivedAt === undefined) return kept
    const { patientUid, readingType, timestamp, ...fields } = reading
    const one = { readingType, timestamp, readingId, fields, id: kept.id }
    const times = { measuredAt: asPrinted(instantOf(timestamp)), updatedAt: instantFrom(receivedAt, 3) }
    return { ...kept, stored: observationPrinter(patientUid)({ ...one, ...times }).text }
  }

  /** Adds each that can be added. */
  async function addThose(resources: readonly unknown[], sender: Sender): Promise<Added[]> {
    const checking = { budget: newBudget(), check, maxErrors: MAX_ERRORS_OF_EACH, base: sender.base }
    const items = await mapInPieces([...resources], (resource) => readingOrRefusal(resource, checking))
    const verdicts = await counting(items, sender, () =>
      addEach(items, undefined, { caller: sender.caller, isGone: sender.isGone, check }),
    )
    return verdicts.map((verdict, index) => addedFrom(verdict, items[index] as Reading))
  }

  /** Adds all, or throws and adds none. `pathOf` says where each stands. */
  async function addTransaction(
    resources: readonly unknown[],
    pathOf: (index: number) => string,
    sender: Sender,
  ): Promise<Added[]> {
    const { caller, isGone, base } = sender
    const checking = { budget: newBudget(), check, maxErrors: MAX_ERRORS, base }
    const items = await mapInPieces([...resources], (resource) => readingOrRefusal(resource, checking))
    const errors: FieldError[] = []
    for (const [index, item] of items.entries()) {
      if (!(item instanceof Refusal)) continue
      if (!item.errors) throw item
      errors.push(...item.errors.map((error) => below(pathOf(index), error)))
    }
    if (errors.length > 0) throw refuseFields(errors)
    const readings = items as Reading[]
    mustBeAllowedToAdd(
      caller,
      readings.map(({ patientUid }) => patientUid),
    )
    const all = await counting(readings, sender, () => addAll(readings, caller, isGone)).catch(
      (error: unknown) => {
        throw error instanceof Refusal ? inBundle(error, pathOf) : error
      },
    )
    return readings.map((reading, index) => {
      const { readingId, receivedAt } = all[index] as KeptReading
      return keptAs(reading, { readingId, isNew: receivedAt !== undefined })
    })
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

  return { addOne, addThose, addTransaction }
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

/** Counts the bytes of a body towards the limit of the patients whose readings its sender may add. */
function createCounting(patientBytes: ReadingOperations['patientBytes']) {
  return <Answer>(items: (Reading | Refusal)[], { caller, bytes }: Sender, add: () => Promise<Answer>) => {
    const own = new Set(caller.patientUids)
    const patientUids = items.flatMap((item) =>
      !(item instanceof Refusal) && own.has(item.patientUid) ? item.patientUid : [],
    )
    return patientBytes.countWhile({ patientUids, bytes }, add)
  }
}

/** The error with its place in the Bundle. What is wrong with the entry itself says so already. */
function below(path: string, { pointer, message }: FieldError): FieldError {
  if (pointer.startsWith('Bundle.')) return { pointer, message }
  const rest = pointer.replace(/^Observation\.?/, '')
  return { pointer: rest === '' ? path : `${path}.${rest}`, message }
}

/** A refusal of several readings with the places of their entries; its pointers begin with the index of a reading. */
function inBundle(refusal: Refusal, pathOf: (index: number) => string): Refusal {
  const { code, message, errors, headers, reason } = refusal
  if (!errors) return refusal
  const placed = errors.slice(0, MAX_ERRORS).map(({ pointer, message: fault }) => {
    const [, index] = /^\/(\d+)/.exec(pointer) ?? []
    return { pointer: index === undefined ? pointer : pathOf(Number(index)), message: fault }
  })
  return new Refusal(code, message, { errors: placed, headers, ...(reason === undefined ? {} : { reason }) })
}
