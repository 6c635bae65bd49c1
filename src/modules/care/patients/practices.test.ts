// Doctors of a practice stand in for each other: a look of one counts in the lists of the others, and the practice's target for a patient
// judges there. Each sees only what the patient shares with them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Doctor, newDoctor, pressure } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'
import type { Target } from '../targets/target.ts'
import type { ListedPatient } from './listed-patient.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })

const SEVERE = {
  readingType: 'symptom',
  timestamp: Date.now() - 300_000,
  symptoms: [{ symptom: 'crushing chest pain', severity: 'SEVERE' }],
}
const TARGET = {
  readingType: 'bloodPressure',
  unit: 'mm[Hg]',
  expectEvery: null,
  fields: { systolic: { high: 135, actAbove: 180 } },
}

/** Two doctors of one practice, one of another, and a patient who shares with all three. */
async function newPractice() {
  const practiceId = `practice-${randomUUID()}`
  const ann = await newDoctor(rounds, undefined, [practiceId, 'another practice'])
  const carl = await newDoctor(rounds, undefined, [practiceId])
  const stranger = await newDoctor(rounds, undefined, [`practice-${randomUUID()}`])
  const patient = await ann.patient()
  const { patientUid } = patient
  for (const { doctorId } of [carl, stranger]) await patient.give({ doctorId })
  return { practiceId, ann, carl, stranger, patient, patientUid }
}

const listedBy = async (doctor: Doctor, isTrue: (listed: ListedPatient) => boolean) =>
  (await doctor.untilListed(({ data: [listed] }) => listed !== undefined && isTrue(listed))).data[0] ??
  assert.fail('nobody is listed')

const post = (path: string, { token }: Pick<Doctor, 'token'>, body: object) =>
  rounds.call(`/care/${path}`, { token, body })

test("a colleague's look counts, with its date, until what it did not see arrives; that of another practice does not", async () => {
  const { practiceId, ann, carl, stranger, patient, patientUid } = await newPractice()
  await patient.add(SEVERE)
  const lookAgainAt = new Date(Date.now() + 86_400_000).toISOString()
  const shown = await listedBy(carl, ({ queue }) => queue === 'actNow')
  const look = { patientUid, reviewId: randomUUID(), ...shown.look, note: 'Called.', visibleTo: 'doctors' }
  const { status, json, text } = await post('reviews/add', carl, { ...look, lookAgainAt })
  assert.equal(status, 200, text)
  assert.equal(Object(json.data).practiceId, practiceId)

  const seen = await listedBy(ann, ({ queue }) => queue === 'seen')
  const by = `sub-of-${carl.doctorId}`
  assert.deepEqual(
    [seen.reasons.map(({ isSeen }) => isSeen), seen.lookAgainAt, seen.lastLook],
    [[true, true], lookAgainAt, { at: seen.lastLook?.at, by, note: 'Called.' }],
  )
  const [last, unseen] = [
    await ann.listed(patientUid, '?sort=lastLook&limit=1'),
    await stranger.listed(patientUid),
  ]
  assert.equal(last?.patientUid, patientUid)
  assert.deepEqual([unseen?.queue, unseen?.lastLook], ['actNow', null])

  // A look may speak of what is not shared with this doctor: it counts, and nothing is said of it.
  await patient.give({ readingTypes: ['symptom'] })
  const limited = await ann.listed(patientUid)
  assert.deepEqual([limited?.queue, limited?.lastLook], ['seen', null])
  await patient.give()

  await patient.add({ ...SEVERE, timestamp: Date.now() - 60_000 })
  for (const doctor of [ann, carl]) await listedBy(doctor, ({ queue }) => queue === 'actNow')
  // Who added it takes it back, and nobody else.
  assertRefused(await post('reviews/undo', ann, look), 400, 'ValidationFailed')
  const { reviewId } = look
  assertRefused(await post('reviews/undo', ann, { patientUid, reviewId }), 404, 'ReviewUnknown')
  assert.equal((await post('reviews/undo', carl, { patientUid, reviewId })).status, 200)
  assert.deepEqual((await ann.listed(patientUid))?.lastLook, null)
})

test("a colleague's look covers the values that were beyond a limit in the colleague's list, and no others", async () => {
  const { practiceId, ann, carl, patient, patientUid } = await newPractice()
  const actAbove = (limit: number) => ({ ...TARGET, fields: { systolic: { high: 135, actAbove: limit } } })
  const look = async () => {
    const shown = (await carl.listed(patientUid))?.look
    const { status, text } = await post('reviews/add', carl, { patientUid, reviewId: randomUUID(), ...shown })
    assert.equal(status, 200, text)
  }
  const urgentIn = async (doctor: Doctor) =>
    (await doctor.listed(patientUid))?.reasons.map((each) =>
      each.code === 'value' ? [each.value, each.isSeen] : [each.code],
    )
  await patient.setTarget(actAbove(180), ann.token)
  await patient.setTarget(actAbove(200), carl.token)
  await patient.add(pressure(224, 100, 9))
  for (const doctor of [ann, carl]) await listedBy(doctor, ({ queue }) => queue === 'actNow')
  await look()
  for (const doctor of [ann, carl]) assert.deepEqual(await urgentIn(doctor), [[224, true]])

  await patient.add(pressure(190, 100, 5))
  await listedBy(ann, ({ queue }) => queue === 'actNow')
  await look()
  assert.deepEqual([await urgentIn(ann), await urgentIn(carl)], [[[190, false]], [[224, true]]])

  // Nor that of the practice, where the colleague's own target precedes it.
  await patient.removeTarget({ readingType: 'bloodPressure' }, ann.token)
  await patient.setTarget({ ...actAbove(180), practiceId }, ann.token)
  await listedBy(ann, ({ reasons }) =>
    reasons.some((each) => 'author' in each && 'practiceId' in each.author),
  )
  await look()
  assert.deepEqual([await urgentIn(ann), await urgentIn(carl)], [[[190, false]], [[224, true]]])

  // By the practice's target, both are shown the same.
  await patient.removeTarget({ readingType: 'bloodPressure' }, carl.token)
  await look()
  for (const doctor of [ann, carl]) assert.deepEqual(await urgentIn(doctor), [[224, true]])
})

test("a colleague's look saw when the sharing with the colleague ends, and not with others", async () => {
  const { ann, carl, patient, patientUid } = await newPractice()
  const validUntil = new Date(Date.now() + 3 * 86_400_000).toISOString()
  for (const { doctorId } of [ann, carl]) await patient.give({ doctorId, validUntil })
  for (const doctor of [carl, ann]) {
    const { look, queue, reasons } = await listedBy(doctor, () => true)
    assert.deepEqual([queue, reasons.map(({ code }) => code)], ['thisWeek', ['sharingEnds']])
    const sent = { patientUid, reviewId: randomUUID(), ...look }
    assert.equal((await post('reviews/add', doctor, sent)).status, 200)
    assert.equal((await doctor.listed(patientUid))?.queue, 'seen')
  }
})

test("a practice's target judges for its doctors, each of whom may replace and remove it", async () => {
  const { practiceId, ann, carl, stranger, patient, patientUid } = await newPractice()
  await patient.add(pressure(190, 100, 5))
  await patient.setTarget({ ...TARGET, practiceId }, ann.token)
  const author = { kind: 'practice', practiceId, name: practiceId }
  for (const doctor of [ann, carl]) {
    const { reasons } = await listedBy(doctor, ({ queue }) => queue === 'actNow')
    assert.deepEqual(
      reasons.map((reason) => ('author' in reason ? reason.author : reason.code)),
      [author],
    )
  }
  const { queue, notJudged } = await listedBy(stranger, ({ newest }) => newest.length > 0)
  assert.deepEqual([queue, notJudged], ['notJudged', [{ why: 'noTarget', readingType: 'bloodPressure' }]])

  const listed = async ({ token }: Pick<Doctor, 'token'>) => {
    const { json } = await rounds.call(`/care/targets/list?patientUid=${patientUid}`, { token })
    return (json.data as unknown as Target[]).map(({ judges, setBy, author: of }) => ({ judges, setBy, of }))
  }
  const said = (judges: boolean, by = ann) => [{ judges, setBy: `sub-of-${by.doctorId}`, of: author }]
  assert.deepEqual(await listed(carl), said(true))
  for (const each of [stranger, patient]) assert.deepEqual(await listed(each), said(false))

  // What a doctor of the practice sets for themselves precedes it, and takes the act limits that it leaves out from it.
  const own = { ...TARGET, fields: { systolic: { high: 150 } } }
  await patient.setTarget(own, carl.token)
  const [reason] = (await listedBy(carl, ({ reasons }) => reasons.length > 0)).reasons
  assert.ok(reason?.code === 'value')
  assert.deepEqual([reason.limit, reason.author], [180, author])
  await patient.removeTarget({ readingType: 'bloodPressure' }, carl.token)

  const raised = { ...TARGET, practiceId, fields: { systolic: { high: 135, actAbove: 200 } } }
  await patient.setTarget(raised, carl.token)
  await listedBy(ann, ({ reasons }) => reasons.length === 0)
  assert.deepEqual(await listed(ann), said(true, carl))
  await patient.removeTarget({ readingType: 'bloodPressure', practiceId }, ann.token)
  assert.deepEqual(await listed(carl), [])
})

test('a target is of a practice that the token names, for a patient who shares with the permission manage', async () => {
  const { practiceId, ann, carl, stranger, patient, patientUid } = await newPractice()
  const target = { patientUid, ...TARGET, practiceId }
  const { patientUid: _patientUid, ...forAll } = target
  const { expectEvery: _expectEvery, ...byPatient } = { ...target, fields: { systolic: { high: 135 } } }
  for (const [doctor, body] of [
    [stranger, target],
    [patient, byPatient],
    [ann, forAll],
    [ann, { ...target, practiceId: 'no practice of theirs' }],
  ] as const) {
    for (const answer of [
      await post('targets/set', doctor, body),
      await post('targets/remove', doctor, {
        ...('patientUid' in body && { patientUid }),
        practiceId: body.practiceId,
        readingType: body.readingType,
      }),
    ]) {
      assertRefused(answer, 400, 'ValidationFailed')
      assert.deepEqual(
        answer.json.errors.map(({ pointer }) => pointer),
        ['/practiceId'],
      )
    }
  }
  await patient.give({ doctorId: carl.doctorId, permission: 'view' })
  assertRefused(await post('targets/set', carl, target), 403, 'ManageRequired')
  // Practices open nothing: who has no grant reads and sets nothing, whoever of the practice has one.
  await patient.give({ doctorId: ann.doctorId })
  const alone = await newDoctor(rounds, undefined, [practiceId])
  assertRefused(await post('targets/set', alone, target), 403, 'NotShared')
  assert.deepEqual((await alone.list()).data, [])
})
