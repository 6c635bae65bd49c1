// Targets on the charts: a band with its author in words, what is outside by shape and word, and nothing where nobody set one.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { importDirectory } from '../../../src/modules/appointments/import/import-directory.ts'
import { inBrowser, startStage } from './browser.ts'
import { assertNoOverflow, axe } from './screen-checks.ts'

const stage = await startStage()
await importDirectory({
  databaseUrl: stage.ownerUrl,
  file: join(import.meta.dirname, '../../../samples/directory.json'),
})
const HOUR = 3_600_000
const now = Date.now()
const PATIENT = 'patient-1'
const of = (readingType: string, hoursAgo: number, fields: object) => ({
  patientUid: PATIENT,
  readingType,
  timestamp: now - hoursAgo * HOUR,
  ...fields,
})
// Against 70–180 mg/dL: 10.0 and 3.9 mmol/L are in it, 10.1 and 3.8 are not.
const GLUCOSE = [10, 10.1, 3.9, 3.8, 6]
await stage.add([
  ...GLUCOSE.map((value, index) => of('bloodGlucose', 20 - index, { value, unit: 'mmol/L' })),
  of('bloodGlucose', 2, { value: 181, unit: 'mg/dL' }),
  // Against at most 134/84.
  of('bloodPressure', 20, { systolic: 134, diastolic: 84 }),
  of('bloodPressure', 12, { systolic: 135, diastolic: 84 }),
  of('bloodPressure', 4, { systolic: 160, diastolic: 95 }),
  of('bodyWeight', 5, { value: 71, unit: 'kg' }),
  of('heartRate', 5, { value: 61 }),
])
// A sensor: each of 30 days in target but for one value, which is at the top of the axis on every second day.
await stage.add(
  Array.from({ length: 30 * 96 }, (_, index) =>
    of('interstitialGlucose', index / 4 + 0.1, {
      value: index % 96 === 40 ? (index % 192 === 40 ? 14.7 : 12) : 6,
      unit: 'mmol/L',
    }),
  ),
)
const [ada, willow] = await Promise.all([stage.clientOf('ada-example'), stage.clientOf('dr-willow-sample')])
await ada.grants.add({ patientUid: PATIENT, doctorId: 'dr-willow-sample', permission: 'manage' })
const ofAda = { patientUid: PATIENT }
const ofGlucose = { ...ofAda, readingType: 'bloodGlucose', unit: 'mg/dL' }
await willow.targets.set({ ...ofGlucose, fields: { value: { low: 70, high: 180 } }, expectEvery: null })
// A doctor's comes before one's own.
await ada.targets.set({ ...ofGlucose, fields: { value: { high: 90 } } })
await ada.targets.set({
  ...ofAda,
  readingType: 'bloodPressure',
  fields: { systolic: { high: 134 }, diastolic: { high: 84 } },
})
await ada.targets.set({
  ...ofAda,
  readingType: 'interstitialGlucose',
  unit: 'mmol/L',
  fields: { value: { low: 3.9, high: 10 } },
})
await ada.targets.set({ ...ofAda, readingType: 'bodyWeight', unit: 'kg', fields: { value: { low: 72 } } })

const paneOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const caption = (within: Locator) => within.locator('.chart-caption')

async function untilDrawn(page: Page) {
  await page.locator('.chart-pane h2').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.chart-pane[aria-busy="true"], .skeleton'))
}
async function openCharts(t: Parameters<typeof stage.signIn>[0], query: string, options = {}) {
  const page = await stage.signIn(t, 'ada-example', { path: `charts?range=day&${query}`, ...options })
  await untilDrawn(page)
  return page
}

/** Each spot of the plot that has about this colour of the design. */
function spotsOf(within: Locator, colour: string): Promise<{ pixels: number; height: number }[]> {
  return within.locator('.chart-plot canvas').evaluate((canvas: HTMLCanvasElement, wanted) => {
    const probe = document.createElement('span')
    probe.style.color = wanted
    canvas.parentElement?.append(probe)
    const parts = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
    probe.remove()
    const { width, height } = canvas
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const { data } = context.getImageData(0, 0, width, height)
    const left = new Set<number>()
    for (let at = 0; at < width * height; at++) {
      const isIt = parts.every((part, place) => Math.abs(part - (data[at * 4 + place] ?? 0)) < 12)
      if (isIt && (data[at * 4 + 3] ?? 0) > 200) left.add(at)
    }
    const spots: { pixels: number; height: number }[] = []
    for (const first of left) {
      const spot = [first]
      left.delete(first)
      for (const at of spot) {
        for (const next of [-width, 0, width].flatMap((row) => [at + row - 1, at + row, at + row + 1]))
          if (left.delete(next)) spot.push(next)
      }
      const rows = spot.map((at) => Math.floor(at / width))
      spots.push({ pixels: spot.length, height: Math.max(...rows) - Math.min(...rows) + 1 })
    }
    return spots
  }, colour)
}

/** How many pixels of the plot have about this colour of the design. */
const pixelsOf = async (within: Locator, colour: string) =>
  (await spotsOf(within, colour)).reduce((sum, { pixels }) => sum + pixels, 0)

test(
  'a target is a band with its author in words, in the unit shown, and counts as the service does',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, 'type=bloodGlucose')
    const glucose = paneOf(page, 'Blood glucose')
    // In: 10, 3.9 and 6.
    await caption(glucose)
      .getByText(
        /3 of 6 in target. Target 3.9–10 mmol\/L \(70–180 mg\/dL\), set by Dr. Willow Sample today; compared with all readings shown\.$/,
      )
      .waitFor()
    assert.equal(
      await glucose.locator('dl > div').filter({ hasText: 'in target' }).locator('dd').textContent(),
      '3 of 6',
    )
    assert.ok((await pixelsOf(glucose, 'var(--ok)')) > 100, 'the ends of the band')
    assert.ok((await pixelsOf(glucose, 'var(--high)')) > 20 && (await pixelsOf(glucose, 'var(--low)')) > 20)
    await glucose.getByRole('button', { name: 'mg/dL' }).click()
    await caption(glucose)
      .getByText(/3 of 6 in target. Target 70–180 mg\/dL, set by/)
      .waitFor()

    // In forced colours, what is outside is seen by its shape.
    await page.emulateMedia({ forcedColors: 'active' })
    await assertNoOverflow(page)
    await axe(page)
    await page.emulateMedia({ forcedColors: null })

    // By the table and by keys, in words.
    await page.getByRole('button', { name: 'Show as table' }).click()
    const words = async () =>
      (await glucose.getByRole('row').locator('td:last-child').allTextContents()).map((text) => text.trim())
    assert.deepEqual(await words(), [
      '▲ above target',
      'in target',
      '▼ below target',
      'in target',
      '▲ above target',
      'in target',
    ])
    await page.getByRole('group', { name: /^Charts\./ }).focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await page
      .locator('.charts > [role=status]')
      .getByText('181 mg/dL · ▲ above the target of Dr. Willow Sample')
      .waitFor()
    await glucose.getByRole('columnheader', { name: 'The target of Dr. Willow Sample' }).waitFor()
  },
)

test(
  'each field has its own target, half-open where it has one bound, and without one nothing is judged',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, 'type=bloodPressure&type=bodyWeight&type=heartRate')
    const [pressure, weight, heart] = ['Blood pressure', 'Body weight', 'Heart rate'].map((name) =>
      paneOf(page, name),
    ) as [Locator, Locator, Locator]
    await caption(pressure)
      .getByText(
        /1 of 3 in target. Target at most 134\/84 mmHg, set by you today; compared with all readings shown\.$/,
      )
      .waitFor()
    await caption(weight)
      .getByText(
        /0 of 1 in target. Target at least 72 kg, set by you today; compared with all readings shown\.$/,
      )
      .waitFor()
    assert.ok((await pixelsOf(weight, 'var(--low)')) > 20)
    assert.ok((await pixelsOf(pressure, 'var(--high)')) > 40)
    assert.doesNotMatch((await heart.textContent()) ?? '', /target|above|below/i)
    for (const colour of ['--ok', '--high', '--low'])
      assert.equal(await pixelsOf(heart, `var(${colour})`), 0, colour)
  },
)

for (const width of [390, 1_280]) {
  test(`every day outside its target is marked, and whole, at ${width} px`, inBrowser, async (t) => {
    const path = 'charts?range=month&type=interstitialGlucose'
    const page = await stage.signIn(t, 'ada-example', { path, width, height: 844 })
    await untilDrawn(page)
    const sensor = paneOf(page, 'Sensor glucose')
    await caption(sensor).getByText('Target 3.9–10').waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    const days = await sensor.getByRole('row').filter({ hasText: '▲ in part above target' }).count()
    assert.ok(days >= 29, `${days} days`)
    const spots = await spotsOf(sensor, 'var(--high)')
    assert.equal(spots.length, days)
    const heights = spots.map(({ height }) => height)
    assert.ok(Math.min(...heights) >= 4 && Math.max(...heights) - Math.min(...heights) <= 2, heights.join())
  })
}
