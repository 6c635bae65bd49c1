// What a chart says in a sentence: the trend by its rule, the extremes with their times, and the way to each of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { runSql } from '../../../test/support/harness.ts'
import { trendOf } from '../src/screens/charts/trend.ts'
import { inBrowser, startStage } from './browser.ts'
import { axe, pressByKeyboard } from './screen-checks.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** As good as random, and the same each time. */
function noise(seed: number) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
}
const points = (values: number[]) => values.map((value, day) => ({ at: day * DAY, value }))
const days = (count: number, value: (day: number) => number) =>
  Array.from({ length: count }, (_, day) => value(day))

test('a trend is named where it is clear, and only there', () => {
  const random = noise(7)
  for (const [values, expected] of [
    [[1, 2, 3, 4], undefined],
    [[1, 2, 3, 4, 5], 'rising'],
    [[5, 4, 3, 2, 1], 'falling'],
    [[1, 2, 4, 3, 5], 'unclear'],
    [[80, 80, 80, 80, 80, 80], 'unclear'],
    [days(30, (day) => 120 + day * 0.5 + random() * 4), 'rising'],
    [days(30, (day) => 90 - day * 0.5 + random() * 4), 'falling'],
    // One value out of all proportion, at the worst place, makes no trend and hides none.
    [[...days(20, () => 100 + random()), 900], 'unclear'],
    [[900, ...days(20, (day) => 100 + day)], 'rising'],
    // A drift far below the scatter of the days.
    [days(200, (day) => 100 + day * 0.001 + random() * 10), 'unclear'],
    // Up and down again.
    [days(21, (day) => 100 - Math.abs(day - 10)), 'unclear'],
  ] as const) {
    assert.equal(trendOf(points([...values])), expected, values.join())
    const mirrored = { rising: 'falling', falling: 'rising', unclear: 'unclear' } as const
    assert.equal(trendOf(points(values.map((value) => -value))), expected && mirrored[expected])
  }
  // Of days that only scatter, hardly any series has a trend.
  const found = days(400, () => 0).filter(() => trendOf(points(days(14, random))) !== 'unclear').length
  assert.ok(found <= 0.05 * 400, `${found} of 400`)
})

const stage = await startStage()
const now = Date.now()
const PATIENT = 'patient-1'
const of = (readingType: string, agoMs: number, fields: object) => ({
  patientUid: PATIENT,
  readingType,
  timestamp: now - agoMs,
  ...fields,
})
await stage.add([
  // Rising by one a day, but for the highest of all, five days ago, and the lowest at the beginning.
  ...days(12, (day) => day).map((day) =>
    of('bloodPressure', (11 - day) * DAY + HOUR, {
      systolic: day === 6 ? 181 : 120 + day,
      diastolic: 80 + (day % 2),
      pulse: 66,
    }),
  ),
  of('bodyWeight', 3 * DAY, { value: 71.45, unit: 'kg' }),
  of('oxygenSaturation', 2 * DAY, { value: 97 }),
  of('oxygenSaturation', DAY, { value: 97 }),
])
// A sensor: every five minutes for 200 days; its highest is one reading 123 days ago.
await runSql(
  stage.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select $1, to_timestamp($2::bigint - 300 * n), gen_random_uuid(), 'heartRate', $2::bigint - 300 * n,
     json_build_object('value', case n when 123 * 288 then 177 else 60 + n % 40 end), 'test'
   from generate_series(1, 200 * 288) n`,
  [PATIENT, Math.floor(now / 1_000)],
)

async function openCharts(t: Parameters<typeof stage.signIn>[0], query: string, options = {}) {
  const page = await stage.signIn(t, 'ada-example', { path: `charts?${query}`, ...options })
  await untilDrawn(page)
  return page
}
async function untilDrawn(page: Page) {
  await page.locator('.chart-pane h2').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.chart-pane[aria-busy="true"], .skeleton'))
}
const paneOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const time = (ms: number, options: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', ...options }).format(ms)
const dayOf = (ms: number) => time(ms, { day: 'numeric', month: 'short' })

test(
  'a caption says how many, the trend and the extremes with their times, also to screen readers',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, 'type=bloodPressure&type=bodyWeight&type=oxygenSaturation&range=14-days')
    const pressure = paneOf(page, 'Blood pressure')
    const [highest, lowest] = [now - 5 * DAY - HOUR, now - 11 * DAY - HOUR]
    const text = (await pressure.locator('.chart-caption').textContent()) ?? ''
    assert.ok(
      text.startsWith(
        `12 readings. Systolic: rising from day to day, highest 181 mmHg on ${dayOf(highest)}, ${time(highest)}, ` +
          `lowest 120 mmHg on ${dayOf(lowest)}, ${time(lowest)}. Diastolic: no clear trend from day to day, ` +
          // Of equal ones, the first.
          `highest 81 mmHg on ${dayOf(lowest + DAY)}, ${time(lowest + DAY)}, lowest 80 mmHg on ${dayOf(lowest)}, `,
      ),
      text,
    )
    assert.equal(
      await paneOf(page, 'Body weight').locator('.chart-caption').textContent(),
      `1 reading, 71.45 kg on ${dayOf(now - 3 * DAY)}, ${time(now - 3 * DAY)}.`,
    )
    assert.equal(
      await paneOf(page, 'Oxygen saturation').locator('.chart-caption').textContent(),
      '2 readings, all 97 %.',
    )
    assert.equal(
      await pressure.evaluate(
        (section) => document.getElementById(section.getAttribute('aria-describedby') ?? '')?.textContent,
      ),
      text,
    )
    await axe(page)
  },
)

/** Where the bar in the middle of the plot begins, in pixels from the top of the plot. */
function endOfBar(page: Page): Promise<number> {
  return page.locator('.chart-plot canvas').evaluate((canvas: HTMLCanvasElement) => {
    const ratio = devicePixelRatio
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const middle = Math.round((48 + (canvas.width / ratio - 60) / 2) * ratio)
    const { data } = context.getImageData(middle, 0, 1, canvas.height)
    for (let y = 0; y < canvas.height; y++) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(y * 4, y * 4 + 4)
      if (alpha > 160 && red < 80 && green < 150 && blue < 160) return y / ratio - 13
    }
    return Number.NaN
  })
}

for (const device of ['mouse', 'keys'] as const) {
  test(
    `the highest leads by ${device} to the day around it, where it is marked, and Back leads back`,
    inBrowser,
    async (t) => {
      const page = await openCharts(t, 'type=bloodPressure&range=14-days')
      const before = page.url()
      const link = paneOf(page, 'Blood pressure').getByRole('link', { name: /^181 mmHg/ })
      await (device === 'mouse' ? link.click() : pressByKeyboard(page, link))
      await page.waitForURL((url) => url.searchParams.has('mark'))
      const at = now - 5 * DAY - HOUR
      const query = new URL(page.url()).searchParams
      assert.equal(query.get('mark'), `bloodPressure@${new Date(at).toISOString()}`)
      assert.ok(Math.abs(Date.parse(query.get('from') ?? '') - (at - DAY / 2)) < 1_000)
      assert.ok(Math.abs(Date.parse(query.get('to') ?? '') - (at + DAY / 2)) < 1_000)
      const said = `181 / 80 mmHg · pulse 66 /min`
      await page.locator('.charts > [role=status]').getByText(said).waitFor()
      await page.mouse.move(0, 0)
      await page.locator('.chart-reading b').getByText(said).waitFor()
      // The name of the type is whole beside a long range, and so is the range.
      for (const width of [1_200, 1_280]) {
        await page.setViewportSize({ width, height: 800 })
        const cut = await page.locator('.charts-bar .chart-chosen').evaluateAll(
          (parts) =>
            parts.filter((part) => {
              const text = document.createRange()
              text.selectNodeContents(part)
              return text.getBoundingClientRect().width > part.getBoundingClientRect().width + 0.02
            }).length,
        )
        assert.equal(cut, 0, `${width} px`)
      }
      // In the middle of the plot; what the address says is shown to whoever opens it.
      const ring = async () => {
        const [box, area] = [
          await page.locator('.chart-marked').boundingBox(),
          await page.locator('.u-over').boundingBox(),
        ]
        return ((box?.x ?? 0) - (area?.x ?? 0)) / (area?.width ?? 1)
      }
      assert.ok(Math.abs((await ring()) - 0.5) < 0.01)
      // Its middle is the end of the bar.
      const [top, plot] = [
        await page.locator('.chart-marked i').first().boundingBox(),
        await page.locator('.u-over').boundingBox(),
      ]
      const endY = await endOfBar(page)
      assert.ok(top && plot && Math.abs(top.y + top.height / 2 - plot.y - endY) < 3, `${top?.y} ${endY}`)
      await page.reload()
      await untilDrawn(page)
      await page.locator('.chart-marked').waitFor()
      assert.ok(Math.abs((await ring()) - 0.5) < 0.01)
      // The keys are on the charts, and go on from here; the mark stays with its reading.
      const day = query.get('from')
      await page.getByRole('button', { name: 'Zoom out' }).click()
      await page.waitForURL(
        ({ searchParams }) => searchParams.get('from') !== day && searchParams.has('mark'),
      )
      await page.locator('.chart-marked').waitFor()
      await page.getByRole('button', { name: 'Last 14 days' }).click()
      await page.waitForURL((url) => !url.searchParams.has('mark'))
      await page.locator('.chart-marked').waitFor({ state: 'hidden' })
      for (let step = 0; step < 3; step++) await page.goBack()
      await page.waitForURL(before)
    },
  )
}

test('a range chosen while a zoom still moves is the one that stays, as one step', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=bloodPressure&range=14-days')
  const before = page.url()
  await page.evaluate(() => {
    const press = (name: string) =>
      [...document.querySelectorAll<HTMLElement>('.charts button')]
        .find((button) => [button.ariaLabel, button.textContent].some((text) => text?.includes(name)))
        ?.click()
    press('Zoom out')
    press('Last 7 days')
  })
  await page.waitForURL((url) => url.searchParams.get('range') === 'week')
  await untilDrawn(page)
  await page.goBack()
  await page.waitForURL(before)
})

test('from statistics too, the highest leads to the one reading that it is', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=heartRate&range=year')
  const heart = paneOf(page, 'Heart rate')
  await heart.getByText('Mean with minimum to maximum, by day').waitFor()
  const at = (Math.floor(now / 1_000) - 300 * 123 * 288) * 1_000
  await heart.getByRole('link', { name: `177 /min on ${dayOf(at)}` }).click()
  await page.waitForURL((url) => url.searchParams.get('mark') === `heartRate@${new Date(at).toISOString()}`)
  await untilDrawn(page)
  await heart.locator('.chart-reading b').getByText('177 /min').waitFor()
})
