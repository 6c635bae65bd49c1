// What is read to make one type of a patient: the targets that judge it, the evidence that there is, and the readings of some days.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { orderOfType } from '../../casesheet/by-type.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { zeroOf } from '../targets/stored-target.ts'
import { IS_LATE, IS_STRANGE, inMs } from './counted-at.ts'
import type { EvidenceRow, JudgedField, JudgedTarget, TypedReading } from './judge-readings.ts'
import { OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

const PAGE = 5_000
const BEFORE_ALL = { at: '-infinity', id: LOWEST_ID }
const SENSOR = 'interstitialGlucose'

export type OfPatient = { patientUid: string; readingType: string }

type Standing = { targets: JudgedTarget[]; evidence: EvidenceRow[] }
type StandingRow = {
  targets: { target_id: string; unit: Unit; fields: Record<string, Omit<JudgedField, 'name'>> }[] | null
  evidence: EvidenceRow[] | null
}

/**
 * Targets are those of doctors to whom the patient gives this type now; those for all hold where the grant has `manage`. Those of practices are
 * for whichever of these works there.
 */
export async function loadStanding(db: Db, { patientUid, readingType }: OfPatient): Promise<Standing> {
  const [row] = await db.query<StandingRow>(
    { name: 'what-stands', text: STANDING, values: [patientUid, readingType] },
    { on: 'follow' },
  )
  const quantities = CATALOGUE[readingType]?.quantities ?? {}
  const ownUnits = Object.fromEntries(
    Object.entries(quantities).flatMap(([field, { unit }]) => (unit ? [[field, unit]] : [])),
  )
  const targets = row?.targets?.map(({ target_id, unit, fields }) => {
    const zero = zeroOf(readingType, unit)
    return {
      targetId: target_id,
      unit,
      isSensor: readingType === SENSOR,
      ownUnits,
      fields: Object.entries(fields).map(([name, field]) => ({
        ...field,
        name,
        ...(zero !== undefined && { zero }),
      })),
    }
  })
  return { targets: targets ?? [], evidence: row?.evidence ?? [] }
}

const GIVES_TYPE = `grants.patient_uid = $1
          and grants.state = 'given'
          and valid_until > now()
          and (reading_types is null or $2 = any (reading_types))`

const STANDING = `
  select (
      select json_agg(json_build_object('target_id', target_id, 'unit', unit, 'fields', fields) order by target_id)
      from (
        select target_id, unit, fields
        from casesheet.grants
        join casesheet.targets on author_kind = 'doctor' and author_id = doctor_id
        where ${GIVES_TYPE}
          and targets.reading_type = $2
          and targets.state = 'set'
          and (targets.patient_uid = $1 or targets.patient_uid is null and permission = 'manage')
        union all
        select target_id, unit, fields
        from casesheet.targets
        where targets.patient_uid = $1
          and author_kind = 'practice'
          and targets.reading_type = $2
          and targets.state = 'set'
          and exists (select from casesheet.grants where ${GIVES_TYPE})
      ) as targets
    ) as targets, (
      select json_agg(json_build_object(
          'kind', kind, 'targetId', target_id, 'field', field, 'readingId', reading_id, 'value', value, 'severity', severity, 'shown', shown,
          'measuredAt', ${inMs('measured_at')}, 'receivedAt', ${inMs('received_at')}
        ))
      from care.evidence
      where patient_uid = $1
        and reading_type = $2
    ) as evidence`

/**
 * `usual`: by when they count; those with impossible times come apart, by their arrival. `late`, of days that are not summed any more: by their
 * arrival too, for few of a long history arrived lately; but of a few days by these, for all of a history may have.
 */
export type Kind = 'usual' | 'strange' | 'late' | 'lateOfDays'
/** From the first instant up to, and without, the last; as ISO 8601. */
export type Range = { from: string; to: string; receivedFrom?: string }

type ReadingRow = {
  reading_id: string
  at: string
  measured_at: number
  received_at: number
  unit: Unit | null
  details: Record<string, unknown>
}

export async function* readingsOf(
  db: Db,
  of: OfPatient,
  kind: Kind,
  range: Range,
): AsyncGenerator<TypedReading[]> {
  let after = BEFORE_ALL
  for (;;) {
    const rows: ReadingRow[] = await db.query(pageStatement(of, kind, range, after), { on: 'follow' })
    yield rows.map(({ reading_id, measured_at, received_at, unit, details }) => ({
      readingId: reading_id,
      measuredAt: measured_at,
      receivedAt: received_at,
      unit: unit ?? CATALOGUE[of.readingType]?.units[0] ?? null,
      details,
    }))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = { at: last.at, id: last.reading_id }
  }
}

export function pageStatement(
  { patientUid, readingType }: OfPatient,
  kind: Kind,
  { from, to, receivedFrom = from }: Range,
  { at, id } = BEFORE_ALL,
): Statement {
  const isOther = readingType === OTHER_TYPES
  const ofType = isOther ? textArray(OWN_TYPES) : readingType
  const values = [patientUid, ofType, from, to, at, id, PAGE]
  return {
    name: `readings-to-judge-${kind}-${isOther ? 'others' : 'own'}`,
    text: TEXTS[kind](isOther),
    values: kind === 'late' || kind === 'lateOfDays' ? [...values, receivedFrom] : values,
  }
}

/**
 * No column is null: with coalesce the index by type is of no use, by which a whole history would be walked over for what arrived lately. A clock
 * that is ahead by less than a day counts when it arrived: perhaps on the day before.
 */
const TEXTS: Record<Kind, (isOther: boolean) => string> = {
  usual: (isOther) =>
    readingsWhere(isOther, {
      place: 'measured_at',
      order: isOther ? 'readings.measured_at, readings.reading_id' : orderOfType('asc'),
      when: `measured_at >= $3::timestamptz
      and measured_at < $4::timestamptz + interval '24 hours'
      and least(measured_at, received_at) >= $3
      and least(measured_at, received_at) < $4
      and not ${IS_STRANGE}`,
    }),
  strange: (isOther) =>
    readingsWhere(isOther, {
      place: 'received_at',
      order: 'readings.received_at, readings.reading_id',
      when: `${IS_STRANGE}
      and received_at >= $3::timestamptz
      and received_at < $4::timestamptz`,
    }),
  late: (isOther) =>
    readingsWhere(isOther, {
      place: 'received_at',
      order: 'readings.received_at, readings.reading_id',
      when: `${IS_LATE}
      and not ${IS_STRANGE}
      and received_at >= $8::timestamptz
      and coalesce(measured_at, received_at) >= $3::timestamptz
      and coalesce(measured_at, received_at) < $4::timestamptz`,
    }),
  lateOfDays: (isOther) =>
    readingsWhere(isOther, {
      place: 'measured_at',
      order: orderOfType('asc'),
      when: `measured_at >= $3::timestamptz
      and measured_at < $4::timestamptz
      and measured_at - coalesce(received_at, measured_at) < interval '-14 days'
      and not ${IS_STRANGE}
      and received_at >= $8::timestamptz`,
    }),
}

type Where = { place: string; order: string; when: string }
const readingsWhere = (isOther: boolean, { place, order, when }: Where) => `
  select reading_id, ${place}::text as at, ${inMs('measured_at')} as measured_at, ${inMs('received_at')} as received_at, details ->> 'unit' as unit,
    details
  from casesheet.readings
  where patient_uid = $1
    and ${isOther ? 'reading_type <> all ($2::text[])' : 'reading_type = $2'}
    and ${when}
    -- Where the page begins: the index does not have the whole id.
    and ${place} >= $5::timestamptz
    and (${place}, reading_id) > ($5::timestamptz, $6::uuid)
    and withdrawn_at is null
  order by ${order}
  limit $7::integer`
