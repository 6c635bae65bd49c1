// The inbox of alerts: what is open, by mouse, by keyboard, live, on a phone; and never an old list as a current one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { COLOUR_SCHEMES, inBrowser, NO_NETWORK, startStage, WIDTHS } from './browser.ts'
import { everyAlert, HIGH_GLUCOSE, HIGH_PRESSURE, setRule, untilAlert } from './doctors-alerts.ts'
import { DOCTOR, glucose, pressure, sharing } from './doctors-patients.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage({ settings: { ALERTS: 'on' } })
const { ada, rules } = await everyAlert(stage)

const DESK = { width: 1_440, height: 900 }

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'The chosen alert' })
const selected = (page: Page) => page.locator('[aria-selected="true"] .alert-patient strong').allInnerTexts()

/** The patients in their order, below the group in which they stand. */
async function groups(page: Page): Promise<string[]> {
  const texts = await page.locator('.alert-group-head, .alert-row .alert-patient strong').allInnerTexts()
  return texts.map((text) => text.trim().replaceAll(/\s+/g, ' '))
}

async function untilListed(page: Page) {
  await page.getByText(/\d open · checked \d\d:\d\d(\s[AP]M)?$/).waitFor()
}

async function openInbox(page: Page, query = '') {
  await page.goto(`${stage.origin}/console/alerts${query}`)
  await untilListed(page)
}

test('the list of patients shows whose alerts are open, at every width', inBrowser, async (t) => {
  for (const width of WIDTHS) {
    const page = await stage.signIn(t, DOCTOR, { path: 'my-patients', width })
    const mia = page.locator('.list-line').filter({ hasText: 'Mia Example' })
    await mia.getByText(/^Urgent alert “.*”: 14.2 mmol\/L at .*/).waitFor()
    await axe(page)
    await assertNoOverflow(page)
  }
})

test('from the record, one click leads to the alert', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { path: 'today?patient=child-1', ...DESK })
  await page.getByRole('link', { name: 'Open the alert' }).click()
  await untilListed(page)
  assert.deepEqual(await selected(page), ['Mia Example'])
})

test('a doctor sees what is open, looks, and acknowledges with a note, by mouse', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, DESK)
  await page.getByRole('link', { name: /^Alerts 4 open, 1 urgent$/ }).click()
  await untilListed(page)
  assert.deepEqual(await groups(page), ['Open 4', 'Mia Example', 'Elif Probe', 'Jonas Sample', 'Ada Example'])
  const mia = rowOf(page, 'Mia Example')
  await mia.getByText('Urgent', { exact: true }).waitFor()
  await mia.getByText('Sensor glucose was 14.2 mmol/L, above 13.9 mmol/L.').waitFor()
  // Anywhere in the row, also on the name.
  await mia.getByText('Mia Example', { exact: true }).click()
  assert.deepEqual(await selected(page), ['Mia Example'])
  assert.match(page.url(), /\/console\/alerts/)
  const panel = panelOf(page)
  await panel.getByText('Alerts at sensor glucose above 13.9 mmol/L.').waitFor()
  await panel.getByText('Ends with 2 readings in a row below 12 mmol/L.').waitFor()
  await panel.getByText(/^Set by you today\.$/).waitFor()
  await panel.getByText(/^Line: above 13.9 mmol\/L\. Dotted: ends below 12 mmol\/L\./).waitFor()
  await panel.getByText(/Opened by 1 reading: 14.2 mmol\/L at \d\d:\d\d \(ringed\)/).waitFor()
  await panel.getByText(/^Newest: 16.4 mmol\/L, today, \d\d:\d\d$/).waitFor()
  await panel.locator('canvas').waitFor()
  await panel.getByText(/^It opened/).waitFor()
  await panel.getByText('Nobody has acknowledged it.').waitFor()

  await rowOf(page, 'Ada Example').click()
  await panel.getByText('Alerts at body weight up by 2 kg or more within 3 days.').waitFor()
  await panel.getByText('“Heart failure”').waitFor()
  await panel.getByRole('button', { name: 'Acknowledge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Acknowledge this alert' })
  await dialog.getByText('Body weight rose from 80.2 kg to 82.5 kg within 3 days.').waitFor()
  await dialog.getByLabel('Note (optional)').fill('Called: more salt at a party.')
  await axe(page)
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await dialog.waitFor({ state: 'detached' })
  // It stays in its place, and says what was done.
  await rowOf(page, 'Ada Example')
    .getByText(/^Acknowledged by you today \d\d:\d\d$/)
    .waitFor()
  await page.getByRole('status').getByText('The alert is acknowledged.').waitFor()
  await panel.getByText(/^You acknowledged it/).waitFor()
  assert.equal(await panel.getByText('Called: more salt at a party.').count(), 2)
  await page.getByRole('link', { name: /^Alerts 3 open, 1 urgent$/ }).waitFor()
  assert.equal((await groups(page))[0], 'Open 3 · 1 acknowledged now')

  await rowOf(page, 'Jonas Sample').click()
  await panel
    .getByText(/^Alerts at 3 of the last 4 readings of systolic blood pressure above 150 mmHg/)
    .waitFor()
  // The status and the groups say the same, while the rows stay.
  await page.getByText(/^3 open · checked/).waitFor()
  assert.deepEqual(await groups(page), [
    'Open 3 · 1 acknowledged now',
    'Mia Example',
    'Elif Probe',
    'Jonas Sample',
    'Ada Example',
  ])
  const jonas = await untilAlert(stage, rules.jonas)
  await page.waitForURL((url) => url.searchParams.get('selected') === jonas)
  await page.reload()
  await untilListed(page)
  assert.deepEqual(await groups(page), [
    'Open 3',
    'Mia Example',
    'Elif Probe',
    'Jonas Sample',
    'Acknowledged 1',
    'Ada Example',
  ])
  assert.deepEqual(await selected(page), ['Jonas Sample'])
  await panel.getByRole('link', { name: 'Open the record' }).click()
  await page.waitForURL(/today\?patient=patient-7/)
})

test('the patient sees open alerts, by whose rule, and who acknowledged them', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  const alerts = page.getByRole('region', { name: 'Open alerts' })
  await alerts.getByText('Body weight rose from 80.2 kg to 82.5 kg within 3 days.').waitFor()
  await alerts.getByText('Notice', { exact: true }).waitFor()
  await alerts
    .getByText(/by a rule of Dr Willow Sample\. Dr Willow Sample acknowledged it today, \d\d:\d\d and noted:/)
    .waitFor()
  await alerts.getByText('Called: more salt at a party.').waitFor()
  await alerts
    .getByText(/nobody may be looking now\. If you feel unwell, do not wait for an answer\.$/)
    .waitFor()
  await axe(page)
  await assertNoOverflow(page)
  assert.equal(await page.getByRole('link', { name: /^Alerts/ }).count(), 0)
  // What a doctor does arrives while the page is open: every half minute, and when somebody looks at it again.
  const willow = await stage.clientOf(DOCTOR)
  const ruleId = await setRule(stage, 'patient-1', HIGH_PRESSURE)
  await ada.add([pressure(170, 100, 30), pressure(171, 100, 20), pressure(172, 100, 10)])
  const alertId = await untilAlert(stage, ruleId)
  await willow.alerts.acknowledge({ patientUid: 'patient-1', alertId, note: 'Rest, and measure again.' })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await alerts.getByText('Rest, and measure again.').waitFor()
  await willow.rules.remove({ patientUid: 'patient-1', ruleId })
})

test(
  'by keyboard alone: the arrows move, Enter opens the alert, and acknowledges it',
  inBrowser,
  async (t) => {
    const nora = await sharing(stage, 'patient-80', { sharedAs: 'Nora Keys' })
    const rule = await setRule(stage, 'patient-80', HIGH_GLUCOSE)
    await nora.add([glucose(15, 20)])
    await untilAlert(stage, rule)
    const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors', ignoring: [/403/] })
    await openInbox(page)
    const press = (key: string) => page.keyboard.press(key)
    await press('ArrowDown')
    assert.deepEqual(await selected(page), ['Mia Example'])
    await press('ArrowDown')
    assert.deepEqual(await selected(page), ['Nora Keys'])
    await press('ArrowUp')
    await press('ArrowDown')
    assert.equal(await page.locator('.list-bar .live.is-live').count(), 0)

    const posted: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/alerts/acknowledge')) posted.push(request.postDataJSON())
    })
    await press('Enter')
    await panelOf(page).getByRole('heading', { name: 'Nora Keys' }).and(page.locator(':focus')).waitFor()
    await pressByKeyboard(page, panelOf(page).getByRole('button', { name: 'Acknowledge', exact: true }))
    const acknowledge = page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true })
    await acknowledge.and(page.locator(':focus')).waitFor()
    await page.getByLabel('Note (optional)').press('Enter')
    assert.equal(await page.getByLabel('Note (optional)').inputValue(), '\n')
    const enter = acknowledge.locator('kbd')
    assert.equal(await enter.isVisible(), false)
    await acknowledge.focus()
    assert.equal(await enter.isVisible(), true)
    await press('Enter')
    await rowOf(page, 'Nora Keys')
      .getByText(/^Acknowledged by you/)
      .waitFor()
    assert.equal(posted.length, 1)
    assert.deepEqual(Object.keys(Object(posted[0])), ['patientUid', 'alertId'])
    await panelOf(page).getByRole('button', { name: 'Acknowledged', exact: true }).waitFor()
    await page.waitForURL((url) => url.searchParams.has('selected'))
    await pressByKeyboard(page, panelOf(page).getByRole('link', { name: 'Open the record' }))
    await page.waitForURL(/today\?patient=patient-80/)
    await page.goBack()
    await untilListed(page)
    assert.deepEqual(await selected(page), ['Nora Keys'])
    assert.equal(posted.length, 1)
    // Two readings in a row below the other bound.
    await nora.add([glucose(9, 5), glucose(8, 2)])
    await untilAlert(stage, rule, 'resolved')
    await page.getByRole('button', { name: 'Resolved' }).click()
    // Whose note it is, and no claim about an alert of the other list.
    await rowOf(page, 'Nora Keys')
      .getByText(/^Resolved today \d\d:\d\d\. Acknowledged by you today \d\d:\d\d$/)
      .waitFor()
    await panelOf(page).getByText('Choose an alert to see more here.').waitFor()
    await page.waitForURL((url) => !url.searchParams.has('selected'))
    await nora.revoke()
    await rowOf(page, 'Nora Keys').waitFor({ state: 'detached' })
  },
)

test('acknowledged, a row stays, and groups, status and toolbar are true', inBrowser, async (t) => {
  const tilda = await sharing(stage, 'patient-83', { sharedAs: 'Tilda Line' })
  const rule = await setRule(stage, 'patient-83', HIGH_PRESSURE)
  await tilda.add([pressure(170, 100, 30), pressure(171, 100, 20), pressure(172, 100, 10)])
  await untilAlert(stage, rule)
  const page = await stage.signIn(t, DOCTOR, {
    width: 1_200,
    height: 750,
    path: 'doctors',
    locale: 'en-US',
  })
  await openInbox(page)
  const [before = ''] = await groups(page)
  const open = Number(/^Open (\d+)$/.exec(before)?.[1])
  await rowOf(page, 'Tilda Line').getByText('Tilda Line', { exact: true }).click()
  const place = async () => (await rowOf(page, 'Tilda Line').boundingBox())?.y
  const top = await place()
  await panelOf(page).getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Acknowledge' })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Tilda Line')
    .getByText(/^Acknowledged by you/)
    .waitFor()
  await page.getByText(new RegExp(`^${open - 1} open.* · checked`)).waitFor()
  assert.equal((await groups(page))[0], `Open ${open - 1} · 1 acknowledged now`)
  assert.equal(await place(), top)
  await page.getByRole('button', { name: '1 changed: sort again' }).waitFor()
  const tops = (part: string) =>
    page.locator(part).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
  assert.equal(new Set(await tops('.list-bar .seg button')).size, 1)
  const heights = await page
    .locator('.list-bar, .list-changed .button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  assert.ok(Math.max(...heights) <= 42, String(heights))
  await assertNoOverflow(page)
  // Without room beside the list, a click on the name and Enter open the same panel above it.
  await page.setViewportSize({ width: 1_000, height: 750 })
  const sheet = page.getByRole('dialog', { name: 'Warning alert of Tilda Line' })
  for (const act of [
    () => rowOf(page, 'Tilda Line').getByText('Tilda Line', { exact: true }).click(),
    async () => {
      await page.getByRole('grid', { name: 'Alerts' }).focus()
      await page.keyboard.press('Enter')
    },
  ]) {
    await act()
    await sheet.getByRole('link', { name: 'Open the record' }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  }
  await page.setViewportSize({ width: 390, height: 760 })
  await page.getByRole('heading', { name: `Open ${open - 1} · 1 acknowledged now` }).waitFor()
  await assertNoOverflow(page)
  await page.getByRole('button', { name: '1 changed: sort again' }).click()
  await page.getByRole('heading', { name: `Open ${open - 1}`, exact: true }).waitFor()
  await tilda.revoke()
})

test('a new urgent alert is announced; the selection and the rows stay', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors' })
  await openInbox(page)
  await rowOf(page, 'Elif Probe').click()
  const before = await groups(page)
  const isPatient = (text: string) => !/\d/.test(text)
  const place = async () => (await rowOf(page, 'Elif Probe').boundingBox())?.y
  const top = await place()
  const late = await sharing(stage, 'patient-81', { sharedAs: 'Lena Late' })
  const rule = await setRule(stage, 'patient-81', HIGH_GLUCOSE)
  await late.add([glucose(18, 3)])
  await page
    .getByRole('alert')
    .getByText('New urgent alert. Lena Late: Sensor glucose was 18 mmol/L, above 13.9 mmol/L.')
    .waitFor({ state: 'attached' })
  const show = page.getByRole('button', { name: 'New urgent alert: Lena Late. Show' })
  await show.waitFor()
  assert.deepEqual(await selected(page), ['Elif Probe'])
  assert.deepEqual((await groups(page)).filter(isPatient), before.filter(isPatient))
  assert.equal(await place(), top)
  await show.click()
  await rowOf(page, 'Lena Late').waitFor()
  await show.waitFor({ state: 'detached' })
  assert.deepEqual(await selected(page), ['Elif Probe'])

  // A reading that was withdrawn retracts it.
  await rowOf(page, 'Lena Late').click()
  await panelOf(page).getByText('Lena Late').first().waitFor()
  await panelOf(page).getByRole('button', { name: 'Acknowledge', exact: true }).click()
  const note = page.getByLabel('Note (optional)')
  await note.fill('Calls')
  await note.press('End')
  await note.press('Enter')
  await note.pressSequentially('tomorrow.')
  await note.press('ControlOrMeta+Enter')
  await note.waitFor({ state: 'detached' })
  await panelOf(page).getByText('Calls\ntomorrow.').first().waitFor()
  const { data } = await late.client.getReadings({ patientUid: 'patient-81' })
  for (const { readingId, timestamp } of data)
    await late.client.withdrawReading({ patientUid: 'patient-81', readingId, timestamp })
  await untilAlert(stage, rule, 'retracted')
  await panelOf(page)
    .getByText(/^This alert is no longer in the list/)
    .waitFor()
  await page.getByRole('button', { name: 'Retracted' }).click()
  await rowOf(page, 'Lena Late')
    .getByText(/^Retracted: as is known now, the rule never held\. Acknowledged by you today/)
    .waitFor()
  await late.revoke()
})

test('who may only read is told so; who no longer shares is gone', inBrowser, async (t) => {
  const gerd = await sharing(stage, 'patient-82', { sharedAs: 'Gerd Gone' })
  const rule = await setRule(stage, 'patient-82', HIGH_PRESSURE)
  await gerd.add([pressure(170, 100, 30), pressure(171, 100, 20), pressure(172, 100, 10)])
  await untilAlert(stage, rule)
  const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors', ignoring: [/403/] })
  await openInbox(page)
  await rowOf(page, 'Elif Probe').click()
  const panel = panelOf(page)
  await panel.getByText('Elif Probe lets you see readings, and not change the record.').waitFor()
  assert.equal(await panel.getByRole('button', { name: 'Acknowledge' }).getAttribute('aria-disabled'), 'true')

  await rowOf(page, 'Gerd Gone').click()
  await panel.getByText(/^It opened/).waitFor()
  await panel.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Acknowledge this alert' })
  await dialog.waitFor()
  await gerd.revoke()
  await page.keyboard.press('Enter')
  // The list may have found it first, and with it the dialog.
  await page.getByText('Gerd Gone').first().waitFor({ state: 'detached' })
  await page.locator('.alert-row').getByText('No longer active, or no longer shared with you.').waitFor()
})

test('an old list is never shown as a current one', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, {
    ...DESK,
    path: 'doctors',
    ignoring: [NO_NETWORK, /Failed to/],
  })
  await openInbox(page)
  await page.context().setOffline(true)
  await page.getByText(/^This list is old: as of \d\d:\d\d\.$/).waitFor()
  await page.getByText(/^Open \d+, as of \d\d:\d\d$/).waitFor()
  await page.getByText(/^as of \d\d:\d\d, not current$/).waitFor()
  await page.context().setOffline(false)
  await untilListed(page)
  await page.getByText(/^This list is old/).waitFor({ state: 'detached' })

  await page.route('**/care/alerts/list*', (route) => route.abort())
  await page.getByText('The server did not answer. Alerts since then are not shown.').waitFor()
  // The number in the navigation is not known either.
  await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor()
  await axe(page)
  await page.unroute('**/care/alerts/list*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await untilListed(page)

  const answering = (part: object) =>
    page.route('**/care/alerts/list*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...part } })
    })
  await answering({ behindSince: new Date(Date.now() - 90_000).toISOString() })
  await page.getByText(/^Alerts are behind: what changed since \d\d:\d\d is not evaluated yet\.$/).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText(/^Alerts are behind/).waitFor({ state: 'detached' })

  const counts = { open: { urgent: 0, warning: 0, notice: 0 }, acknowledged: 0, beyond: 0 }
  await answering({ data: [], counts })
  await openInbox(page)
  await page.getByText('No open alerts').waitFor()
  await page.getByText(/^Last checked at \d\d:\d\d\.$/).waitFor()
  await page.getByText(/^\d+ rules of \d+ patients are watched\.$/).waitFor()
  await axe(page)
  await page.context().setOffline(true)
  await page.getByText('Whether there are open alerts is not known now.').waitFor()
  assert.equal(await page.getByText('No open alerts').count(), 0)
  await page.context().setOffline(false)
  await page.getByText('No open alerts').waitFor()
})

test('a failure from the start is said, and the list comes when it is over', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors', ignoring: [NO_NETWORK] })
  await page.route('**/care/alerts/list*', (route) => route.abort())
  await page.goto(`${stage.origin}/console/alerts`)
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  assert.equal(await page.getByText('No open alerts').count(), 0)
  await page.unrouteAll({ behavior: 'wait' })
  await untilListed(page)
})

for (const colorScheme of COLOUR_SCHEMES)
  test(`no violation and nothing beyond its place, ${colorScheme}`, inBrowser, async (t) => {
    const page = await stage.signIn(t, DOCTOR, { path: 'doctors', colorScheme, ...DESK })
    await openInbox(page)
    await rowOf(page, 'Mia Example').click()
    await panelOf(page).locator('canvas').waitFor()
    for (const width of [...WIDTHS, 1_180, 1_920]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByText('Mia Example').first().waitFor()
      await assertNoOverflow(page)
      await axe(page)
    }
  })

test('on a phone: cards with their actions, and a sheet', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { width: 360, height: 740, hasTouch: true })
  await page.getByRole('link', { name: /^Alerts/ }).tap()
  await untilListed(page)
  assert.equal(await page.getByRole('grid').count(), 0)
  await page.getByRole('button', { name: 'More of the alert of Mia Example' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Urgent alert of Mia Example' })
  await sheet.locator('canvas').waitFor()
  await sheet.getByText(/^It opened/).waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Mia Example' })
    .getByText('Mia Example', { exact: true })
    .tap()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  await assertNoOverflow(page)
  await axe(page)
  await page.getByRole('button', { name: 'Acknowledge the alert of Mia Example' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).tap()
  assert.equal(await sheet.count(), 0)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Mia Example' })
    .getByText(/^Acknowledged by you/)
    .waitFor()
  await assertNoOverflow(page)
})

test('without alerts there is no such screen', inBrowser, async (t) => {
  const other = await startStage()
  const page = await other.signIn(t, DOCTOR, DESK)
  await page.getByRole('link', { name: 'My patients' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^Alerts/ }).count(), 0)
  await page.goto(`${other.origin}/console/alerts`)
  await page.getByText('This server has no alerts.').waitFor()
})
