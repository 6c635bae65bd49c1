// Without a network: screens that were not opened yet open, a reload shows the last values and their time, and what is kept leaves
// with its person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import {
  choosePerson,
  inBrowser,
  NO_NETWORK,
  PHONE_AND_DESK,
  SERVER_GONE,
  startStage,
  untilShown,
} from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
await stage.add(everyKind('patient-1', Date.now()))
const OFFLINE = [SERVER_GONE, NO_NETWORK]

const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** Until the service worker answers for this page. */
const untilControlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

/** Everything in the caches of the origin: names, addresses and bodies. */
const cached = (page: Page) =>
  page.evaluate(async () => {
    const found: { cache: string; url: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const text = (await (await cache.match(request))?.text()) ?? ''
        found.push({ cache: name, url: new URL(request.url).pathname + new URL(request.url).search, text })
      }
    }
    return found
  })

const keptIn = (page: Page) =>
  page.evaluate(() =>
    [...Object.entries(sessionStorage), ...Object.entries(localStorage)]
      .filter(([key]) => !key.startsWith('oidc.'))
      .map((entry) => entry.join(' '))
      .join('\n'),
  )

test('a screen that was not opened before opens without a network', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { ignoring: OFFLINE })
  await card(page, 'Heart rate').waitFor()
  await page.waitForFunction(() =>
    ['charts', 'add', 'access', 'export', 'doctors'].every((name) =>
      performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/assets/${name}-`)),
    ),
  )
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Add', exact: true }).click()
  await page.getByLabel('What was measured?').waitFor()
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.getByText('You are offline, and reports are not on this device.').waitFor()
  await page.getByRole('link', { name: 'Export' }).click()
  await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor()
  await page.getByText('Save CSV').waitFor()
  await page.getByRole('link', { name: 'Who has read' }).click()
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  assert.equal(await page.getByText('Something in this page failed.').count(), 0)
})

for (const width of PHONE_AND_DESK) {
  test(
    `a reload without a server shows the last values and their time, at ${width} px`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'ada-example', { width, ignoring: OFFLINE })
      await card(page, 'Heart rate').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      assert.equal(await page.getByText(/^As of/).count(), 0)
      await untilControlled(page)
      await stage.killServer()
      await page.getByText(/^As of \d\d:\d\d\. What came later is not shown\.$/).waitFor()
      await page.reload()
      await page.getByText(/^As of \d\d:\d\d\. What came later is not shown\.$/).waitFor()
      await card(page, 'Blood pressure').getByText('128 / 82').waitFor()
      assert.equal(await page.locator('.skeleton').count(), 0)
      await assertNoOverflow(page)
      await axe(page)
      await stage.startServer()
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByText(/^As of/).waitFor({ state: 'detached' })
    },
  )
}

test(
  'offline in the browser, a reload goes on too, and a reading that is added waits',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'today', ignoring: OFFLINE })
    await card(page, 'Heart rate').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await untilControlled(page)
    await page.context().setOffline(true)
    await page.getByText(/^As of/).waitFor()
    await page.reload()
    await page.getByText('You are offline.').waitFor()
    await page.getByText(/^As of \d\d:\d\d/).waitFor()
    await card(page, 'Heart rate').waitFor()
    await page.getByRole('link', { name: 'Add', exact: true }).click()
    await page.getByLabel('What was measured?').selectOption('painScore')
    await page.getByLabel('Value').fill('5')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('.sent li').getByText('waiting').waitFor()
    await page.context().setOffline(false)
    await page.locator('.sent li').getByText('stored').waitFor()
  },
)

test(
  'a tab without a session says that the server is away, and goes on when it is back',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { ignoring: OFFLINE })
    await untilControlled(page)
    const other = await page.context().newPage()
    await page.context().setOffline(true)
    await other.goto(`${stage.origin}/console/today`)
    await other.getByText('The server cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await other
      .getByRole('heading', { name: 'Sign in to Rounds' })
      .or(other.getByRole('article').first())
      .first()
      .waitFor()
  },
)

test(
  'a first visit on a network that fails, then is slow, leads to the sign-in by itself',
  inBrowser,
  async (t) => {
    const first = await stage.open(t, { ignoring: OFFLINE })
    const page = await first.context().newPage()
    await page.clock.install()
    // It goes by a clock of the browser's own.
    await page.addInitScript(() => {
      AbortSignal.timeout = (ms) => {
        const timeout = new AbortController()
        setTimeout(() => timeout.abort(new DOMException('It took too long.', 'TimeoutError')), ms)
        return timeout.signal
      }
    })
    let asked = 0
    const answer = Promise.withResolvers<void>()
    await page.route('**/console/config.json', async (route) => {
      asked++
      if (asked === 1) return route.abort('timedout')
      await answer.promise
      return route.continue()
    })
    await page.goto(`${stage.origin}/console/today`)
    await page.getByText('The server cannot be reached.').waitFor()
    await page.clock.runFor(11_000)
    await until(() => asked === 2)
    await page.clock.runFor(6_000)
    answer.resolve()
    await page.getByRole('heading', { name: 'Sign in to Rounds' }).waitFor()
    assert.equal(asked, 2)
  },
)

test(
  'an issuer that takes the first request and never answers does not hold up the sign-in',
  inBrowser,
  async (t) => {
    const first = await stage.open(t, { ignoring: OFFLINE })
    const page = await first.context().newPage()
    await page.clock.install()
    let asked = 0
    await page.route('**/.well-known/openid-configuration', (route) => {
      asked++
      return asked === 1 ? undefined : route.continue()
    })
    await page.goto(`${stage.origin}/console/today`)
    await until(() => asked === 1)
    await page.clock.runFor(31_000)
    await page.getByText('The server cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sign in to Rounds' }).waitFor()
  },
)

test('Today never shows the outline of cards without end', inBrowser, async (t) => {
  const page = await stage.open(t, { ignoring: OFFLINE })
  let isHanging = true
  await page.route('**/readings/latest*', (route) => (isHanging ? undefined : route.continue()))
  await choosePerson(page, 'ada-example')
  await untilShown(page, stage.origin)
  await page.getByText('The server has not answered yet.').waitFor()
  assert.equal(await page.locator('.skeleton').count(), 0)
  await axe(page)
  // The first request never gets its answer.
  isHanging = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await card(page, 'Heart rate').waitFor()
})

test('a network that is lost while the page starts is noticed', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await page.addInitScript(() => {
    // It is lost after the first look and before anything listens.
    const isOnline = () => document.querySelector('.banners') === null
    Object.defineProperty(Navigator.prototype, 'onLine', { get: isOnline })
  })
  await page.reload()
  await page.getByText('You are offline.').waitFor()
})

test('offline without anything kept, Today says so', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors', ignoring: OFFLINE })
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some((entry) => entry.name.includes('/assets/today-')),
  )
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByText('The newest readings are not on this device.').waitFor()
  await axe(page)
  await page.context().setOffline(false)
  await card(page, 'Heart rate').waitFor()
})

test('the service worker stores built files alone, of one release', inBrowser, async (t) => {
  // Not the console itself, which would leave for the issuer while this goes on.
  const page = await stage.open(t, { path: 'licences.json' })
  await page.evaluate(async () => {
    await (await caches.open('rounds console of-another-release')).put(
      '/console/assets/old.js',
      new Response('old'),
    )
    await caches.open('of another app')
  })
  await page.goto(`${stage.origin}/console/`)
  await choosePerson(page, 'ada-example')
  await untilShown(page, stage.origin)
  await card(page, 'Heart rate').waitFor()
  await untilControlled(page)
  await page.reload()
  await card(page, 'Heart rate').waitFor()
  for (const path of ['charts?type=heartRate', 'access']) await page.goto(`${stage.origin}/console/${path}`)
  await page.waitForFunction(async () => !(await caches.has('rounds console of-another-release')))
  assert.equal(await page.evaluate(() => caches.has('of another app')), true)
  const files = await cached(page)
  assert.equal(new Set(files.map(({ cache }) => cache)).size, 1)
  assert.ok(files.length > 10)
  for (const { url, text } of files) {
    assert.match(url, /^\/console\/(?:index\.html|assets\/[\w-]+\.(?:js|css|svg))$/)
    // No reading and no token.
    assert.ok(!/"measuredAt":"|eyJ[\w-]{20}/.test(text), url)
  }
})

test('signing out removes what was kept, and so does another person who signs in', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { ignoring: OFFLINE })
  await card(page, 'Heart rate').waitFor()
  await page.waitForFunction(() => JSON.stringify(sessionStorage).includes('rounds.kept'))
  await pressByKeyboard(page, page.getByRole('button', { name: /Signed in as/ }).first())
  await pressByKeyboard(page, page.getByRole('button', { name: 'Sign out' }))
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  assert.ok(!/rounds\.kept|"measuredAt":"|patient-1/.test(await keptIn(page)))

  await page.getByRole('button', { name: 'Sign in' }).click()
  await choosePerson(page, 'ada-example')
  await untilShown(page, stage.origin)
  await page.waitForFunction(() => JSON.stringify(sessionStorage).includes('rounds.kept'))
  // The session is lost without a sign-out: the tab forgets the tokens, and the issuer who it was.
  await page.context().clearCookies()
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith('oidc.')) sessionStorage.removeItem(key)
  })
  await page.goto(`${stage.origin}/console/everyone`)
  await choosePerson(page, 'robin-example')
  await untilShown(page, stage.origin)
  await page.getByRole('article', { name: 'child-1' }).waitFor()
  // The catalogue, which names an invented patient in its examples, is kept for the other person too.
  assert.ok(!/"measuredAt":"|ada-example|latest","patient-1/.test(await keptIn(page)))
})
