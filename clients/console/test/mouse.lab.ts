// The console with the mouse, at the widths of a phone, a tablet and a desk: what other tests reach by keyboard is pressed here where
// people press it, on its text. Nothing is focused or set by the test itself.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { importDirectory } from '../../../src/modules/appointments/import/import-directory.ts'
import { inBrowser, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'

const stage = await startStage()
const now = Date.now()
await stage.add([
  ...everyKind('patient-1', now),
  { patientUid: 'patient-1', readingType: 'acme.two', timestamp: now - 3_600_000, left: 1, right: 2 },
])
await importDirectory({
  databaseUrl: stage.ownerUrl,
  file: join(import.meta.dirname, '../../../samples/directory.json'),
})

const SIZES = [
  { width: 375, height: 812 },
  { width: 768, height: 1_024 },
  { width: 1_440, height: 900 },
]

/** Presses and releases the button where this text is, slowly enough for what the press itself changes. */
const pressOn = (text: Locator) => text.click({ delay: 50 })

/** A press on the text of a label puts the focus where it belongs. */
async function focusedByPress(label: Locator, field: Locator) {
  await pressOn(label)
  await field.and(field.page().locator(':focus')).waitFor()
}

/** Until the screen is connected and has nothing to load. */
async function untilSettled(page: Page) {
  await page.getByText('Live', { exact: true }).waitFor()
  await page.waitForFunction(() => document.querySelector('main .skeleton, main [aria-busy="true"]') === null)
}

for (const size of SIZES) {
  test(`at ${size.width} px a press on the name of a type chooses it`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'charts?type=heartRate', ...size })
    await untilSettled(page)
    await pressOn(page.locator('.chart-picker summary'))
    const picker = page.locator('.chart-picker .chart-options')
    await pressOn(picker.getByText('Blood pressure', { exact: true }))
    await page.waitForURL(/type=bloodPressure/)
    await page.getByRole('region', { name: 'Blood pressure' }).waitFor()
    await untilSettled(page)
    assert.equal(await picker.isVisible(), true)
    // A press beside the choices does nothing, and the keyboard goes on from there.
    await pressOn(picker.getByText('With readings', { exact: true }))
    assert.equal(await picker.isVisible(), true)
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'hidden' })
    await pressOn(page.locator('.chart-picker summary'))
    await picker.waitFor()
    await pressOn(page.getByRole('heading', { name: 'Charts' }))
    await picker.waitFor({ state: 'hidden' })
  })

  test(
    `at ${size.width} px the range, the unit, the field and the table of a chart`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'ada-example', {
        path: 'charts?type=bloodGlucose&type=acme.two',
        ...size,
      })
      await untilSettled(page)
      const glucose = page.getByRole('region', { name: 'Blood glucose' })
      await pressOn(page.getByRole('button', { name: 'Last 7 days' }).getByText('7 d'))
      await page.waitForURL(/range=week/)
      await untilSettled(page)
      await pressOn(glucose.getByText('mg/dL', { exact: true }))
      await page.waitForURL(/unit=mg%2FdL/)
      await focusedByPress(page.getByText('Field', { exact: true }), page.getByLabel('Field'))
      const before = page.url()
      await pressOn(page.getByRole('button', { name: 'Earlier' }))
      await page.waitForURL((url) => url.href !== before)
      await untilSettled(page)
      await pressOn(page.getByText('Show as table'))
      await glucose.getByRole('table').waitFor()

      const dates = page.locator('.chart-dates')
      await pressOn(dates.locator('summary'))
      const first = dates.getByLabel('From')
      await focusedByPress(dates.getByText('From', { exact: true }), first)
      await first.fill('2026-01-31')
      const last = dates.getByLabel('To (whole day)')
      await focusedByPress(dates.getByText('To (whole day)'), last)
      await last.fill('2026-01-01')
      const order = dates.getByText('The first day must not be after the last.')
      await pressOn(order)
      assert.equal(await order.isVisible(), true)
      await last.fill('2026-02-01')
      await pressOn(dates.getByText('Show this range'))
      await page.waitForURL(/from=2026-01-30T23/)
      await first.waitFor({ state: 'hidden' })
    },
  )

  test(`at ${size.width} px the dialogs`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'today', ...size })
    await untilSettled(page)
    const closed = page.getByRole('dialog').waitFor.bind(page.getByRole('dialog'), { state: 'detached' })
    await pressOn(page.getByText('times in Europe/Berlin'))
    const zone = page.getByLabel('The patient’s zone')
    await focusedByPress(page.getByText('The patient’s zone'), zone)
    await pressOn(page.getByRole('heading', { name: 'In which zone are times shown?' }))
    assert.equal(await zone.isVisible(), true)
    await pressOn(page.getByRole('dialog').getByText('Close'))
    await closed()

    await pressOn(page.getByRole('button', { name: /Signed in as Ada/ }).filter({ visible: true }))
    await pressOn(page.getByRole('dialog').getByText('Dark', { exact: true }))
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor()
    await pressOn(page.getByRole('dialog').getByText('Close'))
    await closed()
  })

  test(`at ${size.width} px the forms`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add?type=symptom', ...size })
    await untilSettled(page)
    await focusedByPress(page.getByText('In your words'), page.getByLabel('In your words'))
    await page.keyboard.type(`headache at ${size.width}`)
    await pressOn(page.getByText('Severe', { exact: true }))
    await pressOn(page.locator('form button[type=submit]'))
    const sent = page.locator('.sent li').filter({ hasText: `headache at ${size.width} (severe)` })
    await sent.getByText('stored').waitFor()

    await page.goto(`${stage.origin}/console/take-away`)
    await untilSettled(page)
    await focusedByPress(page.getByText('Which readings?'), page.getByLabel('Which readings?'))
    await focusedByPress(page.getByText('From', { exact: true }), page.getByLabel('From'))
    await pressOn(page.getByText('90 days'))
    await page.waitForURL(/from=/)
    const box = page.getByRole('checkbox')
    const was = await box.isChecked()
    await pressOn(page.locator('label.check'))
    await page.waitForFunction(
      (before) => document.querySelector<HTMLInputElement>('label.check input')?.checked !== before,
      was,
    )
    const saved = page.waitForEvent('download')
    await pressOn(page.getByText('Save CSV'))
    await saved

    await page.goto(`${stage.origin}/console/access`)
    await untilSettled(page)
    await pressOn(page.getByText('Others', { exact: true }))
    await page.getByRole('button', { name: 'Others', pressed: true }).waitFor()

    await page.goto(`${stage.origin}/console/doctors`)
    await page.locator('.doctor-list li').first().waitFor()
    for (const label of ['Speciality', 'Language', 'City'])
      await focusedByPress(page.locator('label', { hasText: label }), page.getByLabel(label))
    await page.keyboard.type('port ellery')
    await page.waitForURL(/city=port/)
    await pressOn(page.locator('nav').getByText('Today', { exact: true }).filter({ visible: true }))
    await untilSettled(page)
    // All of a card leads to its chart.
    await pressOn(page.getByRole('article').filter({ hasText: 'Heart rate' }))
    await page.waitForURL(/charts\?type=heartRate/)
  })
}
