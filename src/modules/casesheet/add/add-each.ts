// Adds that say what became of each reading. POST readings/add with `Prefer: return=representation`: each reading is judged on
// its own, and those that pass are stored in one statement. FHIR adds one reading so, too. The statement that stored a reading reports it
// as `stored`, hence once: of sixty requests with the same reading, one gets `stored` and 59 get `duplicate`, even if they share that
// statement. Both mean committed. When the connection is lost after the commit, the statement is repeated and finds its own readings:
// they are reported as `duplicate` although this request stored them, because another request could have stored them in between.
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { codeOf } from '../../../error-code.ts'
import { mapInPieces } from '../../../http/json/pieces.ts'
import type { Check } from '../../../http/json/validation.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { mustBeAllowedToAdd } from '../access.ts'
import { MAX_READINGS, type Reading } from '../reading.ts'
import { ADDS, insertStatement, type ReadingCounts, type Row, rowOf } from './add-readings.ts'
import { type AddVerdict, rejectedFor, withWarnings } from './add-verdict.ts'
import type { ReadingWarning, Warn } from './reading-warnings.ts'
import { patientErased, type RefusedPatients } from './refused-patients.ts'

/** Errors and warnings in one answer beyond the first of each reading. */
const MAX_FURTHER = 1_000

/** A reading that is stored: when it was received, if this request stored it. */
export type Kept = { readingId: string; receivedAt: string | undefined }

type Sender = { caller: Caller; isGone: IsGone; check: Check }

export function createAddEach(
  db: Db,
  counts: ReadingCounts,
  { refused, warn }: { refused: RefusedPatients; warn: Warn },
) {
  const add = shareStatements<Row[], StoredRow, Kept[]>(db, {
    ...ADDS,
    kind: 'add-each',
    // The plain add returns nothing, and so need not pay for this.
    statementFor: (adds) => {
      const { text, values } = insertStatement(adds, refused)
      return { name: 'add-readings-each', text: `${text}\n returning reading_id, received_at::text`, values }
    },
    answersFrom: keptBy,
  })

  const addUnlessRefused = refused.guard(add)

  /** The statement names one refused patient at a time, so there is one more attempt for each of them. */
  async function addThoseAccepted(rows: Row[], isGone: IsGone): Promise<AddVerdict[]> {
    for (let refusals = 0; ; refusals++) {
      const reasons = rows.map((row) => (refused.isRefused(row) ? patientErased() : undefined))
      const accepted = rows.filter((_, index) => reasons[index] === undefined)
      try {
        const kept = accepted.length > 0 ? await addUnlessRefused(accepted, isGone) : []
        let next = 0
        return reasons.map((reason) => (reason ? rejectedFor(reason) : verdictOn(kept[next++] as Kept)))
      } catch (error) {
        if (codeOf(error) !== 'PatientErased' || refusals > rows.length) throw error
      }
    }
  }

  /** Stores one reading that was checked. */
  async function addOne(reading: Reading, { subject }: Caller, isGone: IsGone): Promise<Kept> {
    const [kept] = await addUnlessRefused([rowOf(reading, subject)], isGone)
    counts[verdictOn(kept as Kept).verdict]++
    return kept as Kept
  }

  /** Judges and stores the readings of a body; the error of its validation, if it has one, is about one of them or all. */
  async function addEach(
    body: unknown,
    invalid: Error | undefined,
    { caller, isGone, check }: Sender,
  ): Promise<AddVerdict[]> {
    if (invalid && !isOfReadings(body)) throw invalid
    const readings = (Array.isArray(body) ? body : [body]) as Reading[]
    const judge = createJudge(caller, { check: invalid && check, warn })
    const judged = await mapInPieces(readings, judge)
    const accepted = judged.filter((one) => 'row' in one)
    const rows = accepted.map(({ row }) => row)
    const verdicts = await addThoseAccepted(rows, isGone)
    let next = 0
    const all = judged.map((one) =>
      'row' in one ? withWarnings(verdicts[next++] as AddVerdict, one.warnings) : one,
    )
    for (const { verdict } of all) counts[verdict]++
    return all
  }

  return { addEach, addOne }
}

/** Whether a body is one reading or a list of as many as there may be, whatever they hold. */
function isOfReadings(body: unknown): boolean {
  if (Array.isArray(body)) return body.length > 0 && body.length <= MAX_READINGS
  return typeof body === 'object' && body !== null
}

type Accepted = { row: Row; warnings: ReadingWarning[] }

/**
 * Turns each reading into its row, or into why there is none. The first error or warning of every reading is reported. Of
 * further ones, an answer reports at most a thousand: it stays small however much is wrong.
 */
function createJudge(caller: Caller, { check, warn }: { check: Check | undefined; warn: Warn }) {
  let further = MAX_FURTHER
  const count = (reported: unknown[]) => {
    further = Math.max(0, further - Math.max(0, reported.length - 1))
  }
  return (reading: Reading): Accepted | AddVerdict => {
    try {
      if (reading instanceof Refusal) throw reading
      const errors = check?.(reading) ?? []
      if (errors.length > 0) throw refuseFields(errors.slice(0, further + 1))
      mustBeAllowedToAdd(caller, [reading.patientUid])
      const row = rowOf(reading, caller.subject)
      const warnings = warn(reading).slice(0, further + 1)
      count(warnings)
      return { row, warnings }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      count(error.errors ?? [])
      return rejectedFor(error)
    }
  }
}

type StoredRow = { reading_id: string; received_at: string }

/** A reading that the statement stored counts as stored for the first who sent it, and as a duplicate for the others. */
function keptBy(stored: StoredRow[], adds: Row[][]): Kept[][] {
  const receivedAtOf = new Map(stored.map((row) => [row.reading_id, row.received_at]))
  return adds.map((rows) =>
    rows.map(({ readingId }) => {
      const receivedAt = receivedAtOf.get(readingId)
      receivedAtOf.delete(readingId)
      return { readingId, receivedAt }
    }),
  )
}

function verdictOn({ readingId, receivedAt }: Kept): AddVerdict {
  return { verdict: receivedAt === undefined ? 'duplicate' : 'stored', readingId }
}
