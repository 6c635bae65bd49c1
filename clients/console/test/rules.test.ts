// Alert rules: set, changed and removed by a doctor who may, tried out before; and read by the patient, a carer and
// others, with what alerted and who acknowledged it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { until } from '../../../test/support/until.ts'
import type { Reading, RoundsClient, RuleToSet } from '../../typescript/src/client.ts'
import { inBrowser, PHONE_AND_DESK, SERVER_GONE, startStage, WIDTHS } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const WILLOW = 'dr-willow-sample'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const DAYS = 90
const stage = await startStage({ settings: { ALERTS: 'on' } })
const now = Date.now()
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})

/** Every six hours for 90 days; four in a row above 130 five times, and one alone above it fifteen times. */
const pulses = (patientUid: string): Reading[] =>
  Array.from({ length: 4 * DAYS - 2 }, (_, index) => {
    const isRun = index % 70 >= 20 && index % 70 < 24
    const isAlone = index % 24 === 7 && !isRun
    return {
      patientUid,
      readingType: 'heartRate',
      timestamp: now - index * 6 * HOUR - 2 * HOUR,
      value: isRun || isAlone ? 140 + (index % 5) : 70 + (index % 9),
    }
  })
await stage.add(pulses('patient-1'))
await stage.add([
  { patientUid: 'patient-1', readingType: 'bodyWeight', timestamp: now - 200 * DAY, value: 71, unit: 'kg' },
  { patientUid: 'child-1', readingType: 'heartRate', timestamp: now - HOUR, value: 70 },
] as Reading[])

const ada = await stage.clientOf('ada-example')
const robin = await stage.clientOf('robin-example')
const willow = await stage.clientOf(WILLOW)
const share = (patient: RoundsClient, patientUid: string, sharedAs: string, permission: 'view' | 'manage') =>
  patient.grants.add({ patientUid, doctorId: WILLOW, permission, sharedAs })
await share(ada, 'patient-1', 'Ada Example', 'manage')
await share(robin, 'child-1', 'Mia Example', 'manage')
await share(robin, 'child-2', 'Leo Example', 'manage')

const FAST = {
  readingType: 'heartRate',
  unit: '/min',
  severity: 'urgent',
  sustained: { above: 130, count: 3, of: 4 },
} as const satisfies Omit<RuleToSet, 'patientUid'>

async function withoutRules(patientUid: string) {
  const { data } = await willow.rules.list({ patientUid })
  for (const { ruleId } of data) await willow.rules.remove({ patientUid, ruleId })
}
const rulesOf = async (patientUid: string) => (await willow.rules.list({ patientUid })).data

const rows = (page: Page) => page.locator('.rules > li')
const preview = (page: Page) => page.getByRole('region', { name: 'What it would have done' })
const said = (page: Page) => preview(page).locator('.rule-count-said')
const untilKnown = (page: Page) => preview(page).locator('.rule-old').waitFor({ state: 'detached' })
const bound = (page: Page) => page.getByRole('textbox', { name: 'Bound' })
const save = (page: Page) => page.getByRole('button', { name: 'Set the rule for Ada Example' })
const openForm = (page: Page, query = 'type=heartRate') =>
  page.goto(`${stage.origin}/console/set-rule?patient=patient-1&${query}`)

async function everyWidth(page: Page) {
  const before = page.viewportSize() ?? assert.fail()
  for (const width of [...WIDTHS, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await assertNoOverflow(page)
  }
  await axe(page)
  await page.setViewportSize(before)
}

/** From when to when each alert is drawn in the chart: the bars above the plot. */
function drawnSpans(page: Page): Promise<[fromMs: number, toMs: number][]> {
  const range = { fromMs: startOfLocalDay(-DAYS), toMs: startOfLocalDay(1) }
  return page.locator('.rule-chart canvas').evaluate((canvas: HTMLCanvasElement, { fromMs, toMs }) => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--review)'
    canvas.parentElement?.append(probe)
    const wanted = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
    probe.remove()
    const ratio = canvas.width / canvas.clientWidth
    // The plot begins 13 px below its edge, and a bar of 5 px stands on it; values have 48 px, air on the right 12 px.
    const [left, width] = [48 * ratio, canvas.width - 60 * ratio]
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const { data } = context.getImageData(0, Math.round(11 * ratio), canvas.width, 1)
    const isBar = Array.from({ length: canvas.width }, (_, x) =>
      wanted.every((part, place) => Math.abs(part - (data[x * 4 + place] ?? 0)) < 16),
    )
    const at = (x: number) => fromMs + ((x - left) / width) * (toMs - fromMs)
    return isBar.flatMap((is, x): [number, number][] => {
      if (!is || isBar[x - 1] === true) return []
      const end = isBar.indexOf(false, x)
      return [[at(x), at(end)]]
    })
  }, range)
}

/** The midnights of the zone in which the browser stands, so many days from now. */
function startOfLocalDay(days: number): number {
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(now + days * DAY)
  const utc = Date.parse(`${date}T00:00:00Z`)
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    hour12: false,
  }).format(utc)
  return utc - Number(clock) * HOUR
}

for (const width of PHONE_AND_DESK) {
  test(
    `a doctor tries a rule out, sets it, changes it and removes it, at ${width} px`,
    inBrowser,
    async (t) => {
      await withoutRules('patient-1')
      const page = await stage.signIn(t, WILLOW, { width, path: 'rules?patient=patient-1' })
      await page.getByText('No alert rules are set.').waitFor()
      await page.getByText('Rounds notifies and does not monitor').waitFor()
      await everyWidth(page)
      await page.getByRole('link', { name: 'Add a rule' }).click()
      await page.getByLabel('Alert about what?').selectOption('Heart rate')
      // Several readings are proposed, and neither a bound nor how urgent it is.
      assert.equal(
        await page.getByRole('radio', { name: 'Several readings beyond a bound' }).isChecked(),
        true,
      )
      assert.equal(await bound(page).inputValue(), '')
      assert.equal(await page.getByRole('radio', { name: 'Urgent' }).isChecked(), false)
      await page.getByText('Fill in the rule, and you see here').waitFor()
      await everyWidth(page)
      await bound(page).fill('130')
      await said(page).getByText('5 alerts in 90 days.').waitFor()
      const { data: answer } = await willow.rules.preview({ ...FAST, patientUid: 'patient-1', days: DAYS })
      assert.equal(answer.count, 5)
      await preview(page)
        .getByText(/From 35\d readings since \d+ \w+; days without readings count too\./)
        .waitFor()
      await page.getByText('3 of the last 4 readings of heart rate above 130 /min.').first().waitFor()
      await page.getByText('Ends with 3 readings in a row of at most 130 /min.').waitFor()
      await everyWidth(page)
      await page.getByRole('radio', { name: 'Urgent' }).check()
      await save(page).click()
      await page.getByText('The rule is set: 3 of the last 4').waitFor()
      assert.doesNotMatch(page.url(), /set=/)
      const row = rows(page).first()
      await row.getByText('Urgent').waitFor()
      await row.getByText('Set by you today.').waitFor()
      // A rule with its note is about one patient: nothing copies it to others.
      assert.deepEqual(await row.locator('.rule-actions > *').allTextContents(), ['Change', 'Remove'])
      const [stored] = await rulesOf('patient-1')
      assert.deepEqual(stored?.sustained, { above: 130, count: 3, of: 4 })

      await row.getByRole('link', { name: /^Change the rule/ }).click()
      await page.getByText('An alert of it that is open ends with the change').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Change an alert rule' }).waitFor()
      assert.equal(await bound(page).inputValue(), '130')
      await page.getByText('More: when it ends').click()
      await page.getByLabel('Ends below').fill('120')
      await page.getByLabel('After so many readings in a row').fill('2')
      await said(page)
        .getByText(/^\d+ alerts? in 90 days/)
        .waitFor()
      await everyWidth(page)
      await page.getByRole('button', { name: 'Change the rule for Ada Example' }).click()
      await page.getByText('The rule is changed: 3 of the last 4').waitFor()
      assert.doesNotMatch(page.url(), /changed=/)
      await rows(page).first().getByText('Ends with 2 readings in a row below 120 /min.').waitFor()
      const [changed, ...others] = await rulesOf('patient-1')
      assert.deepEqual(
        [changed?.ruleId, changed?.clear, others],
        [stored?.ruleId, { below: 120, count: 2 }, []],
      )

      const remove = rows(page)
        .first()
        .getByRole('button', { name: /^Remove the rule/ })
      await remove.click()
      const dialog = page.getByRole('alertdialog', { name: 'Remove this alert rule?' })
      await dialog.getByText('For Ada Example: 3 of the last 4').waitFor()
      await axe(page)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal((await rulesOf('patient-1')).length, 1)
      await remove.click()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No alert rules are set.').waitFor()
      assert.equal(await page.locator(':focus').textContent(), 'Alert rules for Ada Example')
      assert.deepEqual(await rulesOf('patient-1'), [])
    },
  )
}

test('what a rule would have done is drawn where it would have alerted, and listed', inBrowser, async (t) => {
  await withoutRules('patient-1')
  const page = await stage.signIn(t, WILLOW, { width: 1_440, height: 1_000, path: 'doctors' })
  await openForm(page)
  await bound(page).fill('130')
  await said(page).getByText('5 alerts in 90 days.').waitFor()
  const { data: answer } = await willow.rules.preview({ ...FAST, patientUid: 'patient-1', days: DAYS })
  await until(async () => (await drawnSpans(page)).length === 5)
  const drawn = await drawnSpans(page)
  const pixelMs = (91 * DAY) / 600
  const expected = answer.alerts
    .map(({ openedAt, until: end }) => [Date.parse(openedAt), Date.parse(end ?? answer.to)] as const)
    .toSorted(([one], [other]) => one - other)
  for (const [index, [fromMs, toMs]] of expected.entries()) {
    const [from, to] = drawn[index] ?? assert.fail()
    assert.ok(Math.abs(from - fromMs) < 2 * pixelMs, `${index}: begins ${(from - fromMs) / HOUR} h off`)
    assert.ok(Math.abs(to - toMs) < 3 * pixelMs, `${index}: ends ${(to - toMs) / HOUR} h off`)
  }
  assert.equal(await preview(page).locator('.rule-alerts li').count(), 5)
  await preview(page)
    .getByText(answer.alerts[0]?.why ?? assert.fail())
    .first()
    .waitFor()
  // One of them, closer, and back again.
  await page
    .getByRole('button', { name: /^Show in the chart/ })
    .first()
    .click()
  await until(async () => (await drawnSpans(page)).length === 1)
  await page.getByRole('button', { name: 'Show all 90 days' }).click()
  await until(async () => (await drawnSpans(page)).length === 5)
  // By keys, as in the charts.
  await tabTo(page, page.getByRole('group', { name: /^Chart of heart rate/ }))
  await page.keyboard.press('Shift+ArrowLeft')
  await page.getByText(/^Heart rate, .*: 70 \/min$/).waitFor({ state: 'attached' })

  // One reading is enough for many: the figure, and what to consider.
  await page.getByRole('radio', { name: 'One reading beyond a bound' }).check()
  await untilKnown(page)
  const { data: single } = await willow.rules.preview({
    ...FAST,
    sustained: undefined,
    threshold: { above: 130 },
    patientUid: 'patient-1',
    days: DAYS,
  })
  assert.ok(single.count > 15)
  await until(
    async () => (await said(page).textContent())?.startsWith(`${single.count} alerts in 90 days`) === true,
  )
})

test(
  'a rule that alerts often is said with its figure, and several readings are offered',
  inBrowser,
  async (t) => {
    await stage.add(
      Array.from({ length: 360 }, (_, index) => ({
        patientUid: 'child-2',
        readingType: 'heartRate',
        timestamp: now - index * 6 * HOUR - HOUR,
        value: index % 9 === 0 ? 150 : 80,
      })),
    )
    const page = await stage.signIn(t, WILLOW, { path: 'set-rule?patient=child-2&type=heartRate' })
    await page.getByRole('radio', { name: 'One reading beyond a bound' }).check()
    await bound(page).fill('130')
    await said(page).getByText('40 alerts in 90 days, about 3 a week.').waitFor()
    await preview(page).getByText('Consider several readings instead of one').waitFor()
    await preview(page).getByRole('button', { name: 'Show all 40 alerts' }).click()
    assert.equal(await preview(page).locator('.rule-alerts li').count(), 40)
    await page.getByRole('button', { name: 'Try it with 3 of the last 4 readings' }).click()
    await said(page).getByText('No alert in 90 days.').waitFor()
    assert.equal(await page.getByRole('radio', { name: 'Several readings beyond a bound' }).isChecked(), true)
    assert.equal(await bound(page).inputValue(), '130')
  },
)

test(
  'the preview is asked for once the form rests and while it is complete, and old answers are dropped',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, WILLOW, { path: 'doctors' })
    const asked: number[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/rules/preview', async (route) => {
      const { sustained } = route.request().postDataJSON()
      asked.push(sustained.above)
      // The answer to the first comes after that to the second.
      if (sustained.above === 60) await released
      await route.continue().catch(() => undefined)
    })
    await openForm(page)
    await bound(page).pressSequentially('60')
    await until(async () => asked.length === 1)
    await bound(page).fill('')
    await preview(page).getByText('Fill in the rule').waitFor()
    await bound(page).pressSequentially('130', { delay: 20 })
    await said(page).getByText('5 alerts in 90 days.').waitFor()
    release()
    // How urgent it is, and a note, change nothing of it.
    await page.getByRole('radio', { name: 'Notice' }).check()
    await page.evaluate(() => new Promise((done) => setTimeout(done, 700)))
    assert.deepEqual(asked, [60, 130])
    assert.equal(await said(page).textContent(), '5 alerts in 90 days.')

    await page.getByLabel('Alert about what?').selectOption('Body weight')
    await bound(page).fill('90')
    await preview(page).getByText('There are no readings of body weight in 90 days.').waitFor()
    assert.equal(await preview(page).locator('canvas').count(), 0)
  },
)

test(
  'by keyboard: what is wrong stands at its field, and a refused save keeps what was typed',
  inBrowser,
  async (t) => {
    await withoutRules('patient-1')
    const page = await stage.signIn(t, WILLOW, {
      path: 'set-rule?patient=patient-1&type=heartRate',
      ignoring: [/403|409/],
    })
    await bound(page).waitFor()
    await pressByKeyboard(page, save(page))
    await page.getByText('The bound is missing.').waitFor()
    await page.getByText('Choose how urgent it is.').waitFor()
    assert.equal(await page.locator(':focus').getAttribute('aria-invalid'), 'true')
    await axe(page)
    await page.keyboard.type('100000')
    await page.keyboard.press('Enter')
    await page.getByText(/^It must be at least \d+ and less than [\d,]+ \/min\.$/).waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('130')
    await tabTo(page, page.getByRole('radio', { name: 'Urgent' }))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByText('More: when it ends'))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Ends below'))
    await page.keyboard.type('140')
    await page.keyboard.press('Enter')
    await page.getByText('It must be at most 130, the bound of the rule.').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('120')
    await share(ada, 'patient-1', 'Ada Example', 'view')
    t.after(() => share(ada, 'patient-1', 'Ada Example', 'manage'))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('You may read this record, and not change it.').waitFor()
    assert.equal(await bound(page).inputValue(), '130')
    assert.equal(await page.getByLabel('Ends below').inputValue(), '120')
    await axe(page)
    assert.deepEqual(await ada.rules.list({ patientUid: 'patient-1' }).then(({ data }) => data), [])
    await share(ada, 'patient-1', 'Ada Example', 'manage')
    await pressByKeyboard(page, save(page))
    await rows(page).getByText('Ends with 3 readings in a row below 120 /min.').waitFor()

    // The same terms under another rule are refused, and stay as they were typed.
    await openForm(page)
    await page.getByRole('radio', { name: 'No reading' }).check()
    await page.getByLabel('No reading for', { exact: true }).fill('2')
    await page.getByRole('radio', { name: 'Notice' }).check()
    await save(page).click()
    await rows(page).getByText('No reading of heart rate for 2 days').waitFor()
    await rows(page)
      .filter({ hasText: 'No reading' })
      .getByRole('link', { name: /^Change the rule/ })
      .click()
    await page.getByRole('radio', { name: 'Several readings beyond a bound' }).check()
    await bound(page).fill('130')
    await page.getByText('More: when it ends').click()
    await page.getByLabel('Ends below').fill('120')
    await page.getByRole('radio', { name: 'Urgent' }).check()
    await page.getByRole('button', { name: 'Change the rule for Ada Example' }).click()
    await page.getByRole('alert').getByText('There is such a rule already.').waitFor()
    assert.equal(await bound(page).inputValue(), '130')
  },
)

test(
  'the patient, a carer and staff read rules, alerts and acknowledgements, and change nothing',
  inBrowser,
  async (t) => {
    for (const uid of ['patient-1', 'child-1']) await withoutRules(uid)
    const rule = {
      ...FAST,
      patientUid: 'child-1',
      sustained: undefined,
      threshold: { above: 130 },
      label: 'After the new medicine',
    }
    await willow.rules.set(rule)
    await stage.add([
      { patientUid: 'child-1', readingType: 'heartRate', timestamp: Date.now(), value: 142 },
    ] as Reading[])
    const alerts = async () => (await willow.alerts.list({ patientUid: 'child-1', state: 'all' })).data
    await until(async () => (await alerts()).length === 1)
    const page = await stage.signIn(t, 'robin-example', { path: 'rules?patient=child-1' })
    await page.getByText('Alert rules for child-1').waitFor()
    const row = rows(page).first()
    await row.getByText('Heart rate above 130 /min').waitFor()
    await row.getByText('Set by Dr Willow Sample today.').waitFor()
    await row.getByText('“After the new medicine”', { exact: true }).waitFor()
    await page.getByText('Rounds notifies and does not monitor').waitFor()
    await page.getByText('Doctors set these rules, if you let them under').waitFor()
    const past = page.getByRole('region', { name: 'What alerted, and who acknowledged it' })
    await past.getByText('Nobody has acknowledged it yet.').waitFor()
    assert.equal(
      await page
        .locator('main')
        .getByRole('button', { name: /Remove/ })
        .count(),
      0,
    )
    assert.equal(
      await page
        .locator('main')
        .getByRole('link', { name: /Add a rule|Change the rule/ })
        .count(),
      0,
    )
    const [alert] = await alerts()
    await willow.alerts.acknowledge({
      patientUid: 'child-1',
      alertId: alert?.alertId ?? '',
      note: 'Called: resting, feels well.',
    })
    await page.reload()
    await past.getByText(/^Dr Willow Sample acknowledged it today, \d\d:\d\d:$/).waitFor()
    await past.getByText('Called: resting, feels well.').waitFor()
    await past.getByText(alert?.why ?? '').waitFor()
    await everyWidth(page)
    await page.goto(`${stage.origin}/console/set-rule?patient=child-1`)
    await page.getByText('You can see this patient’s alert rules but not change them.').waitFor()

    const staff = await stage.signIn(t, 'kim-sample', { path: 'rules?patient=child-1' })
    await rows(staff).first().getByText('Set by Dr Willow Sample today.').waitFor()
    assert.equal(await staff.getByRole('link', { name: 'Add a rule' }).count(), 0)
  },
)

test(
  'rules are read in dark and forced colours, and a doctor who may only see is told so',
  inBrowser,
  async (t) => {
    for (const uid of ['patient-1']) await withoutRules(uid)
    await willow.rules.set({ ...FAST, patientUid: 'patient-1' })
    await willow.rules.set({
      patientUid: 'patient-1',
      readingType: 'heartRate',
      severity: 'notice',
      missing: { for: 'P2D' },
    })
    const dark = await stage.signIn(t, WILLOW, { colorScheme: 'dark', path: 'rules?patient=patient-1' })
    await rows(dark).nth(1).waitFor()
    await axe(dark)
    await openForm(dark)
    await bound(dark).fill('130')
    await said(dark).getByText('5 alerts').waitFor()
    await axe(dark)
    const forced = await stage.signIn(t, 'ada-example', { forcedColors: 'active', path: 'rules' })
    await rows(forced).nth(1).waitFor()
    await axe(forced)
    await share(ada, 'patient-1', 'Ada Example', 'view')
    t.after(() => share(ada, 'patient-1', 'Ada Example', 'manage'))
    const page = await stage.signIn(t, WILLOW, { path: 'rules?patient=patient-1' })
    await page.getByText('You can see these rules. To set them, ask the patient').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Add a rule' }).count(), 0)
  },
)

test(
  'where it cannot be read whether a doctor may set rules or targets, that is said, and not that they may not',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, WILLOW, { path: 'doctors', ignoring: [/503/] })
    const json = { status: 'error', code: 'DatabaseUnavailable', message: 'Try again.', retryable: true }
    for (const [path, there] of [
      ['set-rule', page.getByRole('textbox', { name: 'Bound' })],
      ['rules', page.getByRole('link', { name: 'Add a rule' })],
      ['set-target', page.getByRole('button', { name: /^Set the target for/ })],
      ['targets', page.getByRole('link', { name: 'Set a target' })],
    ] as const) {
      await page.route('**/patients/list*', (route) => route.fulfill({ status: 503, json }))
      await page.goto(`${stage.origin}/console/${path}?patient=patient-1&type=heartRate`)
      await page.getByRole('alert').getByText('The server could not answer just now.').waitFor()
      assert.doesNotMatch(await page.getByRole('main').innerText(), /You can see|ask the patient/)
      assert.equal(await there.count(), 0)
      await page.unroute('**/patients/list*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await there.waitFor()
      assert.equal(await page.getByRole('alert').count(), 0)
    }
  },
)

test('a server without alerts shows nothing of them, and is asked for nothing', inBrowser, async (t) => {
  const plain = await startStage()
  await plain.add([
    { patientUid: 'patient-1', readingType: 'heartRate', timestamp: now, value: 70 },
  ] as Reading[])
  const page = await plain.signIn(t, 'ada-example', { path: 'today', ignoring: [SERVER_GONE] })
  await page.getByRole('link', { name: 'Targets', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Alert rules' }).count(), 0)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${plain.origin}/console/rules`)
  await page.getByText('This server has no alerts.').waitFor()
  assert.deepEqual(
    asked.filter((path) => /rules\/|alerts\//.test(path)),
    [],
  )
})
