// A target as its row has it: what the interface shows of it, and what the judgement (status/) is given of it.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { durationMs } from '../rules/duration.ts'
import type { Field, Target as Judged, Who } from '../status/facts.ts'
import type { Target, TargetAuthor, TargetField } from './target.ts'

export type TargetRow = {
  target_id: string
  author_kind: TargetAuthor['kind']
  author_id: string
  author_name: string | null
  patient_uid: string | null
  reading_type: string
  unit: Unit
  fields: Record<string, TargetField>
  expect_every: string | null
  label: string | null
  preset: string | null
  set_by: string
  set_at: string
}

/** SQL: the columns of a TargetRow. */
export const TARGET_COLUMNS = `target_id, author_kind, author_id, author_name, targets.patient_uid, targets.reading_type, unit, fields,
      expect_every, label, preset, set_by, set_at::text as set_at`

export function targetFrom(row: TargetRow, judges: boolean): Target {
  const { set_at, patient_uid: patientUid, reading_type: readingType } = row
  return {
    targetId: row.target_id,
    patientUid,
    readingType,
    unit: row.unit,
    expectEvery: row.expect_every,
    label: row.label,
    preset: row.preset,
    fields: Object.fromEntries(inOrder(row)),
    author: authorOf(row),
    isForAll: patientUid === null,
    judges,
    setBy: row.set_by,
    setAt: instantFrom(set_at, 6),
  }
}

export function authorOf(row: AuthorRow): TargetAuthor {
  const { author_kind: kind, author_id } = row
  const ids = { doctor: { doctorId: author_id }, practice: { practiceId: author_id }, patient: {} }
  return { kind, ...ids[kind], name: nameOf(row) }
}

type AuthorRow = Pick<TargetRow, 'author_kind' | 'author_id' | 'author_name'>

const nameOf = ({ author_name, author_id }: AuthorRow) => author_name ?? author_id

/** The fields as the catalogue orders them, which the database does not keep. */
function inOrder({ reading_type, fields }: Pick<TargetRow, 'reading_type' | 'fields'>) {
  const known = Object.keys(CATALOGUE[reading_type]?.quantities ?? {})
  return Object.entries(fields).toSorted(([a], [b]) => known.indexOf(a) - known.indexOf(b))
}

/** The doctor who reads, if one does, and the doctor's practices. */
export type ReadAs = { doctorId: string | null; practiceIds: readonly string[] }

/** How somebody who reads sees the author. Another practice is as another doctor. */
export function whoOf(row: AuthorRow, { doctorId, practiceIds }: ReadAs, manages: boolean): Who {
  const { author_kind: kind, author_id: id } = row
  const name = nameOf(row)
  if (kind === 'patient') return { name, is: 'patient', manages }
  if (kind === 'practice') return { name, is: practiceIds.includes(id) ? 'practice' : 'other', manages }
  return { name, is: id === doctorId ? 'me' : 'other', manages }
}

/** Where distance starts: 100 for oxygen, 37 °C for temperature. */
const ZEROS: Record<string, Partial<Record<Unit, number>>> = {
  oxygenSaturation: { '%': 100 },
  bodyTemperature: { Cel: 37, '[degF]': 98.6 },
}

export const zeroOf = (readingType: string, unit: Unit) => ZEROS[readingType]?.[unit]

/** What the judgement is given of a target beside its author, its newest reading, and the sums and evidence of its fields. */
export function judgedTarget(
  row: Pick<TargetRow, 'reading_type' | 'unit' | 'fields' | 'patient_uid' | 'expect_every' | 'set_at'>,
): Omit<Judged, 'author' | 'newest' | 'fields'> & { fields: Omit<Field, 'sums' | 'beyond'>[] } {
  const { reading_type: readingType, unit, expect_every } = row
  const zero = zeroOf(readingType, unit)
  const isSensor = readingType === 'interstitialGlucose'
  return {
    readingType,
    isForAll: row.patient_uid === null,
    setAt: Date.parse(row.set_at),
    isSensor,
    needsGoals: isSensor || readingType === 'bloodGlucose',
    expectEvery: expect_every === null ? null : durationMs(expect_every),
    // In the order of the database, as the sums of a day are.
    fields: Object.entries(row.fields).map(([name, field]) => ({
      name,
      ...field,
      ...(zero !== undefined && { zero }),
    })),
  }
}
