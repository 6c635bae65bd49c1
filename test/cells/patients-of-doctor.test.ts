// The list of a doctor whose patients are divided between cells: the router answers it for none of them, and the client makes it of
// the lists of all.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ListedPatient, RoundsClient } from '../../clients/typescript/src/client.ts'
import { STATUSES } from '../../src/modules/care/patients/listed-patient.ts'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { changeRouterMap } from '../../src/modules/cells/move/router-map.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { type Envelope, runSql } from '../support/harness.ts'
import { setSlots, UPPER } from '../support/slots.ts'
import { until } from '../support/until.ts'
import { runListHistories } from './list-histories.ts'
import { pagesOf, patientsOfBoth, startTwoCells } from './patients-of-doctor.ts'

const doctors = Array.from({ length: 7 }, () => `doctor-${randomUUID()}`)
const [doctorId = '', other = ''] = doctors
const stage = await startTwoCells(doctors)
const { cells, routers, clientOf, doctorOf, patientOf } = stage
const [router] = routers
const [, , , , , , care = ''] = doctors
const doctorToken = await stage.token({ sub: 'doctor', doctorId: care })

const pressureOf = (patientUid: string, systolic: number, minutesAgo: number) => ({
  patientUid,
  readingType: 'bloodPressure' as const,
  timestamp: Date.now() - minutesAgo * 60_000,
  systolic,
  diastolic: 70,
  unit: 'mm[Hg]' as const,
})

async function share(patientUid: string, sharedAs?: string, withDoctor = doctorId) {
  const patient = await patientOf(patientUid)
  await patient.grants.add({ patientUid, doctorId: withDoctor, permission: 'view', sharedAs })
}

/** Names whose order by code points is not that of JavaScript's `<`, and names that begin alike in both cells. */
const NAMES = [
  'Zoë',
  'zoe',
  'Ärger',
  'arger 2',
  '😀 Example',
  '\ufffd Example',
  'Mia',
  'Mia',
  'mia',
  undefined,
]
const uids = patientsOfBoth(20)
for (const [index, patientUid] of uids.entries()) {
  const name = NAMES[(index >> 1) % NAMES.length]
  await share(patientUid, name === undefined ? undefined : `${name} ${index % 3}`)
}
for (const patientUid of patientsOfBoth(2)) await share(patientUid, 'Mia of another doctor', other)

async function allOf({ patients }: RoundsClient): Promise<string[]> {
  const found: string[] = []
  for await (const { patientUid } of patients.each()) found.push(patientUid)
  return found
}

async function get(path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${router?.url}${path}`, { headers })
  return { status: response.status, json: (await response.json()) as Envelope & Record<string, unknown> }
}

test('the router names the cells and answers for none; a part says for whom it speaks', async () => {
  const token = await stage.token({ sub: 'doctor', doctorId })
  for (const path of [
    '/casesheet/patients/list',
    '/casesheet/patients/list?limit=5',
    '/care/patients/list',
  ]) {
    const { status, json } = await get(path, token)
    assert.deepEqual([status, json.code, json.cells], [400, 'CellMissing', ['cell_a', 'cell_b']])
  }
  assert.equal((await get('/casesheet/patients/list')).status, 401)
  for (const [name, slots, half] of [
    ['cell_a', '0-2047', 0],
    ['cell_b', '2048-4095', 1],
  ] as const) {
    const { status, json } = await get(`/cells/${name}/casesheet/patients/list?limit=5`, token)
    const part = json['cell'] as { slots: string; places: { key: string[]; cursor: string }[] }
    assert.deepEqual([status, part.slots, part.places.length], [200, slots, 5])
    assert.equal(part.places.at(-1)?.cursor, json.nextCursor)
    for (const { patientUid } of json.data) assert.equal(slotOf(String(patientUid)) < 2_048 ? 0 : 1, half)
  }
})

test('patients of both cells come in one order, in full pages, each once, at both routers', async () => {
  const expected = await stage.expected(doctorId)
  assert.equal(expected.length, uids.length)
  for (const at of routers)
    for (const limit of [1, 7, 20, 39, 40, 100]) {
      const found = await pagesOf(await doctorOf(doctorId, at), limit)
      assert.deepEqual(
        found.map(({ patientUid }) => patientUid),
        expected,
        `limit ${limit}`,
      )
    }
  assert.deepEqual(await allOf(await doctorOf(doctorId)), expected)
})

test('who revokes is gone from the next page on, and a doctor whom nobody trusts sees nobody', async () => {
  const [gone = '', , , , stays = ''] = (await stage.expected(doctorId)).toReversed()
  const found = await pagesOf(await doctorOf(doctorId), 10, {
    between: async (page) => {
      if (page === 1) await (await patientOf(gone)).grants.revoke({ patientUid: gone, doctorId })
    },
  })
  const shown = new Set(found.map(({ patientUid }) => patientUid))
  assert.deepEqual([shown.has(gone), shown.has(stays)], [false, true])
  assert.deepEqual(await pagesOf(await doctorOf(`doctor-${randomUUID()}`), 10), [])
  await assert.rejects((await clientOf({ sub: 'nobody' })).patients.list(), { code: 'NotADoctor' })
})

test('the list with who needs attention is merged in every order, with the counts of both cells, and so are changes', async () => {
  const mine = patientsOfBoth(6)
  for (const [index, patientUid] of mine.entries()) {
    await share(patientUid, `Mia ${index % 4}`, care)
    const patient = await patientOf(patientUid)
    if (index % 4 < 3) await patient.targets.set({ patientUid, preset: 'home-blood-pressure-esh' })
    const systolic = index % 3 === 0 ? 178 : 120
    if (index > 1) await patient.addReadings(pressureOf(patientUid, systolic, index))
    if (index > 5) await patient.addReadings(pressureOf(patientUid, 121, 2_000 + index))
  }
  const client = await doctorOf(care)
  let all = await client.myPatients.list({ limit: 100 })
  await until(async () => {
    all = await client.myPatients.list({ limit: 100 })
    return all.counts.preparing === 0
  }, 60_000)
  assert.equal(all.counts.all, 12)
  assert.ok(all.counts.attention >= 2 && all.counts.inTarget >= 2 && all.counts.noTarget >= 2)
  assert.equal(all.nextCursor, null)
  const parts = await Promise.all(
    ['cell_a', 'cell_b'].map((name) => get(`/cells/${name}/care/patients/list?limit=100`, doctorToken)),
  )
  assert.deepEqual(
    parts.map(({ json }) => json.data.length),
    [6, 6],
  )

  const names = await stage.expected(care)
  const time = (instant: string | null) => (instant === null ? Number.NEGATIVE_INFINITY : Date.parse(instant))
  const shareOf = ({ types }: ListedPatient) =>
    Math.min(...types.map(({ share: of }) => (of && of.judged > 0 ? of.inTarget / of.judged : Infinity)))
  const numberOf: Record<string, (patient: ListedPatient) => number> = {
    attention: ({ status, decidedAt }) =>
      STATUSES.indexOf(status) * 1e14 - (decidedAt === null ? 0 : Date.parse(decidedAt)),
    name: ({ patientUid }) => names.indexOf(patientUid),
    share: shareOf,
    daysWithData: ({ daysWithData }) => daysWithData.withData,
    lastReading: ({ lastReadingAt }) => time(lastReadingAt),
    lastReview: () => 0,
  }
  for (const [sort, number] of Object.entries(numberOf))
    for (const order of ['asc', 'desc'] as const) {
      const query = { sort: sort as 'name', order, limit: 5 }
      const found: ListedPatient[] = []
      for await (const patient of client.myPatients.each(query)) found.push(patient)
      const rank = ({ patientUid }: ListedPatient) => names.indexOf(patientUid)
      const sign = order === 'asc' ? 1 : -1
      const wanted = all.data.toSorted((a, b) => sign * (number(a) - number(b) || 0) || rank(a) - rank(b))
      assert.deepEqual(
        found.map(({ patientUid }) => patientUid),
        wanted.map(({ patientUid }) => patientUid),
        `${sort} ${order}`,
      )
    }

  const unchanged = await client.myPatients.list({ changedSince: all.asOf })
  assert.deepEqual(unchanged.data, [])
  const [, ofB = ''] = mine
  await (await patientOf(ofB)).addReadings(pressureOf(ofB, 190, 0))
  await until(async () => {
    const { data } = await client.myPatients.list({ changedSince: unchanged.asOf })
    return data.length === 1 && data[0]?.patientUid === ofB && data[0].status === 'attention'
  }, 30_000)
  await (await patientOf(ofB)).grants.revoke({ patientUid: ofB, doctorId: care })
  const left = await client.myPatients.list()
  assert.deepEqual([left.counts.all, left.data.some(({ patientUid }) => patientUid === ofB)], [11, false])
})

test('histories of grants at two processes of each of two cells: no list shows who has revoked, or leaves out who shares', async (t) => {
  const seed = Number(process.env['LISTS_SEED'] ?? Date.now() % 1_000_000)
  const { lists, writes, shown } = await runListHistories(stage, [doctors[2] ?? '', doctors[3] ?? ''], seed)
  t.diagnostic(`LISTS_SEED=${seed}: ${writes} writes, ${lists} lists showed ${shown} patients`)
  assert.ok(lists >= 20 && shown > lists)
})

test('while patients move to the other cell they are listed once, those who revoke are not, and a gap is named', async () => {
  const [a, b] = cells
  const [, , , , mover = '', leaver = ''] = doctors
  const range = { first: 0, last: 1_023 }
  const moving = patientsOfBoth(30)
  const inRange = moving.filter((patientUid) => slotOf(patientUid) <= range.last)
  const stops = new Set<string>()
  for (const [index, patientUid] of moving.entries()) await share(patientUid, `Mia ${index % 20}`, mover)
  const leaving = inRange.slice(0, 8)
  for (const patientUid of leaving) await share(patientUid, 'Leaves', leaver)
  const client = await doctorOf(mover)
  const seen: { step: string; isWhole: boolean }[] = []
  const expected = await stage.expected(mover)

  async function listAt(step: string) {
    const revoking = leaving.find((patientUid) => !stops.has(patientUid))
    if (revoking !== undefined) {
      const patient = await patientOf(revoking)
      const isDone = await patient.grants
        .revoke({ patientUid: revoking, doctorId: leaver }, { timeoutMs: 400 })
        .then(
          () => true,
          () => false,
        )
      if (isDone) stops.add(revoking)
    }
    const left = await (await doctorOf(leaver)).patients.list({}, { timeoutMs: 400 }).catch(() => undefined)
    for (const { patientUid } of left?.data ?? []) assert.ok(!stops.has(patientUid), `${step}: revoked`)
    const { data, cells: of } = await client.patients.list({ limit: 100 }, { timeoutMs: 400 })
    const shown = data.map(({ patientUid }) => patientUid)
    const isWhole = of?.missing.length === 0
    const {
      data: listed,
      cells: listedOf,
      counts,
    } = await client.myPatients.list({ limit: 100 }, { timeoutMs: 400 })
    if (listedOf?.missing.length === 0) {
      assert.equal(counts.all, expected.length, step)
      assert.deepEqual(listed.map(({ patientUid }) => patientUid).toSorted(), expected.toSorted(), step)
    }
    const leftOf = await (await doctorOf(leaver)).myPatients
      .list({}, { timeoutMs: 400 })
      .catch(() => undefined)
    for (const { patientUid } of leftOf?.data ?? []) assert.ok(!stops.has(patientUid), `${step}: revoked`)
    if (isWhole) assert.deepEqual(shown, expected, step)
    else
      assert.deepEqual(
        of?.missing.map(({ cell }) => cell),
        ['cell_a'],
        step,
      )
    seen.push({ step, isWhole })
  }

  const firstPage = await client.myPatients.list({ limit: 5 })
  const found = await pagesOf(client, 20, {
    between: async (page) => {
      if (page > 1) return
      await moveSlots({
        sourceUrl: a.ownerUrl,
        targetUrl: b.ownerUrl,
        sourceUrlForTarget: a.ownerUrl,
        range,
        limitMs: 60_000,
        onProgress: () => {},
        onStep: listAt,
        async changeMap() {
          for (const { mapPath: path, socket } of routers)
            await changeRouterMap({ path, backend: 'cell_b', sockets: [socket] }, range)
        },
      })
    },
  })
  assert.deepEqual(
    found.map(({ patientUid }) => patientUid),
    expected,
  )
  assert.ok(seen.some(({ isWhole }) => isWhole) && seen.some(({ isWhole }) => !isWhole), JSON.stringify(seen))
  assert.ok(stops.size >= 3, 'some revoked while the copy was made')
  const { nextCursor } = firstPage
  assert.ok(nextCursor)
  const next = await client.myPatients.list({ limit: 5, cursor: nextCursor })
  assert.deepEqual([firstPage.cells?.haveMoved, next.cells?.haveMoved], [false, true])
  const changed = await client.myPatients.list({ limit: 100, changedSince: firstPage.asOf })
  assert.equal(
    changed.data.length,
    expected.length,
    'all of it, because the new cell cannot tell who is new to it',
  )
})

test('patients whom no cell serves are named as missing, and two cells that claim the same are refused', async () => {
  const client = await doctorOf(doctorId)
  const [, b] = cells
  await setSlots(b.ownerUrl, { open: UPPER })
  const { data, cells: of } = await client.patients.list()
  assert.deepEqual(
    of?.missing.map(({ cell, code }) => [cell, code]),
    [[null, 'PatientMoving']],
  )
  assert.deepEqual(
    data.map(({ patientUid }) => patientUid),
    await stage.expected(doctorId),
  )
  await assert.rejects(allOf(client), { code: 'PatientMoving' })
  await setSlots(b.ownerUrl, { open: '{[0,1024),[1500,4096)}' })
  await assert.rejects(client.patients.list(), { code: 'WrongCell' })
  await setSlots(b.ownerUrl, { open: '{[0,1024),[2048,4096)}' })
  assert.equal((await client.patients.list()).cells?.missing.length, 0)
})

test('a cell that is away is named, and the patients of the other are listed without delay', async () => {
  const [{ rounds }, b] = cells
  await rounds.stop()
  await until(async () => !(await router?.isUp('cell_a')))
  const client = await doctorOf(doctorId)
  const startedAt = performance.now()
  const { data, cells: of, nextCursor } = await client.patients.list()
  assert.ok(performance.now() - startedAt < 2_000)
  const ofB = await runSql<{ patient_uid: string }>(
    b.ownerUrl,
    `select patient_uid from casesheet.grants where doctor_id = $1 and state = 'given' order by list_key, patient_uid`,
    [doctorId],
  )
  assert.deepEqual(
    [data.map(({ patientUid }) => patientUid), nextCursor],
    [ofB.map((row) => row.patient_uid), null],
  )
  assert.deepEqual(
    of?.missing.map(({ cell, code }) => [cell, code]),
    [['cell_a', 'ServerUnavailable']],
  )
  await assert.rejects(allOf(client), { code: 'ServerUnavailable' })
})
