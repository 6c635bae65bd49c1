// `rounds patient erase --refuse-until`: readings that a device still holds cannot be added again, in any process, from the
// moment at which the command deletes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { createReadingQueue, createRoundsClient } from '../../clients/typescript/src/client.ts'
import { createPatientDigests } from '../../src/modules/casesheet/patient-digest.ts'
import { assertRefused, type Rounds, runSql, startRounds } from '../support/harness.ts'
import { BY, countRows, ERASURE_KEY, runPatientCommand } from '../support/patient-with-history.ts'
import { runCommand } from '../support/process.ts'
import { find, scrape } from '../support/scrape.ts'

const ADD = '/casesheet/readings/add'
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const readingOf = (patientUid: string, value = 1) => ({
  patientUid,
  readingType: 'acme.x',
  value,
  timestamp: 1_700_000_000 + value,
})

async function add(rounds: Rounds, patientUid: string, value?: number) {
  const token = await rounds.token({ patientUid, sub: patientUid })
  return rounds.call(ADD, { token, body: readingOf(patientUid, value) })
}

/** Refuses a patient without erasing them. */
const refuse = (
  { ownerUrl }: Rounds,
  patientUid: string,
  { key = ERASURE_KEY, until = inDays(1) }: { key?: string; until?: string } = {},
) => {
  const { keyId, digestOf } = createPatientDigests(Buffer.from(key, 'hex'))
  return runSql(ownerUrl, 'insert into casesheet.refused_patients values ($1, $2, $3)', [
    keyId,
    digestOf(patientUid),
    until,
  ])
}

const rounds = await startRounds({ ERASURE_KEY })
const erase = (patientUid: string, ...options: string[]) =>
  runPatientCommand(['erase', patientUid, ...BY, '--yes', ...options], rounds.ownerUrl)

test('an erased patient is refused with a code of its own until the time, and everybody else is served', async () => {
  assert.equal((await add(rounds, 'phone')).status, 200)
  const until = inDays(30)
  const { code, output } = await erase('phone', '--refuse-until', until)
  assert.equal(code, 0, output)
  assert.ok(output.includes(`\nAdds for this patient are refused until ${until}.\n`), output)
  // The first add is the one by which the process learns that it must send digests.
  for (let time = 0; time < 3; time++) assertRefused(await add(rounds, 'phone'), 403, 'PatientErased')
  assert.equal((await add(rounds, 'phone-neighbour')).status, 200)
  assert.equal(await countRows(rounds, 'readings', 'phone'), 0)
  assert.equal((await erase('phone', '--refuse-until', inDays(2))).code, 0, 'it may be erased again')
})

test('adds that share a statement with a refused one are stored, in whatever company', async () => {
  await refuse(rounds, 'among-others')
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      add(rounds, index % 8 === 3 ? 'among-others' : `other-${index}`),
    ),
  )
  for (const [index, answer] of answers.entries())
    if (index % 8 === 3) assertRefused(answer, 403, 'PatientErased')
    else assert.equal(answer.status, 200)
  assert.equal(await countRows(rounds, 'readings', 'among-others'), 0)
})

test('a list is refused as a whole, and where each reading is judged only those of the refused patients are', async () => {
  for (const child of ['child-2', 'child-4']) await refuse(rounds, child)
  const children = ['child-1', 'child-2', 'child-3', 'child-4']
  const token = await rounds.token({ patientUid: children, sub: 'carer' })
  const body = children.map((child) => readingOf(child))
  const prefer = { prefer: 'return=representation' }
  const judged = await rounds.call(ADD, { token, body, headers: prefer })
  assert.deepEqual(
    judged.json.data.map(({ verdict, code }) => [verdict, code]),
    [
      ['stored', undefined],
      ['rejected', 'PatientErased'],
      ['stored', undefined],
      ['rejected', 'PatientErased'],
    ],
  )
  assertRefused(await rounds.call(ADD, { token, body }), 403, 'PatientErased')
  const counts = await Promise.all(children.map((child) => countRows(rounds, 'readings', child)))
  assert.deepEqual(counts, [1, 0, 1, 0])
})

test('the queue of a phone hands such readings over, and sends those of other patients', async () => {
  await refuse(rounds, 'queued-1')
  const token = await rounds.token({ patientUid: ['queued-1', 'queued-2'], sub: 'queued' })
  const handedOver: [string, string][] = []
  const queue = createReadingQueue({
    client: createRoundsClient({ url: rounds.url, token: () => token }),
    onRefused: ({ patientUid }, { code }) => void handedOver.push([patientUid, code]),
  })
  await queue.add([1, 2, 3].flatMap((value) => [readingOf('queued-1', value), readingOf('queued-2', value)]))
  assert.deepEqual(await queue.flush(), { sent: 3, refused: 3 })
  assert.deepEqual(
    handedOver,
    [1, 2, 3].map(() => ['queued-1', 'PatientErased']),
  )
})

test('a refusal under another key than those in force is not made, because no server could check both', async () => {
  await refuse(rounds, 'first-key')
  assert.equal((await add(rounds, 'second-key')).status, 200)
  const args = ['erase', 'second-key', ...BY, '--yes', '--refuse-until', inDays(1)]
  const { code, output } = await runPatientCommand(args, rounds.ownerUrl, 'ff'.repeat(32))
  assert.equal(code, 1, output)
  assert.match(output, /other patients are refused under another ERASURE_KEY/)
  assert.equal(await countRows(rounds, 'readings', 'second-key'), 1)
  assert.equal((await add(rounds, 'anyone-else')).status, 200)
})

test('after its time a refusal is over, and the next erasure removes its digest', async () => {
  await refuse(rounds, 'over', { until: new Date(Date.now() - 1).toISOString() })
  assert.equal((await add(rounds, 'over')).status, 200)
  assert.equal((await erase('over', '--refuse-until', inDays(1))).code, 0)
  assert.deepEqual(
    await runSql(rounds.ownerUrl, 'select from casesheet.refused_patients where refused_until < now()'),
    [],
  )
})

test('an add that began before the refusal is waited for, and its reading is deleted too', async () => {
  const { ownerUrl, serveUrl } = rounds
  const inFlight = new Client({ connectionString: serveUrl })
  await inFlight.connect()
  after(() => inFlight.end())
  await inFlight.query('begin')
  await inFlight.query(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ('in-flight', now(), gen_random_uuid(), 'x', 1, '{}', 'test')`,
  )
  const command = runCommand(['patient', 'erase', 'in-flight', ...BY, '--yes', '--refuse-until', inDays(1)], {
    DATABASE_URL: ownerUrl,
    ERASURE_KEY,
  })
  const { digestOf } = createPatientDigests(Buffer.from(ERASURE_KEY, 'hex'))
  const isRefused = async () =>
    (
      await runSql(ownerUrl, 'select from casesheet.refused_patients where patient_digest = $1', [
        digestOf('in-flight'),
      ])
    ).length > 0
  while (!(await isRefused())) assert.equal(command.child.exitCode, null, command.output())
  // Others are not held up by the command that waits.
  assert.equal((await add(rounds, 'not-held-up')).status, 200)
  assertRefused(await add(rounds, 'in-flight'), 403, 'PatientErased')
  assert.equal(command.child.exitCode, null, 'it waits')
  await inFlight.query('commit')
  const { code, output } = await command.ended
  assert.equal(code, 0, output)
  assert.match(output, /readings deleted +1\n/)
  assert.equal(await countRows(rounds, 'readings', 'in-flight'), 0)
})

test('of adds that never cease while the patient is erased, nothing is left', async () => {
  const token = await rounds.token({ patientUid: 'never-ceasing', sub: 'never-ceasing' })
  let value = 0
  const over = new AbortController()
  const answers = new Set<number>()
  const phone = async () => {
    while (!over.signal.aborted) {
      const body = readingOf('never-ceasing', value++)
      answers.add((await rounds.call(ADD, { token, body })).status)
    }
  }
  const phones = Array.from({ length: 8 }, phone)
  while (((await countRows(rounds, 'readings', 'never-ceasing')) ?? 0) < 50);
  const { code, output } = await erase('never-ceasing', '--refuse-until', inDays(1)).finally(() =>
    over.abort(),
  )
  assert.equal(code, 0, output)
  await Promise.all(phones)
  assert.deepEqual(answers, new Set([200, 403]))
  assert.equal(await countRows(rounds, 'readings', 'never-ceasing'), 0)
})

const checksOf = async ({ adminUrl }: Rounds): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${adminUrl}/readyz`)
  return { status: answer.status, ...((await answer.json()) as { checks: Record<string, boolean> }).checks }
}

for (const [fault, settings] of [
  ['no key', {}],
  ['another key', { ERASURE_KEY: 'ff'.repeat(32) }],
] as const) {
  test(`a server with ${fault} serves everybody else while somebody is refused, and reports that it lacks the key`, async () => {
    const other = await startRounds(settings)
    await refuse(other, 'erased')
    for (let value = 0; value < 3; value++) assert.equal((await add(other, 'anyone', value)).status, 200)
    assert.deepEqual(await checksOf(other), { status: 200, database: true, issuer: true, erasureKey: false })
    assert.deepEqual(
      find(await scrape(other.adminUrl), 'rounds_ready', { check: 'erasureKey' }).map(({ value }) => value),
      [0],
    )
    assert.match(other.log(), /"level":50,.*refused under an ERASURE_KEY that this server does not have/)
    const { code, output } = await runPatientCommand(['lift-refusals', '--all', '--yes'], other.ownerUrl, '')
    assert.deepEqual([code, output], [0, '1 refusal was lifted. Servers follow within ten seconds.\n'])
    assert.equal((await checksOf(other))['erasureKey'], true)
    assert.match(other.log(), /"level":30,.*every refused patient is refused under the ERASURE_KEY/)
  })

  test(`no patient is refused while a running server has ${fault}, and nothing is erased`, async () => {
    const other = await startRounds(settings)
    await add(other, 'kept')
    const { code, output } = await runPatientCommand(
      ['erase', 'kept', ...BY, '--yes', '--refuse-until', inDays(1)],
      other.ownerUrl,
    )
    assert.equal(code, 1, output)
    assert.match(
      output,
      /^Nothing was erased: a running server has no ERASURE_KEY, or another one.* \d+[\d, ]*\.\n$/,
    )
    assert.equal(await countRows(other, 'readings', 'kept'), 1)
    assert.deepEqual(await runSql(other.ownerUrl, 'select from casesheet.refused_patients'), [])
  })
}

test('a server that adds no readings needs no key', async () => {
  const directory = await startRounds({ MODULES: 'appointments' })
  const args = ['erase', 'unknown', ...BY, '--yes', '--refuse-until', inDays(1)]
  const { code, output } = await runPatientCommand(args, directory.ownerUrl)
  assert.equal(code, 0, output)
  assert.deepEqual(await checksOf(directory), { status: 200, database: true, issuer: true })
})

test('the refusal of one patient is lifted with the key, and those of others stay', async () => {
  for (const patientUid of ['lifted', 'still-refused']) await refuse(rounds, patientUid)
  const { code, output } = await runPatientCommand(['lift-refusals', 'lifted'], rounds.ownerUrl)
  assert.deepEqual([code, output], [0, '1 refusal was lifted. Servers follow within ten seconds.\n'])
  assert.equal((await add(rounds, 'lifted')).status, 200)
  assertRefused(await add(rounds, 'still-refused'), 403, 'PatientErased')
  const again = await runPatientCommand(['lift-refusals', 'lifted'], rounds.ownerUrl)
  assert.deepEqual(
    [again.code, again.output],
    [1, 'This patient is not refused, or was refused under another ERASURE_KEY.\n'],
  )
})

test('lifting all refusals asks first, and says what is wrong with other words', async () => {
  for (const [args, message] of [
    [['lift-refusals', '--all'], /pass --yes to confirm/],
    [['lift-refusals'], /Say "rounds patient lift-refusals UID", or --all/],
    [['lift-refusals', 'one', '--all'], /Say "rounds patient lift-refusals UID", or --all/],
    [['lift-refusals', 'one', '--dry-run'], /knows only --all and --yes/],
    [['erase', 'one', '--all'], /--all belongs to/],
  ] as const) {
    const { code, output } = await runPatientCommand([...args], rounds.ownerUrl)
    assert.equal(code, 1, output)
    assert.match(output, message)
  }
})

test('a dry run needs no key', async () => {
  await add(rounds, 'looked-at')
  const { code, output } = await runPatientCommand(
    ['erase', 'looked-at', ...BY, '--dry-run'],
    rounds.ownerUrl,
    '',
  )
  assert.equal(code, 0, output)
  assert.match(output, /Nothing was changed; an erasure would do this:\n {2}readings deleted +1\n/)
})
