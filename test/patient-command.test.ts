// `rounds patient` as an operator meets it: everything of a patient comes out, and everything goes.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from './dev.ts'
import { runSql, startRounds } from './harness.ts'
import { runCommand, runProgram } from './process.ts'

const rounds = await startRounds()
const { ownerUrl, serveUrl } = rounds
const run = (args: string[], databaseUrl = ownerUrl) =>
  runCommand(['patient', ...args], { DATABASE_URL: databaseUrl }).ended
const BY = ['--by', 'operator@clinic.example']

/** A patient with three readings, read by themselves, by staff, and by staff with a range; and a neighbour with one. */
async function createPatient(patientUid: string) {
  const token = await rounds.token({ patientUid, sub: `sub-of-${patientUid}` })
  const readings = [1, 2, 3].map((value) => ({
    patientUid,
    readingType: 'acme.x',
    value,
    nested: { text: 'ä "quoted"\u2028' },
    timestamp: 1_700_000_000 + value,
  }))
  await rounds.call('/casesheet/readings/add', { token, body: readings })
  const neighbour = `${patientUid}-neighbour`
  await rounds.call('/casesheet/readings/add', {
    token: await rounds.token({ patientUid: neighbour }),
    body: { patientUid: neighbour, readingType: 'acme.x', timestamp: 1 },
  })
  const staff = await rounds.token({ sub: 'dr-willow', scope: 'readings:read' })
  const get = (as: string, query = '') =>
    rounds.call(`/casesheet/readings/get?patientUid=${patientUid}${query}`, { token: as })
  await get(token)
  await get(staff)
  await get(staff, '&from=1700000002&to=1700000002&readingType=acme.x')
  return {
    readings,
    get: () => get(token),
    add: () => rounds.call('/casesheet/readings/add', { token, body: readings }),
  }
}

type Line = {
  export?: Record<string, unknown>
  reading?: Record<string, unknown>
  addedBy?: string
  access?: Record<string, unknown>
  end?: Record<string, unknown>
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

const countOf = async (table: string, patientUid: string) =>
  (
    await runSql<{ count: number }>(
      ownerUrl,
      `select count(*)::integer as count from casesheet.${table} where patient_uid = $1`,
      [patientUid],
    )
  )[0]?.count

test('an export holds every reading as it was sent, every entry of the log, and first of all itself', async () => {
  const { readings } = await createPatient('export-me')
  const { code, output } = await run(['export', 'export-me', ...BY])
  assert.equal(code, 0, output)
  const [first, ...lines] = linesOf(output)
  assert.deepEqual([first?.export?.['patientUid'], first?.export?.['exportedBy']], ['export-me', BY[1]])
  const exported = lines.flatMap(({ reading }) => (reading ? [reading] : []))
  assert.deepEqual(
    exported.map(({ readingId: _id, measuredAt: _measured, receivedAt: _received, ...sent }) => sent),
    readings,
  )
  for (const { readingId, measuredAt, receivedAt } of exported) {
    assert.match(String(readingId), /^[0-9a-f-]{36}$/)
    assert.match(String(measuredAt), /^2023-11-14T22:13:2\d\.000Z$/)
    assert.ok(Date.now() - new Date(String(receivedAt)).valueOf() < 60_000)
  }
  assert.ok(lines.filter(({ reading }) => reading).every(({ addedBy }) => addedBy === 'sub-of-export-me'))
  const accesses = lines.flatMap(({ access }) => (access ? [access] : []))
  assert.deepEqual(
    accesses.map(({ readBy, allowedAs, operation, readingsCount, readingTypes, from }) => [
      readBy,
      allowedAs,
      operation,
      readingsCount,
      readingTypes,
      from,
    ]),
    [
      ['sub-of-export-me', 'patient', 'readings/get', 3, null, null],
      ['dr-willow', 'staff', 'readings/get', 3, null, null],
      ['dr-willow', 'staff', 'readings/get', 1, ['acme.x'], '2023-11-14T22:13:22.000Z'],
      [BY[1], 'operator', 'patient/export', 3, null, null],
    ],
  )
  assert.deepEqual(lines.at(-1), { end: { readings: 3, accesses: 4 } })
  const log = await rounds.call('/casesheet/readings/access-log', {
    token: await rounds.token({ patientUid: 'export-me' }),
  })
  assert.deepEqual([log.json.data[0]?.['readBy'], log.json.data[0]?.['allowedAs']], [BY[1], 'operator'])
})

test('an export into a file is for its owner only, and never replaces one', async () => {
  await createPatient('into-file')
  const file = join(temporaryDirectory(), 'export.ndjson')
  const { code, output } = await run(['export', 'into-file', ...BY, '--output', file])
  assert.deepEqual([code, output], [0, `Exported 3 readings and 4 entries of the access log to ${file}.\n`])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(linesOf(readFileSync(file, 'utf8')).at(-1), { end: { readings: 3, accesses: 4 } })
  writeFileSync(file, 'mine')
  const again = await run(['export', 'into-file', ...BY, '--output', file])
  assert.deepEqual(again, { code: 1, output: `The file ${file} cannot be made: it must not be there yet.\n` })
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  assert.equal(await countOf('access_log', 'into-file'), 4, 'what was not read is not logged')
  const refused = join(temporaryDirectory(), 'refused.ndjson')
  assert.equal((await run(['export', 'into-file', ...BY, '--output', refused], serveUrl)).code, 1)
  assert.equal(existsSync(refused), false)
})

test('an erasure removes the patient, keeps what staff did without the patient, and tells of itself', async () => {
  await createPatient('erase-me')
  const summary = `  readings deleted                                  3
  reads by the patient deleted                      1
  reads by others kept, without the patient's name  2
`
  assert.deepEqual(await run(['erase', 'erase-me', ...BY, '--dry-run']), {
    code: 0,
    output: `Nothing was changed; an erasure would do this:\n${summary}`,
  })
  assert.deepEqual([await countOf('readings', 'erase-me'), await countOf('access_log', 'erase-me')], [3, 3])
  assert.deepEqual(await run(['erase', 'erase-me', ...BY, '--yes']), {
    code: 0,
    output: `The patient was erased:\n${summary}`,
  })
  assert.deepEqual([await countOf('readings', 'erase-me'), await countOf('access_log', 'erase-me')], [0, 0])
  assert.equal(await countOf('readings', 'erase-me-neighbour'), 1)

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
  const patient = await createPatient('again')
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
  await createPatient('typed')
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
  assert.equal(await countOf('readings', 'typed'), 3)
  const erased = await type('typed')
  assert.equal(erased.code, 0)
  assert.match(erased.output, /The patient was erased:/)
  assert.equal(await countOf('readings', 'typed'), 0)
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
