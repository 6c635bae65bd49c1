// GET {care_url}/patients/list: each status with its reason and its rule, from readings that were just added.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDoctor, pressure } from '../../../../test/support/doctor-with-patients.ts'
import { startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })
const DAY = 24 * 60
const ESH = { preset: 'home-blood-pressure-esh' }

const isReady = ({ counts }: { counts: { preparing: number } }) => counts.preparing === 0

test('a patient is prepared, then has a status with its rule, and then what changes', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ sharedAs: 'Jonas Sample' })
  await patient.setTarget(ESH)
  await patient.add(pressure(178, 112, 5), pressure(120, 80, 3 * DAY))
  const first = await doctor.list()
  assert.deepEqual([first.data[0]?.status, first.counts.preparing], ['preparing', 1])
  const { data, counts } = await doctor.untilListed(isReady)
  const [listed] = data
  assert.deepEqual([counts.all, counts.attention, counts.new], [1, 1, 1])
  assert.equal(listed?.status, 'attention')
  assert.match(listed.reason, /^Blood pressure 178\/112 mmHg at \d\d:\d\d .*, above the target\.$/)
  assert.match(
    listed.rule?.text ?? '',
    /^The newest reading is outside the target below 135\/85 mmHg, set by patient-.* on /,
  )
  const [type] = listed.types
  assert.deepEqual(type?.newest?.values, { systolic: 178, diastolic: 112 })
  assert.deepEqual(type?.newest?.sides, { systolic: 'above', diastolic: 'above' })
  assert.deepEqual(type?.share, { judged: 2, inTarget: 1, before: { judged: 0, inTarget: 0 } })
  assert.equal(listed.daysWithData.withData, 2)
  assert.equal(type?.days.length, 2)
  await patient.add(pressure(121, 81, 1))
  const { data: later } = await doctor.untilListed(({ data: [one] }) => one?.status === 'review', '', 2_500)
  assert.match(later[0]?.reason ?? '', /178\/112/)
})
