// POST rules/preview: what a rule would have done with the readings of the last days, had it been set before them. Nothing is stored
// but the row of the access log, which is written behind the statement that reads.
import { setImmediate } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { textArray } from '../../../db/array.ts'
import type { IsGone } from '../../../db/batch.ts'
import type { Statement } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { orderOfTime } from '../../casesheet/by-type.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { instantOf } from '../../casesheet/epoch-time.ts'
import type { Summaries, SummaryRow } from '../../casesheet/statistics/summaries.ts'
import { EXAMPLE_ALERT, ReadingOfAlert } from '../alerts/alert.ts'
import { foldOf } from '../evaluation/fold.ts'
import { comparable } from '../evaluation/load-readings.ts'
import { micros } from '../evaluation/load-rules.ts'
import { type Micros, type Outage, type Seen, type Span } from '../evaluation/span.ts'
import type { ShownReading } from '../evaluation/stored-alert.ts'
import { whyOf } from '../evaluation/why.ts'
import { EXAMPLE_RULE, type RuleTerms } from './rule.ts'
import { TERMS_OF_BODY } from './rule-terms.ts'
import { ReplacedRuleId } from './set-rule.ts'

const OPERATION = 'care/rules/preview'
const MAX_DAYS = 90
/** The newest of them are read. */
const MAX_READINGS = 50_000
/** The newest of them are shown. */
const MAX_SHOWN = 200
const DAY_MS = 86_400_000
const MESSAGE = 'The rule was tried on the readings of the patient.'

const EXAMPLE = {
  patientUid: EXAMPLE_RULE.patientUid,
  readingType: EXAMPLE_RULE.readingType,
  severity: EXAMPLE_RULE.severity,
  sustained: EXAMPLE_RULE.sustained,
  clear: EXAMPLE_RULE.clear,
  days: MAX_DAYS,
}

const PreviewBody = Type.Object(
  {
    ...TERMS_OF_BODY,
    ruleId: ReplacedRuleId,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        default: MAX_DAYS,
        description: 'Over the readings of how many days.',
        examples: [MAX_DAYS],
        'x-mustBe': `a whole number from 1 to ${MAX_DAYS}`,
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
export type PreviewBody = Static<typeof PreviewBody>

const EXAMPLE_PREVIEW = {
  from: '2026-08-19T08:15:30.125Z',
  to: '2026-11-17T08:15:30.125Z',
  readings: 2_160,
  isCut: false,
  alerts: [
    {
      openedAt: EXAMPLE_ALERT.since,
      until: null,
      why: EXAMPLE_ALERT.why,
      readings: [...EXAMPLE_ALERT.readings],
    },
  ],
  count: 1,
  openFor: 32_125,
  longest: 32_125,
  perWeek: 0.1,
}

const instant = (description: string) => Type.String({ format: 'date-time', description })
const ms = (description: string) => Type.Integer({ minimum: 0, description })

export const RulePreview = Type.Object(
  {
    from: instant('From when on readings were looked at, in UTC.'),
    to: instant('Until when: now.'),
    readings: Type.Integer({ minimum: 0, description: 'How many readings of the type were looked at.' }),
    isCut: Type.Boolean({
      description: `Whether there were more than ${MAX_READINGS.toLocaleString('en')}: then only the newest were looked at, and from says since when.`,
    }),
    alerts: Type.Array(
      Type.Object({
        openedAt: instant(
          'When the reading was measured by which it would have opened, or when one was missing.',
        ),
        until: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description:
            'When the reading was measured that would have ended it; null if it would be open now.',
        }),
        why: Type.String({ description: 'One sentence.' }),
        readings: Type.Array(ReadingOfAlert, {
          description: 'The readings by which it would have opened, at most 20.',
        }),
      }),
      { maxItems: MAX_SHOWN, description: `The alerts, newest first, at most ${MAX_SHOWN}.` },
    ),
    count: Type.Integer({ minimum: 0, description: 'How many alerts there would have been.' }),
    openFor: ms('How long they would have been open in total, in milliseconds.'),
    longest: ms('How long the longest of them would have been open, in milliseconds.'),
    perWeek: Type.Number({ minimum: 0, description: 'How many alerts a week, with one decimal.' }),
  },
  {
    $id: 'RulePreview',
    additionalProperties: false,
    description: 'What a rule would have done.',
    examples: [EXAMPLE_PREVIEW],
  },
)
type RulePreview = Static<typeof RulePreview>

export const previewRuleContract = {
  tags: ['care'],
  operationId: 'previewRule',
  summary: 'See what a rule would have done with the readings of a patient',
  description:
    'For the same callers as rules/set. Takes the same rule, as if it had been set so many days ago, and sets nothing: ruleId ' +
    'is ignored. Every call is logged as a read.',
  body: PreviewBody,
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
      () => checkFor(PreviewBody)({ ...EXAMPLE, days: 0 }),
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

type Asking = { doctor: ManagingDoctor; requestId: string; isGone: IsGone }

/** Of the readings in order of time. Columns of fifty thousand readings cost a fifth of as many rows. */
type Row = SummaryRow & {
  /** Microseconds, eight bytes each; null where there is no reading. */
  times: Buffer | null
  /** Sixteen bytes each. */
  ids: Buffer | null
  /** The numbers of the field with commas; none for missing. */
  numbers: string | null
  /** Which unit of the type, one digit each, from 1 on; 0 for one that it does not have. */
  units: string | null
  /** When those were measured whose clock was ahead, by their place from 0 on. */
  ahead: Record<string, Micros> | null
  outages: Outage[] | null
}

export function createPreviewRule(summaries: Summaries, now: () => number) {
  const { summarise } = summaries(OPERATION)
  return async ({ patientUid, days = MAX_DAYS }: PreviewBody, terms: RuleTerms, asking: Asking) => {
    const { doctor, requestId, isGone } = asking
    const { by: readBy, allowedAs, doctorId, grantId } = doctor
    const reader = { readBy, allowedAs, requestId, doctorId, grantId, limitedTo: null, reason: null }
    const to = now()
    const range = { from: to - days * DAY_MS, to }
    const row = await summarise<Row>(
      { patientUid, readingTypes: [terms.readingType], ...range, reader },
      previewStatement(patientUid, terms, range),
      isGone,
    ).catch(namingDays)
    return { code: 'Ok' as const, message: MESSAGE, data: await previewOf(terms, row, range) }
  }
}

export function previewStatement(
  patientUid: string,
  { readingType, field }: Pick<RuleTerms, 'readingType' | 'field'>,
  { from, to }: Range,
): Statement {
  const units = textArray(CATALOGUE[readingType]?.units ?? [])
  const values = [patientUid, readingType, instantOf(from), instantOf(to), field ?? null, units]
  return { name: 'preview-rule', text: PREVIEW_RULE, values }
}

/** What takes too long is a range to others. */
function namingDays(error: unknown): never {
  if (error instanceof Refusal && error.code === 'ValidationFailed')
    throw refuseFields([
      { pointer: '/days', message: 'must be fewer: these hold more readings than one request may read' },
    ])
  throw error
}

/** Milliseconds. */
type Range = { from: number; to: number }

async function previewOf(terms: RuleTerms, row: Row, range: Range): Promise<RulePreview> {
  const isCut = row.found > MAX_READINGS
  // The one more that was read is the oldest.
  const first = isCut ? 1 : 0
  const from = isCut ? timeAt(row, first) : range.from * 1_000
  const to = range.to * 1_000
  const spans = await spansOf(terms, row, { first, from, to })
  const lengths = spans.map(({ since, until }) => Math.max(0, Math.round(((until ?? to) - since) / 1_000)))
  const weeks = (to - from) / 1_000 / (7 * DAY_MS)
  const rule = { readingType: terms.readingType, field: terms.field ?? null, terms }
  return {
    from: instantOf(from / 1_000),
    to: instantOf(range.to),
    readings: row.looked_at,
    isCut,
    alerts: spans
      .slice(-MAX_SHOWN)
      .toReversed()
      .map(({ since, until, readings }) => ({
        openedAt: instantOf(since / 1_000),
        until: until === null ? null : instantOf(until / 1_000),
        why: whyOf(rule, readings ?? []),
        readings: (readings ?? []).map((reading) => shownOf(reading, row)),
      })),
    count: spans.length,
    openFor: lengths.reduce((sum, length) => sum + length, 0),
    longest: lengths.reduce((most, length) => Math.max(most, length), 0),
    perWeek: weeks > 0 ? Math.round((spans.length / weeks) * 10) / 10 : 0,
  }
}

type Covered = { first: number; from: Micros; to: Micros }

/** The id of a reading is its place in the row: few of them are shown. */
async function spansOf(terms: RuleTerms, row: Row, { first, from, to }: Covered): Promise<Span[]> {
  const fold = foldOf(terms, { setAt: from, carried: null }, row.outages ?? [])
  const valueOf = valuesOf(terms)
  const numbers = terms.missing ? [] : (row.numbers ?? '').split(',')
  for (let nth = first; nth < row.found; nth++) {
    // Other requests are served meanwhile.
    if (nth % 5_000 === 4_999) await setImmediate()
    const at = timeAt(row, nth)
    const seen = { id: String(nth), at, receivedAt: at }
    if (terms.missing) {
      fold.push({ ...seen, value: 0, sent: { measuredAt: '', value: null, unit: null } })
      continue
    }
    const text = numbers[nth] ?? ''
    const found = text === '' ? undefined : valueOf(Number(text), Number(row.units?.[nth]))
    if (found)
      fold.push({
        ...seen,
        value: found.value,
        sent: { measuredAt: '', value: Number(text), unit: found.unit },
      })
  }
  return fold.finish(to).spans
}

/** A number in a unit of the type, as the rule compares it; undefined where it cannot be compared. */
function valuesOf({ readingType, field = '', unit: to }: RuleTerms) {
  const type = CATALOGUE[readingType]
  const ownUnit = type?.quantities[field]?.unit
  return (number: number, unitNumber: number) => {
    const unit = ownUnit ?? type?.units[unitNumber - 1]
    if (unit === undefined || to === undefined || !Number.isFinite(number)) return undefined
    return { value: comparable(number, unit, to), unit }
  }
}

function timeAt({ times }: Row, nth: number): Micros {
  if (!times) return 0
  return times.readUInt32BE(8 * nth) * 2 ** 32 + times.readUInt32BE(8 * nth + 4)
}

function shownOf({ id, at, sent }: Seen, { ids, ahead }: Row): ShownReading {
  const nth = Number(id)
  const hex = ids?.toString('hex', 16 * nth, 16 * nth + 16) ?? ''
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return {
    readingId: parts.join('-'),
    measuredAt: instantOf((ahead?.[id] ?? at) / 1_000),
    value: sent.value,
    unit: sent.unit,
  }
}

const UNITS = '$6'
const MAX_AHEAD = "interval '1 day'"

// One reading more than are looked at says that there are more. In the order of the index by type, and with a limit that the planner does
// not know: it would sort up to so many.
const PREVIEW_RULE = `
  with found as materialized (
    select reading_id, measured_at, least(measured_at, received_at) as at,
      case
        when json_typeof(details -> 'unit') = 'string' then coalesce(array_position(${UNITS}::text[], details ->> 'unit'), 0)
        else 1
      end as unit,
      case when json_typeof(details -> $5::text) = 'number' then details ->> $5 else '' end as number
    from casesheet.readings
    where patient_uid = $1
      and reading_type = $2
      and measured_at >= $3::timestamptz
      and measured_at < $4::timestamptz + ${MAX_AHEAD}
      and measured_at <= received_at + ${MAX_AHEAD}
      and least(measured_at, received_at) <= $4
      and withdrawn_at is null
    order by ${orderOfTime('desc')}
    limit (select ${MAX_READINGS + 1})
  )
  select false as is_too_much, columns.*,
    (
      select json_agg(json_build_object('began', ${micros('began_at')}, 'ended', ${micros('ended_at')}) order by began_at)
      from care.outages
      where ended_at > $3
    ) as outages
  from (
    select least(count(*), ${MAX_READINGS})::integer as looked_at, count(*)::integer as found, string_agg(int8send(${micros('at')}), '') as times, string_agg(uuid_send(reading_id), '') as ids,
      string_agg(number, ',') as numbers, string_agg(unit::text, '') as units,
      json_object_agg(nth - 1, ${micros('measured_at')}) filter (where measured_at > at) as ahead
    from (
      select *, row_number() over (order by at, reading_id) as nth
      from found
      order by at, reading_id
    ) as found
  ) as columns`
