// `rounds patient erase` as an operator meets it: everything of a patient goes, and what staff did stays without their name.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { createDatabase, runSql, startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import {
  BY,
  countRows,
  createPatient,
  ERASURE_KEY,
  runPatientCommand,
} from '../support/patient-with-history.ts'
import { runProgram } from '../support/process.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()
const { ownerUrl, serveUrl } = rounds
const run = (args: string[], databaseUrl = ownerUrl) => runPatientCommand(args, databaseUrl)

const LEFT_OVER =
  'A later vacuum removes the rows that transactions older than the erasure can still read. ' +
  'Their bytes stay in free space of the data files until it is used again (--rewrite removes them), and in the WAL and in ' +
  'backups until those expire.\n'

test('an erasure removes the patient, keeps what staff did without the patient, and tells of itself', async () => {
  await createPatient(rounds, 'erase-me')
  await runSql(
    ownerUrl,
    "update casesheet.access_log set reason = 'About Ada Sample' where patient_uid = 'erase-me' and allowed_as = 'staff'",
  )
  const summary = `  readings deleted                                  3
  targets deleted, with their history               0
  reviews deleted                                   0
  rules deleted, with their history                 0
  alerts deleted, with their events                 0
  grants deleted, with their history                0
  reads by the patient deleted                      1
  reads by others kept, without the patient's name  2
`
  assert.deepEqual(await run(['erase', 'erase-me', ...BY, '--dry-run']), {
    code: 0,
    output: `Nothing was changed; an erasure would do this:\n${summary}`,
  })
  assert.deepEqual(
    [await countRows(rounds, 'readings', 'erase-me'), await countRows(rounds, 'access_log', 'erase-me')],
    [3, 3],
  )
  assert.deepEqual(await run(['erase', 'erase-me', ...BY, '--announce-days', '0', '--yes']), {
    code: 0,
    output: `The patient was erased:\n${summary}${LEFT_OVER}`,
  })
  assert.deepEqual(
    [await countRows(rounds, 'readings', 'erase-me'), await countRows(rounds, 'access_log', 'erase-me')],
    [0, 0],
  )
  assert.equal(await countRows(rounds, 'readings', 'erase-me-neighbour'), 1)
  // What an erasure leaves in the data files can be removed later.
  const rewritten = await run(['erase', 'erase-me', ...BY, '--rewrite', '--yes'])
  assert.deepEqual([rewritten.code, /were written anew/.test(rewritten.output)], [0, true])

  const [erasure] = await runSql<{ erasure_id: string }>(
    ownerUrl,
    `select erasure_id, erased_by, readings_count::integer, own_accesses_count::integer, other_accesses_count::integer
     from casesheet.erasures`,
  )
  const { erasure_id, ...told } = erasure ?? { erasure_id: '' }
  assert.deepEqual(told, {
    erased_by: BY[1],
    readings_count: 3,
    own_accesses_count: 1,
    other_accesses_count: 2,
  })
  const kept = await runSql(
    ownerUrl,
    'select read_by, readings_count, reason, request_id from casesheet.access_log where patient_uid = $1 order by at',
    [`erased:${erasure_id}`],
  )
  assert.deepEqual(kept, [
    { read_by: 'dr-willow', readings_count: 3, reason: null, request_id: '' },
    { read_by: 'dr-willow', readings_count: 1, reason: null, request_id: '' },
  ])
  const everything = await runSql(
    ownerUrl,
    `select 'found' as found
     from (
       select readings::text as row from casesheet.readings
       union all select access_log::text from casesheet.access_log
       union all select erasures::text from casesheet.erasures
     ) as rows
     where row ~ 'erase-me(?!-neighbour)'`,
  )
  assert.deepEqual(everything, [], 'the id stands nowhere any more')
})

test('a device that sends an erased reading again is a new beginning, and a second erasure knows of the first', async () => {
  const patient = await createPatient(rounds, 'again')
  assert.equal((await run(['erase', 'again', ...BY, '--yes'])).code, 0)
  assert.equal((await patient.get()).json.data.length, 0)
  assert.equal((await patient.add()).status, 200)
  assert.equal((await patient.get()).json.data.length, 3)
  const { output } = await run(['erase', 'again', ...BY, '--dry-run'])
  assert.match(
    output,
    /^Erased before, at 20\d\d-.*\.\nNothing was changed; an erasure would do this:\n.* 3\n.* 0\n.* 0\n.* 0\n.* 0\n.* 0\n.* 2\n.* 0\n$/,
  )
})

test('the record holds an HMAC under a key that the database does not have, and is found with it', async () => {
  const { ownerUrl: url } = await createDatabase()
  await logOneRead(url, 'patient-1')
  assert.equal((await run(['erase', 'patient-1', ...BY, '--yes'], url)).code, 0)
  await logOneRead(url, 'patient-1')
  const records = await runSql(
    url,
    "select encode(patient_digest, 'hex') as digest, encode(key_id, 'hex') as key_id from casesheet.erasures",
  )
  // By hand: printf patient-1 | openssl dgst -sha256 -mac hmac -macopt hexkey:0001…1f; the key's id is that of the empty text.
  assert.deepEqual(records, [
    {
      digest: 'f77ee0773617c9bbf4bac29df7d3cfb468a746ec1b33c15c8209db619a6afdc5',
      key_id: 'd38b42096d80f45f',
    },
  ])
  const dryRun = (patientUid: string, key?: string) =>
    runPatientCommand(['erase', patientUid, ...BY, '--dry-run'], url, key)
  assert.match((await dryRun('patient-1')).output, /^Erased before, at 20\d\d-.*\.\nNothing /)
  assert.match((await dryRun('patient-2')).output, /^Nothing is held under this id/)
  const other = await dryRun('patient-1', Buffer.alloc(32, 7).toString('base64'))
  assert.match(
    other.output,
    /^1 erasures are recorded under another ERASURE_KEY: whether they were of this patient is unknown\.\n/,
  )
})

/** An entry of the access log, which is enough to be held of a patient. */
async function logOneRead(url: string, patientUid: string) {
  await runSql(
    url,
    `insert into casesheet.access_log
       (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
     values ($1, 'readings/get', '-infinity', 'infinity', gen_random_uuid()::text, 0, 'me', 'patient', 0)`,
    [patientUid],
  )
}

test('an id of which nothing is held is reported, ends with 1, and leaves no record', async () => {
  const nothing =
    'Nothing is held under this id: no reading, no target, no review, no rule, no grant, and no entry of the access log. Check how it is spelt.\n'
  const { ownerUrl: url } = await createDatabase()
  for (const mode of ['--yes', '--dry-run'])
    assert.deepEqual(await run(['erase', 'mistyped', ...BY, mode], url), { code: 1, output: nothing })
  assert.deepEqual(await runSql(url, 'select from casesheet.erasures'), [])
  await logOneRead(url, 'erased-once')
  assert.equal((await run(['erase', 'erased-once', ...BY, '--yes'], url)).code, 0)
  const again = await run(['erase', 'erased-once', ...BY, '--yes'], url)
  assert.equal(again.code, 1)
  assert.match(again.output, /^Erased before, at 20\d\d-.*\.\nNothing is held under this id/)
  const refusedUntil = new Date(Date.now() + 86_400_000).toISOString()
  // As an earlier release leaves it, which wrote no notices.
  await runSql(url, 'delete from casesheet.erasure_notices')
  const refusing = await run(['erase', 'erased-once', ...BY, '--yes', '--refuse-until', refusedUntil], url)
  assert.equal(refusing.code, 0, refusing.output)
  assert.match(refusing.output, /Adds for this patient are refused until/)
  assert.match(refusing.output, /id stays in casesheet\.erasure_notices until/)
})

test('without a key of 32 bytes nothing is erased', async () => {
  await createPatient(rounds, 'no-key')
  for (const key of [
    '',
    'short',
    'ff'.repeat(31),
    Buffer.alloc(31).toString('base64'),
    'not a key: '.repeat(9),
  ]) {
    const { code, output } = await runPatientCommand(['erase', 'no-key', ...BY, '--yes'], ownerUrl, key)
    assert.equal(code, 1)
    assert.match(
      output,
      /\n {2}ERASURE_KEY (is missing: it )?must be at least 32 random bytes in base64 or hex, such as "openssl rand -base64 32" prints\.\n$/,
    )
  }
  assert.equal(await countRows(rounds, 'readings', 'no-key'), 3)
})

test(
  'at a terminal the id must be typed, and elsewhere --yes must be said',
  needs('script', 'linux'),
  async () => {
    await createPatient(rounds, 'typed')
    assert.deepEqual(await run(['erase', 'typed', ...BY]), {
      code: 1,
      output: 'stdin is not a terminal: pass --yes to confirm.\n',
    })
    const type = (answer: string) =>
      runProgram(
        'sh',
        [
          '-c',
          `echo ${answer} | script -qec "${process.execPath} src/cli.ts patient erase typed --by me" /dev/null`,
        ],
        { DATABASE_URL: ownerUrl, ERASURE_KEY, TERM: 'dumb' },
      ).ended
    const refused = await type('no')
    assert.equal(refused.code, 1)
    assert.match(
      refused.output,
      /This cannot be taken back:[^]*Type typed to go on: [^]*Nothing was changed\./,
    )
    assert.equal(await countRows(rounds, 'readings', 'typed'), 3)
    const erased = await type('typed')
    assert.equal(erased.code, 0)
    assert.match(erased.output, /The patient was erased:/)
    assert.equal(await countRows(rounds, 'readings', 'typed'), 0)
  },
)

test('what an operator can fix is a sentence, and the serving role may do none of it', async () => {
  const say =
    'Say "rounds patient export UID --by YOU", "rounds patient erase UID --by YOU" or "rounds patient lift-refusals UID".'
  const { username, pathname, host } = new URL(serveUrl)
  const notThisRole = `The role "${username}" may not do this in the database "${pathname.slice(1)}" at ${decodeURIComponent(host)}:5432. Use the role that ran "rounds migrate".`
  const unmigrated = new URL(ownerUrl)
  unmigrated.pathname = 'postgres'
  const cases: [string[], string, string][] = [
    [['erase', 'x'], ownerUrl, 'Say with --by who you are: it is kept in the record of what you do.'],
    [
      ['export', 'x', '--by', ' '],
      ownerUrl,
      'Say with --by who you are: it is kept in the record of what you do.',
    ],
    [['erase', ...BY], ownerUrl, say],
    [['forget', 'x', ...BY], ownerUrl, say],
    [['erase', 'x', 'y', ...BY], ownerUrl, say],
    [
      ['export', 'x', ...BY, '--yes'],
      ownerUrl,
      '"rounds patient export" changes nothing: leave out --yes and --dry-run.',
    ],
    [
      ['export', 'x', ...BY, '--rewrite'],
      ownerUrl,
      '--rewrite, --refuse-until and --announce-days belong to "rounds patient erase".',
    ],
    ...['2020-01-01', '2999-01-01', 'tomorrow', '2027-02-30', '2027-01-01T00:00:00', ''].map(
      (time): [string[], string, string] => [
        ['erase', 'x', ...BY, `--refuse-until=${time}`, '--yes'],
        ownerUrl,
        '--refuse-until must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z, at most 400 days from now.',
      ],
    ),
    ...['--refuse-until=', '--announce-days=', '--announce-days=0'].map(
      (option): [string[], string, string] => [
        ['export', 'x', ...BY, option],
        ownerUrl,
        '--rewrite, --refuse-until and --announce-days belong to "rounds patient erase".',
      ],
    ),
    [['erase', 'x', ...BY, '--yes'], serveUrl, notThisRole],
    [['erase', 'x', ...BY, '--dry-run'], serveUrl, notThisRole],
    [['export', 'x', ...BY], serveUrl, notThisRole],
    [['export', 'x', ...BY], unmigrated.href, 'The database is not up to date. Run "rounds migrate" first.'],
    [
      ['export', 'x', ...BY],
      'postgres://nobody@127.0.0.1:1/x',
      'The database cannot be reached, or the connection was lost. Run the command again.',
    ],
  ]
  for (const [args, databaseUrl, sentence] of cases)
    assert.deepEqual(await run(args, databaseUrl), { code: 1, output: `${sentence}\n` }, args.join(' '))
})

test('an erasure waits for what is being written, and removes it too', async () => {
  const { readings } = await createPatient(rounds, 'written-late')
  const writer = new Client({ connectionString: ownerUrl })
  await writer.connect()
  after(() => writer.end())
  await writer.query('begin')
  await writer.query(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ('written-late', now(), gen_random_uuid(), 'acme.x', 1, '{}', 'test')`,
  )
  let hasEnded = false
  const erasing = run(['erase', 'written-late', ...BY, '--announce-days', '0', '--yes'])
  void erasing.finally(() => (hasEnded = true))
  await until(async () => {
    const [row] = await runSql<{ count: number }>(
      ownerUrl,
      `select count(*)::integer from pg_stat_activity
       where datname = current_database() and application_name = 'rounds operator' and now() - xact_start > interval '200 ms'`,
    )
    return hasEnded || row?.count === 1
  })
  await writer.query('commit')
  const { code, output } = await erasing
  assert.equal(code, 0, output)
  assert.match(output, new RegExp(`readings deleted +${readings.length + 1}\\n`))
  assert.equal(await countRows(rounds, 'readings', 'written-late'), 0)
})
