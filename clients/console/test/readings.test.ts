// Withdrawing a reading that is wrong, and restoring it, while others look.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
await stage.add([
  ...everyKind('patient-1', now),
  ...Array.from({ length: 120 }, (_, index) => ({
    patientUid: 'child-1',
    readingType: 'heartRate' as const,
    value: 60 + index,
    timestamp: now - index * 60_000,
  })),
])

const row = (page: Page, text: string) => page.locator('.reading').filter({ hasText: text })

test(
  'a patient withdraws a reading with a reason by keyboard alone; others see it struck through at once',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'readings?type=bodyWeight' })
    const staff = await stage.signIn(t, 'kim-sample', {
      path: 'readings?type=bodyWeight&patient=patient-1',
    })
    await row(staff, '71.4 kg').waitFor()
    await staff.getByText('Live', { exact: true }).waitFor()
    await pressByKeyboard(page, page.getByRole('button', { name: /^Withdraw 71.4 kg/ }))
    const dialog = page.getByRole('dialog', { name: 'Withdraw this reading?' })
    await dialog.getByText('71.4 kg').waitFor()
    await axe(page)
    await pressByKeyboard(page, dialog.getByLabel('Why is it wrong?'))
    await page.keyboard.type('typed in pounds <b>by mistake</b>')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await row(page, '71.4 kg').locator('s').waitFor()
    await row(page, 'Withdrawn by you')
      .getByText(/: typed in pounds <b>by mistake<\/b>$/)
      .waitFor()
    await row(staff, 'Withdrawn by ada-example').locator('s').waitFor()
    await axe(page)
    await page.setViewportSize({ width: 320, height: 700 })
    await assertNoOverflow(page)

    // It no longer counts.
    const client = await stage.clientOf('ada-example')
    const { data } = await client.latestReadings({ patientUid: 'patient-1', readingType: ['bodyWeight'] })
    assert.deepEqual(data, [])

    await row(page, '71.4 kg')
      .getByRole('button', { name: /^Restore/ })
      .click()
    await page
      .getByRole('dialog', { name: 'Restore this reading?' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await row(page, '71.4 kg')
      .getByRole('button', { name: /^Withdraw/ })
      .waitFor()
    await row(staff, '71.4 kg')
      .getByRole('button', { name: /^Withdraw/ })
      .waitFor()
    assert.equal(await row(staff, '71.4 kg').locator('s').count(), 0)
  },
)

test(
  'what staff withdraws, the patient sees with who, when and why, and is not offered to restore',
  inBrowser,
  async (t) => {
    const client = await stage.clientOf('kim-sample')
    const { data } = await client.latestReadings({ patientUid: 'patient-1', readingType: ['heartRate'] })
    const [reading] = data
    assert.ok(reading)
    const { patientUid, readingId, timestamp } = reading
    await client.withdrawReading({ patientUid, readingId, timestamp, reason: 'entered for the wrong person' })
    const page = await stage.signIn(t, 'ada-example', { path: 'readings?type=heartRate' })
    const withdrawn = row(page, 'Withdrawn by kim-sample, staff')
    await withdrawn.getByText(/: entered for the wrong person$/).waitFor()
    assert.equal(await withdrawn.getByRole('button').count(), 0)
    await page.setViewportSize({ width: 375, height: 700 })
    await assertNoOverflow(page)

    const staff = await stage.signIn(t, 'kim-sample', {
      path: 'readings?type=heartRate&patient=patient-1',
    })
    await row(staff, 'Withdrawn by you')
      .getByRole('button', { name: /^Restore/ })
      .click()
    await staff
      .getByRole('dialog', { name: 'Restore this reading?' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await withdrawn.waitFor({ state: 'detached' })
    const log = await stage.signIn(t, 'ada-example', { path: 'access' })
    const entries = log.locator('.moments li')
    await entries
      .filter({
        hasText: /kim-sample, staff, withdrew a heart rate of .*: entered for the wrong person/,
      })
      .waitFor()
    await entries.filter({ hasText: /kim-sample, staff, restored a heart rate of / }).waitFor()
    await axe(log)
  },
)

test('Escape leaves the reading as it is, and the focus returns', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'readings?type=sleep' })
  const button = page.getByRole('button', { name: /^Withdraw/ }).first()
  await pressByKeyboard(page, button)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await button.evaluate((element) => element === document.activeElement), true)
  assert.equal(await page.locator('.reading s').count(), 0)
})

test('a reason is asked for', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'readings?type=sleep' })
  await page
    .getByRole('button', { name: /^Withdraw/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  assert.equal(
    await page
      .getByRole('dialog')
      .getByLabel('Why is it wrong?')
      .evaluate((input) => input.matches(':invalid')),
    true,
  )
  await page.getByRole('dialog').waitFor()
})

test('a long list comes in pages, and each has an address', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'readings?patient=child-1&type=heartRate' })
  await row(page, '60 /min').waitFor()
  assert.equal(await page.locator('.reading').count(), 50)
  await page.getByRole('link', { name: 'Older' }).click()
  await row(page, '110 /min').waitFor()
  await page.reload()
  await row(page, '110 /min').waitFor()
  await page.getByRole('link', { name: 'Older' }).click()
  await row(page, '179 /min').waitFor()
  assert.equal(await page.locator('.reading').count(), 20)
  await page.getByRole('link', { name: 'Newest' }).click()
  await row(page, '60 /min').waitFor()
})

test('a reading that arrives is at the top of the list', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'readings?type=heartRate' })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('.reading').first().waitFor()
  await stage.add([{ patientUid: 'patient-1', readingType: 'heartRate', value: 123, timestamp: Date.now() }])
  await row(page, '123 /min').waitFor()
  assert.match((await page.locator('.reading').first().textContent()) ?? '', /123/)
})

test('a list that is open while hundreds arrive stays a list of one page', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'readings?patient=child-2' })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('No readings here.').waitFor()
  const from = Date.now() - 400_000
  await stage.add(
    Array.from({ length: 400 }, (_, index) => ({
      patientUid: 'child-2',
      readingType: 'heartRate' as const,
      value: 60 + (index % 100),
      context: `number ${index}`,
      timestamp: from + index * 1_000,
    })),
  )
  await row(page, 'number 399').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.reading').length <= 100)
  await page.getByRole('link', { name: 'Older' }).waitFor()
  assert.match((await page.locator('.reading').first().textContent()) ?? '', /number 399/)
})
