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

const target = (fields: Target['fields'], kind: Target['author']['kind'] = 'doctor', unit = 'mg/dL') =>
  ({ readingType: 'bloodGlucose', unit, fields, author: { kind, name: 'Dr Sample' } }) as Target

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
