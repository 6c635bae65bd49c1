// `rounds access-log trim` as an operator meets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'

const { ownerUrl, serveUrl } = await createDatabase()
const run = (args: string[], databaseUrl = ownerUrl) =>
  runCommand(['access-log', ...args], { DATABASE_URL: databaseUrl }).ended
const BY = ['--by', 'operator@clinic.example']
// More than goes in one piece, for one patient; and one at the first instant that is kept.
const OLD = 25_000

await runSql(
  ownerUrl,
  `insert into casesheet.access_log
     (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
   select case when n % 2 = 0 then 'p1' else 'p' || n end, '2021-01-01Z'::timestamptz - n * interval '1 second', 'r', 0,
     'dr-willow', 'staff', 'readings/get', '-infinity', 'infinity', 1
   from generate_series(0, $1::integer) n`,
  [OLD * 2],
)
// Who corrected a reading, and when, stays.
await runSql(
  ownerUrl,
  `insert into casesheet.access_log
     (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count, correction_id)
   values ('p1', '2020-01-01Z', 'r', 0, 'p1', 'patient', 'readings/withdraw', '-infinity', 'infinity', 1, gen_random_uuid())`,
)
const left = () => runSql(ownerUrl, 'select count(*)::integer as count from casesheet.access_log')

test('entries from before the day are removed, later ones and corrections stay, and a row tells of it', async () => {
  assert.deepEqual(await run(['trim', '--before', '2021-01-01', ...BY, '--dry-run']), {
    code: 0,
    output: `Nothing was changed. ${OLD * 2} entries of the access log are from before 2021-01-01 (UTC).\n`,
  })
  assert.deepEqual(await left(), [{ count: OLD * 2 + 2 }])
  assert.deepEqual(await run(['trim', '--before', '2021-01-01', ...BY, '--yes']), {
    code: 0,
    output: `Deleted ${OLD * 2} entries of the access log from before 2021-01-01 (UTC).\n`,
  })
  assert.deepEqual(await left(), [{ count: 2 }])
  assert.deepEqual(
    await runSql(
      ownerUrl,
      'select trimmed_by, accesses_before::text, accesses_count::integer from casesheet.access_log_trims',
    ),
    [{ trimmed_by: BY[1], accesses_before: '2021-01-01 00:00:00+00', accesses_count: OLD * 2 }],
  )
})

test('what is not meant is not done, and the serving role may not do it', async () => {
  const say = 'Say "rounds access-log trim --before DAY --by YOU", with a day such as 2020-12-31.'
  const { username, pathname, host } = new URL(serveUrl)
  const notThisRole = `The role "${username}" may not do this in the database "${pathname.slice(1)}" at ${decodeURIComponent(host)}:5432. Use the role that ran "rounds migrate".`
  const cases: [string[], string, string][] = [
    [['trim', ...BY], ownerUrl, say],
    [['trim', '--before', '2021-02-30', ...BY], ownerUrl, say],
    [['trim', '--before', 'yesterday', ...BY], ownerUrl, say],
    [['drop', '--before', '2021-01-01', ...BY], ownerUrl, say],
    [
      ['trim', '--before', '2021-01-01'],
      ownerUrl,
      'Say with --by who you are: it is kept in the record of what you do.',
    ],
    [['trim', '--before', '2021-01-01', ...BY], ownerUrl, 'stdin is not a terminal: pass --yes to confirm.'],
    [['trim', '--before', '2022-01-01', ...BY, '--yes'], serveUrl, notThisRole],
  ]
  for (const [args, databaseUrl, sentence] of cases)
    assert.deepEqual(await run(args, databaseUrl), { code: 1, output: `${sentence}\n` }, args.join(' '))
  assert.deepEqual(await left(), [{ count: 2 }])
})
