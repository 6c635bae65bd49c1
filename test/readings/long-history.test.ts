// What is asked of some types of a patient costs by those types alone, however long the history of the others is, and also
// where the planner has no statistics of that patient.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import type { Statement } from '../../src/db/statement.ts'
import { sliceStatement } from '../../src/modules/care/evaluation/load-readings.ts'
import { readingsStatement } from '../../src/modules/care/reports/report-readings.ts'
import { previewStatement } from '../../src/modules/care/rules/preview-rule.ts'
import { pageStatement } from '../../src/modules/care/summaries/load-readings.ts'
import type { Range } from '../../src/modules/casesheet/get/range.ts'
import { ordinaryAttempt, pagesStatement } from '../../src/modules/casesheet/get/read-page.ts'
import { type LatestRequest, latestStatement } from '../../src/modules/casesheet/latest/latest-statement.ts'
import { WITHOUT_GRANT } from '../../src/modules/casesheet/reader.ts'
import { LOWEST_ID } from '../../src/modules/casesheet/reading-id.ts'
import { statisticsStatement } from '../../src/modules/casesheet/statistics/statistics-statement.ts'
import { createDatabase } from '../support/harness.ts'

const FIRST = 1_600_000_000
const COUNT = 60_000
const LAST = FIRST + COUNT * 60

const { ownerUrl } = await createDatabase()
const client = new Client({ connectionString: ownerUrl })
await client.connect()
after(() => client.end())

// Many patients of few readings are analysed before the one with many is there: one a minute, and of another type two,
// at the beginning and in the middle.
await addReadings(
  "'p-' || n % 20000",
  "case when n % 7 = 0 then 'bodyWeight' else 'heartRate' end",
  `${COUNT}) n`,
)
await client.query('vacuum analyze casesheet.readings')
await addReadings("'long'", "case when n in (1, 30000) then 'bodyWeight' else 'heartRate' end", `${COUNT}) n`)
// A device whose clock stands still.
await client.query(
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'stuck', to_timestamp(${FIRST}), gen_random_uuid(), 'heartRate', ${FIRST}, '{"value":71}', 'test'
   from generate_series(1, ${COUNT})`,
)
await client.query(
  `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by) values ('long', 'doctor-1', 'manage', 'long', 'long')`,
)
await client.query('set jit = off')

function addReadings(patient: string, type: string, numbers: string) {
  return client.query(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select ${patient}, to_timestamp(${FIRST} + n * 60), gen_random_uuid(), ${type}, ${FIRST} + n * 60, '{"value":71}', 'test'
     from generate_series(1, ${numbers}`,
  )
}

const patientUid = 'long'
const to = new Date(LAST * 1_000).toISOString()
// All but the first thousandth of the readings are beyond.
const early = new Date((FIRST + 60 * 60) * 1_000).toISOString()
const reader = { readBy: 'test', allowedAs: 'patient', requestId: 'test', ...WITHOUT_GRANT } as const
const page = (
  order: Range['order'],
  range: { from: number; to: number },
  readingTypes: string[],
  of = patientUid,
) =>
  pagesStatement(`of-types-${order}`, 'ordinary', [
    ordinaryAttempt({
      range: { patientUid: of, ...range, readingTypes, order, withdrawn: 'left-out', after: null },
      reader,
      page: 0,
      beganAt: null,
      size: 250,
      maxBytes: 262_144,
      costOfByte: 1,
      isLarge: false,
    }),
  ])
const latest = (requests: LatestRequest[]) => latestStatement(requests, 'left-out')
const whole = { from: FIRST, to: LAST }
const report = (types: string[] | null, range: { from: number; to: number }) =>
  readingsStatement({ patientUid, timeZone: 'Europe/Berlin', ...range }, { types, fields: ['value'] })
const middle = { from: FIRST + 29_000 * 60, to: FIRST + 29_003 * 60 }

/** What rules look at. */
const asked = (from: number, size: number) => ({
  patientUid,
  readingType: 'heartRate',
  fields: ['value'],
  now: middle.to * 1e6,
  from: from * 1e6,
  backTo: from * 1e6,
  goesOn: false,
  size,
})
const dayOfMiddle = {
  from: new Date(middle.from * 1_000).toISOString(),
  to: new Date(middle.to * 1_000).toISOString(),
}
const toJudge = (kind: Parameters<typeof pageStatement>[1], behind?: { at: string; id: string }) =>
  pageStatement({ patientUid, readingType: 'heartRate' }, kind, dayOfMiddle, behind)

const STATEMENTS: [what: string, mostBlocks: number, statement: Statement][] = [
  ['the first page of 60,000 readings of one instant', 400, page('asc', whole, ['heartRate'], 'stuck')],
  ['the last page of 60,000 readings of one instant', 400, page('desc', whole, ['heartRate'], 'stuck')],
  [
    'the newest of 60,000 readings of one instant',
    40,
    latest([{ patientUid: 'stuck', readingTypes: ['heartRate'], to, reader }]),
  ],
  ['the newest of all types', 40, latest([{ patientUid, readingTypes: null, to, reader }])],
  [
    'the newest of a type that was last measured long ago',
    40,
    latest([{ patientUid, readingTypes: ['bodyWeight'], to, reader }]),
  ],
  [
    'the newest of a type that was never measured',
    40,
    latest([{ patientUid, readingTypes: ['acme.never'], to, reader }]),
  ],
  [
    'the newest of all types before 60,000 later readings',
    40,
    latest([{ patientUid, readingTypes: null, to: early, reader }]),
  ],
  [
    'the newest of a type before 60,000 later readings',
    40,
    latest([{ patientUid, readingTypes: ['heartRate'], to: early, reader }]),
  ],
  [
    'that all readings of a type are beyond the time',
    40,
    latest([{ patientUid, readingTypes: ['heartRate'], to: '1970-01-01T00:00:00Z', reader }]),
  ],
  ['the first page of a rare type', 40, page('asc', whole, ['bodyWeight'])],
  ['the last page of a rare type', 40, page('desc', whole, ['bodyWeight'])],
  ['a few minutes of a frequent type', 400, page('asc', middle, ['heartRate'])],
  ['a few minutes of a frequent type, backwards', 400, page('desc', middle, ['heartRate'])],
  ['a few minutes of several types', 500, page('asc', middle, ['heartRate', 'bodyWeight', 'acme.never'])],
  [
    'statistics of a rare type',
    400,
    statisticsStatement({
      patientUid,
      readingType: 'bodyWeight',
      ...whole,
      bucket: 'day',
      timeZone: 'UTC',
      withdrawn: 'left-out',
      quantities: ['value'],
    }),
  ],
  ['a report on a rare type', 400, report(['bodyWeight'], whole)],
  ['a report on a few minutes of a frequent type', 400, report(['heartRate'], middle)],
  ['a report on several types in a few minutes', 400, report(['bodyWeight', 'heartRate'], middle)],
  ['a report on any type in a few minutes', 400, report(null, middle)],
  ['a report on a type that was never measured', 400, report(['interstitialGlucose'], whole)],
  // With the readings of a day that may have been measured ahead.
  [
    'what a rule would have done in a few minutes',
    150,
    previewStatement(
      { readingType: 'heartRate', field: 'value' },
      { patientUid, doctorId: 'doctor-1', by: 'test', requestId: 'test' },
      { from: middle.from * 1_000, to: middle.to * 1_000 },
    ),
  ],
  ['what a rule looks at in a few minutes', 150, sliceStatement([asked(middle.to, 1_000)])],
  ['a slice of what a rule looks at', 150, sliceStatement([asked(FIRST, 100)])],
  ['what is judged of a day', 250, toJudge('usual')],
  ['the last of what is judged of a day', 60, toJudge('usual', { at: dayOfMiddle.to, id: LOWEST_ID })],
  ['that no time of a day is impossible', 40, toJudge('strange')],
  ['what is judged of a day that arrived late, beside a history that did', 250, toJudge('lateOfDays')],
]

for (const [what, mostBlocks, { text, values }] of STATEMENTS) {
  test(`${what} is found in at most ${mostBlocks} blocks`, async () => {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}; prepare kept as ${text}`)
      const literals = values
        .map((value) => (value === null ? 'null' : client.escapeLiteral(`${value as string | number}`)))
        .join(', ')
      await client.query('begin')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute kept(${literals})`,
      )
      await client.query('rollback; deallocate kept')
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      const [, blocks] = /Buffers: shared hit=(\d+)/.exec(plan) ?? []
      assert.ok(Number(blocks) <= mostBlocks, `${mode}: ${blocks} blocks\n${plan}`)
    }
  })
}
