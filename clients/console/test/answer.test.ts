// What is answered once a reading was added: never that it is fine, and more beyond a doctor's act limit and after every symptom.
import './words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import type { Reading, Target } from '../../typescript/src/client.ts'
import { beyondLimit } from '../src/care/act-limits.ts'
import { inBrowser, PHONE_AND_DESK, startStage } from './browser.ts'
import { entryOf } from './catalogue.ts'
import { DOCTOR, sharing } from './doctors-patients.ts'
import { assertNoOverflow, axe } from './screen-checks.ts'

const stage = await startStage({ settings: { EMERGENCY_NUMBER: '112' } })
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})
const LIMITS = { low: 70, high: 180, actBelow: 54, actAbove: 300 }
await sharing(stage, 'patient-1', {}, [
  { readingType: 'bloodGlucose', unit: 'mg/dL', expectEvery: null, fields: { value: LIMITS } },
])

const target = (
  fields: Target['fields'],
  kind: Target['author']['kind'] = 'doctor',
  more: Partial<Target> = { judges: true },
) =>
  ({
    readingType: 'bloodGlucose',
    unit: 'mg/dL',
    fields,
    author: { kind, doctorId: 'a', name: 'Dr Sample' },
    ...more,
  }) as Target

function beyond(value: number, unit: string, targets: Target[]) {
  const reading = { patientUid: 'p', readingType: 'bloodGlucose', timestamp: 1, value, unit } as Reading
  const found = beyondLimit(reading, entryOf('bloodGlucose'), targets)
  return found && `${found.value} ${found.place} ${found.limit}`
}

test('only what is beyond an act limit of a doctor is, in the unit that was typed', () => {
  const limits = [target({ value: LIMITS })]
  assert.equal(beyond(45, 'mg/dL', limits), '45 mg/dL below 54')
  assert.equal(beyond(54, 'mg/dL', limits), undefined)
  assert.equal(beyond(2.5, 'mmol/L', limits), '2.5 mmol/L below 3')
  assert.equal(beyond(301, 'mg/dL', limits), '301 mg/dL above 300')
  // Below the target is no act limit; nor is what a patient has set for themselves, or none on purpose.
  assert.equal(beyond(60, 'mg/dL', limits), undefined)
  assert.equal(beyond(45, 'mg/dL', [target({ value: LIMITS }, 'patient')]), undefined)
  assert.equal(beyond(45, 'mg/dL', [target({ value: { low: 70, actBelow: null } })]), undefined)
  assert.equal(beyond(45, 'mg/dL', []), undefined)
})

test('what a doctor has set for the patient goes before what is for all, and ends with what they may do', () => {
  const forAll = target({ value: { actBelow: 54, actAbove: 300 } }, 'doctor', { isForAll: true })
  const forPatient = (actBelow: number | null | undefined, more: Partial<Target>) =>
    target({ value: { high: 180, ...(actBelow !== undefined && { actBelow }) } }, 'doctor', more)
  const current = { judges: true, isForAll: false }
  assert.equal(beyond(45, 'mg/dL', [forPatient(40, current), forAll]), undefined)
  assert.equal(beyond(45, 'mg/dL', [forPatient(null, current), forAll]), undefined)
  assert.equal(beyond(301, 'mg/dL', [forPatient(40, current), forAll]), '301 mg/dL above 300')
  assert.equal(beyond(45, 'mg/dL', [forPatient(undefined, current), forAll]), '45 mg/dL below 54')
  // Another doctor has a limit of their own.
  const other = { ...current, author: { kind: 'doctor', doctorId: 'b', name: 'Dr Other' } } as const
  assert.equal(beyond(45, 'mg/dL', [forPatient(40, other), forAll]), '45 mg/dL below 54')
  // Newer than the one that judges, so its doctor may no longer set any; and where none judges, nobody may.
  const ended = { ...other, judges: false }
  assert.equal(beyond(45, 'mg/dL', [forPatient(50, ended), forPatient(40, current)]), undefined)
  assert.equal(beyond(45, 'mg/dL', [forPatient(50, ended)]), undefined)
  assert.equal(beyond(45, 'mg/dL', [forPatient(50, ended), target({ value: LIMITS }, 'patient')]), undefined)
})

const answer = (page: Page) => page.locator('.answer')

async function add(page: Page, value: string) {
  await page.getByLabel('Value').fill(value)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

for (const width of PHONE_AND_DESK) {
  test(`each answer says that nobody may have seen it, at ${width} px`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bloodGlucose', width })
    await page.getByRole('button', { name: 'mg/dL' }).click()
    await add(page, '145')
    await answer(page).getByRole('heading', { name: 'Stored. Nobody may have seen it yet.' }).waitFor()
    assert.equal(await answer(page).getByRole('link').count(), 0)

    await add(page, '45')
    const heading = '45 mg/dL is below 54, the limit of Dr Willow Sample'
    await answer(page).getByRole('heading', { name: heading }).and(page.locator(':focus')).waitFor()
    await answer(page)
      .getByText(/Stored\. Nobody may have seen this yet\. Do not wait for an answer here\./)
      .waitFor()
    await answer(page).getByText('In an emergency call 112.', { exact: true }).waitFor()
    const call = answer(page).getByRole('link', { name: 'Call 112' })
    assert.equal(await call.getAttribute('href'), 'tel:112')
    await assertNoOverflow(page)
    await axe(page)

    await page.goto(`${stage.origin}/console/add?type=symptom`)
    await page.getByRole('button', { name: 'Dizzy' }).click()
    await page.getByRole('radio', { name: 'Mild' }).check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await answer(page).getByRole('heading', { name: 'Nobody may have seen this yet' }).waitFor()
    await call.waitFor()
    await axe(page)
  })
}

test('a limit that comes after the answer is told in the same live region', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bloodGlucose' })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/targets/list*', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'mg/dL' }).click()
  await add(page, '44')
  await answer(page).getByRole('heading', { name: 'Stored. Nobody may have seen it yet.' }).waitFor()
  const region = await page.getByRole('status').and(answer(page)).elementHandle()
  release()
  const heading = '44 mg/dL is below 54, the limit of Dr Willow Sample'
  await answer(page).getByRole('heading', { name: heading }).and(page.locator(':focus')).waitFor()
  assert.match((await region?.textContent()) ?? '', /44 mg\/dL is below 54/)
})
