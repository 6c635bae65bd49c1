// What a person presses stays where it is while a screen loads: a finger that is on its way does not come down on something else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inBrowser, PHONE_AND_DESK, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'

const stage = await startStage()
const now = Date.now()
await stage.add([
  ...everyKind('patient-1', now),
  ...everyKind('child-1', now),
  ...everyKind('child-2', now),
  { patientUid: 'patient-1', readingType: 'acme.two', timestamp: now - 3_600_000, left: 1, right: 2 },
])

await stage.add(
  Array.from({ length: 20 }, (_, index) => ({
    patientUid: 'patient-1',
    readingType: 'heartRate',
    timestamp: now - (31 + index) * 86_400_000,
    value: 50 + (index % 2),
  })),
)
for (const [person, patientUid] of [
  ['ada-example', 'patient-1'],
  ['robin-example', 'child-1'],
] as const) {
  const { targets } = await stage.clientOf(person)
  await targets.set({ patientUid, readingType: 'heartRate', fields: { value: { high: 100 } } })
  await targets.set({ patientUid, readingType: 'bloodPressure', fields: { systolic: { high: 120 } } })
}

/** Holds answers of the API until one lets them go. */
async function holdAnswers(page: Page, to = '**/casesheet/**'): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(to, async (route) => {
    await released
    await route.continue()
  })
  return () => release()
}

const buttonsOf = (page: Page) => ({
  types: page.locator('.chart-picker summary'),
  dates: page.locator('.chart-dates summary'),
  week: page.getByRole('button', { name: 'Last 7 days' }),
  earlier: page.getByRole('button', { name: 'Earlier' }),
  table: page.getByRole('button', { name: 'Show as table' }),
})

/** From the top left of the page, in whole pixels. */
function placesOf(pressed: Record<string, Locator>) {
  const places = Object.entries(pressed).map(async ([name, locator]) => {
    const at = await locator.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect()
      return { left: Math.round(left + scrollX), top: Math.round(top + scrollY) }
    })
    return [name, at] as const
  })
  return Promise.all(places).then(Object.fromEntries)
}

async function untilLoaded(page: Page) {
  await page.getByText('Live', { exact: true }).waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy="true"]') === null)
}

for (const width of PHONE_AND_DESK) {
  for (const [what, query] of [
    ['a type with several units and one that is not in the catalogue', 'type=bloodGlucose&type=acme.two'],
    ['readings that are converted', 'type=bloodGlucose&unit=mg/dL'],
    ['statistics of pairs', 'type=bloodPressure&type=heartRate&range=year'],
    ['the newest type', ''],
    ['symptoms', 'type=symptom'],
    ['a range without readings', 'type=bodyWeight&type=symptom&range=day'],
  ] as const) {
    test(`the buttons of the charts stay in place, ${what}, at ${width} px`, inBrowser, async (t) => {
      const page = await stage.signIn(t, 'ada-example', { path: 'doctors', width, height: 812 })
      const release = await holdAnswers(page)
      await page.goto(`${stage.origin}/console/charts?${query}`)
      const pressed = buttonsOf(page)
      await page.locator('.chart-plot.skeleton').first().waitFor()
      const before = await placesOf(pressed)
      release()
      await untilLoaded(page)
      assert.deepEqual(await placesOf(pressed), before)
    })
  }

  test(
    `the buttons of the charts stay in place while another range loads, at ${width} px`,
    inBrowser,
    async (t) => {
      const path = 'charts?type=bloodGlucose&type=bloodPressure'
      const page = await stage.signIn(t, 'ada-example', { path, width, height: 812 })
      await untilLoaded(page)
      const { week, table } = buttonsOf(page)
      const pressed = { week, table }
      const before = await placesOf(pressed)
      await holdAnswers(page)
      await page.getByRole('button', { name: 'Last 12 months' }).click()
      // As long as it loads.
      await page.locator('.chart-busy').nth(1).waitFor()
      assert.deepEqual(await placesOf(pressed), before)
    },
  )

  for (const [path, label] of [
    ['take-away', 'Which readings?'],
    ['add?type=symptom', 'In your words'],
  ] as const) {
    test(`${path} stays in place when the connection is live, at ${width} px`, inBrowser, async (t) => {
      const page = await stage.signIn(t, 'ada-example', { path: 'doctors', width, height: 812 })
      const release = await holdAnswers(page, '**/readings/stream*')
      await page.goto(`${stage.origin}/console/${path}`)
      const pressed = { field: page.getByLabel(label) }
      await pressed.field.waitFor()
      await page.locator('.live.is-connecting').waitFor()
      const before = await placesOf(pressed)
      release()
      await untilLoaded(page)
      assert.deepEqual(await placesOf(pressed), before)
    })
  }
}

test('a reading that arrives moves no card, until one has been away', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-1' })
  await page.getByText('Live', { exact: true }).waitFor()
  const names = () => page.locator('.cards').first().locator('h2').allInnerTexts()
  const card = (name: string) =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await card('Heart rate').getByText('in target', { exact: true }).waitFor()
  const before = await names()
  assert.equal(before[0], 'Heart rate')
  assert.equal(before.at(-1), 'Body weight')
  // A finger that is on its way down: the card under it is the one that it was meant for.
  const link = card('Heart rate').getByRole('link', { name: 'Heart rate', exact: true })
  const box = (await link.boundingBox()) ?? assert.fail()
  await page.mouse.move(box.x + 5, box.y + 5)
  const weight = (value: number) =>
    stage.add([
      { patientUid: 'child-1', readingType: 'bodyWeight', value, unit: 'kg', timestamp: Date.now() },
    ])
  await weight(70)
  await card('Body weight').getByText('70', { exact: true }).waitFor()
  assert.deepEqual(await names(), before)
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.waitForFunction(() => document.querySelector('.cards h2')?.textContent === 'Body weight')
})
