// Webhooks: added, tested, paused, sent again, given another secret and removed by staff who may, with a real receiver on loopback.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { runSql, WITH_WEBHOOKS } from '../../../test/support/harness.ts'
import { sinceText, timeText } from '../src/format/times.ts'
import {
  addressText,
  eventsText,
  messageText,
  outcomeText,
  patientsText,
  stateText,
} from '../src/screens/webhooks/endpoint-text.ts'
import { inBrowser, PHONE_AND_DESK, SERVER_GONE, startStage, WIDTHS } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

// Here Kim Sample reads no patient, as an operator who only connects systems.
const stage = await startStage({ settings: { ...WITH_WEBHOOKS, AUTH_STAFF_SCOPE: 'readings:read-here' } })
const without = await startStage()
const { webhooks } = await stage.clientOf('kim-sample')

/** What the receiver answers, by a word in the path. */
const STATUS_OF = { broken: 500, moved: 302, gone: 410 }

type Received = { path: string; headers: Record<string, string>; body: string }
const received: Received[] = []
const receiver = createServer((request, response) => void receive(request, response))
async function receive(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? ''
  received.push({ path, headers: request.headers as Record<string, string>, body: await text(request) })
  const [, status = 204] = Object.entries(STATUS_OF).find(([word]) => path.includes(word)) ?? []
  response.statusCode = status
  response.end()
}
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const HOST = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
const urlOf = (path: string) => `http://${HOST}/${path}`

const card = (page: Page, path: string) => page.getByRole('listitem').filter({ hasText: `/${path}` })
const button = (within: Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`^${name}: http://127`) })

const BERLIN = 'Europe/Berlin'
const NOW = Date.parse('2026-11-17T13:30:00Z')
/** As Node writes a time of this day in its own locale. */
const at = (utc: string) => timeText(`2026-11-17T${utc}:00Z`, BERLIN)
const active = { state: 'active', behindSince: null, failures: 0 } as const
const said = (endpoint: Parameters<typeof stateText>[0]) => {
  const { word, rest } = stateText(endpoint, NOW, BERLIN)
  return `${word}${rest}`
}

test('a state, a filter and an outcome are words', () => {
  const failing = { ...active, failures: 7, failingSince: '2026-11-17T13:02:00Z' }
  for (const [endpoint, words] of [
    [active, 'Up to date. Nothing waits longer than a minute.'],
    [{ ...active, behindSince: '2026-11-17T13:29:10Z' }, 'Up to date. Nothing waits longer than a minute.'],
    [{ ...active, behindSince: '2026-11-17T13:18:00Z' }, `12 minutes behind, since ${at('13:18')}.`],
    [
      { ...active, behindSince: '2026-11-14T12:00:00Z' },
      `3 days behind, since ${sinceText('2026-11-14T12:00:00Z', NOW, BERLIN)}.`,
    ],
    [
      { ...failing, nextAttemptAt: '2026-11-17T13:32:00Z' },
      `Failing: 7 attempts in a row since ${at('13:02')}, next at ${at('13:32')}.`,
    ],
    [{ ...failing, failures: 1 }, `Failing: 1 attempt since ${at('13:02')}, next at any moment.`],
    [{ ...active, state: 'paused', pausedBecause: 'asked' }, 'Paused by a person. Changes wait.'],
    [
      { ...active, state: 'paused', pausedBecause: 'gone' },
      'Paused because the receiver said that it is gone. Changes wait.',
    ],
  ] as const)
    assert.equal(said(endpoint), words)
  const events = ['readings.changed', 'patient.erased', 'grant.changed'] as const
  assert.equal(
    eventsText({ events, readingTypes: undefined }),
    'all readings, erased patients and what patients share',
  )
  assert.equal(
    eventsText({ events: ['readings.changed'], readingTypes: ['heartRate', 'fev1'] }),
    'heart rate and FEV1',
  )
  assert.deepEqual([undefined, [], ['a'], ['a', 'b']].map(patientsText), [
    'all patients',
    'no patient any more',
    '1 patient',
    '2 patients',
  ])
  for (const [status, error, words] of [
    [204, null, 'Delivered (204)'],
    [503, 'status', 'The receiver answered 503: an error of its own'],
    [418, 'status', 'The receiver answered 418'],
    [301, 'redirect', 'Redirected (301): redirects are not followed'],
    [null, 'dns', 'The name of the host was not found'],
    [null, 'novel', 'Not delivered: novel'],
  ] as const)
    assert.equal(outcomeText({ status, error }), words)
  assert.deepEqual(['grant.changed', 'endpoint.test', 'novel.event'].map(messageText), [
    'what patients share',
    'test',
    'novel.event',
  ])
  for (const [url, words] of [
    ['https://copy.example/', 'copy.example'],
    ['https://copy.example:8443/rounds?ward=3', 'copy.example:8443/rounds?ward=3'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000'],
    [
      `https://copy.example/${'long-'.repeat(20)}/ward-3`,
      'copy.example/long-long-long-long-lo…g-long-long-long-/ward-3',
    ],
    ['copy', 'copy'],
  ] as const)
    assert.equal(addressText(url), words)
})

test('only who may manage webhooks finds them, and only where they are served', inBrowser, async (t) => {
  const kim = await stage.signIn(t, 'kim-sample')
  await kim.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  assert.deepEqual(
    await kim.getByRole('navigation', { name: 'Sections' }).getByRole('link').allInnerTexts(),
    ['Doctors', 'Webhooks'],
  )
  const ada = await stage.signIn(t, 'ada-example', { path: 'webhooks' })
  await ada.getByText('Your sign-in may not manage webhooks.').waitFor()
  assert.equal(await ada.getByRole('link', { name: 'Webhooks' }).count(), 0)
  const elsewhere = await without.signIn(t, 'kim-sample', { path: 'webhooks' })
  await elsewhere.getByText('This server has no webhooks.').waitFor()
  assert.equal(await elsewhere.getByRole('link', { name: 'Webhooks' }).count(), 0)
})

test('by keyboard: from nothing to a webhook that was tested with its secret', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'kim-sample', { path: 'webhooks' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('heading', { name: 'No other system is called yet' }).waitFor()
  await page.getByText('npx rounds webhook add').waitFor()
  await axe(page)
  await pressByKeyboard(page, page.getByRole('link', { name: 'Add a webhook' }))
  await tabTo(page, page.getByLabel('Address'))
  await page.keyboard.type(urlOf('first'))
  await tabTo(page, page.getByLabel('What is it for?'))
  await page.keyboard.type('Dashboard of ward 3')
  await page
    .getByText(
      `${urlOf('first')} will get all readings, erased patients and what patients share of all patients.`,
    )
    .waitFor()
  const onlySome = page
    .getByRole('group', { name: 'Of which patients?' })
    .getByRole('button', { name: 'Only some' })
  await pressByKeyboard(page, onlySome)
  await page.getByText('Type the id of at least one patient.').waitFor()
  await tabTo(page, page.getByLabel('Patient ids'))
  await page.keyboard.type('patient-1\n child-1 \n\npatient-1')
  await page.getByText(/ of 2 patients\. Each patient sees it in “Who has read”/).waitFor()
  await pressByKeyboard(page, page.getByRole('button', { name: 'Add the webhook' }))

  await page.getByRole('heading', { name: `${urlOf('first')} is added` }).waitFor()
  await page.getByText('It will not be shown again.').waitFor()
  await pressByKeyboard(page, page.getByRole('button', { name: 'Copy the secret' }))
  await page.getByText('Copied.').waitFor()
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  await pressByKeyboard(page, page.getByRole('button', { name: 'Send a test message' }))
  const dialog = page.getByRole('alertdialog', { name: `Test of ${urlOf('first')}` })
  await dialog.getByText('Delivered (204)').waitFor()
  await dialog.getByText(/^after \d+ ms$/).waitFor()
  const { headers, body } = received.find(({ path }) => path === '/first') ?? assert.fail()
  assert.equal(Object(new Webhook(secret).verify(body, headers)).type, 'endpoint.test')
  await pressByKeyboard(page, dialog.getByRole('button', { name: 'Close' }))

  await pressByKeyboard(page, page.getByRole('link', { name: 'To all webhooks' }))
  const first = card(page, 'first')
  await first.getByText('Dashboard of ward 3').waitFor()
  await first.getByText('2 patients', { exact: false }).first().waitFor()
  // It is alone, so its attempts are open. The secret is nowhere, and ids of patients only on request.
  await first.getByRole('row', { name: /Delivered \(204\) · test/ }).waitFor()
  assert.doesNotMatch(await page.innerText('main'), /whsec_|patient-1|child-1/)
  await pressByKeyboard(page, first.getByRole('button', { name: 'Show the ids of 2 patients' }))
  await first.getByText('child-1').waitFor()
  await pressByKeyboard(page, first.getByRole('button', { name: /^Last attempts and details/ }))
  await first.getByRole('table').waitFor({ state: 'detached' })
})

for (const width of PHONE_AND_DESK) {
  test(
    `by mouse: paused, resumed, sent again, given a secret, removed, at ${width} px`,
    inBrowser,
    async (t) => {
      const path = `mouse-${width}`
      const { endpoint } = await webhooks.add({ url: urlOf(path), events: ['patient.erased'] })
      const { endpointId } = endpoint
      const now = async () => (await webhooks.list()).data.find((one) => one.endpointId === endpointId)
      const page = await stage.signIn(t, 'kim-sample', { path: 'webhooks', width })
      const mine = card(page, path)
      await button(mine, 'Pause').click()
      await mine.getByText('Paused by a person. Changes wait.').waitFor()
      assert.equal((await now())?.pausedBecause, 'asked')
      await button(mine, 'Resume').click()
      await button(mine, 'Pause').waitFor()
      assert.equal((await now())?.state, 'active')

      await button(mine, 'Replay').click()
      const replay = page.getByRole('dialog', { name: `Replay to ${urlOf(path)}` })
      await replay.getByText('The receiver gets everything that changed since then once more.').waitFor()
      await axe(page)
      await replay.getByLabel('Since').fill('2026-01-31T12:00')
      await replay.getByRole('button', { name: 'Replay' }).click()
      await page.getByText(`${urlOf(path)} gets everything since 31 Jan 2026, 12:00 once more.`).waitFor()
      assert.equal((await now())?.replays, 1)

      await button(mine, 'Rotate secret').click()
      const rotate = page.getByRole('dialog', { name: `Rotate the secret of ${urlOf(path)}` })
      await rotate.getByText('Until then each message is signed with both').waitFor()
      await rotate.getByRole('button', { name: 'A week' }).click()
      await rotate.getByRole('button', { name: 'Rotate the secret' }).click()
      await rotate.getByText(/^whsec_/).waitFor()
      // Twice: a browser lets a page keep only the first.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.mouse.click(2, 2)
      await rotate.getByText(/^whsec_/).waitFor()
      await rotate.getByText(/^The old secret is valid until \d+ \w+ \d{4}, \d\d:\d\d\.$/).waitFor()
      await assertNoOverflow(page)
      await axe(page)
      const until = Date.parse((await now())?.previousSecretUntil ?? '')
      assert.ok(Math.abs(until - Date.now() - 168 * 3_600_000) < 600_000)
      await rotate.getByRole('button', { name: 'Close' }).click()

      await button(mine, 'Remove').click()
      const remove = page.getByRole('alertdialog', { name: `Remove ${urlOf(path)}?` })
      await remove.getByRole('button', { name: 'Keep it' }).click()
      assert.equal((await now())?.endpointId, endpointId)
      await button(mine, 'Remove').click()
      await remove.getByRole('button', { name: 'Remove' }).click()
      await mine.waitFor({ state: 'detached' })
      assert.equal(await now(), undefined)
      await page.waitForFunction(() => document.activeElement?.id === 'webhooks-heading')
    },
  )
}

test('what goes wrong is said in words, and what to do', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'kim-sample', { path: 'add-webhook', ignoring: [/\b(400|409)\b/] })
  const add = async (url: string) => {
    await page.getByLabel('Address').fill(url)
    await page.getByRole('button', { name: 'Add the webhook' }).click()
  }
  await webhooks.add({ url: urlOf('broken') })
  await add(urlOf('broken'))
  await page.getByText('There is a webhook with this address already.').waitFor()
  await page.getByText('If its secret is not known, rotate it there.').waitFor()
  await add('https://10.0.0.8/rounds')
  await page.getByText('The server refused this.').waitFor()
  await page.getByText(/^Address must not name an address that is not public/).waitFor()
  await axe(page)
  // The field has the focus, and the refusal goes when another address is typed.
  await page.waitForFunction(() => document.activeElement?.ariaInvalid === 'true')
  await page.keyboard.type('2')
  await page.getByText('The server refused this.').waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Address').inputValue(), 'https://10.0.0.8/rounds2')
  await webhooks.add({ url: urlOf('moved') })
  const { endpoint: closed } = await webhooks.add({ url: 'http://127.0.0.1:1/closed' })
  await page.getByRole('link', { name: 'Webhooks' }).click()
  for (const [path, words] of [
    ['broken', 'The receiver answered 500: an error of its own'],
    ['moved', 'Redirected (302): redirects are not followed'],
    ['closed', 'The connection was refused'],
  ] as const) {
    await button(card(page, path), 'Test').click()
    const dialog = page.getByRole('alertdialog', { name: /^Test of http:\/\/127/ })
    await dialog.getByText(words).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
  }
  await card(page, 'closed')
    .getByRole('button', { name: /^Last attempts/ })
    .click()
  await card(page, 'closed')
    .getByRole('row', { name: /The connection was refused · test/ })
    .waitFor()
  assert.match(page.url(), new RegExp(`open=${closed.endpointId}`))
  await webhooks.remove({ endpointId: closed.endpointId })
})

test(
  'what is delivered, what fails and what is gone is shown, and the patient sees it',
  inBrowser,
  async (t) => {
    const patientUids = ['child-2']
    for (const path of ['arrives', 'is-broken', 'is-gone'])
      await webhooks.add({ url: urlOf(path), patientUids })
    const page = await stage.signIn(t, 'kim-sample', { path: 'webhooks' })
    await card(page, 'arrives')
      .getByRole('button', { name: /^Last attempts/ })
      .click()
    await card(page, 'is-broken')
      .getByRole('button', { name: /^Last attempts/ })
      .click()
    await card(page, 'arrives').getByText('Nothing was sent to it yet').waitFor()
    const timestamp = Date.now()
    await stage.add([{ patientUid: 'child-2', readingType: 'heartRate', value: 90, timestamp }])
    await card(page, 'arrives')
      .getByRole('row', { name: /Delivered \(204\) · readings 1 1 \d+ bytes \d+ ms/ })
      .waitFor()
    await card(page, 'arrives').getByText('Up to date.').waitFor()
    await card(page, 'is-broken')
      .getByText(/^Failing: \d+ attempts? .*since \d\d:\d\d, next /)
      .waitFor()
    await card(page, 'is-broken')
      .getByRole('row', { name: /The receiver answered 500: an error of its own/ })
      .waitFor()
    await card(page, 'is-gone').getByText('Paused because the receiver said that it is gone.').waitFor()
    // What needs a person stands first when the list is opened, and nothing moves before.
    const place = (path: string) =>
      page
        .locator('.endpoint')
        .allInnerTexts()
        .then((cards) => cards.findIndex((words) => words.includes(`/${path}`)))
    const isSorted = async () => {
      const [arrives, broken, gone] = [
        await place('arrives'),
        await place('is-broken'),
        await place('is-gone'),
      ]
      return broken < arrives && gone < arrives
    }
    assert.equal(await isSorted(), false)
    await page.reload()
    await card(page, 'arrives').waitFor()
    assert.equal(await isSorted(), true)
    const robin = await stage.signIn(t, 'robin-example', { path: 'access?patient=child-2' })
    await robin.getByText(new RegExp(`^${HOST}, a connected system, was sent \\d+ readings\\.$`)).waitFor()
  },
)

/** From the top left of the page, in whole pixels. */
const placeOf = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect()
    return [Math.round(left + scrollX), Math.round(top + scrollY)]
  })

for (const width of PHONE_AND_DESK) {
  test(`what changes by itself moves no button, at ${width} px`, inBrowser, async (t) => {
    const [upper, lower] = [`upper-${width}`, `lower-${width}`]
    const { endpoint } = await webhooks.add({ url: urlOf(upper) })
    const { endpoint: between } = await webhooks.add({ url: urlOf(`between-${width}`) })
    await webhooks.add({ url: urlOf(lower) })
    const { endpointId } = endpoint
    const path = `webhooks?open=${endpointId}`
    const page = await stage.signIn(t, 'kim-sample', { path, width, height: 812 })
    await card(page, upper).getByText('Nothing was sent to it yet').waitFor()
    const pressed = ['Test', 'Pause', 'Replay', 'Rotate secret', 'Remove'].map((name) =>
      button(card(page, lower), name),
    )
    const own = ['Test', 'Replay', 'Remove'].map((name) => button(card(page, upper), name))
    const places = () => Promise.all([...pressed, ...own].map(placeOf))
    const before = await places()
    await runSql(
      stage.ownerUrl,
      `update webhooks.endpoints
      set failures = 128, failing_since = now() - interval '20 days', next_attempt_at = now() + interval '9 min'
      where endpoint_id = $1`,
      [endpointId],
    )
    await card(page, upper).getByText('Failing: 128 attempts in a row').waitFor()
    assert.deepEqual(await places(), before)
    await runSql(
      stage.ownerUrl,
      `update webhooks.endpoints
      set failures = 0, failing_since = null, state = 'paused', paused_because = 'gone'
      where endpoint_id = $1`,
      [endpointId],
    )
    await runSql(
      stage.ownerUrl,
      `insert into webhooks.attempts (endpoint_id, at, event, status, error, changes, bytes, longest_ms, last_message_id)
      select $1, date_trunc('minute', now()) - minute * interval '1 min', 'readings.changed', 410, 'status', 7, 2100, 40, 'msg'
      from generate_series(0, 59) as minute`,
      [endpointId],
    )
    await card(page, upper).getByText('Paused because the receiver said that it is gone').waitFor()
    await card(page, upper).getByText('The receiver answered 410: it is gone').first().waitFor()
    assert.deepEqual(await places(), before)
    // Another person removes one, and adds another.
    await webhooks.remove({ endpointId: between.endpointId })
    await webhooks.add({ url: urlOf(`late-${width}`) })
    await card(page, `between-${width}`).getByText('Removed by another person.').waitFor()
    await card(page, `late-${width}`).waitFor()
    assert.deepEqual(await places(), before)
    await card(page, upper).getByRole('button', { name: 'Show older' }).click()
    await card(page, upper).getByRole('row').nth(60).waitFor()
  })
}

test(
  'a server that is away is said in its place, and the list goes on when it is back',
  inBrowser,
  async (t) => {
    await webhooks.add({ url: urlOf('away') })
    const page = await stage.signIn(t, 'kim-sample', { path: 'webhooks', ignoring: [SERVER_GONE] })
    await card(page, 'away').waitFor()
    const before = await placeOf(card(page, 'away'))
    await stage.killServer()
    await page.getByText(/^As of \d\d:\d\d\. The server cannot be reached\.$/).waitFor()
    assert.deepEqual(await placeOf(card(page, 'away')), before)
    await stage.startServer()
    await page.getByText('Read again every 5 seconds.').waitFor()
  },
)

test(
  'at every width, in light, dark and forced colours, nothing overlaps and axe finds nothing',
  inBrowser,
  async (t) => {
    const { endpoint } = await webhooks.add({
      url: `${urlOf('long')}?${'very-long-'.repeat(60)}`,
      description: 'W'.repeat(200),
      readingTypes: ['heartRate', 'bloodPressure'],
      patientUids: ['patient-1', 'M'.repeat(128)],
      thin: true,
    })
    const { endpointId } = endpoint
    await webhooks.test({ endpointId })
    await webhooks.rotateSecret({ endpointId })
    for (const colours of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
    ] as const) {
      const path = `webhooks?open=${endpointId}`
      const page = await stage.signIn(t, 'kim-sample', { path, reducedMotion: 'reduce', ...colours })
      for (const [shown, screen] of [
        ['Old secret', path],
        ['What is in a message?', 'add-webhook'],
      ] as const) {
        await page.goto(`${stage.origin}/console/${screen}`)
        await page.getByText(shown).first().waitFor()
        if (screen === path) await page.getByRole('button', { name: /^Show the ids/ }).click()
        else
          for (const some of await page.getByRole('button', { name: 'Only some' }).all()) await some.click()
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 })
          await assertNoOverflow(page)
        }
        await axe(page)
      }
    }
  },
)

test('more than a hundred are on several pages', inBrowser, async (t) => {
  const { data } = await webhooks.list()
  const left = 101 - data.length
  for (let number = 0; number < left; number++) await webhooks.add({ url: urlOf(`page-${number}`) })
  const page = await stage.signIn(t, 'kim-sample', { path: 'webhooks' })
  await card(page, data[0]?.url.split('/').at(-1) ?? '').waitFor()
  assert.equal(await page.locator('.endpoint').count(), 100)
  await page.getByRole('link', { name: 'Next page' }).click()
  await card(page, `page-${left - 1}`).waitFor()
  assert.equal(await page.locator('.endpoint').count(), 1)
  await page.getByRole('link', { name: 'First page' }).click()
  await page.locator('.endpoint').nth(99).waitFor()
})
