// The side panel of a doctor's list: what it says of a patient, what it reads and when, and reviews by mouse and by keyboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { until } from '../../../test/support/until.ts'
import { requestToken } from '../../../tools/dev/request-token.ts'
import { createRoundsClient, type RoundsClient } from '../../typescript/src/client.ts'
import { COLOUR_SCHEMES, inBrowser, SERVER_GONE, startStage } from './browser.ts'
import { everyKind, homePressures, sensorGlucose } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const WILLOW = 'dr-willow-sample'
const HOUR = 3_600_000
const stage = await startStage()
const now = Date.now()
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})
const clientOf = async (patientUid: string): Promise<RoundsClient> =>
  createRoundsClient({
    url: stage.origin,
    token: await requestToken(stage.issuer, { patientUids: [patientUid] }),
  })

async function share(patientUid: string, terms: Partial<Parameters<RoundsClient['grants']['add']>[0]> = {}) {
  const client = await clientOf(patientUid)
  await client.grants.add({ patientUid, doctorId: WILLOW, permission: 'manage', ...terms })
  return client
}

// Sensor glucose with the published target; the newest is above its outer bound.
await stage.add([
  ...sensorGlucose('mia', now - 10 * 60_000, 30),
  ...homePressures('mia', now, 14),
  {
    patientUid: 'mia',
    readingType: 'interstitialGlucose',
    value: 290,
    unit: 'mg/dL',
    timestamp: now - 4 * 60_000,
  },
])
const mia = await share('mia', { sharedAs: 'Mia Example, born 2017' })
await mia.targets.set({ patientUid: 'mia', preset: 'sensor-glucose', unit: 'mg/dL' })

// Blood pressure below 135/85; only that is shared.
await stage.add(homePressures('jonas', now, 30))
const jonas = await share('jonas', {
  sharedAs: 'Jonas Sample',
  readingTypes: ['bloodPressure'],
  validUntil: new Date(now + 90 * 24 * HOUR).toISOString(),
})
await jonas.targets.set({ patientUid: 'jonas', preset: 'home-blood-pressure-esh' })

// Nobody has set a target, and the doctor may only see.
await stage.add(everyKind('leo', now))
await share('leo', { sharedAs: 'Leo Example', permission: 'view' })

// Many, to go through.
const MANY = Array.from({ length: 10 }, (_, index) => `many-${index}`)
for (const uid of MANY) {
  await stage.add([{ patientUid: uid, readingType: 'heartRate', value: 70, timestamp: now - HOUR }])
  await share(uid, { sharedAs: `Probe ${uid}` })
}

const panel = (page: Page) => page.locator('.side-panel')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const reviewButton = (page: Page) => panel(page).getByRole('button', { name: 'Mark as reviewed' })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Mark as reviewed' })

async function openList(
  t: Parameters<typeof stage.signIn>[0],
  options: Parameters<typeof stage.signIn>[2] = {},
) {
  const page = await stage.signIn(t, WILLOW, { path: 'my-patients', width: 1_440, height: 1_000, ...options })
  // The summaries are made within seconds.
  await page.getByText('Sensor glucose 290 mg/dL').first().waitFor()
  return page
}

async function choose(page: Page, name: string) {
  await rowOf(page, name).locator('td').first().click()
  await panel(page).getByRole('heading', { name }).waitFor()
}

const loaded = (page: Page) =>
  page.waitForFunction(() => {
    const found = document.querySelector('.side-panel')
    return found?.querySelector('.panel-words') && !found.querySelector('.skeleton')
  })

/** What a patient finds in the access log of the doctor. */
async function readsOf(client: RoundsClient, patientUid: string) {
  const { data } = await client.accessLog({ patientUid, limit: 100 })
  return data.filter(({ doctorId }) => doctorId === WILLOW).map(({ operation }) => operation)
}

for (const colorScheme of COLOUR_SCHEMES) {
  test(`the panel of three patients says what their targets say, ${colorScheme}`, inBrowser, async (t) => {
    const page = await openList(t, { colorScheme })
    await choose(page, 'Mia Example, born 2017')
    await loaded(page)
    const it = panel(page)
    await it.getByText('mia · Shares all readings with you, without an end date.').waitFor()
    await it.getByText(/^Sensor glucose 290 mg\/dL at .* today, above 250 mg\/dL\.$/).waitFor()
    await it.getByText(/outside 54–250 mg\/dL, the outer bounds of the target 70–180 mg\/dL/).waitFor()
    await it
      .getByText(/^Newest 290 mg\/dL, .*, ▲ above target\. \d+ of \d+ readings outside target\.$/)
      .waitFor()
    await it.getByRole('img', { name: /^Last 24 hours of sensor glucose/ }).waitFor()
    assert.equal(await it.locator('.outer-line').count(), 2)
    await it.getByRole('img', { name: /^Profile of glucose by time of day/ }).waitFor()
    await it.getByText(/^GMI \d\.\d %$/).waitFor()
    await it.getByText('You have not marked this record as reviewed yet.').waitFor()
    await axe(page)
    await assertNoOverflow(page)
    await it.getByRole('button', { name: 'Blood pressure' }).click()
    await it.getByText('no target, so nothing is called high or low').waitFor()
    await loaded(page)
    assert.equal(await it.locator('.target-band, .panel-outside, .target-line').count(), 0)

    await choose(page, 'Jonas Sample')
    await loaded(page)
    await it.getByText(/^jonas · Shares blood pressure with you until /).waitFor()
    await it
      .getByText(/target below 135\/85 mmHg/)
      .first()
      .waitFor()
    await it.getByRole('row', { name: /^Mornings \d+ \/ \d+ \d+ readings$/ }).waitFor()
    await it.getByRole('row', { name: /^Evenings \d+ \/ \d+ \d+ readings$/ }).waitFor()
    await it.getByRole('row', { name: /^Highest systolic \d+ \/ \d+ on / }).waitFor()
    await it.getByText(/^Farthest outside in 14 days: \d+ \/ \d+ mmHg, /).waitFor()
    await axe(page)

    await choose(page, 'Leo Example')
    await loaded(page)
    assert.equal(await it.locator('.place, .target-band, .target-line, .panel-status.attention').count(), 0)
    assert.doesNotMatch(await it.innerText(), /above|below|outside/)
    await axe(page)
    await assertNoOverflow(page)
  })
}

test('who goes through the list by keys opens no record on the way', inBrowser, async (t) => {
  const page = await openList(t)
  const read: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (searchParams.has('patientUid')) read.push(`${searchParams.get('patientUid')} ${pathname}`)
  })
  await page.getByRole('searchbox').or(page.locator('.list-find')).first().fill('Probe')
  await rowOf(page, 'Mia Example').waitFor({ state: 'detached' })
  // From the search, as fast as a key that is held down: how fast the machine is does not matter.
  await page.evaluate(async () => {
    for (const key of ['Enter', ...Array.from({ length: 9 }, () => 'j')]) {
      const target = document.activeElement ?? document.body
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await new Promise((done) => requestAnimationFrame(() => done(undefined)))
    }
  })
  const name = await panel(page).locator('h2').innerText()
  await loaded(page)
  const last = name.replace('Probe ', '')
  assert.ok(MANY.includes(last), name)
  assert.deepEqual(
    read.filter((one) => !one.startsWith(`${last} `)),
    [],
  )
  assert.ok(read.length > 0)
  for (const uid of MANY.filter((one) => one !== last)) {
    const operations = await readsOf(await clientOf(uid), uid)
    // One entry a day for the list, however often it was shown.
    assert.deepEqual(operations, ['care/patients/list'], uid)
  }
})

test('a review by mouse, with a note that the patient then reads', inBrowser, async (t) => {
  const page = await openList(t)
  await choose(page, 'Jonas Sample')
  await loaded(page)
  await reviewButton(page).click()
  const dialog = dialogOf(page)
  await dialog.getByText('The patient sees this note. It cannot be changed or undone afterwards').waitFor()
  await axe(page)
  await dialog.getByLabel('Note (optional)').fill('Evenings are better.\nGo on.')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await panel(page)
    .getByRole('heading', { name: /^Since your review today, / })
    .waitFor()
  assert.equal(await panel(page).locator('blockquote').innerText(), 'Evenings are better.\nGo on.')
  await panel(page).getByText('No blood pressure was measured.').waitFor()
  await panel(page).getByText('No target was changed.').waitFor()
  const { data } = await jonas.reviews.list({ patientUid: 'jonas' })
  assert.deepEqual(
    data.map(({ note, doctorId }) => [note, doctorId]),
    [['Evenings are better.\nGo on.', WILLOW]],
  )
  // What has come since then.
  await stage.add([
    {
      patientUid: 'jonas',
      readingType: 'bloodPressure',
      systolic: 181,
      diastolic: 99,
      timestamp: Date.now(),
    },
  ])
  await jonas.targets.set({ patientUid: 'jonas', preset: 'home-blood-pressure-acc-aha' })
  await page.reload()
  await choose(page, 'Jonas Sample')
  await panel(page).getByText('1 reading of blood pressure measured, 1 outside target.').waitFor()
  await panel(page)
    .getByText(/The patient or a carer set the target of blood pressure to below 130\/80 mmHg\./)
    .waitFor()
  await panel(page)
    .getByText(/both against the target of now/)
    .waitFor()
})

test('a review by keyboard alone, without a note and with one', inBrowser, async (t) => {
  const page = await openList(t)
  const find = page.getByRole('searchbox').or(page.locator('.list-find')).first()
  await tabTo(page, find)
  await page.keyboard.type('many-3')
  await rowOf(page, 'Mia Example').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await panel(page).getByRole('heading', { name: 'Probe many-3' }).waitFor()
  const client = await clientOf('many-3')
  const stored = async () =>
    (await client.reviews.list({ patientUid: 'many-3' })).data.map(({ note }) => note)
  await pressByKeyboard(page, reviewButton(page))
  await dialogOf(page).locator('textarea:focus').waitFor()
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  await until(async () => (await stored()).length === 1)
  assert.deepEqual(await stored(), [null])
  await pressByKeyboard(page, reviewButton(page))
  await dialogOf(page).waitFor()
  await page.keyboard.type('Spoke to her, all well')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('See you')
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  assert.deepEqual(await stored(), ['Spoke to her, all well\nSee you', null])
  // Escape stores nothing.
  await pressByKeyboard(page, reviewButton(page))
  await dialogOf(page).waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  assert.equal((await stored()).length, 2)
})

test('a review whose answer is lost is stored once', inBrowser, async (t) => {
  const page = await openList(t, { ignoring: [/Failed to load resource|ERR_/, SERVER_GONE] })
  await choose(page, 'Probe many-5')
  await reviewButton(page).click()
  let isOffline = true
  let isLost = true
  await page.route('**/care/reviews/add', async (route) => {
    if (isOffline) return route.abort()
    if (!isLost) return route.continue()
    await route.fetch()
    return route.fulfill({ status: 500, json: { code: 'InternalError', message: 'Lost.' } })
  })
  await dialogOf(page).getByLabel('Note (optional)').fill('Only once.')
  await page.keyboard.press('Enter')
  // Nobody waits for a page that does not send it again.
  const advice = dialogOf(page).getByText('Check your network, then try again.')
  await advice.waitFor()
  isOffline = false
  await page.keyboard.press('Enter')
  await advice.waitFor({ state: 'detached' })
  await dialogOf(page).getByRole('alert').waitFor()
  isLost = false
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  const client = await clientOf('many-5')
  const { data } = await client.reviews.list({ patientUid: 'many-5' })
  assert.deepEqual(
    data.map(({ note }) => note),
    ['Only once.'],
  )
})

test('with a grant to see only, the button says why not', inBrowser, async (t) => {
  const page = await openList(t)
  await choose(page, 'Leo Example')
  await panel(page).getByText('You may see these readings, and not mark them as reviewed.').waitFor()
  assert.equal(await reviewButton(page).getAttribute('aria-disabled'), 'true')
  await reviewButton(page).click({ force: true })
  await page.keyboard.press('Escape')
  assert.equal(await dialogOf(page).count(), 0)
})

test('a patient who stops sharing while the panel is open is gone from it', inBrowser, async (t) => {
  const page = await openList(t, { ignoring: [/403/] })
  await choose(page, 'Probe many-7')
  await loaded(page)
  await (await clientOf('many-7')).grants.revoke({ patientUid: 'many-7', doctorId: WILLOW })
  await page
    .getByText(/no longer shares readings with you/)
    .first()
    .waitFor()
  await page.waitForFunction(() => document.querySelector('.side-panel svg') === null)
})

test('what can be pressed stays where it is while the record loads', inBrowser, async (t) => {
  const page = await openList(t)
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  await page.route(/readings\/get|care\/reports/, async (route) => {
    await released
    await route.continue()
  })
  await choose(page, 'Mia Example, born 2017')
  await panel(page).locator('.panel-loading').waitFor()
  const before = await reviewButton(page).boundingBox()
  release()
  await loaded(page)
  assert.deepEqual(await reviewButton(page).boundingBox(), before)
})

test('on a phone the panel is over the list, and a review can be stored', inBrowser, async (t) => {
  const page = await stage.signIn(t, WILLOW, { path: 'my-patients', width: 375, height: 812, hasTouch: true })
  await page.getByRole('button', { name: 'More of Mia Example, born 2017' }).click()
  await loaded(page)
  await axe(page)
  await assertNoOverflow(page)
  await reviewButton(page).click()
  await dialogOf(page).getByLabel('Note (optional)').fill('From my phone.')
  await axe(page)
  await dialogOf(page).getByRole('button', { name: 'Save', exact: true }).click()
  await panel(page).getByText('From my phone.').waitFor()
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
})
