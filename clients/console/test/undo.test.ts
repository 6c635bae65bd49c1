// Undo after adding: for a minute, with a network and without, and what it says is true.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import { inBrowser, NO_NETWORK, PHONE_AND_DESK, startStage } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const OFFLINE = { ignoring: [NO_NETWORK] }

type Seen = { value: unknown; isWithdrawn: boolean }

async function stored(readingType: string): Promise<Seen[]> {
  const client = await stage.clientOf('ada-example')
  const query = { patientUid: 'patient-1', readingType: [readingType], withdrawn: 'include' as const }
  const { data } = await client.getReadings(query)
  return data.map((one) => ({ value: one['value'], isWithdrawn: one['withdrawn'] !== undefined }))
}

const row = (page: Page, text: string) => page.locator('.sent li').filter({ hasText: text })
const undo = (page: Page, text: string) => row(page, text).getByRole('button', { name: /^Undo/ })

async function add(page: Page, value: string) {
  await page.getByLabel('Value').fill(value)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

/** Playwright itself continues a request whose route is removed before its handler has aborted it, which then fails. */
const endRoutes = (page: Page) => page.unrouteAll({ behavior: 'wait' })

for (const width of PHONE_AND_DESK) {
  test(`what was stored is withdrawn by a click on Undo, ${width} pixels wide`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add?type=stepCount', width })
    await add(page, String(4_000 + width))
    const text = (4_000 + width).toLocaleString('en')
    await row(page, text).getByText('stored').waitFor()
    await assertNoOverflow(page)
    await undo(page, text).click()
    await row(page, text).getByText('withdrawn', { exact: true }).waitFor()
    await row(page, text).getByText('It stays in the record, and no longer counts.').waitFor()
    assert.equal(await undo(page, text).count(), 0)
    await axe(page)
    await assertNoOverflow(page)
    assert.deepEqual((await stored('stepCount')).at(-1), { value: 4_000 + width, isWithdrawn: true })
  })
}

test('by keyboard alone, and the focus stays with what is said', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=painScore' })
  await add(page, '3')
  await row(page, '3 of 10').getByText('stored').waitFor()
  await pressByKeyboard(page, page.getByRole('button', { name: 'Undo Pain 3 of 10' }))
  await row(page, '3 of 10').getByText('withdrawn', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Added here' }).and(page.locator(':focus')).waitFor()
})

test('it is offered for a minute, on the way to another screen and back too', inBrowser, async (t) => {
  const page = await stage.open(t, { path: 'add?type=restingHeartRate' })
  await page.clock.install()
  await page.getByRole('button', { name: /Ada Example/ }).click()
  await add(page, '61')
  await row(page, '61').getByText('stored').waitFor()
  await page.getByRole('link', { name: 'Doctors' }).click()
  await page.getByRole('heading', { name: 'Doctors' }).waitFor()
  await page.clock.runFor(30_000)
  await page.goBack()
  await undo(page, '61').waitFor()
  await page.clock.runFor(32_000)
  await undo(page, '61').waitFor({ state: 'detached' })
  await row(page, '61').getByText('stored').waitFor()
})

test('offline, it is taken out of the queue, and nothing is ever sent', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=respiratoryRate', ...OFFLINE })
  await page.getByLabel('Value').waitFor()
  await page.context().setOffline(true)
  await add(page, '14')
  await row(page, '14 /min').getByText('waiting').waitFor()
  await add(page, '15')
  await row(page, '15 /min').getByText('waiting').waitFor()
  await undo(page, '14 /min').click()
  await row(page, '14 /min').getByText('undone', { exact: true }).waitFor()
  await row(page, '14 /min').getByText('It was not stored: it was undone before it was sent.').waitFor()
  await page.getByText('1 reading waits on this device').waitFor()
  await page.context().setOffline(false)
  await row(page, '15 /min').getByText('stored').waitFor()
  assert.deepEqual(await stored('respiratoryRate'), [{ value: 15, isWithdrawn: false }])
})

test(
  'one whose answer was lost may be stored: Undo does not claim otherwise, and withdraws it later',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bloodKetone', ...OFFLINE })
    // The service stores it, and its answer never arrives.
    await page.route('**/readings/add', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.route('**/readings/get*', (route) => route.abort())
    await add(page, '0.4')
    await row(page, '0.4').getByText('waiting').waitFor()
    await until(async () => (await stored('bloodKetone')).length === 1)
    await undo(page, '0.4').click()
    await row(page, '0.4').getByText('undoing', { exact: true }).waitFor()
    await row(page, '0.4').getByText('If it was stored before, it is withdrawn').waitFor()
    assert.deepEqual(await stored('bloodKetone'), [{ value: 0.4, isWithdrawn: false }])
    // It is not forgotten by a reload.
    await endRoutes(page)
    await page.reload()
    await until(async () => (await stored('bloodKetone'))[0]?.isWithdrawn === true)
    assert.equal((await stored('bloodKetone')).length, 1)
  },
)

test('one that was sent again after a lost answer is withdrawn: it came from here', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=restingHeartRate', ...OFFLINE })
  let sent = 0
  await page.route('**/readings/add', async (route) => {
    sent++
    if (sent > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await add(page, '77')
  await row(page, '77').getByText('stored').waitFor()
  assert.ok(sent > 1)
  await undo(page, '77').click()
  await row(page, '77').getByText('withdrawn', { exact: true }).waitFor()
  await endRoutes(page)
})

test('one on its way is stored or not, and withdrawn or not sent in either case', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=fev1' })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/readings/add', async (route) => {
    await released
    await route.continue()
  })
  await add(page, '3.1')
  await undo(page, '3.1').click()
  await row(page, '3.1').getByText('undoing', { exact: true }).waitFor()
  release()
  await row(page, '3.1').getByText('withdrawn', { exact: true }).waitFor()
  assert.deepEqual(await stored('fev1'), [{ value: 3.1, isWithdrawn: true }])
})

test('the same reading added again after Undo counts again', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bodyFat' })
  const addOld = async () => {
    await page.getByRole('button', { name: 'Another time' }).click()
    await page.getByLabel('Date and time').fill('2026-03-01T07:42')
    await add(page, '22')
    await row(page, '22').getByText('stored').waitFor()
  }
  await addOld()
  await undo(page, '22').click()
  await row(page, '22').getByText('withdrawn', { exact: true }).waitFor()
  await addOld()
  assert.deepEqual(await stored('bodyFat'), [{ value: 22, isWithdrawn: false }])
})

async function addThen(page: Page, value: string) {
  await page.getByRole('button', { name: 'Another time' }).click()
  await page.getByLabel('Date and time').fill('2026-03-02T07:42')
  await add(page, value)
}

/** By another device. */
async function storeElsewhere(t: TestContext, type: string, value: string) {
  const page = await stage.signIn(t, 'ada-example', { path: `add?type=${type}` })
  await addThen(page, value)
  await row(page, value).getByText('stored', { exact: true }).waitFor()
}

const HAD_IT = 'The service had it already, perhaps from somebody else: it was not withdrawn.'

test('what was there before is not withdrawn, and its person is told', inBrowser, async (t) => {
  await storeElsewhere(t, 'meanArterialPressure', '93')
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=meanArterialPressure' })
  await addThen(page, '93')
  await row(page, '93').getByText('stored', { exact: true }).waitFor()
  await undo(page, '93').click()
  await row(page, '93').getByText(HAD_IT).waitFor()
  await axe(page)
  assert.deepEqual(await stored('meanArterialPressure'), [{ value: 93, isWithdrawn: false }])
})

test('nor is it where the answer to adding it again was lost', inBrowser, async (t) => {
  await storeElsewhere(t, 'peakExpiratoryFlow', '410')
  const page = await stage.open(t, { path: 'add?type=peakExpiratoryFlow', ...OFFLINE })
  // A minute later.
  await page.clock.install({ time: Date.now() + 60_000 })
  await page.getByRole('button', { name: /Ada Example/ }).click()
  await page.route('**/readings/add', (route) => route.abort())
  await addThen(page, '410')
  await row(page, '410').getByText('waiting', { exact: true }).waitFor()
  await undo(page, '410').click()
  await row(page, '410').getByText(HAD_IT).waitFor()
  assert.deepEqual(await stored('peakExpiratoryFlow'), [{ value: 410, isWithdrawn: false }])
})

test('an undo that the service refuses does not hold up a later one', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', {
    path: 'add?type=heartRateVariabilitySdnn',
    ignoring: [...OFFLINE.ignoring, /status of 403/],
  })
  await page.route('**/readings/get*', (route) =>
    route.fulfill({ status: 403, json: { code: 'ScopeMissing', message: 'No.', retryable: false } }),
  )
  await page.route('**/readings/add', (route) => route.abort())
  await add(page, '40')
  await row(page, '40').getByText('waiting', { exact: true }).waitFor()
  await undo(page, '40').click()
  await row(page, '40').getByText('It could not be undone: it stays in the record, and counts.').waitFor()
  await page.unroute('**/readings/add')
  await page.getByRole('link', { name: 'Something else' }).click()
  await page.getByLabel('What was measured?').selectOption('heartRateVariabilityRmssd')
  await add(page, '51')
  await row(page, '51').getByText('stored', { exact: true }).waitFor()
  await undo(page, '51').click()
  await row(page, '51').getByText('withdrawn', { exact: true }).waitFor()
})
