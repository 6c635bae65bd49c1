// Today, as a patient and a carer look at it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, startStage } from './browser.ts'
import { everyKind, HOSTILE_PATIENT, hostileReadings } from './invented-readings.ts'
import { pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
await stage.add([...everyKind('patient-1', now), ...hostileReadings(now)])

const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })

test(
  'a patient sees the newest reading of each type with unit, age, range and the last 30 days',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example')
    const pressure = card(page, 'Blood pressure')
    await pressure.getByText('128 / 82').waitFor()
    const text = (await pressure.textContent()) ?? ''
    assert.match(text, /mmHg/)
    assert.match(text, /usual 60–260 \/ 30–160 mmHg/)
    assert.match(text, /Pulse: 70 \/min/)
    await pressure.getByRole('img', { name: /^Last 30 days: .* mmHg, 13 readings$/ }).waitFor()
    assert.match((await card(page, 'Heart rate').textContent()) ?? '', /min ago/)
    await card(page, 'Sleep').getByText('7 h 12 min').waitFor()
  },
)

test('what is old, above usual or in the future is marked in words', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await card(page, 'Body weight').getByText('old', { exact: true }).waitFor()
  await card(page, 'Body temperature').getByText('above usual', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Dated in the future' }).waitFor()
  await card(page, 'Oxygen saturation').getByText('in the future', { exact: true }).waitFor()
})

test('a reading that arrives appears without a reload, and is announced once', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await page.getByText('Live', { exact: true }).waitFor()
  await card(page, 'Heart rate').waitFor()
  const at = Date.now()
  await stage.add([{ patientUid: 'patient-1', readingType: 'heartRate', value: 111, timestamp: at }])
  await card(page, 'Heart rate').getByText('111', { exact: true }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: 'New reading: Heart rate 111 /min' })
    .waitFor({ state: 'attached' })
  // One that was taken earlier and arrives late is not the newest.
  await stage.add([{ patientUid: 'patient-1', readingType: 'heartRate', value: 66, timestamp: at - 60_000 }])
  await page.getByRole('status').filter({ hasText: 'Heart rate 66' }).waitFor({ state: 'attached' })
  await card(page, 'Heart rate').getByText('111', { exact: true }).waitFor()
})

test(
  'a device that sends what it has stored is announced together, and the small line is asked for once',
  inBrowser,
  async (t) => {
    await stage.add([{ patientUid: 'child-1', readingType: 'stepCount', value: 1, timestamp: now - 9e6 }])
    const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-1' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByText('Live', { exact: true }).waitFor()
    await card(page, 'Steps').getByRole('img').waitFor()
    const from = Date.now() - 40_000
    await stage.add(
      Array.from({ length: 40 }, (_, index) => ({
        patientUid: 'child-1',
        readingType: 'stepCount' as const,
        value: 1_001 + index,
        timestamp: from + index * 1_000,
      })),
    )
    await card(page, 'Steps').getByText('1,040', { exact: true }).waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ new readings, the newest: Steps [\d,]+ steps$/ })
      .waitFor({ state: 'attached' })
    const times = (operation: string) => asked.filter((path) => path.endsWith(operation)).length
    assert.ok(times('/readings/statistics') <= 1, `${times('/readings/statistics')} statistics`)
    assert.ok(times('/readings/latest') <= 2, `${times('/readings/latest')} times the newest`)
  },
)

test('what loads has the size of what comes', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  await page.route('**/readings/latest*', () => undefined)
  await page.getByRole('link', { name: 'Today' }).click()
  await page.locator('.skeleton-card').first().waitFor()
  const heights = await page
    .locator('.skeleton-card .skeleton')
    .evaluateAll((parts) => parts.slice(0, 4).map((part) => part.clientHeight))
  assert.deepEqual(heights, [16, 30, 40, 14])
})

test('markup, formulas, long and right-to-left texts are shown as text', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: `today?patient=${HOSTILE_PATIENT}` })
  await page.getByText('<img src=x onerror=alert(1)><b>bold</b> (severe)').waitFor()
  await card(page, 'acme.arabic').getByText('قراءة من الجهاز').waitFor()
  await card(page, 'Constructor').getByText('no unit given').waitFor()
  assert.equal(await page.locator('article img, article script, article b:not(.bar b)').count(), 0)
})

test(
  'a carer switches between two children, and the address says whose readings are shown',
  inBrowser,
  async (t) => {
    await stage.add([{ patientUid: 'child-1', readingType: 'painScore', value: 4, timestamp: now }])
    const page = await stage.signIn(t, 'robin-example')
    await page.waitForURL(/patient=child-1/)
    await card(page, 'Pain').waitFor()
    await page.getByLabel('Patient', { exact: true }).selectOption('child-2')
    await page.waitForURL(/patient=child-2/)
    await card(page, 'acme.arabic').waitFor()
    assert.equal(await card(page, 'Pain').count(), 0)
    await page.goBack()
    await card(page, 'Pain').waitFor()
  },
)

test('by keyboard alone, a card leads to its readings and the navigation back', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await pressByKeyboard(page, page.getByRole('link', { name: 'All readings of Blood glucose' }))
  await page.getByRole('heading', { name: 'Blood glucose' }).waitFor()
  // The new screen begins at its heading.
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
  await tabTo(page, page.getByRole('link', { name: 'Today' }), { key: 'Shift+Tab' })
  await page.keyboard.press('Enter')
  await card(page, 'Blood glucose').waitFor()
})

test(
  'a patient without readings is an empty screen, and staff are offered no way to add',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-1&zone=UTC' })
    await page.getByText('times in UTC').waitFor()
    const empty = await stage.signIn(t, 'dr-willow-sample', { path: 'today?patient=no-such-patient' })
    await empty.getByText('No readings yet.').waitFor()
    assert.equal(await empty.getByRole('link', { name: 'Add', exact: true }).count(), 0)
  },
)

test('who may not read a patient is shown what to do, with the id of the request', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', {
    path: 'today?patient=patient-2',
    ignoring: [/403/],
  })
  const alert = page.getByRole('alert')
  await alert.getByText('You may not do this for this patient.').waitFor()
  assert.match((await alert.locator('code').textContent()) ?? '', /\S{8,}/)
})
