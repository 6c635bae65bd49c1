// A patient moves to another cell while grants are given and revoked: what was answered before the switch holds in the new cell.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { fillDirectory } from '../support/directory.ts'
import { type Answer, assertRefused, runSql } from '../support/harness.ts'
import { until } from '../support/until.ts'
import { STEPS as ALL_STEPS, STEPS_BEFORE_OPENING } from './steps.ts'
import { type CellOfTest, createRouter, patients, readingOf, startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const router = createRouter([old, fresh])
/** At each step of the move before the switch, one patient revokes and another one gives. */
const STEPS = STEPS_BEFORE_OPENING.slice(0, STEPS_BEFORE_OPENING.indexOf('closed'))
const doctorId = `doctor-${randomUUID()}`
for (const { ownerUrl } of [old, fresh])
  await fillDirectory(ownerUrl, { doctors: [{ doctorId, name: 'Dr. Sample (invented)', specialities: [] }] })

const grant = async (verb: 'add' | 'revoke', patientUid: string, more: object = {}) => {
  const { status, text } = await router.call(patientUid, `/casesheet/grants/${verb}`, {
    patientUid,
    doctorId,
    ...more,
  })
  assert.equal(status, 200, text)
}
const readAsDoctor = async ({ rounds }: CellOfTest, patientUid: string) =>
  rounds.call(`/casesheet/readings/get?patientUid=${patientUid}`, {
    token: await rounds.token({ sub: 'doctor', doctorId }),
  })
/** Once, at this cell, wherever the patient is served. */
const revokeAt = async ({ rounds }: CellOfTest, patientUid: string) =>
  rounds.call('/casesheet/grants/revoke', {
    token: await rounds.token({ patientUid }),
    body: { patientUid, doctorId },
  })
const historyOf = async (patientUid: string) =>
  (await router.call(patientUid, `/casesheet/grants/history?patientUid=${patientUid}`)).json.data

test('a revocation before the switch holds in the new cell, and so does a grant; a later one holds or is refused', async () => {
  const [revoked, given] = [patients(STEPS.length), patients(STEPS.length)]
  const range = { first: 0, last: 4_095 }
  for (const patientUid of [...revoked, ...given]) {
    assert.equal(
      (await router.call(patientUid, '/casesheet/readings/add', readingOf(patientUid, 1))).status,
      200,
    )
  }
  for (const patientUid of revoked) {
    await grant('add', patientUid, { permission: 'manage' })
    assert.equal((await readAsDoctor(old, patientUid)).status, 200)
  }
  const before = new Map<string, unknown>()
  const tried = { old: patients(ALL_STEPS.length), fresh: patients(ALL_STEPS.length), held: patients(1) }
  for (const patientUid of Object.values(tried).flat()) {
    await router.call(patientUid, '/casesheet/readings/add', readingOf(patientUid, 1))
    await grant('add', patientUid, { permission: 'view' })
  }
  const [held = ''] = tried.held
  const answers = new Map<string, Promise<Answer>>()
  const locking = new Client({ connectionString: old.ownerUrl })
  await locking.connect()
  await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range,
    limitMs: 30_000,
    changeMap: () => router.route(range.first, range.last, 1),
    onProgress: () => {},
    async onStep(step) {
      const at = ALL_STEPS.indexOf(step)
      for (const [cell, patientUid = ''] of [
        [old, tried.old[at]],
        [fresh, tried.fresh[at]],
      ] as const) {
        // Not before it belongs to the move: a cell alone takes every patient for its own.
        if (cell === fresh && step === 'recorded') continue
        answers.set(patientUid, revokeAt(cell, patientUid))
        await answers.get(patientUid)
      }
      if (step === 'compared') await holdRevocation()
      if (step === 'closed') await locking.query('commit')
      const nth = STEPS.indexOf(step)
      const [revoking, giving] = [revoked[nth], given[nth]]
      if (revoking === undefined || giving === undefined) return
      await grant('revoke', revoking)
      await grant('add', giving, { permission: 'view', readingTypes: ['acme.step'], sharedAs: 'Mia Example' })
      assertRefused(await readAsDoctor(old, revoking), 403, 'NotShared')
      for (const patientUid of [revoking, giving]) before.set(patientUid, await historyOf(patientUid))
    },
  })
  assert.equal(before.size, 2 * STEPS.length)
  for (const patientUid of revoked) {
    assertRefused(await readAsDoctor(fresh, patientUid), 403, 'NotShared')
    assert.notEqual((await readAsDoctor(old, patientUid)).status, 200)
  }
  for (const patientUid of given) {
    const { status, json, text } = await readAsDoctor(fresh, patientUid)
    assert.deepEqual([status, json.data.length], [200, 1], text)
    assertRefused(await readAsDoctor(old, patientUid), 421, 'WrongCell')
  }
  for (const [patientUid, history] of before) {
    assert.deepEqual(await historyOf(patientUid), history, 'the history moved along')
  }
  await locking.end()
  assert.equal(answers.size, 2 * ALL_STEPS.length)
  const statuses = { old: [] as number[], fresh: [] as number[], held: [] as number[] }
  for (const [where, patientUids] of Object.entries(tried)) {
    for (const patientUid of patientUids) {
      const answer = await answers.get(patientUid)
      if (!answer) continue
      statuses[where as keyof typeof tried].push(answer.status)
      if (answer.status !== 200) {
        const codes =
          answer.status === 503 ? ['PatientMoving', 'Overloaded', 'DatabaseUnavailable'] : ['WrongCell']
        assert.ok(codes.includes(answer.json.code), answer.text)
        assert.equal(
          (await readAsDoctor(fresh, patientUid)).status,
          200,
          'it was refused, and changed nothing',
        )
        await grant('revoke', patientUid)
      }
      assertRefused(await readAsDoctor(fresh, patientUid), 403, 'NotShared')
    }
  }
  assert.deepEqual(new Set(statuses.old), new Set([200, 503, 421]))
  assert.deepEqual(new Set(statuses.fresh), new Set([421, 200]))
  assert.ok(statuses.held.length === 1 && [200, 503].includes(statuses.held[0] ?? 0), statuses.held.join())

  /** Sends a revocation whose statement has begun when the old cell closes. */
  async function holdRevocation() {
    await locking.query('begin')
    await locking.query('select from casesheet.grants where patient_uid = $1 for update', [held])
    answers.set(held, revokeAt(old, held))
    await until(async () => {
      const waiting = await runSql(
        old.ownerUrl,
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update casesheet.grants%'",
      )
      return waiting.length > 0
    })
  }
})

test('what is revoked in the new cell is refused there', async () => {
  const [patientUid = ''] = patients(1)
  await router.call(patientUid, '/casesheet/readings/add', readingOf(patientUid, 1))
  await grant('add', patientUid, { permission: 'view' })
  assert.equal((await readAsDoctor(fresh, patientUid)).status, 200)
  await grant('revoke', patientUid)
  assertRefused(await readAsDoctor(fresh, patientUid), 403, 'NotShared')
})
