// Targets: set, changed and removed by the patient, a carer and a doctor who may; read by others; and what Today says with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import type { RoundsClient, Target } from '../../typescript/src/client.ts'
import { inBrowser, NO_NETWORK, PHONE_AND_DESK, SERVER_GONE, startStage, WIDTHS } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const WILLOW = 'dr-willow-sample'
const stage = await startStage()
const now = Date.now()
for (const uid of ['patient-1', 'child-1', 'child-2']) await stage.add(everyKind(uid, now))
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})

const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
const namesOfCards = (page: Page) => page.locator('.cards').first().locator('h2').allInnerTexts()
const row = (page: Page, name: string) => page.locator('.targets li').filter({ hasText: name })
const history = (page: Page) => page.getByRole('region', { name: 'What was set, and by whom' })

async function everyWidth(page: Page) {
  const before = page.viewportSize() ?? assert.fail()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await assertNoOverflow(page)
  }
  await axe(page)
  await page.setViewportSize(before)
}

/** Without targets, as each test begins. */
async function withoutTargets(
  person: 'ada-example' | 'robin-example',
  patientUid: string,
): Promise<RoundsClient> {
  const client = await stage.clientOf(person)
  const { data } = await client.targets.list({ patientUid })
  for (const { readingType } of data) await client.targets.remove({ patientUid, readingType })
  return client
}

const stored = async (client: RoundsClient, patientUid: string): Promise<Partial<Target>[]> =>
  (await client.targets.list({ patientUid })).data.map(({ field, low, high, below, unit, preset }) => ({
    field,
    low,
    high,
    below,
    unit,
    preset,
  }))

for (const width of PHONE_AND_DESK) {
  test(
    `a carer chooses a published target, sees it on Today, and removes it, at ${width} px`,
    inBrowser,
    async (t) => {
      const robin = await withoutTargets('robin-example', 'child-1')
      const page = await stage.signIn(t, 'robin-example', { width, path: 'today?patient=child-1' })
      await page.getByText('No targets are set.').waitFor()
      assert.equal(await page.locator('.goal, .spark .band').count(), 0)
      await page.getByRole('link', { name: 'Set targets' }).click()
      await page.getByText('Targets for child-1').waitFor()
      await page.getByText('Without a target, no reading is called high or low.').waitFor()
      await everyWidth(page)
      await page.getByRole('link', { name: 'Set a target' }).click()
      await page.getByLabel('Target of what?').selectOption('Blood pressure')
      const source = page.getByRole('link', {
        name: /^2023 ESH Guidelines for the management of arterial hypertension$/,
      })
      assert.match((await source.getAttribute('href')) ?? '', /^https:\/\/doi\.org\//)
      await everyWidth(page)
      await page.getByRole('button', { name: /^Use this target: .*135\/85/ }).click()
      await row(page, 'Blood pressure').getByText('below 135/85 mmHg').waitFor()
      await page.getByText('The target of blood pressure is set: below 135/85 mmHg.').waitFor()
      assert.doesNotMatch(page.url(), /set=/)
      await row(page, 'Blood pressure').getByText('set by you today').waitFor()
      await source.waitFor()
      await history(page)
        .getByText('You set the target of blood pressure to below 135/85 mmHg.')
        .first()
        .waitFor()
      await everyWidth(page)
      assert.deepEqual(
        (await stored(robin, 'child-1')).map(({ field, below }) => [field, below]),
        [
          ['diastolic', 85],
          ['systolic', 135],
        ],
      )

      await page.goto(`${stage.origin}/console/today?patient=child-1`)
      await page.getByText('child-1: Blood pressure in target').waitFor()
      const pressure = card(page, 'Blood pressure')
      await pressure.getByText('in target', { exact: true }).waitFor()
      await pressure.getByText('set by you today').waitFor()
      await pressure.getByRole('img', { name: /13 readings, target below 135\/85 mmHg$/ }).waitFor()
      assert.equal(await pressure.locator('.spark .band').count(), 2)
      assert.equal(await card(page, 'Heart rate').locator('.goal, .spark .band').count(), 0)
      await page.getByText('How this is worked out').click()
      await page.getByText('Cards outside target come first').waitFor()
      await everyWidth(page)

      await page.goto(`${stage.origin}/console/targets?patient=child-1`)
      await row(page, 'Blood pressure')
        .getByRole('button', { name: /^Remove/ })
        .click()
      const dialog = page.getByRole('alertdialog', { name: 'Remove the target of blood pressure?' })
      await dialog.getByText('For child-1: below 135/85 mmHg.').waitFor()
      await axe(page)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal((await stored(robin, 'child-1')).length, 2)
      await row(page, 'Blood pressure')
        .getByRole('button', { name: /^Remove/ })
        .click()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No targets are set.').waitFor()
      await history(page)
        .getByText('You removed the target of blood pressure, which was below 135/85 mmHg.')
        .first()
        .waitFor()
      assert.deepEqual(await stored(robin, 'child-1'), [])
    },
  )
}

test(
  'by keyboard, with numbers of one’s own: what is wrong stands at its field, units are converted',
  inBrowser,
  async (t) => {
    const ada = await withoutTargets('ada-example', 'patient-1')
    const page = await stage.signIn(t, 'ada-example', { path: 'set-target?type=bloodGlucose' })
    const submit = page.getByRole('button', { name: 'Set the target for patient-1' })
    await pressByKeyboard(page, submit)
    await page.getByText('Type at least one number.').waitFor()
    // The unit of the newest reading is chosen beforehand.
    await page.getByRole('button', { name: 'mmol/L', pressed: true }).waitFor()
    await page.locator('h1').focus()
    await pressByKeyboard(page, page.getByRole('button', { name: 'mg/dL' }))
    await tabTo(page, page.getByLabel('At least'))
    await page.keyboard.type('180')
    await page.keyboard.press('Tab')
    await page.keyboard.type('70')
    await page.keyboard.press('Enter')
    await page.getByText('It must be more than 180.').waitFor()
    const focused = page.locator(':focus')
    assert.equal(await focused.getAttribute('aria-invalid'), 'true')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('9000')
    await page.keyboard.press('Enter')
    await page.getByText(/^It must be from 0 to 990\.86 mg\/dL\.$/).waitFor()
    await axe(page)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('95')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('70')
    await page.getByText('In target for patient-1: blood glucose 70–95 mg/dL.').waitFor()
    await page.keyboard.press('Enter')
    // 5.5 mmol/L is 99 mg/dL.
    await row(page, 'Blood glucose').getByText('3.9–5.3 mmol/L (70–95 mg/dL)').waitFor()
    assert.deepEqual(await stored(ada, 'patient-1'), [
      { field: 'value', low: 70, high: 95, below: null, unit: 'mg/dL', preset: null },
    ])
    await pressByKeyboard(page, page.getByRole('link', { name: 'Today' }))
    await card(page, 'Blood glucose').getByText('▲ above target').waitFor()
    await card(page, 'Blood glucose').getByText('3.9–5.3 mmol/L (70–95 mg/dL)').waitFor()
    assert.equal((await namesOfCards(page))[0], 'Blood glucose')
    // An upper limit that is not in target itself, and a field that loses its target.
    await pressByKeyboard(page, page.getByRole('link', { name: 'Targets' }))
    await pressByKeyboard(page, page.getByRole('link', { name: 'Change the target of Blood glucose' }))
    await tabTo(page, page.getByLabel('At least'))
    await page.keyboard.press('Delete')
    await pressByKeyboard(page, page.getByRole('button', { name: 'below 95' }))
    await tabTo(page, page.getByLabel('Note (optional)'))
    await page.keyboard.type('Agreed in October')
    await pressByKeyboard(page, submit)
    await row(page, 'Blood glucose').getByText('below 5.3 mmol/L (below 95 mg/dL)').waitFor()
    await row(page, 'Blood glucose').getByText('Agreed in October').waitFor()
    await history(page)
      .getByText('You set the target of blood glucose to below 95 mg/dL (Agreed in October).')
      .waitFor()
    await pressByKeyboard(page, row(page, 'Blood glucose').getByRole('button', { name: /^Remove/ }))
    await pressByKeyboard(page, page.getByRole('button', { name: 'Remove', exact: true }))
    await page.getByText('No targets are set.').waitFor()
    assert.equal(await page.locator(':focus').textContent(), 'Targets for patient-1')
  },
)

test('the form begins with what is set now, not with what this device has seen', inBrowser, async (t) => {
  const ada = await withoutTargets('ada-example', 'patient-1')
  const set = (high: number) =>
    ada.targets.set({ patientUid: 'patient-1', readingType: 'heartRate', high, unit: '/min' })
  await set(90)
  const page = await stage.signIn(t, 'ada-example', { path: 'targets' })
  await row(page, 'Heart rate').getByText('at most 90 /min').waitFor()
  await set(100)
  // The answer comes late, after the form if that does not wait for it.
  await page.route('**/targets/list*', async (route) => {
    await page
      .getByLabel('At most')
      .waitFor({ timeout: 1_000 })
      .catch(() => undefined)
    await route.continue()
  })
  await page.getByRole('link', { name: 'Change the target of Heart rate' }).click()
  assert.equal(await page.getByLabel('At most').inputValue(), '100')
  // A step elsewhere while it is being set is not undone when that has ended.
  await page.route('**/targets/set', async (route) => {
    await page.getByRole('link', { name: 'Charts', exact: true }).click()
    await page.getByRole('heading', { name: 'Charts', level: 1 }).waitFor()
    await route.continue()
  })
  await page.getByLabel('At most').fill('95')
  const answered = page.waitForResponse(/targets\/set/)
  await page.getByRole('button', { name: /^Set the target/ }).click()
  await answered
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
  assert.equal(new URL(page.url()).pathname, '/console/charts')
})

test('a target in a unit that nobody chose is not set', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'set-target?type=interstitialGlucose' })
  await page.getByText('70–180 mg/dL or 3.9–10 mmol/L').waitFor()
  await page.getByRole('button', { name: /^Use this target/ }).click()
  await page.getByText('Choose the unit.').waitFor()
  await page.getByRole('button', { name: 'mmol/L' }).click()
  await page.getByText('3.9–10 mmol/L', { exact: true }).waitFor()
  assert.equal(await page.getByText('70–180').count(), 0)
})

test(
  'a doctor who may sets a target, and one who may only see is told so, also when that changes meanwhile',
  inBrowser,
  async (t) => {
    const ada = await withoutTargets('ada-example', 'patient-1')
    const share = (permission: 'view' | 'manage') =>
      ada.grants.add({ patientUid: 'patient-1', doctorId: WILLOW, permission, sharedAs: 'Ada Example' })
    await share('manage')
    const page = await stage.signIn(t, WILLOW, { path: 'today?patient=patient-1', ignoring: [/403/] })
    await page.getByText('No targets are set.').waitFor()
    await page.getByRole('link', { name: 'Set targets' }).click()
    await page.getByText('Targets for Ada Example').waitFor()
    await page.getByRole('link', { name: 'Set a target' }).click()
    await page.getByLabel('Target of what?').selectOption('Heart rate')
    await page.getByLabel('At most').fill('65')
    await page.getByRole('button', { name: 'Set the target for Ada Example' }).click()
    await row(page, 'Heart rate').getByText('set by you today').waitFor()
    const patient = await stage.signIn(t, 'ada-example')
    await card(patient, 'Heart rate').getByText('set by Dr Willow Sample today').waitFor()
    await patient.getByText('Heart rate above target').waitFor()
    await patient.goto(`${stage.origin}/console/set-target?type=heartRate`)
    await patient.getByText('This replaces the target that Dr Willow Sample set today.').waitFor()
    await patient.goto(`${stage.origin}/console/targets`)
    await row(patient, 'Heart rate')
      .getByRole('button', { name: /^Remove/ })
      .click()
    await patient
      .getByRole('alertdialog')
      .getByText('This removes the target that Dr Willow Sample set today.')
      .waitFor()

    await page.getByRole('link', { name: 'Change the target of Heart rate' }).click()
    await page.getByLabel('At most').fill('75')
    await share('view')
    await page.getByRole('button', { name: 'Set the target for Ada Example' }).click()
    await page.getByRole('alert').getByText('You may read this record, and not change it.').waitFor()
    await axe(page)
    await page.goto(`${stage.origin}/console/targets?patient=patient-1`)
    await row(page, 'Heart rate').getByText('at most 65 /min').waitFor()
    await page.getByText('You can see these targets. To set them, ask the patient').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Set a target' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0)
    await everyWidth(page)
    await page.goto(`${stage.origin}/console/set-target?patient=patient-1`)
    await page.getByText('You can see this patient’s targets but not change them.').waitFor()
    // Without targets, who may not set any is offered nothing.
    await withoutTargets('ada-example', 'patient-1')
    await page.goto(`${stage.origin}/console/today?patient=patient-1`)
    await card(page, 'Heart rate').waitFor()
    await page.waitForFunction(() => document.querySelector('.summary-said')?.textContent === '')

    const staff = await stage.signIn(t, 'kim-sample', { path: 'targets?patient=patient-1' })
    await staff.getByText('The patient sets them, and doctors whom the patient lets do so.').waitFor()
  },
)

test(
  'a published target that would replace a target of somebody else says whose, and asks',
  inBrowser,
  async (t) => {
    const ada = await withoutTargets('ada-example', 'patient-1')
    await ada.grants.add({ patientUid: 'patient-1', doctorId: WILLOW, permission: 'manage' })
    await ada.targets.set({ patientUid: 'patient-1', preset: 'home-blood-pressure-acc-aha' })
    const page = await stage.signIn(t, WILLOW, { path: 'set-target?patient=patient-1&type=bloodPressure' })
    const use = page.getByRole('button', { name: /^Use this target: .*135\/85/ })
    await use.click()
    const dialog = page.getByRole('alertdialog', { name: 'Use this target?' })
    await dialog.getByText('This replaces the target that the patient or a carer set today.').waitFor()
    await axe(page)
    await dialog.getByRole('button', { name: 'Keep the old one' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(new Set((await stored(ada, 'patient-1')).map(({ below }) => below)), new Set([130, 80]))
    await use.click()
    await dialog.getByRole('button', { name: 'Replace it' }).click()
    await page.getByText('The target of blood pressure is set: below 135/85 mmHg.').waitFor()
    await page.getByRole('link', { name: 'Change the target of Blood pressure' }).click()
    await page.getByLabel('Systolic below').waitFor()
    assert.equal(await page.getByText('This replaces').count(), 0)
    await page.setViewportSize({ width: 390, height: 800 })
    // Of the text itself: its box may be narrower.
    const beyond = await page.locator('.target-field').evaluateAll((fields) =>
      fields.flatMap((field) =>
        [...field.querySelectorAll('.unit')].map((unit) => {
          const text = document.createRange()
          text.selectNodeContents(unit)
          return text.getBoundingClientRect().right - field.getBoundingClientRect().right
        }),
      ),
    )
    assert.ok(beyond.length > 0 && Math.max(...beyond) <= 0, String(beyond))
  },
)

test('cards wait for no target, and the words come when the targets do', inBrowser, async (t) => {
  const ada = await withoutTargets('ada-example', 'patient-1')
  await ada.targets.set({ patientUid: 'patient-1', readingType: 'bloodGlucose', high: 4, unit: 'mmol/L' })
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let asked = 0
  await page.route('**/targets/list*', async (route) => {
    asked++
    await released
    await route.continue()
  })
  await page.goto(`${stage.origin}/console/today`)
  await card(page, 'Heart rate').waitFor()
  const before = await namesOfCards(page)
  assert.equal(before[0], 'Heart rate')
  release()
  await card(page, 'Blood glucose').getByText('▲ above target').waitFor()
  // They were shown in another order, and stay where they are.
  assert.deepEqual(await namesOfCards(page), before)
  assert.equal(asked, 1)
  await page.unroute('**/targets/list*')
  await page.reload()
  await card(page, 'Blood glucose').getByText('▲ above target').waitFor()
  assert.equal((await namesOfCards(page))[0], 'Blood glucose')
})

test('targets are in forced colours too, and without a network', inBrowser, async (t) => {
  const ada = await withoutTargets('ada-example', 'patient-1')
  await ada.targets.set({ patientUid: 'patient-1', readingType: 'heartRate', low: 90 })
  const page = await stage.signIn(t, 'ada-example', {
    forcedColors: 'active',
    ignoring: [SERVER_GONE, NO_NETWORK],
  })
  const pulse = card(page, 'Heart rate')
  await pulse.getByText('▼ below target').waitFor()
  const stroke = await pulse.locator('.spark .bound').evaluate((line) => {
    const { stroke: colour, opacity } = getComputedStyle(line)
    return [colour, opacity]
  })
  const ink = await pulse.evaluate((element) => getComputedStyle(element).color)
  assert.deepEqual(stroke, [ink, '1'])
  await axe(page)
  await page.goto(`${stage.origin}/console/targets`)
  await row(page, 'Heart rate').waitFor()
  await axe(page)
  await page.goto(`${stage.origin}/console/today`)
  await pulse.waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.waitForFunction(() => JSON.stringify(sessionStorage).includes('["targets'.replace('"', '\\"')))
  await page.context().setOffline(true)
  await page.reload()
  await pulse.getByText('▼ below target').waitFor()
  await page.getByText('Heart rate below target').waitFor()
  await page.getByRole('link', { name: 'Targets' }).click()
  await row(page, 'Heart rate').getByText('at least 90 /min').waitFor()
  await page.getByText(/^As of/).waitFor()
  await page.getByRole('alert').first().getByText('The server cannot be reached.').waitFor()
})

test('a server without the module shows nothing of it, and is asked for nothing', inBrowser, async (t) => {
  const plain = await startStage({ settings: { MODULES: 'appointments,casesheet' } })
  await plain.add(everyKind('patient-1', now))
  const page = await plain.signIn(t, 'ada-example', { path: 'doctors' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${plain.origin}/console/today`)
  await card(page, 'Heart rate').getByRole('img').waitFor()
  assert.equal(await page.locator('.summary-said, .goal').count(), 0)
  assert.equal((await namesOfCards(page))[0], 'Heart rate')
  assert.equal(await page.getByRole('link', { name: 'Targets' }).count(), 0)
  await page.goto(`${plain.origin}/console/targets`)
  await page.getByText('This server has no targets.').waitFor()
  assert.deepEqual(
    asked.filter((path) => path.includes('/targets/')),
    [],
  )
})
