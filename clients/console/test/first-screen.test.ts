// What a screen asks for when it is opened: each resource once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'

const stage = await startStage()
await stage.add(everyKind('patient-1', Date.now()))

/** The requests of the page to the API, without the present in them. */
function countRequests(page: Page): Map<string, number> {
  const counts = new Map<string, number>()
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url())
    if (origin !== stage.origin || pathname.startsWith('/console/assets/')) return
    const resource = `${pathname}${search.replaceAll(/\b(from|to)=[\d.]+/g, '$1=…')}`
    counts.set(resource, (counts.get(resource) ?? 0) + 1)
  })
  return counts
}

async function untilQuiet(page: Page) {
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.locator('.spark:empty').first().waitFor({ state: 'detached' })
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

for (const [path, shown] of [
  ['today', 'Heart rate'],
  ['charts?type=heartRate&type=bloodPressure', 'Heart rate'],
  ['access', 'You'],
] as const) {
  test(`${path} reads each resource once`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
    const counts = countRequests(page)
    await page.clock.install()
    await page.goto(`${stage.origin}/console/${path}`)
    await page.getByText(shown).first().waitFor()
    await untilQuiet(page)
    // What the opening of the stream might start, it would start within half a second. This request is the last.
    await page.clock.runFor(1_000)
    await page.evaluate(() => fetch('/console/licences.json'))
    assert.equal(counts.get('/console/licences.json'), 1)
    assert.ok([...counts.keys()].some((resource) => resource.startsWith('/casesheet/readings/')))
    const twice = [...counts].filter(([, count]) => count > 1)
    assert.deepEqual(twice, [], [...counts.keys()].join('\n'))
  })
}

test(
  'a stream that is refused, and one that does not open, keep nothing from the screen',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'doctors', ignoring: [/429/] })
    await page.route('**/readings/stream*', (route) =>
      route.fulfill({ status: 429, json: { code: 'TooManyRequests', message: 'Too many.' } }),
    )
    await page.goto(`${stage.origin}/console/today`)
    await page.getByRole('article').first().waitFor()
    await page.unroute('**/readings/stream*')
    await page.route('**/readings/stream*', () => undefined)
    await page.goto(`${stage.origin}/console/today`)
    await page.getByRole('article').first().waitFor()
  },
)
