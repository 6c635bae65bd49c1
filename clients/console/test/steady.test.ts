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
    ['add?type=symptom', 'What was measured?'],
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

  test(`the way to the other patients stays in place, at ${width} px`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'doctors', width, height: 812 })
    const release = await holdAnswers(page)
    await page.goto(`${stage.origin}/console/add?patient=child-1`)
    const pressed = {
      other: page.getByRole('link', { name: /^child-2/ }),
      all: page.getByRole('link', { name: 'All 2 patients' }),
    }
    await pressed.other.waitFor()
    const before = await placesOf(pressed)
    release()
    await untilLoaded(page)
    await pressed.other.getByText('ago').waitFor()
    assert.deepEqual(await placesOf(pressed), before)
  })
}
