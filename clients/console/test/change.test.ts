// Change: what takes the place of what, and that nothing is lost where nothing was changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import { inBrowser, startStage } from './browser.ts'

const stage = await startStage()

const row = (page: Page, text: string) => page.locator('.sent li').filter({ hasText: text })
const value = (page: Page) => page.getByLabel('Value')

async function add(page: Page, text: string) {
  await value(page).fill(text)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

/** By what they say: those that count, and those that were withdrawn. */
async function stored(readingType: string) {
  const client = await stage.clientOf('ada-example')
  const query = { patientUid: 'patient-1', readingType: [readingType], withdrawn: 'include' as const }
  const { data } = await client.getReadings(query)
  const values = (isWithdrawn: boolean) =>
    data
      .filter(({ withdrawn }) => (withdrawn !== undefined) === isWithdrawn)
      .map((one) => Number(one['value']))
  return { counting: values(false), withdrawn: values(true).toSorted((a, b) => a - b) }
}

const untilStored = (readingType: string, wanted: Awaited<ReturnType<typeof stored>>) =>
  until(async () => JSON.stringify(await stored(readingType)) === JSON.stringify(wanted))

const typed = (readingType: 'heartRate' | 'respiratoryRate', beats: number) => ({
  patientUid: 'patient-1',
  readingType,
  value: beats,
  timestamp: Date.now() - 60_000,
  source: { kind: 'manual' as const, app: { name: 'Rounds console' } },
})

test('Change from Today withdraws nothing where nothing was changed', inBrowser, async (t) => {
  await stage.add([typed('heartRate', 72)])
  const page = await stage.signIn(t, 'ada-example')
  await page.getByRole('link', { name: 'Change Heart rate' }).click()
  await add(page, '72')
  await page.waitForURL(({ searchParams }) => !searchParams.has('change'))
  assert.equal(await page.locator('.sent li').count(), 0)
  assert.deepEqual(await stored('heartRate'), { counting: [72], withdrawn: [] })
})

test('what is changed back from Today counts again', inBrowser, async (t) => {
  await stage.add([typed('respiratoryRate', 14)])
  const page = await stage.signIn(t, 'ada-example')
  await page.getByRole('link', { name: 'Change Breathing rate' }).click()
  await add(page, '16')
  await untilStored('respiratoryRate', { counting: [16], withdrawn: [14] })
  await row(page, '16 /min')
    .getByRole('link', { name: /^Change/ })
    .click()
  await page.waitForURL(/change=/)
  await add(page, '14')
  await row(page, '14 /min').locator('s').getByText('16 /min').waitFor()
  await untilStored('respiratoryRate', { counting: [14], withdrawn: [16] })
})

test('a second correction begins with the first, and one value counts', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=restingHeartRate' })
  await add(page, '60')
  for (const [before, after] of [
    ['60', '61'],
    ['61', '62'],
  ] as const) {
    await row(page, `${before} /min`).getByText('stored', { exact: true }).waitFor()
    await row(page, `${before} /min`)
      .getByRole('link', { name: /^Change/ })
      .click()
    await page.waitForURL(/change=/)
    assert.equal(await value(page).inputValue(), before)
    await add(page, after)
  }
  await untilStored('restingHeartRate', { counting: [62], withdrawn: [60, 61] })
})

test('one that is no longer there is said so', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=painScore&change=1762000000000' })
  await page.getByRole('alert').getByText('This reading is no longer there.').waitFor()
  assert.equal(await page.getByRole('main').getByRole('button', { name: 'Add', exact: true }).count(), 0)
})
