// Gives, limits and revocations at two processes, and lists of the doctors at the same time, while readings are added. Each list is judged by what
// its client can know (test/grants/history.ts): it shows a patient only where a grant may have been valid meanwhile, and of the patient only
// what that grant holds. The access log has one row a day for each patient who was shown to a doctor, and none for others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedPatient } from '../../src/modules/care/patients/listed-patient.ts'
import { createRandom, type Random } from '../../tools/simulate/random.ts'
import { GrantHistory, now } from '../grants/history.ts'
import { startStage } from '../grants/stage.ts'
import { runSql } from '../support/harness.ts'

const STEPS = Number(process.env['LIST_INTERLEAVINGS'] ?? 400)
const SEED = Number(process.env['GRANTS_SEED'] ?? Date.now() % 1_000_000)
const DOCTORS = ['doctor-0', 'doctor-1', 'doctor-2'] as const
const PATIENTS = 4
const HOUR = 3_600_000

/** Each type on a day of its own, so that the days that are shown tell of which types they are. */
const TYPES = ['heartRate', 'bloodPressure', 'acme.grip'] as const
const HOURS_AGO = { heartRate: 50, bloodPressure: 100, 'acme.grip': 150 }
const LIMITS: readonly [string[] | null, ...(string[] | null)[]] = [
  null,
  ['heartRate'],
  ['bloodPressure'],
  ['acme.grip'],
]

test(`${STEPS} interleavings of grants and lists (GRANTS_SEED=${SEED})`, async (t) => {
  const stage = await startStage([...DOCTORS])
  const startedAt = Math.floor(Date.now() / 1_000) * 1_000
  const timeOf = (type: keyof typeof HOURS_AGO) => startedAt - HOURS_AGO[type] * HOUR
  const tokens = await Promise.all(DOCTORS.map(stage.doctorToken))
  const random = createRandom(SEED)
  async function must(nth: number, path: string, token: string, body: unknown) {
    const { status, text } = await stage.call(nth, path, { token, body })
    assert.equal(status, 200, text)
  }

  // Beyond their act limits, so that each is a reason.
  const JUDGED = [
    ['heartRate', '/min', { value: { actAbove: 150 } }],
    ['bloodPressure', 'mm[Hg]', { systolic: { actAbove: 170 } }],
  ] as const
  for (const token of tokens)
    for (const [readingType, unit, fields] of JUDGED)
      await must(0, '/care/targets/set', token, { readingType, unit, fields, expectEvery: null })

  async function newPatient() {
    const patient = await stage.newPatient(['acme.old'])
    const { patientUid, token } = patient
    const readings = [
      { readingType: 'heartRate', timestamp: timeOf('heartRate'), value: 170 },
      { readingType: 'bloodPressure', timestamp: timeOf('bloodPressure'), systolic: 178, diastolic: 112 },
      { readingType: 'acme.grip', timestamp: timeOf('acme.grip'), value: 1 },
    ]
    await must(
      0,
      '/casesheet/readings/add',
      token,
      readings.map((reading) => ({ patientUid, ...reading })),
    )
    return { ...patient, histories: DOCTORS.map(() => new GrantHistory()) }
  }
  const patients = await Promise.all(Array.from({ length: PATIENTS }, newPatient))
  const shown = new Set<string>()
  let [lists, rows, limited, withReasons] = [0, 0, 0, 0]

  async function write(lane: Random) {
    const [patient, doctor] = [
      lane.pick(patients as [(typeof patients)[number]]),
      Math.floor(lane.between(0, DOCTORS.length)),
    ]
    const [history, doctorId] = [patient.histories[doctor], DOCTORS[doctor] ?? '']
    const readingTypes = lane.pick(LIMITS)
    const isGiven = lane.chance(0.6)
    const written = history?.begin(isGiven ? { readingTypes, validUntilMs: Infinity } : undefined)
    const answer = isGiven
      ? await stage.give(lane.pick([0, 1]), patient, {
          doctorId,
          permission: 'manage',
          ...(readingTypes ? { readingTypes } : {}),
        })
      : await stage.revoke(lane.pick([0, 1]), patient, doctorId)
    assert.equal(answer.status, 200, answer.text)
    if (written) written.ended = now()
    // At once, at the other process too.
    await Promise.all([0, 1].map((nth) => list(doctor, nth)))
  }

  async function list(doctor: number, nth: number) {
    const began = now()
    const { status, text } = await stage.call(nth, '/care/patients/list', {
      token: tokens[doctor] ?? '',
    })
    const ended = now()
    assert.equal(status, 200, text)
    const { data, counts } = JSON.parse(text) as { data: ListedPatient[]; counts: { all: number } }
    lists++
    // Whose grant ended between the read and its proof is counted, and left out.
    assert.ok(counts.all >= data.length)
    for (const { patientUid, histories } of patients) {
      const listed = data.find((one) => one.patientUid === patientUid)
      const grants = histories[doctor]?.duringRead(began, ended) ?? []
      const allowed = grants.map((given) => (given ? JSON.stringify(given.readingTypes) : 'none'))
      const seen = listed ? JSON.stringify(listed.readingTypes) : 'none'
      // Whose grant was changed between the read and its proof is left out.
      if (allowed.length > 1) allowed.push('none')
      assert.ok(
        allowed.includes(seen),
        `${patientUid} is listed with ${seen}, where only ${allowed.join(' or ')}`,
      )
      if (!listed) continue
      rows++
      shown.add(`${DOCTORS[doctor]} ${patientUid}`)
      if (listed.readingTypes) judgeLimited(listed, listed.readingTypes)
    }
    assert.ok(data.every((one) => patients.some(({ patientUid }) => patientUid === one.patientUid)))
  }

  function judgeLimited(listed: ListedPatient, readingTypes: string[]) {
    limited++
    const { readingTypes: _given, ...shownOf } = listed
    const said = JSON.stringify(shownOf)
    for (const type of TYPES)
      if (!readingTypes.includes(type))
        assert.ok(!said.includes(type), `${said} under ${readingTypes.join()}`)
    assert.ok(listed.daysWithData <= readingTypes.length, said)
    if (listed.reasons.length > 0) withReasons++
  }

  async function add(lane: Random) {
    const { patientUid, token } = lane.pick(patients as [(typeof patients)[number]])
    const reading = {
      patientUid,
      readingType: 'acme.grip',
      timestamp: Date.now() - Math.floor(lane.between(0, HOUR)),
      value: 2,
    }
    await must(lane.pick([0, 1]), '/casesheet/readings/add', token, [reading])
  }

  for (let step = 0; step < STEPS; step += 4) {
    const lanes = [0, 1, 2, 3].map((nth) => createRandom(SEED, step, nth))
    await Promise.all([
      ...lanes.slice(0, 3).map(write),
      ...lanes.map((lane) => list(Math.floor(lane.between(0, DOCTORS.length)), lane.pick([0, 1]))),
      ...(random.chance(0.5) ? lanes.slice(3).map(add) : []),
    ])
  }

  const logged = await runSql<{ pair: string; count: number }>(
    stage.ownerUrl,
    `select doctor_id || ' ' || patient_uid as pair, count(*)::integer as count
     from casesheet.access_log
     where operation = 'care/patients/list'
     group by doctor_id, patient_uid, (at at time zone 'UTC')::date`,
  )
  assert.deepEqual(new Set(logged.map(({ pair }) => pair)), shown)
  assert.deepEqual(
    logged.filter(({ count }) => count !== 1),
    [],
  )
  t.diagnostic(
    `${lists} lists, ${rows} patients shown, ${limited} of them limited, ${withReasons} of these with reasons`,
  )
  assert.ok(withReasons > 0 && limited > lists / 10 && rows < lists * PATIENTS * 0.9)
})
