// Charts as people use them, in a browser: any type over any range, by mouse, touch and keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { runSql } from '../../../test/support/harness.ts'
import type { Reading } from '../../typescript/src/client.ts'
import { startOfDay } from '../src/format/zone-calendar.ts'
import { COLOUR_SCHEMES, inBrowser, startStage, WIDTHS } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const now = Date.now()
const PATIENT = 'patient-1'

const of = (readingType: string, agoMs: number, fields: Record<string, unknown>): Reading => ({
  patientUid: PATIENT,
  readingType,
  timestamp: now - agoMs,
  ...fields,
})

// Every five minutes for a year, but for two days, ten days ago: as a sensor does.
await runSql(
  stage.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select $1, to_timestamp($2::bigint - 300 * n), gen_random_uuid(), 'heartRate', $2::bigint - 300 * n,
     json_build_object('value', 60 + n % 40), 'test'
   from generate_series(1, 100000) n
   where n not between 2880 and 3456`,
  [PATIENT, Math.floor(now / 1_000)],
)
await stage.add([
  ...[5, 4, 3, 2, 1].map((days) => of('bloodGlucose', days * DAY, { value: 5 + days / 10, unit: 'mmol/L' })),
  of('bloodGlucose', 6 * HOUR, { value: 126, unit: 'mg/dL' }),
  ...[6, 4, 2].map((days) =>
    of('bloodPressure', days * DAY, { systolic: 120 + days, diastolic: 80, pulse: 66 }),
  ),
  of('bodyWeight', 300 * DAY, { value: 71.4, unit: 'kg' }),
  of('symptom', 3 * DAY, {
    symptoms: [
      { symptom: '<img src=x onerror=alert(1)>', severity: 'SEVERE' },
      { symptom: 'צינון قوي', severity: 'MILD' },
      { symptom: 'x'.repeat(500), severity: 'VERY_ODD' },
    ],
  }),
  ...Array.from({ length: 130 }, (_, index) =>
    of('oxygenSaturation', (index + 1) * 5 * HOUR, { value: 90 + (index % 10) }),
  ),
])

const pane = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const group = (page: Page) => page.getByRole('group', { name: /^Charts\./ })
const reading = (within: Locator) => within.locator('.chart-reading')
const figure = (within: Locator, name: string) =>
  within.locator('dl > div').filter({ hasText: name }).locator('dd')
const caption = (within: Locator) => within.locator('.chart-caption')

/** What the caption says of the extremes: "60 to 99". */
async function spread(within: Locator): Promise<string> {
  const text = (await caption(within).textContent()) ?? ''
  const found = ['lowest', 'highest'].map((side) => text.split(`${side} `)[1]?.split(' ')[0])
  return found.join(' to ')
}

async function countOf(within: Locator): Promise<number> {
  return Number((await caption(within).textContent())?.split(' reading')[0]?.replaceAll(/\D/g, ''))
}

/** Until no pane is loading. */
async function untilDrawn(page: Page) {
  await page.locator('.chart-pane').first().waitFor()
  await page.waitForFunction(
    () => document.querySelectorAll('.chart-pane[aria-busy="true"], .chart-plot.skeleton').length === 0,
  )
}

async function openCharts(t: Parameters<typeof stage.signIn>[0], query: string, options = {}) {
  const page = await stage.signIn(t, 'ada-example', { path: `charts?${query}`, ...options })
  await untilDrawn(page)
  return page
}

type Range = { from: number; to: number }

/** The range in the address, in milliseconds. */
function rangeOf(page: Page): Range {
  return rangeIn(new URL(page.url()))
}

function rangeIn({ searchParams }: URL): Range {
  return { from: Date.parse(searchParams.get('from') ?? ''), to: Date.parse(searchParams.get('to') ?? '') }
}

/**
 * Until the address has the range of a movement as a whole: a busy machine pauses in the middle of one, and the address has where it
 * was then, for a moment.
 */
async function untilRange(page: Page, isExpected: (range: Range) => boolean): Promise<Range> {
  await page.waitForURL(({ href }) => isExpected(rangeIn(new URL(href))))
  return rangeOf(page)
}

async function pointAt(page: Page, within: Locator, part: number) {
  const box = (await within.locator('.u-over').boundingBox()) ?? assert.fail('no plot')
  await page.mouse.move(box.x + box.width * part, box.y + box.height / 2)
}

/** In which parts of the width, of `of`, anything of the line's colour is drawn. */
function drawnParts(within: Locator, parts: number): Promise<boolean[]> {
  return within.locator('canvas').evaluate((canvas: HTMLCanvasElement, count) => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--accent)'
    document.body.append(probe)
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
    probe.remove()
    const ratio = devicePixelRatio
    const [left, right] = [48 * ratio, canvas.width - 12 * ratio]
    const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
      0,
      0,
      canvas.width,
      canvas.height,
    )
    const found = Array.from({ length: count }, () => false)
    for (let at = 0; at < data.length; at += 4) {
      const isNear = [red, green, blue].every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < 24)
      if (!isNear || (data[at + 3] ?? 0) < 160) continue
      const x = (at / 4) % canvas.width
      if (x >= left && x < right) found[Math.floor(((x - left) / (right - left)) * count)] = true
    }
    return found
  }, parts)
}

test(
  'a year of 100,000 readings is drawn as statistics by day, and two days without readings stay a gap',
  inBrowser,
  async (t) => {
    const asked: string[] = []
    const page = await stage.open(t, { path: 'charts?type=heartRate&range=year' })
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await page.getByRole('button', { name: /Ada Example/ }).click()
    await untilDrawn(page)
    const heart = pane(page, 'Heart rate')
    assert.match((await reading(heart).textContent()) ?? '', /Mean with minimum to maximum, by day/)
    assert.ok(asked.includes('statistics') && !asked.includes('get'))
    const count = await countOf(heart)
    assert.ok(count > 98_000 && count <= 99_423, String(count))
    assert.equal(await spread(heart), '60 to 99')

    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await untilDrawn(page)
    await page.waitForFunction(() =>
      document.querySelector('.chart-summary')?.textContent?.includes('without readings'),
    )
    const drawn = await drawnParts(heart, 30)
    // From the end: today, and ten days until the gap.
    assert.deepEqual(
      drawn.slice(0, 16),
      drawn.slice(0, 16).map(() => true),
    )
    assert.ok(drawn.slice(17, 20).includes(false), JSON.stringify(drawn))
    assert.ok(drawn.slice(21, 29).every(Boolean), JSON.stringify(drawn))
    // The middle of the day before yesterday; where clocks changed on it, it has an hour more or less.
    await pointAt(page, heart, 27.5 / 30)
    await heart.getByText(/^mean \d/).waitFor()
    const [begin, end] = [-2, -1].map((days) => startOfDay(now, 'Europe/Berlin', days)) as [number, number]
    const text = (await reading(heart).textContent()) ?? ''
    assert.match(text, /mean [\d.]+ \/min, \d+ – \d+ \/min .*20\d\d · \d+ readings/)
    assert.ok(text.includes(` · ${(end - begin) / 300_000} readings`), text)
  },
)

test(
  'zooming in by the wheel comes to single readings, keeps what is under the pointer, and writes the address',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, 'type=heartRate&range=week')
    const heart = pane(page, 'Heart rate')
    await pointAt(page, heart, 0.5)
    const steps = await page.evaluate(() => history.length)
    await page.keyboard.down('Control')
    for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, -200)
    await page.keyboard.up('Control')
    await page.mouse.move(0, 0)
    await heart.getByText('Each reading', { exact: true }).waitFor()
    await page.waitForFunction((most) => {
      const query = new URL(location.href).searchParams
      return Date.parse(query.get('to') ?? '') - Date.parse(query.get('from') ?? '') < most
    }, 1.1 * DAY)
    const { from, to } = rangeOf(page)
    assert.ok(to - from > 0.8 * DAY, String(to - from))
    // Half a week before the end of today, in Berlin.
    assert.ok(Math.abs((from + to) / 2 - (now - 3.5 * DAY)) < 1.1 * DAY)
    assert.equal(await page.evaluate(() => history.length), steps + 1)

    const count = await countOf(heart)
    await page.reload()
    await untilDrawn(page)
    assert.deepEqual(rangeOf(page), { from, to })
    assert.equal(await countOf(heart), count)
  },
)

test(
  'dragging moves, dragging with Shift zooms to a part, and a double click zooms in',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, `type=heartRate&from=${iso(now - 10 * DAY)}&to=${iso(now - 5 * DAY)}`)
    const before = rangeOf(page)
    const box = (await page.locator('.u-over').boundingBox()) ?? assert.fail()
    const y = box.y + 50
    await page.mouse.move(box.x + 100, y)
    await page.mouse.down()
    await page.mouse.move(box.x + 100 + box.width / 5, y, { steps: 4 })
    await page.mouse.up()
    // A fifth of five days.
    const dragged = await untilRange(page, ({ from }) => Math.abs(before.from - from - DAY) < 5_000)
    assert.ok(Math.abs(dragged.to - dragged.from - 5 * DAY) < 2_000)

    await page.keyboard.down('Shift')
    await page.mouse.move(box.x + box.width * 0.4, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await changed(page, dragged)
    const marked = rangeOf(page)
    assert.ok(Math.abs(marked.to - marked.from - DAY) < HOUR / 4)
    assert.ok(Math.abs(marked.from - dragged.from - 2 * DAY) < HOUR / 4)

    await page.mouse.dblclick(box.x + box.width / 2, y)
    await changed(page, marked)
    const closer = rangeOf(page)
    assert.ok(Math.abs(closer.to - closer.from - DAY / 2) < HOUR / 4)
  },
)

test('two fingers zoom and one moves, with what is under them staying there', inBrowser, async (t) => {
  const page = await openCharts(t, `type=heartRate&from=${iso(now - 9 * DAY)}&to=${iso(now - DAY)}`, {
    width: 360,
    hasTouch: true,
  })
  const before = rangeOf(page)
  const box = (await page.locator('.u-over').boundingBox()) ?? assert.fail()
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...parts: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: parts.map((part, id) => ({ x: box.x + box.width * part, y: box.y + 60, id })),
    })
  await touch('touchStart', 0.4, 0.6)
  await touch('touchMove', 0.3, 0.7)
  await touch('touchMove', 0.2, 0.8)
  await touch('touchEnd')
  const span = before.to - before.from
  // What was from 0.4 to 0.6 is now from 0.2 to 0.8: a third of the range, around the same middle.
  const pinched = await untilRange(page, ({ from, to }) => Math.abs(to - from - span / 3) < span / 50)
  assert.ok(Math.abs(pinched.to + pinched.from - before.to - before.from) < span / 25)
  await touch('touchStart', 0.5)
  await touch('touchMove', 0.6)
  await touch('touchMove', 1)
  await touch('touchEnd')
  await untilRange(page, ({ from }) => from < pinched.from - span / 8)
})

test('everything on the charts is done by keys alone', inBrowser, async (t) => {
  const page = await openCharts(t, `type=oxygenSaturation&from=${iso(now - 8 * DAY)}&to=${iso(now)}`)
  await tabTo(page, group(page))
  const before = rangeOf(page)
  await page.keyboard.press('ArrowLeft')
  await changed(page, before)
  const earlier = rangeOf(page)
  assert.ok(Math.abs(before.from - earlier.from - (before.to - before.from) / 5) < 2_000)
  await page.keyboard.press('+')
  await changed(page, earlier)
  const closer = rangeOf(page)
  assert.ok(Math.abs(closer.to - closer.from - (earlier.to - earlier.from) / 2) < 2_000)
  await page.keyboard.press('-')
  await changed(page, closer)
  // From reading to reading, said aloud.
  const spoken = page.locator('.charts > [role=status]')
  await page.keyboard.press('Shift+ArrowRight')
  await spoken.getByText(/^Oxygen saturation, \d+ \w+ 20\d\d, \d\d:\d\d: 9\d %$/).waitFor()
  const first = await spoken.textContent()
  await page.keyboard.press('Shift+ArrowRight')
  await page.waitForFunction(
    (text) => document.querySelector('.charts > [role=status]')?.textContent !== text,
    first,
  )
  assert.equal(
    await reading(pane(page, 'Oxygen saturation')).locator('b').textContent(),
    (await spoken.textContent())?.split(': ')[1],
  )

  await pressByKeyboard(page, page.getByRole('button', { name: 'Show as table' }))
  await page.getByRole('table').waitFor()
  await tabTo(page, page.locator('.chart-picker summary'))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('checkbox', { name: 'Blood pressure' }))
  await page.keyboard.press('Space')
  await pane(page, 'Blood pressure').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('checkbox', { name: 'Blood pressure' }).isVisible(), false)
  assert.deepEqual(new URL(page.url()).searchParams.getAll('type'), ['oxygenSaturation', 'bloodPressure'])
})

test('glucose of both units is shown in the one chosen, and says what was stored', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=bloodGlucose&range=week')
  const glucose = pane(page, 'Blood glucose')
  await glucose.getByText('Each reading · 1 reading stored in mg/dL, shown in mmol/L').waitFor()
  // 5.1 to 5.5 mmol/L, and 126 / 18.0156.
  assert.equal(await spread(glucose), '5.1 to 7.0')
  await glucose.getByRole('button', { name: 'mg/dL' }).click()
  await glucose.getByText('Each reading · 5 readings stored in mmol/L, shown in mg/dL').waitFor()
  assert.equal(await spread(glucose), '92 to 126')
  assert.equal(new URL(page.url()).searchParams.get('unit'), 'mg/dL')
  await page.getByRole('button', { name: 'Show as table' }).click()
  const rows = glucose.getByRole('row')
  assert.deepEqual(await rows.nth(0).getByRole('columnheader').allTextContents(), [
    'Measured',
    'Value',
    'Stored as',
  ])
  assert.deepEqual(await rows.nth(1).getByRole('cell').allTextContents(), ['126 mg/dL', 'as shown'])
  assert.deepEqual(await rows.nth(2).getByRole('cell').allTextContents(), ['92 mg/dL', '5.1 mmol/L'])
})

test(
  'blood pressure is shown in pairs, and several types share one axis and one pointer',
  inBrowser,
  async (t) => {
    const page = await openCharts(
      t,
      `type=bloodPressure&type=bloodGlucose&type=symptom&from=${iso(now - 8 * DAY)}&to=${iso(now)}`,
    )
    const [pressure, glucose, symptoms] = [
      pane(page, 'Blood pressure'),
      pane(page, 'Blood glucose'),
      pane(page, 'Symptoms'),
    ]
    assert.equal(await figure(pressure, 'mean mmHg').textContent(), '124 / 80')
    await pointAt(page, pressure, 0.5)
    await pressure.getByText('124 / 80 mmHg · pulse 66 /min').waitFor()
    await glucose.getByText('5.4 mmol/L').waitFor()
    const texts = await page.locator('.chart-axis span').allTextContents()
    assert.ok(texts.length >= 4 && texts.every((text) => /^\d+ \w+$/.test(text)), texts.join())
    await pointAt(page, pressure, 5 / 8)
    await symptoms.getByText(/, severe · x+…, very odd · .*, mild/).waitFor()
  },
)

test('symptoms are a strip with severities in words, and markup in them is text', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=symptom&range=week', { width: 320 })
  const symptoms = pane(page, 'Symptoms')
  assert.deepEqual(await symptoms.locator('.chart-severity').allTextContents(), [
    'mild',
    'severe',
    'other words',
  ])
  await symptoms.getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor()
  await assertNoOverflow(page)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const cells = await symptoms
    .getByRole('row')
    .filter({ hasText: '<img' })
    .getByRole('cell')
    .allTextContents()
  assert.deepEqual(cells, ['<img src=x onerror=alert(1)>', 'severe'])
})

test('the table has every reading in sight, in pages', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=oxygenSaturation&range=month')
  await page.getByRole('button', { name: 'Show as table' }).click()
  const oxygen = pane(page, 'Oxygen saturation')
  const seen = new Set<string>()
  for (const name of ['Page 1 of 3', 'Page 2 of 3', 'Page 3 of 3']) {
    await oxygen.getByText(name).waitFor()
    for (const time of await oxygen.getByRole('rowheader').allTextContents()) seen.add(time)
    assert.match((await oxygen.getByRole('cell').first().textContent()) ?? '', /^9\d %$/)
    const next = oxygen.getByRole('button', { name: 'Next' })
    if (await next.isEnabled()) await next.click()
  }
  assert.equal(seen.size, 130)
})

test('a range without readings says so, and leads to the newest', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=bodyWeight&range=month')
  const weight = pane(page, 'Body weight')
  await weight.getByText('There are no readings of body weight in this range.').waitFor()
  await weight.getByRole('button', { name: 'Show the newest' }).click()
  await weight.getByText(/^1 reading, 71.4 kg on /).waitFor()
  await page.goBack()
  await weight.getByText('There are no readings of body weight in this range.').waitFor()
})

test('a request that fails says what to do, with its id, and can be tried again', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'today', ignoring: [/400/] })
  let fails = true
  await page.route('**/readings/statistics?**', (route) =>
    fails
      ? route.fulfill({
          status: 400,
          contentType: 'application/json',
          body: JSON.stringify({
            status: 'error',
            code: 'ValidationFailed',
            message: 'No.',
            requestId: 'r-42',
            retryable: true,
            errors: [],
          }),
        })
      : route.continue(),
  )
  await page.goto(`${stage.origin}/console/charts?type=heartRate&range=month`)
  const heart = pane(page, 'Heart rate')
  await heart.getByRole('alert').getByText('r-42').waitFor()
  fails = false
  await heart.getByRole('button', { name: 'Try again' }).click()
  await heart.getByText(/^Mean with minimum to maximum/).waitFor()
  assert.equal(await heart.getByRole('alert').count(), 0)
})

test('requests for a range that was left are aborted', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'today' })
  // A stream that opens asks to read again; this one stays connecting.
  await page.route('**/readings/stream?**', () => {})
  await page.goto(`${stage.origin}/console/charts?type=heartRate&range=month`)
  await untilDrawn(page)
  const failed: string[] = []
  page.on('requestfailed', (request) => void failed.push(request.url()))
  let left: string | undefined
  await page.route('**/readings/statistics?**', async (route) => {
    // The first is held until the page has left it.
    if (left !== undefined) return route.continue()
    left = route.request().url()
    await page.waitForEvent('requestfailed')
    return undefined
  })
  await page.getByRole('button', { name: 'Last 12 months' }).click()
  await page.waitForFunction(() => document.querySelector('.chart-pane')?.ariaBusy === 'true')
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await untilDrawn(page)
  assert.deepEqual(failed, [left])
})

test('a reading that arrives appears, among readings and in statistics', inBrowser, async (t) => {
  const page = await openCharts(t, `type=oxygenSaturation&type=heartRate&range=week`)
  const [oxygen, heart] = [pane(page, 'Oxygen saturation'), pane(page, 'Heart rate')]
  await page.getByText('Live', { exact: false }).first().waitFor()
  await stage.add([
    of('oxygenSaturation', 60_000, { value: 71 }),
    of('heartRate', 61_000, { value: 200 }),
    of('heartRate', 200 * DAY, { value: 3 }),
  ])
  await page.locator('.charts > [role=status]').getByText('New reading. ').waitFor()
  await caption(oxygen)
    .getByText(/lowest 71 %/)
    .waitFor()
  await caption(heart)
    .getByText(/highest 200 \/min/)
    .waitFor()
})

test(
  'charts have no violation of axe-core, and nothing overlaps at any width, in light and dark',
  inBrowser,
  async (t) => {
    for (const colorScheme of COLOUR_SCHEMES) {
      const page = await openCharts(
        t,
        'type=heartRate&type=bloodPressure&type=bloodGlucose&type=symptom&range=month',
        { colorScheme },
      )
      await page.getByRole('button', { name: 'Show as table' }).click()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await untilDrawn(page)
        await assertNoOverflow(page)
        await axe(page)
      }
      await page.locator('.chart-picker summary').click()
      await axe(page)
      await page.locator('.chart-dates summary').click()
      await axe(page)
    }
  },
)

test('fingersticks are dots without a line between them', inBrowser, async (t) => {
  const page = await openCharts(t, `type=bloodGlucose&from=${iso(now - 5.5 * DAY)}&to=${iso(now + DAY / 2)}`)
  const drawn = await drawnParts(pane(page, 'Blood glucose'), 60)
  // Six readings; a dot reaches into two parts at most.
  const count = drawn.filter(Boolean).length
  assert.ok(count >= 6 && count <= 12, JSON.stringify(drawn))
})

test(
  'the least of one day among weeks is drawn, also where the days around it are empty',
  inBrowser,
  async (t) => {
    const at = now - 200 * DAY
    await runSql(
      stage.ownerUrl,
      `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp($2::bigint + 60 * n), gen_random_uuid(), 'respiratoryRate', $2::bigint + 60 * n,
       json_build_object('value', case n when 700 then 4 else 18 end), 'test'
     from generate_series(1, 2500) n`,
      [PATIENT, Math.floor(at / 1_000)],
    )
    const page = await openCharts(
      t,
      `type=respiratoryRate&from=${iso(at - 30 * DAY)}&to=${iso(at + 30 * DAY)}`,
    )
    const breathing = pane(page, 'Breathing rate')
    await breathing.getByText('Mean with minimum to maximum, by day').waitFor()
    assert.equal(await spread(breathing), '4 to 18')
    // Something of the line's colour stands in the lowest quarter of the plot, where 4 is and no mean.
    const lowest = await breathing.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      const top = Math.round(canvas.height * 0.7)
      const { data } = context.getImageData(60, top, canvas.width - 80, canvas.height - top)
      let found = 0
      for (let index = 0; index < data.length; index += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(index, index + 4)
        if (alpha > 160 && red < 80 && green < 150 && blue < 160) found++
      }
      return found
    })
    assert.ok(lowest > 4, `${lowest} pixels`)
  },
)

for (const colorScheme of COLOUR_SCHEMES) {
  test(`with forced colours on ${colorScheme} everything drawn can be told apart`, inBrowser, async (t) => {
    const page = await openCharts(t, 'type=heartRate&type=symptom&range=month', {
      colorScheme,
      forcedColors: 'active',
    })
    const share = await pane(page, 'Heart rate')
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => {
        const probe = document.createElement('span')
        probe.style.color = 'CanvasText'
        document.body.append(probe)
        const text = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
        probe.remove()
        const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
          0,
          0,
          canvas.width,
          canvas.height,
        )
        let [full, faint] = [0, 0]
        for (let index = 0; index < data.length; index += 4) {
          const alpha = data[index + 3] ?? 0
          const isText = [0, 1, 2].every(
            (part) => Math.abs((text[part] ?? 0) - (data[index + part] ?? 0)) < 40,
          )
          if (alpha > 200 && isText) full++
          else if (alpha > 30) faint++
        }
        return { full: full / (data.length / 4), faint: faint / (data.length / 4) }
      })
    // Lines and ends of bars in the colour of text; bars and grid weaker than they are.
    assert.ok(share.full > 0.003 && share.full < 0.1, JSON.stringify(share))
    assert.ok(share.faint > 0.05, JSON.stringify(share))
    // What is chosen can be seen without colour of our own.
    const colourOf = (pressed: boolean) =>
      page
        .getByRole('group', { name: 'Range' })
        .getByRole('button', { pressed })
        .first()
        .evaluate((button) => getComputedStyle(button).backgroundColor)
    assert.notEqual(await colourOf(true), await colourOf(false))
    await axe(page)
  })
}

test('the colours follow when they are forced while one looks', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=heartRate&range=week')
  const heart = pane(page, 'Heart rate')
  assert.ok((await drawnParts(heart, 4)).every(Boolean))
  await page.emulateMedia({ forcedColors: 'active' })
  // Every colour that is asked for is that of text now.
  for (const giveUpAt = Date.now() + 10_000; !(await drawnParts(heart, 4)).every(Boolean); )
    assert.ok(Date.now() < giveUpAt, 'drawn in the forced colours')
})

for (const person of ['ada-example', 'robin-example', 'kim-sample'] as const) {
  test(`on the phone of ${person} the plot starts in the upper third`, inBrowser, async (t) => {
    const [patientUid, height] = [person === 'robin-example' ? 'child-1' : PATIENT, 812]
    await stage.add([{ patientUid, readingType: 'painScore', value: 4, timestamp: now - HOUR }])
    const page = await stage.signIn(t, person, {
      path: `charts?patient=${patientUid}&type=painScore&range=week`,
      width: 375,
      height,
    })
    await untilDrawn(page)
    await page.getByText('Live', { exact: true }).waitFor()
    const box = (await page.locator('.u-over').boundingBox()) ?? assert.fail('no plot')
    assert.ok(box.y < height / 3, `the plot starts at ${box.y} px`)
    assert.ok(box.y + box.height < height - 64, `the plot ends at ${box.y + box.height} px`)
    await assertNoOverflow(page)
    // What the pointer is on is said above the plot, and moves nothing.
    await pointAt(page, page.locator('.charts'), 0.95)
    const after = await page.locator('.u-over').boundingBox()
    assert.deepEqual(after, box)
    // The focus goes on in the order in which things stand.
    const tops = await page
      .locator(
        '.chart-picker summary, .chart-dates summary, .charts-panes, .seg[aria-label=Range], .chart-steps',
      )
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top))
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    )
  })
}

test('the line is drawn in the colours of the theme when it changes', inBrowser, async (t) => {
  const page = await openCharts(t, 'type=heartRate&range=week')
  const heart = pane(page, 'Heart rate')
  assert.ok((await drawnParts(heart, 4)).every(Boolean))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches)
  // The page is told of the theme after the query matches, and draws then.
  for (const giveUpAt = Date.now() + 10_000; !(await drawnParts(heart, 4)).every(Boolean); )
    assert.ok(Date.now() < giveUpAt, 'drawn in the new colours')
})

function iso(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace('.000', '')
}

/** Until the address has another range. */
async function changed(page: Page, { from, to }: Range) {
  await page.waitForFunction(
    ([oldFrom, oldTo]) => {
      const query = new URL(location.href).searchParams
      const [newFrom, newTo] = [query.get('from'), query.get('to')].map((text) => Date.parse(text ?? ''))
      return newFrom !== oldFrom || newTo !== oldTo
    },
    [from, to],
  )
  await untilDrawn(page)
}
