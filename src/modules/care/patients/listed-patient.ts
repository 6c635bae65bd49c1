// An entry of a doctor's list: what is shared, in which queue the patient is, every reason for it, and what was not judged.
import { type Static, Type } from 'typebox'
import { EXAMPLE_GRANT, TERMS as GRANT_TERMS } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { EXAMPLE_ALERT } from '../alerts/alert.ts'
import { closed, instant, oneOf, orNull } from '../answer-forms.ts'
import { QUEUES } from '../status/reason.ts'
import { TargetAuthor } from '../targets/target.ts'

const number = (description: string) => Type.Number({ description })
const text = (description: string) => Type.String({ description })
const id = (description: string) => Type.String({ format: 'uuid', description })

const READING_TYPE = text('A type of the catalogue.')
const Values = Type.Record(Type.String(), Type.Number(), { description: 'The numbers, by their fields.' })

const SEEN = {
  isSeen: Type.Boolean({
    description: 'Whether a look of this doctor, or of a colleague in a practice, covers it.',
  }),
}
const LATE = {
  ...SEEN,
  isLate: Type.Boolean({ description: 'Urgent, older than 72 hours, and no such look covers it.' }),
}
const BEYOND = number('How many times its limit it is; of a value below a limit, the limit by the value.')

const TIMES = { measuredAt: instant('In UTC.'), receivedAt: instant('When it arrived, in UTC.') }
const READING = {
  readingId: id('The reading.'),
  shown: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The reading as it is shown: its numbers, or the symptom.',
  }),
  ...TIMES,
}
const ALERTS = {
  alerts: Type.Array(closed({ alertId: id('The alert.'), label: text('What its rule says.') }), {
    description: 'Alerts on the same reading.',
  }),
}
const JUDGED = { ...SEEN, readingType: READING_TYPE, author: TargetAuthor }
const FIELD = { field: text('The field of the reading.') }
const UNIT = { unit: text('Of `value` and the limit, in UCUM.') }
const WINDOW = { days: Type.Integer({ description: 'Judged by today and so many UTC days before.' }) }

const Reason = Type.Union(
  [
    closed(
      {
        code: oneOf('A symptom.', 'severe', 'moderate'),
        ...LATE,
        severity: text('As it was sent.'),
        ...READING,
        ...ALERTS,
      },
      'A symptom; a severity other than MILD and MODERATE counts as severe.',
    ),
    closed(
      {
        code: Type.Literal('value'),
        ...LATE,
        ...JUDGED,
        ...FIELD,
        value: orNull(Type.Number(), 'Null where the device says that it is out of its range.'),
        outOfRange: Type.Optional(oneOf('What the device says instead of a value.', 'low', 'high')),
        ...UNIT,
        limit: number('The act limit that it is beyond.'),
        beyond: BEYOND,
        ...READING,
        ...ALERTS,
      },
      'A value beyond an act limit.',
    ),
    closed(
      {
        code: Type.Literal('alert'),
        ...SEEN,
        alertId: id('The alert.'),
        label: text('The label of its rule; without one, why the alert was opened.'),
        severity: oneOf('As the rule says.', 'urgent', 'warning'),
        kind: oneOf('What the rule looks at.', 'value', 'change', 'missing', 'symptom'),
        readingType: READING_TYPE,
        value: orNull(Type.Number(), 'The worst value, or by how much it changed; null where none is.'),
        unit: orNull(Type.String(), 'Of the value and the limit, in UCUM.'),
        limit: orNull(Type.Number(), 'The bound of the rule.'),
        beyond: Type.Optional(BEYOND),
        endedAt: orNull(
          Type.String({ format: 'date-time' }),
          'When the values came back; null while it is open.',
        ),
        ...TIMES,
      },
      'An alert that is open, or that ended within 7 days and nobody looked.',
    ),
    closed(
      {
        code: Type.Literal('goal'),
        ...JUDGED,
        ...FIELD,
        part: oneOf('Of which part it is the share.', 'inRange', 'below', 'farBelow', 'above', 'farAbove'),
        bound: orNull(Type.Number(), 'Beyond which bound of the target that part is; null of inRange.'),
        ...UNIT,
        value: number('The share of the time, or of the values, from 0 to 1.'),
        limit: number('The goal.'),
        beyond: BEYOND,
        ...WINDOW,
      },
      'A share that misses its goal.',
    ),
    closed(
      {
        code: Type.Literal('mean'),
        ...JUDGED,
        ...FIELD,
        value: number('The mean.'),
        ...UNIT,
        limit: number('The bound of the target that it is beyond.'),
        beyond: BEYOND,
        ...WINDOW,
      },
      'A mean beyond the target.',
    ),
    closed(
      {
        code: Type.Literal('fall'),
        ...JUDGED,
        ...FIELD,
        value: number('The share in range of 14 days, from 0 to 1.'),
        limit: number('That of the 14 days before.'),
        beyond: BEYOND,
      },
      'Less time in range than before; of sensors only.',
    ),
    closed(
      {
        code: Type.Literal('silent'),
        ...JUDGED,
        since: instant('When the newest reading counts; without one, when the target was set.'),
        expectEvery: text('How often a value is expected, as ISO 8601 writes it.'),
        beyond: BEYOND,
      },
      'No reading for longer than expected.',
    ),
    closed(
      {
        code: oneOf('What comes, or has come.', 'lookAgain', 'sharingEnds'),
        ...SEEN,
        since: instant('When that is.'),
      },
      'The date that a look gave, or the end of the sharing.',
    ),
    closed(
      { code: Type.Literal('clock'), ...SEEN, readingType: READING_TYPE, ...READING },
      'A reading with an impossible time.',
    ),
  ],
  { description: 'One reason; `code` says which.' },
)
export type ListedReason = Static<typeof Reason>

const NotJudged = closed({
  why: oneOf('Why.', 'noTarget', 'tooFew', 'noGoals', 'noActLimits'),
  readingType: Type.Optional(READING_TYPE),
  have: Type.Optional(number('Of tooFew: values there are; of a sensor, hours.')),
  need: Type.Optional(number('How many are needed.')),
})

const Newest = closed({
  readingType: READING_TYPE,
  values: Values,
  unit: orNull(Type.String(), 'As it was sent; null where the type has one unit.'),
  ...TIMES,
})

const Day = closed({
  day: Type.String({ format: 'date', description: 'In UTC.' }),
  low: number('The lowest.'),
  high: number('The highest.'),
})

export const ListedPatient = Type.Object(
  {
    patientUid: PatientUid,
    ...GRANT_TERMS,
    sharedSince: instant('When the patient began to share, in UTC.'),
    queue: Type.Enum([...QUEUES], {
      type: 'string',
      description:
        'The first that fits. actNow: somebody is needed now. thisWeek: within a week. silent: readings stopped. seen: reasons, all seen, or a ' +
        'date to look again that is to come. fine: no reason, and at least one target judged in full. notJudged: no target was judged.',
    }),
    reasons: Type.Array(Reason, { description: 'All of them, the one that decides the queue first.' }),
    notJudged: Type.Array(NotJudged, { description: 'What was not judged, beside every queue.' }),
    newest: Type.Array(Newest, {
      description: 'The newest reading of each type of the catalogue, that of the trend first.',
    }),
    trend: Type.Array(Day, {
      description:
        'Of 7 UTC days those with values: the first field of the first target that decides, in its unit. Empty without a target.',
    }),
    symptoms: Type.Array(
      closed({ symptom: text('As it was sent.'), severity: text('MILD.'), measuredAt: instant('In UTC.') }),
      { description: 'Mild symptoms of 7 days, at most 5, the newest first. They are not judged.' },
    ),
    daysWithData: Type.Integer({
      minimum: 0,
      description: 'On how many of the last 30 UTC days there is a reading.',
    }),
    lookAgainAt: orNull(Type.String({ format: 'date-time' }), 'The pending date; null if there is none.'),
    lastLook: orNull(
      closed({
        at: instant('When that was, in UTC.'),
        by: text('Who looked.'),
        note: orNull(Type.String(), 'Null without one.'),
      }),
      'The last look of this doctor, or, where the patient shares all types, of a colleague in a practice; null if there is none.',
    ),
    look: closed(
      {
        seenUpTo: text('The readings that were judged so far.'),
        saw: Type.Array(Type.String(), { description: 'The keys of all else that is shown.' }),
      },
      'What a look at this entry sends back as it is: see reviews/add.',
    ),
  },
  {
    $id: 'ListedPatient',
    additionalProperties: false,
    description: 'A patient who shares readings with the doctor, and why somebody should look.',
  },
)
export type ListedPatient = Static<typeof ListedPatient>

const MEASURED = { measuredAt: '2026-11-19T06:40:00.000Z', receivedAt: '2026-11-19T06:40:02.125460Z' }
const READING_ID = '5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37'
const SHOWN = { systolic: 224, diastolic: 126 }

export const EXAMPLE_LISTED: ListedPatient = {
  patientUid: EXAMPLE_GRANT.patientUid,
  permission: 'manage',
  readingTypes: null,
  validUntil: null,
  sharedAs: EXAMPLE_GRANT.sharedAs,
  contact: EXAMPLE_GRANT.contact,
  sharedSince: EXAMPLE_GRANT.changedAt,
  queue: 'actNow',
  reasons: [
    {
      code: 'value',
      isSeen: false,
      isLate: false,
      readingType: 'bloodPressure',
      author: { kind: 'doctor', doctorId: EXAMPLE_GRANT.doctorId, name: 'Dr Sample' },
      field: 'systolic',
      value: 224,
      unit: 'mm[Hg]',
      limit: 180,
      beyond: 1.244,
      readingId: READING_ID,
      shown: SHOWN,
      ...MEASURED,
      alerts: [{ alertId: EXAMPLE_ALERT.alertId, label: 'Systolic above 160' }],
    },
    { code: 'sharingEnds', isSeen: true, since: '2026-11-25T00:00:00.000Z' },
  ],
  notJudged: [{ why: 'tooFew', readingType: 'bodyWeight', have: 2, need: 6 }],
  newest: [{ readingType: 'bloodPressure', values: SHOWN, unit: null, ...MEASURED }],
  trend: [{ day: '2026-11-19', low: 118, high: 224 }],
  symptoms: [{ symptom: 'tired', severity: 'MILD', measuredAt: MEASURED.measuredAt }],
  daysWithData: 26,
  lookAgainAt: null,
  lastLook: { at: '2026-11-16T10:12:00.000Z', by: 'Dr Sample', note: null },
  look: { seenUpTo: '17', saw: [`alert ${EXAMPLE_ALERT.alertId}=1.400`, 'sharingEnds 1795564800000=1.000'] },
}
