// Today, as a patient and a carer look at it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { inBrowser, startStage } from './browser.ts'
import { everyKind, HOSTILE_PATIENT, hostileReadings } from './invented-readings.ts'
import { pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
const DAY = 86_400_000
await stage.add([...everyKind('patient-1', now), ...hostileReadings(now)])

const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })

test(
  'a patient sees the newest reading of each type with unit, age and the last 30 days',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example')
    const pressure = card(page, 'Blood pressure')
    await pressure.getByText('128 / 82').waitFor()
    const text = (await pressure.textContent()) ?? ''
    assert.match(text, /mmHg/)
    assert.match(text, /Pulse: 70 \/min/)
    await pressure.getByRole('img', { name: /^Last 30 days: .* mmHg, 13 readings$/ }).waitFor()
    assert.match((await card(page, 'Heart rate').textContent()) ?? '', /min ago/)
    await card(page, 'Sleep').locator('.value').getByText('7 h 12 min').waitFor()
  },
)

test('what is old or in the future is marked in words', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await card(page, 'Body weight').getByText('old', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Dated in the future' }).waitFor()
  await card(page, 'Oxygen saturation').getByText('in the future', { exact: true }).waitFor()
})

test('one low value among a month of a sensor is drawn and named with its time', inBrowser, async (t) => {
  const at = Math.floor(now / DAY) * DAY - 4 * DAY + 192 * 60_000
  const from = now - 20 * DAY
  const sensor = Array.from({ length: 960 }, (_, index) => ({
    value: 7 + (index % 9) / 10,
    timestamp: from + index * 30 * 60_000,
  }))
  await stage.add(
    [...sensor, { value: 2.1, timestamp: at }].map((one) => ({
      patientUid: 'patient-1',
      readingType: 'interstitialGlucose',
      unit: 'mmol/L',
      ...one,
    })),
  )
  const page = await stage.signIn(t, 'ada-example', { timezoneId: 'UTC' })
  const glucose = card(page, 'Sensor glucose')
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  await glucose.getByText(`lowest 2.1 mmol/L on ${day.format(at)}, 03:12`).waitFor()
  await glucose.getByText(/^highest 7.8 mmol\/L (on|yesterday|today)/).waitFor()
  await glucose.getByRole('img', { name: 'Last 30 days: 2.1 to 7.8 mmol/L, 961 readings' }).waitFor()
  // The bar of that day reaches the bottom of the drawing, and no line leads from day to day.
  const path = (await glucose.locator('path.day').getAttribute('d')) ?? ''
  assert.match(path, /M[\d.]+ 39\.0V/)
  assert.doesNotMatch(path, /L/)
  // Fingersticks are dots, pressures are pairs.
  const sticks = (await card(page, 'Blood glucose').locator('path.reading').getAttribute('d')) ?? ''
  assert.match(sticks, /^(M[\d.]+ [\d.]+h0\.01){13}$/)
  await card(page, 'Blood pressure')
    .getByText(/^highest systolic 141 mmHg on /)
    .waitFor()
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

test(
  'a low value that arrives late is named on its card, and no longer once it is withdrawn',
  inBrowser,
  async (t) => {
    const glucose = { patientUid: 'child-1', readingType: 'bloodGlucose' as const, unit: 'mmol/L' as const }
    const at = Date.now()
    await stage.add([
      { ...glucose, value: 5.5, timestamp: at - 2 * DAY },
      { ...glucose, value: 6.5, timestamp: at - 60_000 },
    ])
    const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-1' })
    const shown = card(page, 'Blood glucose')
    await page.getByText('Live', { exact: true }).waitFor()
    await shown.getByText(/^lowest 5.5 mmol\/L/).waitFor()
    await passMinute(page)
    await stage.add([{ ...glucose, value: 2.1, timestamp: at - DAY }])
    await shown.getByText(/^lowest 2.1 mmol\/L/).waitFor()
    await passMinute(page)
    const robin = await stage.clientOf('robin-example')
    const { data } = await robin.getReadings({
      patientUid: 'child-1',
      readingType: ['bloodGlucose'],
      limit: 9,
    })
    const low = data.find(({ value }) => value === 2.1) ?? assert.fail('The low value is not stored.')
    await robin.withdrawReading({
      patientUid: 'child-1',
      readingId: low.readingId,
      timestamp: low.timestamp,
      reason: 'Invented',
    })
    await shown.getByText(/^lowest 5.5 mmol\/L/).waitFor()
  },
)

/** A card asks for its month once a minute at most: for the page, that minute is over. */
async function passMinute(page: Page) {
  await page.evaluate(() => {
    const real = performance.now.bind(performance)
    performance.now = () => real() + 60_000
  })
}

test(
  'while changes are held back, the screen says how late they are and reads again',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example')
    await page.getByText('Live', { exact: true }).waitFor()
    await card(page, 'Heart rate').waitFor()
    const holder = new Client({ connectionString: stage.ownerUrl })
    await holder.connect()
    t.after(() => holder.end())
    await holder.query('begin')
    await holder.query('select pg_current_xact_id()')
    await stage.add([
      { patientUid: 'patient-1', readingType: 'heartRate', value: 147, timestamp: Date.now() },
    ])
    await page.getByText(/^Changes are \d+ s late$/).waitFor()
    await card(page, 'Heart rate').getByText('147', { exact: true }).waitFor()
    await page.getByText(/^As of/).waitFor()
    await holder.query('rollback')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText(/^As of/).waitFor({ state: 'detached' })
  },
)

test('what loads has the size of what comes', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  await page.route('**/readings/latest*', () => undefined)
  await page.getByRole('link', { name: 'Today' }).click()
  // In one look: after some seconds words take the place of the outline.
  const heights = await page.waitForFunction(() => {
    const parts = [...document.querySelectorAll('.skeleton-card .skeleton')].slice(0, 4)
    return parts.length === 4 && parts.map((part) => part.clientHeight)
  })
  assert.deepEqual(await heights.jsonValue(), [16, 30, 57, 51])
})

test('markup, formulas, long and right-to-left texts are shown as text', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: `today?patient=${HOSTILE_PATIENT}` })
  await page.getByText('<img src=x onerror=alert(1)><b>bold</b> (severe)').waitFor()
  await card(page, 'acme.arabic').getByText('قراءة من الجهاز').waitFor()
  await card(page, 'Constructor').getByText('no unit given').waitFor()
  assert.equal(await page.locator('article img, article script, article b').count(), 0)
})

test(
  'a carer switches between two children, and the address says whose readings are shown',
  inBrowser,
  async (t) => {
    await stage.add([{ patientUid: 'child-1', readingType: 'painScore', value: 4, timestamp: now }])
    const page = await stage.signIn(t, 'robin-example', { path: 'today' })
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

test('by keyboard alone, a card leads to its chart and the navigation back', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await pressByKeyboard(page, page.getByRole('link', { name: 'Blood glucose', exact: true }))
  await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor()
  // The new screen begins at its heading.
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
  await tabTo(page, page.getByRole('link', { name: 'Today', exact: true }), { key: 'Shift+Tab' })
  await page.keyboard.press('Enter')
  await card(page, 'Blood glucose').waitFor()
})

test(
  'a patient without readings is led to the first one, and staff are offered no way to add',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-1&zone=UTC' })
    await page.getByText('times in UTC').waitFor()
    const empty = await stage.signIn(t, 'kim-sample', { path: 'today?patient=no-such-patient' })
    await empty.getByText(/^Nothing is stored for this id/).waitFor()
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

test('a month in another unit is not shown with the unit of the newest reading', inBrowser, async (t) => {
  const height = { patientUid: 'patient-1', readingType: 'bodyHeight' }
  await stage.add([{ ...height, value: 170, unit: 'cm', timestamp: now - DAY }])
  const page = await stage.signIn(t, 'ada-example')
  const shown = card(page, 'Body height')
  await shown.getByRole('img', { name: /^Last 30 days: 170 to 170 cm/ }).waitFor()
  const release = Promise.withResolvers<void>()
  await page.route('**/readings/statistics*', async (route) => {
    await release.promise
    await route.continue()
  })
  await stage.add([{ ...height, value: 66, unit: '[in_i]', timestamp: now - 60_000 }])
  await shown.locator('.value').getByText('66 in').waitFor()
  assert.doesNotMatch((await shown.innerHTML()) ?? '', /170/)
  release.resolve()
  await shown.getByRole('img', { name: /^Last 30 days: 66 to 66.93 in/ }).waitFor()
})

test('how long a sensor has sent nothing is said after an hour too', inBrowser, async (t) => {
  const glucose = { readingType: 'interstitialGlucose' as const, unit: 'mmol/L' as const, value: 6.1 }
  await stage.add([{ patientUid: 'child-2', timestamp: Date.now() - 90 * 60_000, ...glucose }])
  const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-2' })
  await card(page, 'Sensor glucose')
    .getByText(/^No value since /)
    .waitFor()
})
