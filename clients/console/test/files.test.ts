// Who has read, and taking the readings away: files, and pages for the doctor.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Reading } from '../../typescript/src/client.ts'
import { inBrowser, PHONE_AND_DESK, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
await stage.add([
  ...everyKind('patient-1', now),
  { patientUid: 'patient-1', readingType: 'painScore', value: 4, timestamp: now - 60 * 86_400_000 },
])

const MONTH = 30 * 86_400_000
await stage.add([
  // Five years, and symptoms that take three lines each.
  ...Array.from({ length: 60 }, (_, index) => ({
    patientUid: 'child-1',
    readingType: 'bodyWeight' as const,
    value: 20 + index / 10,
    unit: 'kg' as const,
    timestamp: now - index * MONTH,
  })),
  ...Array.from({ length: 60 }, (_, index) => ({
    patientUid: 'child-1',
    readingType: 'symptom' as const,
    symptoms: [{ symptom: `number ${index} ${'a long story '.repeat(30)}`, severity: 'MILD' }],
    timestamp: now - index * 3_600_000,
  })),
])

/** How many sheets of A4 and of Letter it takes, with the margins of a printer. */
async function sheetsOf(page: Page): Promise<number[]> {
  const margin = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' }
  const sheets: number[] = []
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format, margin })
    sheets.push(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0)
  }
  return sheets
}

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await pressByKeyboard(page, page.getByRole('button', { name: button }))
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('a patient reads in sentences who has read', inBrowser, async (t) => {
  const staff = await stage.clientOf('kim-sample')
  await staff.getReadings({ patientUid: 'patient-1', readingType: ['bloodPressure'], limit: 10 })
  const page = await stage.signIn(t, 'ada-example', { path: 'access' })
  await page.getByText('kim-sample, staff, read 10 readings of blood pressure.').waitFor()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('article').first().waitFor()
  await page.getByRole('link', { name: 'Who has read' }).click()
  await page.getByText(/^You read .*the newest of each type/).waitFor()
  await pressByKeyboard(page, page.getByRole('button', { name: 'Others' }))
  await page.getByText(/^You /).waitFor({ state: 'detached' })
  await page.getByText(/^kim-sample, staff/).waitFor()
})

test('the chosen range is saved as CSV and as NDJSON', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'take-away' })
  const csv = await saved(page, 'Save CSV')
  assert.match(csv.name, /\.csv$/)
  const [head = '', ...rows] = csv.text.trim().split('\r\n')
  assert.match(head, /patientUid,readingType,timestamp/)
  // Neither the one of two months ago nor the one of next year.
  assert.equal(rows.length, 13 * 4 + 3)
  await page.getByText(/^Saved .*\.csv, /).waitFor()

  await page.getByLabel('Which readings?').selectOption('bloodPressure')
  await page.waitForURL(/type=bloodPressure/)
  const ndjson = await saved(page, 'Save NDJSON')
  const readings = ndjson.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readingType: string })
  assert.equal(readings.length, 13)
  assert.ok(readings.every(({ readingType }) => readingType === 'bloodPressure'))

  await page.getByRole('button', { name: 'Everything' }).click()
  await page.getByLabel('Which readings?').selectOption('painScore')
  assert.match((await saved(page, 'Save CSV')).text, /painScore/)
})

test(
  'a printed summary, then a page for each type, with whose readings, range, zone and units',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'take-away' })
    await pressByKeyboard(page, page.getByRole('link', { name: 'See the pages' }))
    const pages = page.locator('.print-page')
    await pages.first().waitFor()
    const pressure = pages.filter({ has: page.getByRole('heading', { name: 'Blood pressure' }) })
    const text = (await pressure.textContent()) ?? ''
    assert.match(text, /patient-1 · .* · times in Europe\/Berlin/)
    // In the order of the catalogue, and each reading, as there are few.
    const heads = await pressure.getByRole('columnheader').allTextContents()
    assert.deepEqual(heads, ['When', 'Systolic, mmHg', 'Diastolic, mmHg', 'Pulse, /min'])
    assert.deepEqual(await pressure.locator('dt').allTextContents(), [
      'Systolic',
      'Diastolic',
      'Pulse',
      'Readings',
    ])
    assert.equal(await pressure.getByRole('row').count(), 1 + 13)
    assert.equal(await pressure.locator('circle').count(), 2 * 13)
    assert.equal(await pressure.locator('.mean').count(), 0)

    const summary = pages.first()
    await summary.getByRole('heading', { name: 'Summary' }).waitFor()
    const row = summary.getByRole('row', { name: /^Blood pressure/ })
    assert.match((await row.textContent()) ?? '', /128 \/ 82 mmHg.*128 to 141 \/ 82 to 82 mmHg.*13$/)
    const count = await pages.count()
    assert.equal(await summary.getByRole('row').count(), 1 + count - 1)
    // As many sheets of paper as pages: none is cut in two.
    assert.deepEqual(await sheetsOf(page), [count, count])
  },
)

test(
  'one low night is in the summary and in the list, in the unit it was sent in too',
  inBrowser,
  async (t) => {
    const readings = [5.5, 2.1, 6.2].map((value, index) => ({
      patientUid: 'child-2',
      readingType: 'bloodGlucose' as const,
      value,
      unit: 'mmol/L' as const,
      timestamp: now - index * 3_600_000,
    }))
    const sent = { ...readings[0], value: 126, unit: 'mg/dL', timestamp: now - 86_400_000 }
    const pain = { patientUid: 'child-2', readingType: 'painScore', value: 2, timestamp: now }
    await stage.add([...readings, sent as Reading, pain])
    const page = await stage.signIn(t, 'robin-example', { path: 'print?patient=child-2&range=all' })
    const pages = page.locator('.print-page')
    await pages
      .first()
      .getByRole('row', { name: /^Blood glucose.*2\.1 to 6\.994 mmol\/L/ })
      .waitFor()
    const glucose = pages.filter({ has: page.getByRole('heading', { name: 'Blood glucose' }) })
    await glucose.getByRole('row', { name: /2\.1/ }).waitFor()
    await glucose.getByRole('row', { name: /6\.994 sent as 126 mg\/dL/ }).waitFor()
  },
)

for (const width of PHONE_AND_DESK) {
  test(`the pages are reached by mouse and fit a window ${width} pixels wide`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'take-away', width })
    await page.getByRole('link', { name: 'See the pages' }).click()
    await page.getByRole('heading', { name: 'Summary' }).waitFor()
    await assertNoOverflow(page)
    await axe(page)
  })
}

test('years of readings, and long ones, take a page for each type too', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'print?patient=child-1&range=all' })
  const pages = page.locator('.print-page')
  await pages.first().waitFor()
  assert.equal(await pages.count(), 3)
  await pages.getByText(/^The table has the newest 32 of (58|59|60) months with readings\.$/).waitFor()
  await pages.getByText('The newest 12.').waitFor()
  assert.deepEqual(await sheetsOf(page), [3, 3])
})
