// Who has read, and taking the readings away as files.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
await stage.add([
  ...everyKind('patient-1', now),
  { patientUid: 'patient-1', readingType: 'painScore', value: 4, timestamp: now - 60 * 86_400_000 },
])

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
