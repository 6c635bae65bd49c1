// A patient in the list of a doctor: what is shared, whether somebody should look, by which rule, and what the readings of the last
// weeks are against the targets.
import { type Static, Type } from 'typebox'
import { EXAMPLE_GRANT, TERMS as GRANT_TERMS } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { TERMS as TARGET_TERMS } from '../targets/target.ts'

/** In order of attention. */
export const STATUSES = [
  'attention',
  'review',
  'worse',
  'silent',
  'preparing',
  'noData',
  'reviewed',
  'inTarget',
  'noTarget',
] as const
export type Status = (typeof STATUSES)[number]

const RULE_KINDS = ['openAlert', 'newestOutside', 'readingOutside', 'goal', 'shareFell', 'noReading'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }], description })
const instant = (description: string) => Type.String({ format: 'date-time', description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const plain = <Properties extends Type.TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })

const Values = Type.Record(Type.String(), Type.Number(), {
  description:
    'The numbers by their fields, in the unit of the type; those of a field that has its own unit in that.',
})
const Side = Type.Enum(['below', 'in', 'above'], { type: 'string' })

const Target = plain({
  field: TARGET_TERMS.field,
  low: TARGET_TERMS.low,
  high: TARGET_TERMS.high,
  below: TARGET_TERMS.below,
  unit: TARGET_TERMS.unit,
  label: TARGET_TERMS.label,
  preset: TARGET_TERMS.preset,
  setBy: Type.String({ description: 'Who set it: the subject of the token.' }),
  setAt: instant('When that was, in UTC.'),
})

const Newest = plain({
  at: instant('When it was measured, in UTC.'),
  values: Values,
  sides: Type.Record(Type.String(), Side, { description: 'Each field that has a target.' }),
})

const Judged = {
  judged: count('How many readings have a number in a field that has a target.'),
  inTarget: count('How many of them have no number outside its target.'),
}
const Share = plain({ ...Judged, before: plain(Judged, 'The same of the 14 days before.') })

const Bands = plain({
  veryLow: count('Below the outer bound.'),
  low: Type.Integer({ minimum: 0 }),
  in: Type.Integer({ minimum: 0 }),
  high: Type.Integer({ minimum: 0 }),
  veryHigh: count('Above the outer bound.'),
})

const Farthest = plain({
  at: instant('When it was measured, in UTC.'),
  values: Values,
  side: Type.Enum(['below', 'above'], { type: 'string' }),
})

const Day = plain({
  date: Type.String({ format: 'date', description: 'The local date.' }),
  readings: Type.Integer({ minimum: 1 }),
  ...Judged,
  lowest: Values,
  highest: Values,
})

const ListedType = plain({
  readingType: Type.String({ description: 'A type of the catalogue.' }),
  unit: Type.String({ description: 'The unit of the target; without one the first of the type.' }),
  newest: orNull(Newest, 'The reading that was measured last; null if there is none.'),
  targets: Type.Array(Target, { description: 'The targets that are set now.' }),
  share: orNull(Share, 'The last 14 local days against the targets that are set now; null if none is set.'),
  bands: orNull(
    Bands,
    'Number of readings of 14 days in the bands of the preset sensor-glucose; null with any other target.',
  ),
  farthest: orNull(
    Farthest,
    'The reading of the last 14 days that is farthest outside the target, or outside the outer bounds of the preset sensor-glucose; null if none is.',
  ),
  days: Type.Array(Day, { description: 'Those of the last 14 local days that have readings.' }),
})

const Rule = plain({
  kind: Type.Enum([...RULE_KINDS], { type: 'string' }),
  readingType: Type.String({ description: 'The type whose readings it was applied to.' }),
  text: Type.String({ description: 'The rule as a sentence, and who set it.' }),
  alertId: orNull(Type.String({ format: 'uuid' }), 'The alert, where the kind is openAlert; else null.'),
})

export const ListedPatient = Type.Object(
  {
    patientUid: PatientUid,
    ...GRANT_TERMS,
    sharedSince: instant('When the patient began to share, in UTC.'),
    status: Type.Enum([...STATUSES], {
      type: 'string',
      description:
        'The first that applies. attention: an alert of severity urgent or warning waits for a doctor, or the newest reading is outside the target. review: a reading was, or too few are in ' +
        'target. worse: the share in target fell. silent: readings stopped. preparing: the summary is being made. noData: there ' +
        'are targets, and no readings of 14 days to compare, or too few to judge their share. reviewed: one of the first three, and you have looked since. inTarget: ' +
        'none of these. noTarget: no target is set, so nothing is judged.',
    }),
    reason: Type.String({
      description:
        'Why, in one sentence, with times in the zone that was asked for, written as in the English that Accept-Language names; default: en-GB.',
    }),
    rule: orNull(Rule, 'The rule behind the status, in the same English; null where nothing is judged.'),
    decidedAt: orNull(
      Type.String({ format: 'date-time' }),
      'By which patients of a status are ordered, the last one first, behind those with an urgent alert.',
    ),
    openAlerts: orNull(
      plain({
        urgent: count('Of this severity.'),
        warning: count('Of this severity.'),
        notice: count('Of this severity.'),
      }),
      'Alerts that are open and not acknowledged; null where alerts are switched off.',
    ),
    acknowledgedAlerts: orNull(
      Type.Integer({ minimum: 0 }),
      'Alerts that any doctor acknowledged, and that are open all the same, because the readings have not ended them; null where alerts are switched off.',
    ),
    isPreparing: Type.Boolean({
      description: 'Whether the summary is being made for the first time: until then `types` is empty.',
    }),
    isNew: Type.Boolean({ description: 'Whether something was measured since your last review.' }),
    behindSince: orNull(
      Type.String({ format: 'date-time' }),
      'Since when changes of this patient wait to be in the list; null while it is up to date.',
    ),
    lastReadingAt: orNull(Type.String({ format: 'date-time' }), 'When something was measured last, in UTC.'),
    lastReview: orNull(
      plain({ at: instant('When that was, in UTC.'), note: orNull(Type.String(), 'Null without one.') }),
      'Your last review; null if there is none.',
    ),
    daysWithData: plain({
      days: Type.Integer({ description: 'The last local days that are looked at: 30.' }),
      withData: count('On how many of them something was measured.'),
      fromDevices: count('On how many of them a device has measured something.'),
    }),
    types: Type.Array(ListedType, {
      description: 'Each type of the catalogue that has readings or a target, those with targets first.',
    }),
  },
  {
    $id: 'ListedPatient',
    additionalProperties: false,
    description: 'A patient who shares readings with the doctor, with what is known of the last weeks.',
  },
)
export type ListedPatient = Static<typeof ListedPatient>
export type ListedType = ListedPatient['types'][number]

const EXAMPLE_TARGETS = (
  [
    ['systolic', 135],
    ['diastolic', 85],
  ] as const
).map(([field, below]) => ({
  field,
  low: null,
  high: null,
  below,
  unit: 'mm[Hg]',
  label: null,
  preset: 'home-blood-pressure-esh',
  setBy: 'dr-willow',
  setAt: '2026-10-03T09:00:00.000Z',
}))

export const EXAMPLE_LISTED: ListedPatient = {
  patientUid: EXAMPLE_GRANT.patientUid,
  permission: 'manage',
  readingTypes: null,
  validUntil: null,
  sharedAs: EXAMPLE_GRANT.sharedAs,
  sharedSince: EXAMPLE_GRANT.changedAt,
  status: 'attention',
  reason: 'Blood pressure 178/112 mmHg at 07:40 today, above the target.',
  rule: {
    kind: 'newestOutside',
    readingType: 'bloodPressure',
    text: 'The newest reading is outside the target below 135/85 mmHg, set by dr-willow on 3 October 2026.',
    alertId: null,
  },
  decidedAt: '2026-11-17T06:40:00.000Z',
  openAlerts: { urgent: 0, warning: 0, notice: 1 },
  acknowledgedAlerts: 0,
  isPreparing: false,
  isNew: true,
  behindSince: null,
  lastReadingAt: '2026-11-17T06:40:00.000Z',
  lastReview: { at: '2026-11-08T10:12:00.000Z', note: null },
  daysWithData: { days: 30, withData: 24, fromDevices: 24 },
  types: [
    {
      readingType: 'bloodPressure',
      unit: 'mm[Hg]',
      newest: {
        at: '2026-11-17T06:40:00.000Z',
        values: { systolic: 178, diastolic: 112, pulse: 80 },
        sides: { systolic: 'above', diastolic: 'above' },
      },
      targets: EXAMPLE_TARGETS,
      share: { judged: 22, inTarget: 9, before: { judged: 25, inTarget: 16 } },
      bands: null,
      farthest: {
        at: '2026-11-17T06:40:00.000Z',
        values: { systolic: 178, diastolic: 112, pulse: 80 },
        side: 'above',
      },
      days: [
        {
          date: '2026-11-17',
          readings: 1,
          judged: 1,
          inTarget: 0,
          lowest: { systolic: 178, diastolic: 112, pulse: 80 },
          highest: { systolic: 178, diastolic: 112, pulse: 80 },
        },
      ],
    },
  ],
}
