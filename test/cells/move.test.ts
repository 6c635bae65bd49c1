// Patients move between two cells while they are served: nothing is lost, doubled or stored in the wrong cell. What happens when
// something is killed meanwhile: kills.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { assertRefused, runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'
import { STEPS } from './steps.ts'
import {
  assertNothingLost,
  createRouter,
  heldIn,
  patients,
  readingOf,
  startCell,
  startTraffic,
} from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const router = createRouter([old, fresh])
const all = patients(60)
const ERASURE_KEY = 'a'.repeat(64)

const cellCommand = (args: string[], of = old) =>
  runCommand(['cell', ...args], { DATABASE_URL: of.ownerUrl }).ended
const patientCommand = (args: string[], of = old) =>
  runCommand(['patient', ...args, '--by', 'test'], { DATABASE_URL: of.ownerUrl, ERASURE_KEY }).ended

type Item = { state: string; patientUid?: string; reading?: { patientUid: string; readingId: string } }

/** The last state of each reading, as a consumer of one cell ends with it. */
async function consume({ rounds }: typeof old) {
  const token = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
  const states = new Map<string, Map<string, string>>()
  let cursor = ''
  for (;;) {
    const { json, status, text } = await rounds.call(
      `/casesheet/readings/changes?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`,
      { token },
    )
    assert.equal(status, 200, text)
    for (const { state, reading, patientUid } of json.data as Item[]) {
      if (reading)
        states.set(
          reading.patientUid,
          (states.get(reading.patientUid) ?? new Map<string, string>()).set(reading.readingId, state),
        )
      else states.delete(patientUid ?? '')
    }
    cursor = json.nextCursor ?? ''
    if (!(json as unknown as { hasMore: boolean }).hasMore) return states
  }
}

test('half of a cell moves under load, and every acknowledged reading is in the cell of its slot, once', async () => {
  const erased = all.find((patientUid) => slotOf(patientUid) >= 2_048) ?? ''
  await router.call(erased, '/casesheet/readings/add', readingOf(erased, 1))
  const erasure = await patientCommand(['erase', erased, '--yes'])
  assert.equal(erasure.code, 0, erasure.output)
  const traffic = startTraffic(router, all, { clients: 4 })
  await new Promise((resume) => setTimeout(resume, 500))
  const steps: string[] = []
  const refused: string[] = []
  const { compared } = await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 2_048, last: 4_095 },
    limitMs: 30_000,
    changeMap: () => router.route(2_048, 4_095, 1),
    onProgress: () => {},
    async onStep(step) {
      steps.push(step)
      if (step !== 'copied') return
      const other = all.find((patientUid) => patientUid !== erased) ?? ''
      for (const command of [
        patientCommand(['erase', other, '--yes']),
        runCommand(['access-log', 'trim', '--before', '2020-01-01', '--by', 'test', '--yes'], {
          DATABASE_URL: old.ownerUrl,
        }).ended,
      ])
        refused.push((await command).output)
    },
  })
  await new Promise((resume) => setTimeout(resume, 500))
  const done = await traffic.stop()
  assert.deepEqual(steps, STEPS)
  for (const output of refused) assert.match(output, /deletions would not reach the other one/)
  assert.ok(compared && compared.readings > 0 && compared.accesses > 0)
  assert.deepEqual(
    [...router.statuses.keys()].filter((status) => status !== 200 && status !== 503 && status !== 421),
    [],
  )
  await assertNothingLost(done, [
    [old, 0, 2_047],
    [fresh, 2_048, 4_095],
  ])
  assert.equal((await heldIn(fresh, 0, 2_047)).size, 0, 'nothing else was copied')
  const late = await heldIn(old, 2_048, 4_095)
  for (const [patientUid, { timestamps }] of late) {
    const there = (await heldIn(fresh, 2_048, 4_095)).get(patientUid)?.timestamps ?? []
    assert.deepEqual(
      timestamps.filter((timestamp) => !there.includes(timestamp)),
      [],
      'what the old cell has, the new one has too',
    )
  }
  // The access log moved along: the first read of each patient was in the old cell.
  const [logs] = await runSql<{ missing: number }>(
    old.ownerUrl,
    'select count(*)::integer as missing from casesheet.access_log where casesheet.slot_of(patient_uid) >= 2048',
  )
  const [moved] = await runSql<{ count: number }>(
    fresh.ownerUrl,
    'select count(*)::integer as count from casesheet.access_log where casesheet.slot_of(patient_uid) >= 2048',
  )
  assert.ok((moved?.count ?? 0) >= (logs?.missing ?? 0))
  // So did every correction.
  const correctionsIn = async ({ ownerUrl }: typeof old) =>
    (
      await runSql<{ correction: string }>(
        ownerUrl,
        `select corrections::text as correction
         from casesheet.corrections
         where casesheet.slot_of(patient_uid) >= 2048`,
      )
    ).map(({ correction }) => correction)
  const [left, brought] = [await correctionsIn(old), new Set(await correctionsIn(fresh))]
  assert.ok(left.length > 0)
  assert.deepEqual(
    left.filter((correction) => !brought.has(correction)),
    [],
  )
})

test('after the move, each cell answers for its own patients, and its feed has them all', async () => {
  const here = all.find((patientUid) => slotOf(patientUid) < 2_048) ?? ''
  const there = all.find((patientUid) => slotOf(patientUid) >= 2_048) ?? ''
  const read = async ({ rounds }: typeof old, patientUid: string) =>
    rounds.call(`/casesheet/readings/get?patientUid=${patientUid}`, {
      token: await rounds.token({ patientUid }),
    })
  assert.equal((await read(old, here)).status, 200)
  assert.equal((await read(fresh, there)).status, 200)
  assertRefused(await read(old, there), 421, 'WrongCell')
  assertRefused(await read(fresh, here), 421, 'WrongCell')
  for (const [cell, first, last] of [
    [old, 0, 2_047],
    [fresh, 2_048, 4_095],
  ] as const) {
    const held = await heldIn(cell, first, last)
    await until(async () => (await consume(cell)).size === held.size)
    const states = await consume(cell)
    for (const [patientUid, { timestamps, withdrawn }] of held) {
      const ofPatient = states.get(patientUid) ?? new Map<string, string>()
      assert.equal(ofPatient.size, timestamps.length)
      assert.equal([...ofPatient.values()].filter((state) => state === 'withdrawn').length, withdrawn.length)
    }
  }
  const exported = await patientCommand(['export', there])
  assert.deepEqual([exported.code, /does not serve the patient/.test(exported.output)], [1, true])
  assert.equal((await patientCommand(['export', there], fresh)).code, 0)
})

test('an erasure in the new cell says that the old one still holds the patient, and how to remove that', async () => {
  const [moved = ''] = all.filter((patientUid) => slotOf(patientUid) >= 2_048).slice(-1)
  assert.ok((await heldIn(old, 2_048, 4_095)).has(moved))
  const { host, pathname } = new URL(old.ownerUrl)
  const sentence = `The patient was moved here from ${decodeURIComponent(host)}${pathname}, at 20`
  for (const args of [['--dry-run'], ['--yes']]) {
    const { code, output } = await patientCommand(['erase', moved, ...args], fresh)
    assert.equal(code, 0, output)
    assert.ok(output.includes(sentence), output)
    assert.match(output, /With its DATABASE_URL run "rounds cell clean --after-hours 0"\./)
  }
  const stayed = all.find((patientUid) => slotOf(patientUid) < 2_048) ?? ''
  const here = await patientCommand(['erase', stayed, '--dry-run'])
  assert.doesNotMatch(here.output, /was moved here/)
})

test('status shows slots and moves of both cells, and clean removes what was moved', async () => {
  const ofOld = await cellCommand(['status'])
  assert.match(ofOld.output, /slots open {6}0-2047\n/)
  assert.match(ofOld.output, /2048-4095 to \S+: moved since /)
  const ofFresh = await cellCommand(['status'], fresh)
  assert.match(ofFresh.output, /slots open {6}2048-4095\n[\s\S]*2048-4095 from \S+: opened since /)
  assert.match((await cellCommand(['clean', '--yes'])).output, /Nothing was moved more than 24 hours ago/)
  assert.equal((await cellCommand(['clean', '--after-hours', '0'])).code, 1, 'it asks first')
  // The feed was read: these reads stay without the patients' names.
  for (const patientUid of all.filter((of) => slotOf(of) < 2_048).slice(0, 6)) {
    const erased = await patientCommand(['erase', patientUid, '--yes'])
    assert.equal(erased.code, 0, erased.output)
  }
  const listErased = () =>
    runSql(old.ownerUrl, "select from casesheet.access_log where patient_uid like 'erased:%'")
  const erasedBefore = (await listErased()).length
  assert.ok(erasedBefore >= 6)
  const before = await heldIn(old, 0, 2_047)
  const cleaned = await cellCommand(['clean', '--after-hours', '0', '--yes'])
  assert.match(
    cleaned.output,
    /Slots 2048-4095: deleted [1-9]\d* readings, 0 grants, 0 targets, 0 reviews, 0 rules, 0 alerts and [1-9]\d* entries/,
  )
  assert.equal((await heldIn(old, 2_048, 4_095)).size, 0)
  assert.deepEqual(await heldIn(old, 0, 2_047), before)
  assert.equal((await listErased()).length, erasedBefore, 'what erasures left here stays')
  const leftover = await runSql(
    old.ownerUrl,
    'select from pg_replication_slots union all select from pg_publication',
  )
  assert.equal(leftover.length, 0)
})
