// The console never judges a value: nobody has set a range for this patient, and one that fits everyone would call a dying person
// usual. What is shown of critical values is the values.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, PHONE_AND_DESK, startStage } from './browser.ts'

const stage = await startStage()
const now = Date.now()
const of = (readingType: string, fields: object, agoMs = 60_000) => ({
  patientUid: 'patient-1',
  readingType,
  timestamp: now - agoMs,
  ...fields,
})
/** Each would be an emergency, and each lies within the catalogue's `plausible`, but for the last. */
await stage.add([
  of('heartRate', { value: 26 }),
  of('oxygenSaturation', { value: 71 }),
  of('bodyTemperature', { value: 41.9, unit: 'Cel' }),
  of('bloodPressure', { systolic: 182, diastolic: 121 }),
  of('bodyWeight', { value: 0.3, unit: 'kg' }),
  ...Array.from({ length: 16 }, (_, index) =>
    of('interstitialGlucose', { value: 23 - index, unit: 'mmol/L' }, 60_000 + index * 900_000),
  ),
])

const JUDGEMENT = /usual|normal|plausible|reference|above|below|in range|out of range/i

const SCREENS: [path: string, shown: string][] = [
  ['today', '182 / 121'],
  ['charts?type=interstitialGlucose&range=day', 'Sensor glucose'],
]

for (const width of PHONE_AND_DESK) {
  test(`no screen judges critical values, ${width} pixels wide`, inBrowser, async (t) => {
    for (const [path, shown] of SCREENS) {
      const page = await stage.signIn(t, 'ada-example', { path, width })
      const main = page.getByRole('main')
      await main.getByText(shown).first().waitFor()
      await untilLoaded(page)
      assert.doesNotMatch(await main.innerText(), JUDGEMENT, path)
      assert.deepEqual(await judgingColours(page), [], path)
      await page.context().close()
    }
  })
}

test('nothing is drawn behind the line of a chart', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'charts?type=interstitialGlucose&range=day' })
  const canvas = page.locator('.chart-plot canvas')
  await canvas.waitFor()
  await untilLoaded(page)
  // A band from 2.2 to 22.2 would colour nine tenths of the plot.
  const part = await canvas.evaluate((element: HTMLCanvasElement) => {
    const context = element.getContext('2d') as CanvasRenderingContext2D
    const { data } = context.getImageData(0, 0, element.width, element.height)
    let drawn = 0
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) drawn++
    return drawn / (data.length / 4)
  })
  assert.ok(part > 0 && part < 0.1, `${part} of the plot is coloured`)
})

test('only the form to add a reading knows what is plausible', () => {
  const sources = join(import.meta.dirname, '../src')
  const form = join('screens', 'add') + sep
  const knowing = globSync('**/*.{ts,tsx,css}', { cwd: sources })
    .filter((file) => !file.startsWith(form))
    .filter((file) => /plausible/i.test(readFileSync(join(sources, file), 'utf8')))
  assert.deepEqual(knowing, [])
})

async function untilLoaded(page: Page) {
  await page.waitForFunction(() => document.querySelector('main .skeleton, main [aria-busy="true"]') === null)
}

/** The texts on the screen in a colour that means good or bad. */
function judgingColours(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    const probe = document.createElement('span')
    main.append(probe)
    const judging = new Set<string>()
    for (const name of ['ok', 'severe', 'high', 'low']) {
      probe.style.color = `var(--${name})`
      judging.add(getComputedStyle(probe).color)
    }
    probe.remove()
    return [...main.querySelectorAll<HTMLElement>(':not(.live *)')]
      .filter((element) => {
        const { color, backgroundColor, fill } = getComputedStyle(element)
        return [color, backgroundColor, fill].some((colour) => judging.has(colour))
      })
      .map((element) => element.outerHTML.slice(0, 200))
  })
}
