// What stands around every screen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, NO_NETWORK, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
await stage.add(everyKind('patient-1', Date.now()))

test(
  'staff type the id of a patient, are told that the patient sees it, and the patient does',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'kim-sample')
    await page.getByText(/The patient sees in “Who has read”/).waitFor()
    const field = page.getByLabel('Patient id')
    await field.focus()
    await page.keyboard.type('patient-1')
    await page.keyboard.press('Enter')
    await page.waitForURL(/patient=patient-1/)
    await page.getByText('The patient sees this access.').waitFor()
    await page.getByRole('article').first().waitFor()
    const patient = await stage.signIn(t, 'ada-example', { path: 'access' })
    await patient.getByText(/^kim-sample, staff, read .*the newest of each type/).waitFor()
  },
)

test('staff who mistype an id see no readings, and correct it', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'kim-sample', { path: 'today?patient=patient-11' })
  await page.getByText(/^Nothing is stored for this id, or all of it was withdrawn\./).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Change patient' }).click()
  await page.getByRole('dialog').getByLabel('Patient id').fill('patient-1')
  await page.getByRole('button', { name: 'Open the record' }).click()
  await page.waitForURL(/patient=patient-1$/)
  await page.getByRole('article').first().waitFor()
  assert.equal(await page.getByText('Nothing is stored').count(), 0)
})

test(
  'a record shows its first reading when that arrives, and one with withdrawn readings shows none',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'kim-sample', { path: 'today?patient=new-here' })
    await page.getByText('No readings.', { exact: true }).waitFor()
    const timestamp = Date.now()
    await stage.add([{ patientUid: 'new-here', readingType: 'heartRate', value: 71, timestamp }])
    await page.getByRole('article').getByText('71', { exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const staff = await stage.clientOf('kim-sample')
    const { data } = await staff.getReadings({ patientUid: 'new-here' })
    const { readingId } = data[0] ?? assert.fail()
    await staff.withdrawReading({ patientUid: 'new-here', readingId, timestamp, reason: 'a test' })
    await page.reload()
    await page.getByText('No readings.', { exact: true }).waitFor()
  },
)

test(
  'times are shown in the zone of the browser, and in another when one asks for it',
  inBrowser,
  async (t) => {
    const staff = await stage.clientOf('kim-sample')
    await staff.getReadings({ patientUid: 'patient-1', limit: 1 })
    const page = await stage.signIn(t, 'ada-example', { path: 'access' })
    const time = page.locator('.moments time').first()
    const inBerlin = await time.textContent()
    await pressByKeyboard(page, page.getByRole('button', { name: 'times in Europe/Berlin' }))
    const dialog = page.getByRole('dialog')
    await axe(page)
    await dialog.getByLabel('The patient’s zone').selectOption('Asia/Tokyo')
    await page.waitForURL(/zone=Asia%2FTokyo/)
    await page.getByText('times in Asia/Tokyo').waitFor()
    assert.notEqual(await time.textContent(), inBerlin)
    // It stays on the next screen, and a link takes it along.
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByText('times in Asia/Tokyo').waitFor()
    await page.reload()
    await page.getByText('times in Asia/Tokyo').waitFor()
  },
)

test('light and dark can be chosen, and the choice outlasts a reload', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { colorScheme: 'light' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await pressByKeyboard(page, page.getByRole('button', { name: /Ada Example/ }))
  await page.getByRole('button', { name: 'Dark' }).click()
  assert.notEqual(await background(), light)
  await axe(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('article').first().waitFor()
  assert.notEqual(await background(), light)
})

test('no token is in local storage or in the address', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await page.getByRole('article').first().waitFor()
  const stored = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  assert.doesNotMatch(stored, /eyJ|token/)
  assert.doesNotMatch(page.url(), /eyJ|code=|state=/)
})

test(
  'offline, the reader is told, and sees again what is new when the network is back',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { ignoring: [NO_NETWORK] })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await axe(page)
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  },
)

test(
  'a screen that could not be loaded is loaded by itself once the network is back',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { ignoring: [NO_NETWORK] })
    await page.getByRole('link', { name: 'Who has read' }).click()
    await page.getByText(/^You /).first().waitFor()
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByRole('article').first().waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Who has read' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await axe(page)
    await page.context().setOffline(false)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page
      .getByText(/^You (?!are offline)/)
      .first()
      .waitFor()
  },
)

test('a fault in one screen leaves the way to the others', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors', ignoring: [/Invalid time value/] })
  await page.route('**/readings/latest*', (route) =>
    route.fulfill({
      json: { status: 'success', data: [{ readingType: 'heartRate', measuredAt: 'never' }], typesBeyond: 0 },
    }),
  )
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('alert').getByText('Something in this page failed.').waitFor()
  await axe(page)
  await page.unroute('**/readings/latest*')
  await pressByKeyboard(page, page.getByRole('button', { name: 'Try again' }))
  await page.getByRole('article').first().waitFor()
})

test('an address with days that no calendar has shows the usual ones', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'take-away?from=2026-99-99&to=2026-13-01' })
  await page.getByRole('button', { name: '30 days', pressed: true }).waitFor()
})

test('an address that nobody has leads on', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'nowhere' })
  await page.getByText('There is no such page.').waitFor()
  await page.goto(`${stage.origin}/console/constructor`)
  await page.getByText('There is no such page.').waitFor()
  await page.getByRole('link', { name: 'Go to today’s readings' }).click()
  await page.getByRole('article').first().waitFor()
})

test('a patient id that is too long is refused in words', inBrowser, async (t) => {
  const uid = 'p'.repeat(200)
  const page = await stage.signIn(t, 'kim-sample', { path: `today?patient=${uid}`, ignoring: [/400/] })
  await page
    .getByRole('alert')
    .getByText(/128 characters/)
    .waitFor()
})

test(
  'in a narrow window, the sections that do not fit are behind More, by finger and by keyboard',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { width: 375, hasTouch: true })
    const more = page.getByRole('button', { name: 'More' })
    const targets = page.getByRole('link', { name: 'Targets', exact: true })
    await more.waitFor()
    assert.equal(await targets.isVisible(), false)
    await more.tap()
    await targets.waitFor()
    await axe(page)
    await page.getByRole('heading', { level: 1 }).tap()
    await targets.waitFor({ state: 'hidden' })
    await pressByKeyboard(page, more)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await targets.waitFor({ state: 'hidden' })
    assert.equal(await more.evaluate((button) => button === document.activeElement), true)
    await page.keyboard.press('Enter')
    await pressByKeyboard(page, targets)
    await page.getByRole('heading', { level: 1, name: 'Targets and rules' }).waitFor()
    await targets.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1_280, height: 800 })
    await targets.waitFor()
    assert.equal(await more.isVisible(), false)
  },
)
