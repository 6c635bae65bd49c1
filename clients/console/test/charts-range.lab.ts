// The range of the charts: every choice by mouse, touch and keys, in the address, and Back and Forward through zooms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Reading } from '../../typescript/src/client.ts'
import { type ChosenRange, rangeOf } from '../src/screens/charts/time-range.ts'
import { inBrowser, startStage } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const DAY = 86_400_000
const now = Date.now()
const BERLIN = 'Europe/Berlin'
const VALUES = [90, 97, 91, 97, 95]

await stage.add([
  ...Array.from(
    { length: 120 },
    (_, day): Reading => ({
      patientUid: 'patient-1',
      readingType: 'oxygenSaturation',
      timestamp: now - day * DAY,
      value: VALUES[day % VALUES.length],
    }),
  ),
  ...['MODERATE', 'SEVERE', 'MILD', 'ODD'].map((severity, hours) => ({
    patientUid: 'patient-1',
    readingType: 'symptom',
    timestamp: now - (hours + 1) * 3_600_000,
    symptoms: [{ symptom: ['itch', 'ache', 'cough', 'zest'][hours], severity }],
  })),
])

const oxygen = (page: Page) => page.getByRole('region', { name: 'Oxygen saturation', exact: true })

async function untilDrawn(page: Page) {
  await page.locator('.chart-pane h2').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.chart-pane[aria-busy="true"], .skeleton'))
}

async function openCharts(t: Parameters<typeof stage.signIn>[0], query: string, options = {}) {
  const page = await stage.signIn(t, 'ada-example', { path: `charts?${query}`, ...options })
  await untilDrawn(page)
  return page
}

const days = new Intl.DateTimeFormat('en-GB', {
  timeZone: BERLIN,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** Until the button that opens the panel says these days. */
async function untilShows(page: Page, chosen: ChosenRange) {
  const { fromMs, toMs } = rangeOf(chosen, Date.now(), BERLIN)
  await page
    .locator('.chart-dates summary')
    .getByText(days.formatRange(fromMs, toMs - 1))
    .waitFor()
}

for (const [device, options] of [
  ['mouse', {}],
  ['touch', { width: 390, height: 844, hasTouch: true }],
  ['keys', {}],
] as const) {
  test(`every range is chosen by ${device}, and a link to it keeps it relative`, inBrowser, async (t) => {
    const page = await openCharts(t, 'type=oxygenSaturation', options)
    const panel = page.locator('.chart-dates')
    const press = (target: Locator) => {
      if (device === 'keys') return pressByKeyboard(page, target)
      return device === 'touch' ? target.tap() : target.click()
    }
    for (const [name, range] of [
      ['Last 14 days', '14-days'],
      ['Last 90 days', '90-days'],
      ['Last month', 'last-month'],
      ['Last 7 days', 'week'],
    ] as const) {
      await press(panel.locator('summary'))
      await press(panel.getByRole('button', { name }))
      await page.waitForURL((url) => url.searchParams.get('range') === range)
      await panel.getByRole('button', { name }).waitFor({ state: 'hidden' })
      await untilShows(page, { preset: range })
      // The focus is back on what opened the panel.
      assert.ok(await panel.locator('summary').evaluate((element) => element === document.activeElement))
    }
    await press(panel.locator('summary'))
    const field = panel.getByLabel('Since')
    if (device === 'keys') await tabTo(page, field)
    else await field.fill(new Date(now - 40 * DAY).toISOString().slice(0, 10))
    const since = await field.inputValue()
    if (device === 'keys') await page.keyboard.press('Enter')
    else await press(panel.getByRole('button', { name: 'From this day until now' }))
    await page.waitForURL((url) => url.searchParams.get('range') === `since-${since}`)
    await untilShows(page, { since })
    assert.deepEqual([...new URL(page.url()).searchParams.keys()].toSorted(), ['range', 'type'])
    await page.reload()
    await untilDrawn(page)
    await untilShows(page, { since })
  })
}

test(
  'Back undoes a zoom, a pan and a choice, one by one, and Forward does them again',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, 'type=oxygenSaturation&range=month')
    const area = (await page.locator('.u-over').boundingBox()) ?? assert.fail('no plot')
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2]
    const ranges = [page.url()]
    /** One step, however many events it has. */
    const step = async (act: () => Promise<void>) => {
      const [before, steps] = [page.url(), await page.evaluate(() => history.length)]
      await act()
      await page.waitForFunction((href) => location.href !== href, before)
      // What is written later than the hand rests would be a step too many.
      await page.waitForTimeout(500)
      assert.equal(await page.evaluate(() => history.length), steps + 1)
      ranges.push(page.url())
    }
    await page.mouse.move(x, y)
    await step(async () => {
      await page.keyboard.down('Control')
      for (let turn = 0; turn < 5; turn++) {
        await page.mouse.wheel(0, -60)
        // Longer than the hand needs to rest, shorter than a new movement takes.
        await page.waitForTimeout(100)
      }
      await page.keyboard.up('Control')
    })
    await step(async () => {
      await page.mouse.down()
      for (const part of [0.05, 0.1, 0.15]) {
        await page.mouse.move(x + area.width * part, y, { steps: 2 })
        await page.waitForTimeout(600)
      }
      await page.mouse.up()
    })
    await step(() => page.getByRole('button', { name: 'Zoom out' }).click())
    await step(async () => {
      await tabTo(page, page.getByRole('group', { name: /^Charts\./ }))
      await page.keyboard.press('ArrowLeft')
    })
    await step(() => page.getByRole('button', { name: 'Last 7 days' }).click())
    // The same again is no step.
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    for (const href of ranges.slice(0, -1).toReversed()) {
      await page.goBack()
      await page.waitForURL(href)
      await untilDrawn(page)
    }
    await page.getByRole('button', { name: 'Last 30 days', pressed: true }).waitFor()
    const readings = await oxygen(page).locator('.chart-caption').textContent()
    for (const href of ranges.slice(1)) {
      await page.goForward()
      await page.waitForURL(href)
      await untilDrawn(page)
    }
    await page.getByRole('button', { name: 'Last 7 days', pressed: true }).waitFor()
    assert.notEqual(await oxygen(page).locator('.chart-caption').textContent(), readings)
  },
)

test(
  'the table is sorted by each column, stays so, and equal ones stay newest first',
  inBrowser,
  async (t) => {
    const page = await openCharts(t, 'type=oxygenSaturation&type=symptom&range=week')
    await page.getByRole('button', { name: 'Show as table' }).click()
    const cells = (name: string) =>
      oxygen(page)
        .getByRole(name as 'cell')
        .allTextContents()
    const head = (name: string) => oxygen(page).getByRole('columnheader', { name })
    assert.equal(await head('Measured').getAttribute('aria-sort'), 'descending')
    const newestFirst = await cells('rowheader')
    const values = VALUES.concat(VALUES).slice(0, 7)
    assert.deepEqual(
      await cells('cell'),
      values.map((value) => `${value} %`),
    )
    await pressByKeyboard(page, head('Value').getByRole('button'))
    assert.equal(await head('Value').getAttribute('aria-sort'), 'descending')
    assert.equal(await head('Measured').getAttribute('aria-sort'), null)
    // 97 of one day ago before that of three days ago.
    const byValue = (sign: number) =>
      values
        .map((value, day) => ({ value, day }))
        .toSorted((a, b) => sign * (a.value - b.value) || a.day - b.day)
    assert.deepEqual(
      await cells('rowheader'),
      byValue(-1).map(({ day }) => newestFirst[day]),
    )
    await head('Value').getByRole('button').click()
    assert.equal(await head('Value').getAttribute('aria-sort'), 'ascending')
    assert.deepEqual(
      await cells('rowheader'),
      byValue(1).map(({ day }) => newestFirst[day]),
    )
    // Hidden and shown again, and in another range, it is sorted as before.
    await page.getByRole('button', { name: 'Hide the table' }).click()
    await page.getByRole('button', { name: 'Last 14 days' }).click()
    await untilDrawn(page)
    await page.getByRole('button', { name: 'Show as table' }).click()
    assert.equal(await head('Value').getAttribute('aria-sort'), 'ascending')
    assert.equal((await cells('cell'))[0], '90 %')

    const symptoms = page.getByRole('region', { name: 'Symptoms', exact: true })
    const sorted = async (name: string) => {
      await symptoms.getByRole('columnheader', { name }).getByRole('button').click()
      const texts = await symptoms.getByRole('cell').allTextContents()
      return texts.filter((_, index) => index % 2 === 0).join(' ')
    }
    assert.equal(await sorted('Symptom'), 'ache cough itch zest')
    assert.equal(await sorted('Symptom'), 'zest itch cough ache')
    assert.equal(await sorted('Severity'), 'ache itch cough zest')
    assert.equal(await sorted('Severity'), 'cough itch ache zest')
    await axe(page)
  },
)

test('the panel of ranges fits a phone, in every look', inBrowser, async (t) => {
  for (const look of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { forcedColors: 'active' },
  ] as const) {
    const page = await openCharts(t, 'type=oxygenSaturation&range=14-days', {
      width: 320,
      height: 640,
      hasTouch: true,
      ...look,
    })
    await assertNoOverflow(page)
    await page.locator('.chart-dates summary').tap()
    await axe(page)
    const box = (await page.locator('.chart-dates .chart-options').boundingBox()) ?? assert.fail()
    assert.ok(box.x >= 0 && box.x + box.width <= 320 && box.y + box.height <= 640, JSON.stringify(box))
    const small = await page
      .locator('.chart-dates .chart-options :is(button, input)')
      .evaluateAll((parts) => parts.filter((part) => part.getBoundingClientRect().height < 39.5).length)
    assert.equal(small, 0, 'every target is as high as a thumb needs')
  }
})
