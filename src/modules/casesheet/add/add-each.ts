// POST readings/add with `Prefer: return=representation`: each reading is judged on its own, and those that pass are stored
// in one statement. The statement that stored a reading reports it as `stored`, hence once: of sixty requests with the same
// reading, one gets `stored` and 59 get `duplicate`, even if they share that statement. Both mean committed. When the connection
// is lost after the commit, the statement is repeated and finds its own readings: they are reported as `duplicate` although
// this request stored them, because another request could have stored them in between.
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { mapInPieces } from '../../../http/json/pieces.ts'
import type { Check } from '../../../http/json/validation.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { mustBeAllowedToAdd } from '../access.ts'
import { MAX_READINGS, type Reading } from '../reading.ts'
import { ADDS, type AddGuards, insertStatement, type ReadingCounts, type Row, rowOf } from './add-readings.ts'
import { type AddVerdict, rejectedFor } from './add-verdict.ts'
import { patientErased } from './refused-patients.ts'

/** Errors in one answer beyond the first of each reading. */
const MAX_FURTHER_ERRORS = 1_000

type Sender = { caller: Caller; isGone: IsGone; check: Check }

/** Judges and stores the readings of a body; the error of its validation, if it has one, is about one of them or all. */
export function createAddEach(db: Db, counts: ReadingCounts, guards: AddGuards) {
  const { cell, refused } = guards
  const add = shareStatements<Row[], { reading_id: string }, AddVerdict[]>(db, {
    ...ADDS,
    kind: 'add-each',
    // The plain add returns nothing, and so need not pay for this.
    statementFor: (adds) => {
      const { text, values } = insertStatement(adds, guards)
      return { name: 'add-readings-each', text: `${text}\n returning reading_id`, values }
    },
    isCurrent: cell.areOpen,
    answersFrom: (stored, adds) => verdictsOf(new Set(stored.map((row) => row.reading_id)), adds),
  })

  const addUnlessRefused = refused.guard(add)

  /** Patients of other cells are refused; where that is all there is, the request is, because it was sent to the wrong cell. */
  async function refusalsOfCell(rows: Row[], areAll: boolean): Promise<(Refusal | undefined)[]> {
    if (!cell.areOpen(rows)) await cell.read()
    const refusals = rows.map((row) => cell.refusalOf(row))
    const [first] = refusals
    if (first && areAll && refusals.every(Boolean)) throw first
    return refusals
  }

  /** The statement names one refused patient at a time, so there is one more attempt for each of them. */
  async function addThoseAccepted(rows: Row[], areAll: boolean, isGone: IsGone): Promise<AddVerdict[]> {
    for (let refusals = 0; ; refusals++) {
      const ofCell = await refusalsOfCell(rows, areAll)
      const refusalOf = (row: Row, index: number) =>
        ofCell[index] ?? (refused.isRefused(row) ? patientErased() : undefined)
      const reasons = rows.map(refusalOf)
      const accepted = rows.filter((_, index) => reasons[index] === undefined)
      try {
        const verdicts = accepted.length > 0 ? await addUnlessRefused(accepted, isGone) : []
        let next = 0
        return reasons.map((reason) => (reason ? rejectedFor(reason) : (verdicts[next++] as AddVerdict)))
      } catch (error) {
        const isRefusal = error instanceof Refusal && error.code === 'PatientErased'
        if (!isRefusal || refusals > rows.length) throw error
      }
    }
  }

  return async (
    body: unknown,
    invalid: Error | undefined,
    { caller, isGone, check }: Sender,
  ): Promise<AddVerdict[]> => {
    if (invalid && !isOfReadings(body)) throw invalid
    const readings = (Array.isArray(body) ? body : [body]) as Reading[]
    const judge = createJudge(caller, invalid && check)
    const judged = await mapInPieces(readings, judge)
    const rows = judged.filter((one) => 'readingType' in one)
    const verdicts = await cell.decide(() => addThoseAccepted(rows, rows.length === readings.length, isGone))
    let next = 0
    const all = judged.map((one) => ('readingType' in one ? (verdicts[next++] as AddVerdict) : one))
    for (const { verdict } of all) counts[verdict]++
    return all
  }
}

/** Whether a body is one reading or a list of as many as there may be, whatever they hold. */
function isOfReadings(body: unknown): boolean {
  if (Array.isArray(body)) return body.length > 0 && body.length <= MAX_READINGS
  return typeof body === 'object' && body !== null
}

/**
 * Turns each reading into its row, or into why there is none. The first error of every rejected reading is reported. Of
 * further errors, an answer reports at most a thousand: it stays small however much is wrong.
 */
function createJudge(caller: Caller, check: Check | undefined) {
  let furtherErrors = MAX_FURTHER_ERRORS
  return (reading: Reading): Row | AddVerdict => {
    try {
      if (reading instanceof Refusal) throw reading
      const errors = check?.(reading) ?? []
      if (errors.length > 0) throw refuseFields(errors.slice(0, furtherErrors + 1))
      mustBeAllowedToAdd(caller, [reading.patientUid])
      return rowOf(reading, caller.subject)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      furtherErrors -= Math.max(0, (error.errors?.length ?? 0) - 1)
      return rejectedFor(error)
    }
  }
}

/** A reading stored by this statement counts as `stored` for the first request that sent it, and as `duplicate` for the others. */
function verdictsOf(stored: Set<string>, adds: Row[][]): AddVerdict[][] {
  return adds.map((rows) =>
    rows.map(({ readingId }) => ({ verdict: stored.delete(readingId) ? 'stored' : 'duplicate', readingId })),
  )
}
