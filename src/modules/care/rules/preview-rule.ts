// POST rules/preview: what a rule would have done with the readings of the last 90 days, had it been set before them: of one patient, or of all
// who share with manage. Nothing is stored but rows of the access log.
import { setImmediate } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { DURABLE, type Statement } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { orderOfTime } from '../../casesheet/by-type.ts'
import { instantOf } from '../../casesheet/epoch-time.ts'
import { GrantChanged } from '../../casesheet/grants/reading-grants.ts'
import { Alert, EXAMPLE_ALERT } from '../alerts/alert.ts'
import { closed, instant, instantOrNull, textOrNull } from '../answer-forms.ts'
import { Fold, type Span } from '../evaluation/fold.ts'
import { type Micros, micros } from '../evaluation/micros.ts'
import { type Outage, readOutages } from '../evaluation/outages.ts'
import { countedAt, countedOnce, type Mark, type ReadReading, seenOf } from '../evaluation/seen.ts'
import { MAX_PATIENTS } from '../patients/list-contract.ts'
import { DAY } from '../status/beyond.ts'
import { EXAMPLE_RULE } from './rule.ts'
import { RULE_OF_BODY, type RuleTerms } from './rule-terms.ts'

const DAYS = 90
/** The newest of them are read; of several patients, of each the same share. */
const MAX_READINGS = 50_000
/** The newest of them are shown. */
const MAX_SHOWN = 200
const MESSAGE = 'The rule was tried on the readings.'

const EXAMPLE = {
  patientUid: EXAMPLE_RULE.patientUid,
  readingType: EXAMPLE_RULE.readingType,
  field: EXAMPLE_RULE.field,
  unit: EXAMPLE_RULE.unit,
  severity: EXAMPLE_RULE.severity,
  value: EXAMPLE_RULE.value,
  clear: EXAMPLE_RULE.clear,
}

const PreviewBody = closed(RULE_OF_BODY)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const RulePreview = Type.Object(
  {
    from: instant('From when on readings were looked at, in UTC, of the patient with the oldest.'),
    to: instant('Until when: now.'),
    readings: count('How many readings of the type were looked at.'),
    patients: count('Of how many patients they were.'),
    isCut: Type.Boolean({
      description: `Whether there were more than ${MAX_READINGS.toLocaleString('en')}: then only the newest were looked at, of each patient the same share.`,
    }),
    alerts: Type.Array(
      closed({
        patientUid: Type.String(),
        sharedAs: textOrNull('The name under which the patient shares.'),
        openedAt: instant(
          'When the reading was measured by which it would have opened, or when one was missing.',
        ),
        until: instantOrNull('When it would have ended; null if it would be open now.'),
        worst: Alert.properties.worst,
        why: Type.String({ description: 'One sentence.' }),
      }),
      { maxItems: MAX_SHOWN, description: `The alerts, newest first, at most ${MAX_SHOWN}.` },
    ),
    count: count('How many alerts there would have been.'),
    openFor: count('How long they would have been open in total, in milliseconds.'),
    longest: count('How long the longest of them would have been open, in milliseconds.'),
    perWeek: Type.Number({
      minimum: 0,
      description: 'How many alerts a week, of all these patients together, with one decimal.',
    }),
  },
  { $id: 'RulePreview', additionalProperties: false, description: 'What a rule would have done.' },
)
type RulePreview = Static<typeof RulePreview>

const EXAMPLE_PREVIEW: RulePreview = {
  from: '2026-08-19T08:15:30.125Z',
  to: '2026-11-17T08:15:30.125Z',
  readings: 2_160,
  patients: 1,
  isCut: false,
  alerts: [
    {
      patientUid: EXAMPLE_ALERT.patientUid,
      sharedAs: EXAMPLE_ALERT.sharedAs ?? null,
      openedAt: '2026-11-17T08:14:58.000Z',
      until: null,
      worst: EXAMPLE_ALERT.worst,
      why: EXAMPLE_ALERT.why,
    },
  ],
  count: 1,
  openFor: 32_125,
  longest: 32_125,
  perWeek: 0.1,
}

export const previewRuleContract = {
  tags: ['care'],
  operationId: 'previewRule',
  summary: 'See what a rule would have done with the readings of a patient, or of all',
  description:
    `For the same callers as rules/set. Takes the same rule, as if it had been set ${DAYS} days ago, and sets nothing. Without patientUid it tries the ` +
    `rule on all who share the type with the permission manage. At most ${MAX_READINGS.toLocaleString('en')} readings are looked at. It is logged as a read of each ` +
    'patient with such readings.',
  body: Type.Object(PreviewBody.properties, { additionalProperties: false, examples: [EXAMPLE] }),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Unsafe<RulePreview>({ $ref: 'RulePreview#' }),
      },
      {
        description: 'What it would have done.',
        examples: [{ code: 'Ok', message: MESSAGE, data: EXAMPLE_PREVIEW }],
      },
    ),
    ...errorAnswers(
      () => checkFor(PreviewBody)({ ...EXAMPLE, severity: 'high' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

type Asking = { patientUid: string | null; doctorId: string; by: string; requestId: string }

/** Of a patient who shares, the newest readings first, one more than are looked at. */
type Row = { patient_uid: string; shared_as: string | null; share: number; readings: ReadingRow[] | null }
type ReadingRow = [
  id: string,
  measuredAt: Micros,
  receivedAt: Micros,
  value: number | null,
  unit: string | null,
  outOfRange: Mark | null,
  symptoms: ReadReading['symptoms'],
]

/** What the rule would have done with the readings of one patient. */
type Tried = { row: Row; from: Micros; readings: number; isCut: boolean; spans: readonly Span[] }

export function createPreviewRule(db: Db, now: () => number) {
  return async (rule: RuleTerms, asking: Asking) => {
    const to = now()
    const from = to - DAYS * DAY
    const { patientUid, by } = asking
    const statement = previewStatement(rule, asking, { from, to })
    const rows = await db.query<Row>(statement, { on: 'search', subject: by })
    if (patientUid !== null && rows.length === 0) throw new GrantChanged()
    const outages = await readOutages(db)
    const tried: Tried[] = []
    for (const row of rows.filter(({ readings }) => readings !== null))
      tried.push(await tryOn(row, rule, { from: from * 1_000, to: to * 1_000, outages }))
    return { code: 'Ok' as const, message: MESSAGE, data: previewOf(tried, { from, to }) }
  }
}

export function previewStatement(
  { readingType, field }: Pick<RuleTerms, 'readingType' | 'field'>,
  { patientUid, doctorId, by, requestId }: Asking,
  { from, to }: { from: number; to: number },
): Statement {
  const values = [doctorId, readingType, instantOf(from), instantOf(to), field, patientUid, by, requestId]
  return { name: 'preview-rule', text: PREVIEW_RULE, values, behind: DURABLE }
}

type Range = { from: Micros; to: Micros; outages: readonly Outage[] }

async function tryOn(row: Row, rule: RuleTerms, { from, to, outages }: Range): Promise<Tried> {
  const all = row.readings ?? []
  const isCut = all.length > row.share
  const read = all.slice(0, row.share).map((reading) => readingFrom(reading, rule.field))
  const start = isCut ? (read.at(-1)?.at ?? from) : from
  const fold = new Fold(rule, { open: null, setAt: start }, outages)
  const seen = countedOnce(read.flatMap((reading) => seenOf(rule, reading)))
  for (const [nth, each] of seen.entries()) {
    // Other requests are served meanwhile.
    if (nth % 5_000 === 4_999) await setImmediate()
    fold.push(each)
  }
  await setImmediate()
  fold.finish(to)
  return { row, from: start, readings: read.length, isCut, spans: fold.spans }
}

function readingFrom(
  [id, measuredAt, receivedAt, value, unit, outOfRange, symptoms]: ReadingRow,
  field: string | null,
) {
  const at = countedAt(measuredAt, receivedAt)
  const values: Record<string, number> = field === null || value === null ? {} : { [field]: value }
  return { id, at, measuredAt, receivedAt, values, unit, outOfRange, symptoms }
}

function previewOf(tried: readonly Tried[], { from, to }: { from: number; to: number }): RulePreview {
  const spans = tried.flatMap(({ row, spans: of }) => of.map((span) => ({ row, span })))
  const lengths = spans.map(({ span }) => lengthOf(span, to))
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const perWeek = sum(
    tried.map(({ spans: of, from: start }) => (of.length * 7 * DAY) / Math.max(to - start / 1_000, DAY)),
  )
  return {
    from: instantOf(tried.length === 0 ? from : Math.min(...tried.map((one) => one.from / 1_000))),
    to: instantOf(to),
    readings: sum(tried.map(({ readings }) => readings)),
    patients: tried.length,
    isCut: tried.some(({ isCut }) => isCut),
    alerts: spans
      .toSorted((a, b) => b.span.since - a.span.since)
      .slice(0, MAX_SHOWN)
      .map(({ row, span: { since, until, worst } }) => ({
        patientUid: row.patient_uid,
        sharedAs: row.shared_as,
        openedAt: instantOf(since / 1_000),
        until: until === null ? null : instantOf(until / 1_000),
        worst: worst.shown,
        why: worst.why,
      })),
    count: spans.length,
    openFor: sum(lengths),
    longest: lengths.reduce((most, length) => Math.max(most, length), 0),
    perWeek: Math.round(perWeek * 10) / 10,
  }
}

const lengthOf = ({ since, until }: Span, to: number) =>
  Math.max(0, Math.round((until === null ? to : until / 1_000) - since / 1_000))

const IN_RANGE = `reading_type = $2
          and measured_at >= $3::timestamptz
          and measured_at < $4::timestamptz + interval '1 day'
          and withdrawn_at is null`

// In the order of the index by type, and with a limit that the planner does not know: it would sort up to so many.
const PREVIEW_RULE = `
  with mine as materialized (
    select patient_uid, shared_as, ${MAX_READINGS} / greatest(count(*) filter (where has_readings) over (), 1) as share
    from (
      select patient_uid, shared_as, exists (
        select
        from casesheet.readings
        where readings.patient_uid = grants.patient_uid
          and ${IN_RANGE}
      ) as has_readings
      from casesheet.grants
      where doctor_id = $1
        and state = 'given'
        and valid_until > now()
        and permission = 'manage'
        and (reading_types is null or $2 = any (reading_types))
        and ($6::text is null or patient_uid = $6)
      order by given_at, patient_uid
      limit ${MAX_PATIENTS}
    ) as sharing
  ), found as materialized (
    select mine.patient_uid, shared_as, share::integer as share, readings
    from mine
    cross join lateral (
      select json_agg(json_build_array(
          reading_id, ${micros('measured_at')}, ${micros('received_at')},
          case when json_typeof(details -> $5::text) = 'number' then details -> $5 end,
          details ->> 'unit', details ->> 'outOfRange', case when $2 = 'symptom' then details -> 'symptoms' end
        )) as readings
      from (
        select reading_id, measured_at, received_at, details
        from casesheet.readings
        where readings.patient_uid = mine.patient_uid
          and ${IN_RANGE}
        order by ${orderOfTime('desc')}
        limit share + 1
      ) as newest
    ) as read
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, page, request_id, read_by, allowed_as, doctor_id, readings_count)
    select patient_uid, 'care/rules/preview', array[$2], $3, $4, 0, $8, $7, 'grant', $1, least(json_array_length(readings), share)
    from found
    where readings is not null or $6 is not null
  )
  select patient_uid, shared_as, share, readings
  from found`
