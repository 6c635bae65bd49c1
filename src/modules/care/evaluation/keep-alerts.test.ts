// What is told of a patient's alerts: each row is what happens, in order, and what was said by then. Rules are set over HTTP, readings come over
// HTTP, and the server evaluates them as in production.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Doctor, newDoctor, type SharingPatient } from '../../../../test/support/doctor-with-patients.ts'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
type Body = Record<string, unknown>
type Patient = SharingPatient

const MINUTE = 60_000
const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE]
const NOW = Date.now()

const HIGH = { readingType: 'heartRate', severity: 'urgent', value: { above: 130 } }
const TWICE = { ...HIGH, value: { above: 130, times: 2, within: 'PT1H' } }
const CLEARED = { ...HIGH, clear: { below: 120 } }
const FASTER = { readingType: 'heartRate', severity: 'warning', change: { by: 20, within: 'PT2H' } }
const LOW_GLUCOSE = {
  readingType: 'interstitialGlucose',
  severity: 'urgent',
  unit: 'mg/dL',
  value: { below: 54 },
}
const SILENT = { readingType: 'heartRate', severity: 'warning', missing: { for: 'PT1H' } }
const SEVERE = { readingType: 'symptom', severity: 'urgent', symptom: { severity: 'SEVERE' } }

/** So many beats, measured so long ago. */
const beats = (value: number, ago = 0) => ({ readingType: 'heartRate', value, timestamp: NOW - ago })
const symptom = (severity: string, ago = 0, text = 'chest pain') => ({
  readingType: 'symptom',
  symptoms: [{ symptom: text, severity }],
  timestamp: NOW - ago,
})

type Step =
  | { rule: Body; daysAgo?: number; isForAll?: true }
  | { change: Body }
  | { remove: true }
  | { add: Body[] }
  | { withdraw: Body }
  | { grant: 'revoke' | 'view' | 'manage' | Body }
  | { acknowledge: true }

/** `said`: in its order, each event with its value, or its reason; one in brackets was not announced. */
type Row = { what: string; steps: Step[]; said: string; open?: number }

const ROWS: Row[] = [
  {
    what: 'one value beyond the bound opens, the next that is not ends',
    steps: [{ rule: HIGH }, { add: [beats(140, MINUTE)] }, { add: [beats(100)] }],
    said: 'opened 140, ended values 100',
  },
  { what: 'a value at the bound is not beyond it', steps: [{ rule: HIGH }, { add: [beats(130)] }], said: '' },
  {
    what: 'several values in a time open, and end as soon as that no longer holds',
    steps: [
      { rule: TWICE },
      { add: [beats(140, 3 * HOUR), beats(145, 90 * MINUTE), beats(150, HOUR)] },
      { add: [beats(120, 50 * MINUTE)] },
    ],
    said: 'opened 150, ended values 120',
  },
  {
    what: 'with a clear bound values between keep it',
    steps: [
      { rule: CLEARED },
      { add: [beats(140, HOUR)] },
      { add: [beats(125, 30 * MINUTE)] },
      { add: [beats(119)] },
    ],
    said: 'opened 140, ended values 119',
  },
  {
    what: 'a change opens by the difference',
    steps: [
      { rule: FASTER },
      { add: [beats(70, 3 * HOUR), beats(80, HOUR), beats(100, MINUTE)] },
      { add: [beats(90)] },
    ],
    said: 'opened 20, ended values 10',
  },
  {
    what: "a sensor's mark is beyond every bound on its side, and has no value",
    steps: [
      { rule: LOW_GLUCOSE },
      {
        add: [
          { readingType: 'interstitialGlucose', value: 40, unit: 'mg/dL', outOfRange: 'low', timestamp: NOW },
        ],
      },
    ],
    said: 'opened null',
    open: 1,
  },
  {
    what: 'a severe symptom opens, and a milder one neither opens nor ends',
    steps: [
      { rule: SEVERE },
      { add: [symptom('MODERATE', HOUR)] },
      { add: [symptom('SEVERE', MINUTE)] },
      { add: [symptom('MILD')] },
    ],
    said: 'opened null',
    open: 1,
  },
  {
    what: 'a word for a severity that is not known counts as severe',
    steps: [{ rule: SEVERE }, { add: [symptom('UNBEARABLE')] }],
    said: 'opened null',
    open: 1,
  },
  {
    what: 'one measurement counts once',
    steps: [
      { rule: TWICE },
      {
        add: [
          { ...beats(140), timestamp: NOW / 1_000 },
          { ...beats(140), timestamp: Math.floor(NOW / 1_000) * 1_000 },
        ],
      },
    ],
    said: '',
  },
  {
    what: 'a late reading opens quietly, and one that arrives in time is announced',
    steps: [{ rule: HIGH, daysAgo: 3 }, { add: [beats(140, 25 * HOUR)] }, { add: [beats(135)] }],
    said: '(opened 140), opened 140',
    open: 1,
  },
  {
    what: 'what opened late ends quietly, and silences nothing that comes in time',
    steps: [
      { rule: HIGH, daysAgo: 3 },
      { add: [beats(190, 50 * HOUR)] },
      { add: [beats(100, 49 * HOUR)] },
      { add: [beats(135)] },
    ],
    said: '(opened 190), (ended values 100), opened 135',
    open: 1,
  },
  {
    what: 'what came and went while nobody sent is told, in order',
    steps: [
      { rule: HIGH, daysAgo: 3 },
      { add: [beats(140, 3 * HOUR), beats(100, 2 * HOUR), beats(150, HOUR)] },
    ],
    said: 'opened 140, ended values 100, opened 150',
    open: 1,
  },
  {
    what: 'missing readings open, and the next one ends it',
    steps: [{ rule: SILENT, daysAgo: 3 }, { add: [beats(70)] }],
    said: 'opened null, ended values null',
  },
  {
    what: 'of those who never measured a type nothing is missing by a rule for all',
    steps: [{ rule: SILENT, daysAgo: 3, isForAll: true }],
    said: '',
  },
  {
    what: 'a rule for all holds for who measured the type in 90 days',
    steps: [{ add: [beats(70, 80 * DAY)] }, { rule: SILENT, daysAgo: 3, isForAll: true }],
    said: 'opened null',
    open: 1,
  },
  {
    what: 'what was measured in the day before a grant counts by a rule for all',
    steps: [
      { rule: HIGH, isForAll: true, daysAgo: 3 },
      { grant: 'revoke' },
      { add: [beats(140)] },
      { grant: 'manage' },
    ],
    said: 'opened 140',
    open: 1,
  },
  {
    what: 'a rule that is set looks at the last 24 hours, and not at what was over',
    steps: [
      { add: [beats(150, 5 * HOUR), beats(100, 4 * HOUR), beats(140, 23 * HOUR), beats(145, MINUTE)] },
      { rule: HIGH },
    ],
    said: 'opened 145',
    open: 1,
  },
  {
    what: 'what was measured longer before is not looked at',
    steps: [{ add: [beats(150, 25 * HOUR)] }, { rule: HIGH }],
    said: '',
  },
  {
    what: 'a late reading lets it begin earlier, and says nothing again',
    steps: [{ rule: HIGH }, { add: [beats(140, MINUTE)] }, { add: [beats(135, HOUR)] }],
    said: 'opened 140',
    open: 1,
  },
  {
    what: 'a withdrawn reading retracts',
    steps: [{ rule: HIGH }, { add: [beats(140)] }, { withdraw: beats(140) }],
    said: 'opened 140, ended withdrawn null',
  },
  {
    what: 'another reading still holds it',
    steps: [{ rule: HIGH }, { add: [beats(140, MINUTE), beats(135)] }, { withdraw: beats(140, MINUTE) }],
    said: 'opened 140',
    open: 1,
  },
  {
    what: 'a changed bound keeps it where the newest value is beyond',
    steps: [{ rule: HIGH }, { add: [beats(160)] }, { change: { value: { above: 150 } } }],
    said: 'opened 160',
    open: 1,
  },
  {
    what: 'a changed bound keeps it also where the newest value is older than a day',
    steps: [
      { rule: HIGH, daysAgo: 3 },
      { add: [beats(200, 30 * HOUR)] },
      { change: { value: { above: 150 } } },
    ],
    said: '(opened 200)',
    open: 1,
  },
  {
    what: 'one that a changed bound has kept goes on',
    steps: [
      { rule: CLEARED, daysAgo: 3 },
      { add: [beats(140, 60 * HOUR)] },
      { add: [beats(180, HOUR)] },
      { change: { ...CLEARED, value: { above: 150 } } },
      { add: [beats(190)] },
    ],
    said: '(opened 140), opened 180',
    open: 1,
  },
  {
    what: 'a changed bound ends it where the newest value is not',
    steps: [{ rule: HIGH }, { add: [beats(160)] }, { change: { value: { above: 170 } } }],
    said: 'opened 160, ended ruleChanged null',
  },
  {
    what: 'another label changes nothing',
    steps: [{ rule: HIGH }, { add: [beats(160)] }, { change: { label: 'Fast' } }],
    said: 'opened 160',
    open: 1,
  },
  {
    what: 'a removed rule ends it',
    steps: [{ rule: HIGH }, { add: [beats(160)] }, { remove: true }],
    said: 'opened 160, ended ruleRemoved null',
  },
  ...(['revoke', 'view', { readingTypes: ['bodyWeight'] }] as const).map((grant) => ({
    what: `without the grant it ends, and says nothing of readings: ${JSON.stringify(grant)}`,
    steps: [{ rule: HIGH }, { add: [beats(160)] }, { grant }, { add: [beats(165, 1_000)] }],
    said: 'opened 160, ended grantEnded null',
  })),
  {
    what: 'a value worse than the acknowledged one opens it again, another does not',
    steps: [
      { rule: HIGH },
      { add: [beats(160, HOUR)] },
      { acknowledge: true },
      { add: [beats(159, MINUTE)] },
      { add: [beats(161)] },
    ],
    said: 'opened 160, reopened 161',
    open: 1,
  },
  {
    what: 'a severe symptom that is withdrawn opens nothing again',
    steps: [
      { rule: SEVERE },
      { add: [symptom('SEVERE', HOUR)] },
      { add: [symptom('SEVERE', 0, 'cannot breathe')] },
      { acknowledge: true },
      { withdraw: symptom('SEVERE') },
    ],
    said: 'opened null',
    open: 1,
  },
  {
    what: 'another severe symptom opens it again',
    steps: [
      { rule: SEVERE },
      { add: [symptom('SEVERE', HOUR)] },
      { acknowledge: true },
      { add: [symptom('SEVERE')] },
    ],
    said: 'opened null, reopened null',
    open: 1,
  },
]

type Event = { event: string; ended_because: string | null; value: number | null; is_announced: boolean }

async function eventsOf({ patientUid }: Patient) {
  const rows = await runSql<Event>(
    rounds.ownerUrl,
    'select event, ended_because, value, is_announced from casesheet.alert_events where patient_uid = $1 order by at, event_id',
    [patientUid],
  )
  return rows
    .map(({ event, ended_because, value, is_announced }) => {
      const said = [
        event,
        ended_because,
        event === 'ended' && ended_because !== 'values' ? 'null' : value,
      ].filter((part, nth) => nth === 2 || part !== null)
      return is_announced ? said.map(String).join(' ') : `(${said.map(String).join(' ')})`
    })
    .join(', ')
}

/** All that was committed is marked, and nothing is marked. */
const isEvaluated = `select from casesheet.followers
  where name = 'alerts:rules'
    and not exists (select from care.alert_marks)
    and not exists (
      select from (
        select changed_xid from casesheet.readings union all select changed_xid from casesheet.rules union all select changed_xid from casesheet.grants
      ) as changes
      where not pg_visible_in_snapshot(changed_xid, done)
    )`

const untilEvaluated = () =>
  until(async () => (await runSql(rounds.ownerUrl, isEvaluated)).length > 0, 8_000, { everyMs: 50 })

async function take(doctor: Doctor, patient: Patient, step: Step, set: { rule?: Body }) {
  const { patientUid } = patient
  const must = async (path: string, body: unknown) => {
    const { status, json, text } = await rounds.call(path, { token: doctor.token, body })
    assert.equal(status, 200, text)
    return Object(json.data)
  }
  if ('rule' in step) {
    set.rule = await must('/care/rules/set', { ...(!step.isForAll && { patientUid }), ...step.rule })
    if (step.daysAgo !== undefined)
      await runSql(rounds.ownerUrl, DATE_BACK, [set.rule?.['ruleId'], patientUid, step.daysAgo])
  }
  if ('change' in step)
    await must('/care/rules/set', { patientUid, ...HIGH, ruleId: set.rule?.['ruleId'], ...step.change })
  else if ('remove' in step) await must('/care/rules/remove', { ruleId: set.rule?.['ruleId'] })
  else if ('add' in step) await patient.add(...step.add)
  else if ('withdraw' in step) await withdraw(patient, Number(step.withdraw['timestamp']))
  else if ('grant' in step) {
    if (step.grant === 'revoke') await patient.revoke()
    else await patient.give(typeof step.grant === 'string' ? { permission: step.grant } : step.grant)
  } else await acknowledge(patientUid)
}

/** As if it had been set and shared so many days ago. */
const DATE_BACK = `
  with shared as (
    update casesheet.grants
    set given_at = now() - $3::integer * interval '1 day'
    where patient_uid = $2
  )
  update casesheet.rules
  set version_at = now() - $3::integer * interval '1 day',
    set_at = now() - $3::integer * interval '1 day',
    changed_xid = pg_current_xact_id()
  where rule_id = $1`

async function withdraw(patient: Patient, timestamp: number) {
  const [row] = await runSql<{ reading_id: string }>(
    rounds.ownerUrl,
    'select reading_id from casesheet.readings where patient_uid = $1 and sent_timestamp = $2',
    [patient.patientUid, timestamp],
  )
  await patient.withdraw(timestamp, row?.reading_id ?? assert.fail())
}

const acknowledge = (patientUid: string) =>
  runSql(
    rounds.ownerUrl,
    `update casesheet.alerts
     set acknowledged_at = now(), acknowledged_by = 'test', acknowledged_beyond = beyond
     where patient_uid = $1 and ended_at is null`,
    [patientUid],
  )

for (const { what, steps, said, open = 0 } of ROWS)
  test(what, async () => {
    const doctor = await newDoctor(rounds)
    const patient = await doctor.patient({ permission: 'manage' })
    const set = {}
    for (const step of steps) {
      await take(doctor, patient, step, set)
      await untilEvaluated()
    }
    assert.equal(await eventsOf(patient), said)
    const rows = await runSql(
      rounds.ownerUrl,
      'select from casesheet.alerts where patient_uid = $1 and ended_at is null',
      [patient.patientUid],
    )
    assert.equal(rows.length, open)
  })
