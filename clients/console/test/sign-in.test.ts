// People sign in and out, stay signed in, and no token or request goes where it should not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { choosePerson, inBrowser, SERVER_GONE, startStage, untilShown, WIDTHS } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const nowS = () => Math.floor(Date.now() / 1_000)
const pulse = (value: number) => ({
  patientUid: 'patient-1',
  readingType: 'heartRate',
  value,
  unit: '/min',
  timestamp: nowS(),
})
await stage.add([pulse(61)])
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('the address of the server alone leads to the page where one signs in', inBrowser, async (t) => {
  const page = await stage.open(t)
  await page.goto(stage.origin)
  await page.getByRole('heading', { name: 'Sign in to Rounds' }).waitFor()
  assert.equal(new URL(page.url()).origin, stage.issuer.url)
  await axe(page)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 })
    await assertNoOverflow(page)
  }
})

test('a patient signs in, by keyboard alone, and sees their own readings', inBrowser, async (t) => {
  const page = await stage.open(t)
  await pressByKeyboard(page, page.getByRole('button', { name: 'Ada Example (invented)' }))
  await untilShown(page, stage.origin)
  await heading(page, 'Today').waitFor()
  await page.getByText('61', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: /Signed in as Ada Example \(invented\)/ }).waitFor()
})

test('a carer signs in and switches between two children', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'today' })
  const patient = page.getByRole('combobox', { name: 'Patient' })
  assert.equal(await patient.inputValue(), 'child-1')
  await patient.selectOption('child-2')
  await page.waitForURL(/[?&]patient=child-2/)
})

test('a clinician signs in, types a patient id, and the patient sees that', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'kim-sample')
  await page.getByLabel('Patient id').fill('patient-1')
  await page.getByRole('button', { name: 'Open the record' }).click()
  await page.getByText('61', { exact: true }).first().waitFor()
  const { data } = await (await stage.clientOf('ada-example')).accessLog({ patientUid: 'patient-1' })
  assert.ok(data.some(({ readBy, allowedAs }) => readBy === 'kim-sample' && allowedAs === 'staff'))
})

test('after a sign-out there is no session: neither here nor at the issuer', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  assert.ok((await tokensIn(page)).session > 0)
  await page.getByRole('button', { name: /Signed in as Ada/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  assert.deepEqual(await tokensIn(page), { session: 0, local: 0, cookies: '' })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await choosePerson(page, 'robin-example')
  await untilShown(page, stage.origin)
  await page.getByRole('button', { name: /Signed in as Robin/ }).waitFor()
})

test(
  'a token is in the storage of the tab alone: not in local storage, a cookie or an address',
  inBrowser,
  async (t) => {
    const requested: string[] = []
    const page = await stage.signIn(t, 'ada-example')
    page.on('request', (request) => requested.push(request.url()))
    await page.getByRole('link', { name: 'Who has read' }).click()
    await heading(page, 'Who has read').waitFor()
    await page.reload()
    await heading(page, 'Who has read').waitFor()
    const { session, local, cookies } = await tokensIn(page)
    assert.ok(session > 0)
    assert.deepEqual([local, cookies], [0, ''])
    for (const address of [page.url(), ...requested]) assert.doesNotMatch(address, /eyJ/)
  },
)

test(
  'the policy of the page is enforced: no inline script, no style in markup, no other host',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', {
      ignoring: [/CSP: |violates the following|Refused to|Failed to fetch/],
    })
    const violated = await page.evaluate(async () => {
      const directives: string[] = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        directives.push(effectiveDirective),
      )
      const script = document.createElement('script')
      script.textContent = 'globalThis.wasRun = true'
      document.body.append(script)
      const markup = document.createElement('div')
      markup.innerHTML = '<img src="x" onerror="globalThis.wasRun = true"><p style="color: red">text</p>'
      document.body.append(markup)
      await fetch('http://127.0.0.1:9/').catch(() => undefined)
      await new Promise((done) => setTimeout(done, 100))
      return { directives: [...new Set(directives)].toSorted(), wasRun: 'wasRun' in globalThis }
    })
    assert.equal(violated.wasRun, false)
    for (const directive of ['connect-src', 'script-src-attr', 'script-src-elem', 'style-src-attr'])
      assert.ok(violated.directives.includes(directive), `${directive}: ${violated.directives.join(', ')}`)
  },
)

test(
  'a server that is killed and started again: the screen stays, and goes on by itself',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', {
      ignoring: [SERVER_GONE],
    })
    await page.getByText('61', { exact: true }).first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await stage.killServer()
    await page.getByText('Connection lost, trying again').waitFor()
    await page.getByText('61', { exact: true }).first().waitFor()
    await stage.startServer()
    await page.getByText('Live', { exact: true }).waitFor()
    await stage.add([pulse(83)])
    await page.getByText('83', { exact: true }).first().waitFor()
  },
)

test('where the configuration fails before the words have come, one can try again', inBrowser, async (t) => {
  const page = await stage.open(t, { ignoring: [/status of 503/] })
  // On its way to the sign-in it cannot be sent elsewhere.
  await page.getByRole('button', { name: 'Ada Example' }).waitFor()
  // The tab has kept none.
  await page.addInitScript(() => sessionStorage.clear())
  const failed = page.waitForResponse('**/config.json')
  await page.route('**/config.json', (route) => route.fulfill({ status: 503, body: '' }))
  await page.route(/\/assets\/en-[^/]*\.js$/, async (route) => {
    await failed
    // The page has worked with that answer, as far as it does without the words.
    await page.evaluate(() => new Promise((done) => setTimeout(done)))
    await route.continue()
  })
  await page.goto(`${stage.origin}/console/`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
})

test('the first screen needs at most 100 KB of JavaScript after gzip', inBrowser, async (t) => {
  const scripts = new Set<string>()
  const page = await stage.open(t)
  // What is asked for when the page is idle is not of the first screen: on a slow machine it came before that was looked at.
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
  })
  await choosePerson(page, 'ada-example')
  await untilShown(page, stage.origin)
  await page.getByText('Heart rate').first().waitFor()
  assert.ok(scripts.size > 1)
  const sizes = [...scripts].map(async (url) => {
    const body = await (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).bytes()
    return gzipSync(body).length
  })
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  t.diagnostic(`${total} bytes in ${scripts.size} files`)
  assert.ok(total <= 100_000, `${total} bytes`)
})

/** How many texts that look like tokens are where. */
async function tokensIn(page: Page) {
  return page.evaluate(() => {
    const count = (storage: Storage) =>
      JSON.stringify(Object.entries(storage)).match(/eyJ|_token/g)?.length ?? 0
    return { session: count(sessionStorage), local: count(localStorage), cookies: document.cookie }
  })
}
