// `rounds patient erase` as an operator meets it: everything of a patient goes, and what staff did stays without their name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds } from './harness.ts'
import { BY, countRows, createPatient, runPatientCommand } from './patient-with-history.ts'
import { runProgram } from './process.ts'

const rounds = await startRounds()
const { ownerUrl, serveUrl } = rounds
const run = (args: string[], databaseUrl = ownerUrl) => runPatientCommand(args, databaseUrl)

test('an erasure removes the patient, keeps what staff did without the patient, and tells of itself', async () => {
  await createPatient(rounds, 'erase-me')
  const summary = `  readings deleted                                  3
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
  assert.deepEqual(await run(['erase', 'erase-me', ...BY, '--yes']), {
    code: 0,
    output: `The patient was erased:\n${summary}`,
  })
  assert.deepEqual(
    [await countRows(rounds, 'readings', 'erase-me'), await countRows(rounds, 'access_log', 'erase-me')],
    [0, 0],
  )
  assert.equal(await countRows(rounds, 'readings', 'erase-me-neighbour'), 1)

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
    'select read_by, readings_count from casesheet.access_log where patient_uid = $1 order by at',
    [`erased:${erasure_id}`],
  )
  assert.deepEqual(kept, [
    { read_by: 'dr-willow', readings_count: 3 },
    { read_by: 'dr-willow', readings_count: 1 },
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
    /^Erased before, at 20\d\d-.*\.\nNothing was changed; an erasure would do this:\n.* 3\n.* 2\n.* 0\n$/,
  )
})

test('at a terminal the id must be typed, and elsewhere --yes must be said', async () => {
  await createPatient(rounds, 'typed')
  assert.deepEqual(await run(['erase', 'typed', ...BY]), {
    code: 1,
    output: 'Nobody can be asked here. Say --yes if it is meant.\n',
  })
  const type = (answer: string) =>
    runProgram(
      'sh',
      [
        '-c',
        `echo ${answer} | script -qec "${process.execPath} src/cli.ts patient erase typed --by me" /dev/null`,
      ],
      { DATABASE_URL: ownerUrl, TERM: 'dumb' },
    ).ended
  const refused = await type('no')
  assert.equal(refused.code, 1)
  assert.match(refused.output, /This cannot be taken back:[^]*Type typed to go on: [^]*Nothing was changed\./)
  assert.equal(await countRows(rounds, 'readings', 'typed'), 3)
  const erased = await type('typed')
  assert.equal(erased.code, 0)
  assert.match(erased.output, /The patient was erased:/)
  assert.equal(await countRows(rounds, 'readings', 'typed'), 0)
})

test('what an operator can mend is a sentence, and the serving role may do none of it', async () => {
  const say = 'Say "rounds patient export UID --by YOU" or "rounds patient erase UID --by YOU".'
  const notThisRole = 'The role of DATABASE_URL may not do this. Use the role that ran "rounds migrate".'
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
    [['erase', 'x', ...BY, '--yes'], serveUrl, notThisRole],
    [['erase', 'x', ...BY, '--dry-run'], serveUrl, notThisRole],
    [['export', 'x', ...BY], serveUrl, notThisRole],
    [['export', 'x', ...BY], unmigrated.href, 'The database is not up to date. Run "rounds migrate" first.'],
    [
      ['export', 'x', ...BY],
      'postgres://nobody@127.0.0.1:1/x',
      'The database cannot be reached or went away. Run the command again.',
    ],
  ]
  for (const [args, databaseUrl, sentence] of cases)
    assert.deepEqual(await run(args, databaseUrl), { code: 1, output: `${sentence}\n` }, args.join(' '))
})
