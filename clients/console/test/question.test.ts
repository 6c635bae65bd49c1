// Before a typed value is stored that is hardly ever right, the form asks. Nothing is assumed about its unit.
import './words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { CATALOGUE } from '../../../src/modules/casesheet/catalogue/catalogue.ts'
import type { Reading } from '../../typescript/src/client.ts'
import { formOf } from '../src/screens/add/form-of.ts'
import { likelyUnit, questionAbout } from '../src/screens/add/question.ts'
import { inBrowser, PHONE_AND_DESK, startStage } from './browser.ts'
import { entryOf } from './catalogue.ts'
import { assertNoOverflow, axe, tabTo } from './screen-checks.ts'

const stage = await startStage()

const asked = (readingType: string, fields: object) => {
  const reading = { patientUid: 'patient-1', readingType, timestamp: 1_762_000_000, ...fields } as Reading
  const question = questionAbout(formOf(entryOf(readingType)), reading)
  return question && [question.doubt, ...question.others.map(({ text }) => text)]
}

test('the question names value and unit, and the other unit where the number would be plausible in it', () => {
  assert.deepEqual(asked('bloodGlucose', { value: 45, unit: 'mmol/L' }), [
    '45 mmol/L is very unusual.',
    '45 mg/dL',
  ])
  assert.deepEqual(asked('bloodGlucose', { value: 5.5, unit: 'mg/dL' }), [
    '5.5 mg/dL is very unusual.',
    '5.5 mmol/L',
  ])
  assert.deepEqual(asked('bodyWeight', { value: 320, unit: 'kg' }), ['320 kg is very unusual.', '320 lb'])
  assert.deepEqual(asked('bodyTemperature', { value: 30, unit: 'Cel' }), ['30 °C is very unusual.'])
})

test('each number of a reading is asked about by its name', () => {
  assert.deepEqual(asked('bloodPressure', { systolic: 300, diastolic: 82 }), [
    'Systolic 300 mmHg is very unusual.',
  ])
  assert.deepEqual(asked('bloodPressure', { systolic: 280, diastolic: 20, pulse: 70 }), [
    'Systolic 280 mmHg and diastolic 20 mmHg are very unusual.',
  ])
  assert.deepEqual(asked('bloodPressure', { systolic: 128, diastolic: 82, pulse: 300 }), [
    'Pulse 300 /min is very unusual.',
  ])
})

test('at the limits of what is plausible nothing is asked, in any unit of any type', () => {
  for (const [readingType, { units }] of Object.entries(CATALOGUE)) {
    const form = formOf(entryOf(readingType))
    for (const unit of units) {
      for (const side of ['least', 'most'] as const) {
        const values = form.fields.flatMap((field) => {
          const limits = field.kind === 'number' ? field.plausibleIn(unit) : undefined
          return limits ? [[field.name, limits[side]]] : []
        })
        assert.equal(asked(readingType, { ...Object.fromEntries(values), unit }), undefined, readingType)
      }
    }
  }
  assert.equal(asked('painScore', { value: 10 }), undefined)
})

test('a unit is offered where the numbers are plausible in no other', () => {
  const likely = (value: string, unit = '') =>
    likelyUnit(formOf(entryOf('bloodGlucose')), { texts: { value }, unit, at: '' })
  assert.equal(likely('145'), 'mg/dL')
  assert.equal(likely('145', 'mmol/L'), 'mg/dL')
  assert.equal(likely('5.5'), 'mmol/L')
  // It is the chosen one, nothing is typed, or it is plausible in none.
  for (const [value, unit] of [
    ['145', 'mg/dL'],
    ['', ''],
    ['9999', ''],
  ] as const)
    assert.equal(likely(value, unit), undefined, value)
})

const stored = async (readingType: string) => {
  const client = await stage.clientOf('robin-example')
  const { data } = await client.getReadings({ patientUid: 'child-1', readingType: [readingType] })
  return data.map((reading) => [reading['value'] ?? reading['systolic'], reading['unit']])
}
const dialog = (page: Page) => page.getByRole('alertdialog')
const add = (page: Page) => page.getByRole('button', { name: 'Add for child-1', exact: true })
const open = (t: Parameters<typeof stage.signIn>[0], type: string, options = {}) =>
  stage.signIn(t, 'robin-example', { path: `add?patient=child-1&type=${type}`, ...options })

test(
  'no unit is chosen until the patient has used one, and the form says what is missing',
  inBrowser,
  async (t) => {
    const page = await open(t, 'bloodGlucose')
    const unit = page.getByRole('group', { name: 'Unit' })
    await unit.waitFor()
    assert.equal(await unit.locator('[aria-pressed=true]').count(), 0)
    await page.getByLabel('Value').fill('110')
    await add(page).click()
    await page.getByText('Choose the unit.').waitFor()
    await unit.getByRole('button', { name: 'mmol/L' }).and(page.locator(':focus')).waitFor()
    assert.deepEqual(await stored('bloodGlucose'), [])
    await axe(page)
    await page.getByText('110 looks like mg/dL.').waitFor()
    // What is said of one number is not said of another.
    await page.getByLabel('Value').fill('6.1')
    await page.getByText(/ looks like /).waitFor({ state: 'detached' })
    await page.getByLabel('Value').fill('110')
    await add(page).click()
    await page.getByText('110 looks like mg/dL.').waitFor()
    await page.getByRole('button', { name: 'Use mg/dL' }).click()
    await page.locator('.sent').getByText('110 mg/dL').waitFor()
    await page.locator('.sent').getByText('stored').waitFor()
    // The other child has used none.
    const again = await open(t, 'bloodGlucose')
    await again.getByRole('button', { name: 'mg/dL', pressed: true }).waitFor()
    const other = await stage.signIn(t, 'robin-example', { path: 'add?patient=child-2&type=bloodGlucose' })
    await other.getByRole('group', { name: 'Unit' }).waitFor()
    assert.equal(await other.getByRole('button', { pressed: true, name: /mg|mmol/ }).count(), 0)
  },
)

for (const width of PHONE_AND_DESK) {
  test(`45 mmol/L is asked about, and each answer is a click, ${width} pixels wide`, inBrowser, async (t) => {
    const page = await open(t, 'interstitialGlucose', { width })
    const before = (await stored('interstitialGlucose')).length
    await page.getByRole('button', { name: 'mmol/L' }).click()
    await page.getByLabel('Value').fill('45')
    await add(page).click()
    await dialog(page).getByRole('heading', { name: '45 mmol/L is very unusual.' }).waitFor()
    await dialog(page).getByText('Did you mean 45 mg/dL?').waitFor()
    await axe(page)
    await assertNoOverflow(page)
    assert.equal((await stored('interstitialGlucose')).length, before)

    await dialog(page).getByRole('button', { name: 'Change it' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByLabel('Value').and(page.locator(':focus')).waitFor()
    assert.equal(await page.getByLabel('Value').inputValue(), '45')

    await add(page).click()
    await dialog(page).getByRole('button', { name: 'It is mg/dL' }).click()
    await page.locator('.sent').getByText('45 mg/dL').waitFor()
    await page.getByRole('button', { name: 'mg/dL', pressed: true }).waitFor()

    await page.getByRole('button', { name: 'mmol/L' }).click()
    await page.getByLabel('Value').fill('46')
    await add(page).click()
    await dialog(page).getByRole('button', { name: 'It is right, add it' }).click()
    await page.locator('.sent').getByText('46 mmol/L').waitFor()
    await page.locator('.sent').getByText('stored').nth(1).waitFor()
    const after = await stored('interstitialGlucose')
    assert.deepEqual(after.slice(before), [
      [45, 'mg/dL'],
      [46, 'mmol/L'],
    ])
  })
}

test('an impatient second Enter or click answers nothing', inBrowser, async (t) => {
  const page = await open(t, 'bloodPressure')
  await page.getByLabel('Systolic').fill('300')
  await page.getByLabel('Diastolic').fill('82')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('heading', { name: 'Systolic 300 mmHg is very unusual.' }).waitFor()
  await dialog(page).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  assert.equal(await dialog(page).count(), 1)
  await page.keyboard.press('Escape')
  await page.getByLabel('Systolic').and(page.locator(':focus')).waitFor()
  await add(page).dblclick()
  await dialog(page).waitFor()
  assert.deepEqual(await stored('bloodPressure'), [])
  await dialog(page).getByRole('button', { name: 'Change it' }).click()

  // By keyboard alone.
  await page.getByLabel('Systolic').fill('301')
  await page.keyboard.press('Enter')
  await dialog(page).waitFor()
  await tabTo(page, dialog(page).getByRole('button', { name: 'It is right, add it' }))
  await page.keyboard.press('Enter')
  await page.locator('.sent').getByText('stored').waitFor()
  assert.deepEqual(await stored('bloodPressure'), [[301, undefined]])
})
