// Targets: a doctor sets, changes and removes their own for a patient or for all, a patient or carer theirs; and what Today says with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { until } from '../../../test/support/until.ts'
import type { RoundsClient, Target } from '../../typescript/src/client.ts'
import { inBrowser, NO_NETWORK, PHONE_AND_DESK, SERVER_GONE, startStage, WIDTHS } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const WILLOW = 'dr-willow-sample'
const stage = await startStage()
const now = Date.now()
for (const uid of ['patient-1', 'child-1']) await stage.add(everyKind(uid, now))
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})
const ada = await stage.clientOf('ada-example')
const willow = await stage.clientOf(WILLOW)
const share = (permission: 'view' | 'manage') =>
  ada.grants.add({ patientUid: 'patient-1', doctorId: WILLOW, permission, sharedAs: 'Ada Example' })

const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
const namesOfCards = (page: Page) => page.locator('.cards').first().locator('h2').allInnerTexts()
const row = (page: Page, name: string) => page.locator('.items li').filter({ hasText: name })
const field = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const act = (page: Page, name: string, side: 'above' | 'below') =>
  field(page, name).getByRole('group', { name: `Needs somebody now ${side}` })

async function everyWidth(page: Page) {
  const before = page.viewportSize() ?? assert.fail()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await assertNoOverflow(page)
  }
  await axe(page)
  await page.setViewportSize(before)
}

/** Without targets of anybody, as each test begins. */
async function withoutTargets() {
  await share('manage')
  for (const client of [ada, willow])
    for (const { readingType, isForAll } of await targetsOf(client))
      await client.targets
        .remove({ ...(!isForAll && { patientUid: 'patient-1' }), readingType })
        .catch(() => undefined)
  assert.deepEqual(await targetsOf(ada), [])
}

const targetsOf = async (client: RoundsClient): Promise<Target[]> =>
  (await client.targets.list({ patientUid: 'patient-1' })).data

for (const width of PHONE_AND_DESK) {
  test(
    `a doctor fills in a published target, decides each act limit, and sets it for one patient, at ${width} px`,
    inBrowser,
    async (t) => {
      await withoutTargets()
      const page = await stage.signIn(t, WILLOW, {
        width,
        path: 'overview?patient=patient-1',
        ignoring: [/400.*targets.set/],
      })
      await page.getByRole('link', { name: 'Plan' }).click()
      await page.getByText('Without a target, no reading is called high or low.').waitFor()
      await page.getByRole('link', { name: 'Set a target' }).click()
      await page.getByLabel('Target of what?').selectOption('Blood pressure')
      await page.getByRole('button', { name: 'For this patient', pressed: true }).waitFor()
      // Nothing is chosen in advance, and each preset has its source.
      assert.equal(await page.locator('.target-limits [aria-pressed=true]').count(), 0)
      assert.deepEqual(
        new Set(
          await page
            .locator('.target-limits input')
            .evaluateAll((all) => all.map((one) => Reflect.get(one, 'value'))),
        ),
        new Set(['']),
      )
      const source = page.getByRole('link', { name: /^2023 ESH Guidelines/ }).first()
      assert.match((await source.getAttribute('href')) ?? '', /^https:\/\/doi\.org\//)
      await page.getByRole('button', { name: 'Fill in: Blood pressure at home, up to 135/85' }).click()
      await page.getByRole('button', { name: 'Fill in: Act above grade 3, 180/110' }).click()
      const submit = page.getByRole('button', { name: 'Set the target for Ada Example' })
      await submit.click()
      assert.equal(await page.getByText('Choose one of the three.').count(), 2)
      await act(page, 'Systolic', 'below').getByRole('button', { name: 'A number' }).click()
      await field(page, 'Systolic').getByLabel('Now below', { exact: true }).fill('140')
      await act(page, 'Diastolic', 'below').getByRole('button', { name: 'None, on purpose' }).click()
      await everyWidth(page)
      await submit.click()
      // Found by the service, and said at its field.
      await field(page, 'Systolic')
        .getByText(/^It must be less than the upper limit of the target/)
        .waitFor()
      await field(page, 'Systolic').getByLabel('Now below', { exact: true }).fill('90')
      await page
        .getByText('below 90 or above 180 mmHg, diastolic above 110 mmHg; none on purpose: diastolic below.')
        .waitFor()
      await page.getByLabel('Expect a value').selectOption('every 7 days')
      await page.getByText('A value is expected every 7 days: too rare to be judged.').first().waitFor()
      await page.getByLabel('Expect a value').selectOption('every 3 days')
      await submit.click()
      await row(page, 'Blood pressure').getByText('at most 135/85 mmHg').waitFor()
      await page.getByText('The target of blood pressure is set.').waitFor()
      assert.doesNotMatch(page.url(), /set=/)
      await row(page, 'Blood pressure').getByText('set by you today').waitFor()
      await everyWidth(page)
      const [{ fields, expectEvery, preset, isForAll } = assert.fail()] = await targetsOf(willow)
      assert.deepEqual(
        { fields, expectEvery, preset, isForAll },
        {
          fields: {
            systolic: { high: 135, actBelow: 90, actAbove: 180 },
            diastolic: { high: 85, actBelow: null, actAbove: 110 },
          },
          expectEvery: 'P3D',
          preset: 'home-blood-pressure-esh',
          isForAll: false,
        },
      )
      // What is added or changed by hand is not the published one any more.
      await page.getByRole('link', { name: 'Change the target of Blood pressure' }).click()
      await field(page, 'Systolic').getByLabel('At least').fill('100')
      await submit.click()
      await row(page, 'Blood pressure').getByText('systolic 100–135 mmHg').waitFor()
      assert.equal((await targetsOf(willow))[0]?.preset, null)
      await page.getByRole('link', { name: 'Change the target of Blood pressure' }).click()
      await field(page, 'Systolic').getByLabel('At least').fill('')
      await field(page, 'Systolic').getByLabel('At most').fill('140')
      await submit.click()
      await row(page, 'Blood pressure').getByText('at most 140/85 mmHg').waitFor()
      assert.equal((await targetsOf(willow))[0]?.preset, null)
      await row(page, 'Blood pressure')
        .getByRole('button', { name: /^Remove/ })
        .click()
      const dialog = page.getByRole('alertdialog', { name: 'Remove the target of blood pressure?' })
      await dialog.getByText('For Ada Example: at most 140/85 mmHg.').waitFor()
      await axe(page)
      await dialog.getByRole('button', { name: 'Keep it' }).click()
      await row(page, 'Blood pressure')
        .getByRole('button', { name: /^Remove/ })
        .click()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No targets are set.').waitFor()
      assert.equal(await page.locator(':focus').textContent(), 'Targets for Ada Example')
      assert.deepEqual(await targetsOf(willow), [])
    },
  )
}

test(
  'glucose asks for goals, in a unit that somebody chose, and one for all says so',
  inBrowser,
  async (t) => {
    await withoutTargets()
    const page = await stage.signIn(t, WILLOW, {
      path: 'set-target?patient=patient-1&type=interstitialGlucose',
    })
    const fill = page.getByRole('button', { name: /^Fill in: Sensor glucose with type 1/ })
    await fill.click()
    await page.getByText('Choose the unit.').waitFor()
    await page.getByRole('button', { name: 'For all who share with me' }).click()
    await page.getByText('Where you set one for a patient, that one comes first.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'mmol/L' }).click()
    await page.getByText('because a mean hides lows', { exact: false }).waitFor()
    // What was typed in one unit is never taken for the other.
    await page.getByLabel('At least', { exact: true }).fill('3.9')
    await page.getByRole('button', { name: 'mg/dL' }).click()
    await until(async () => (await page.getByLabel('At least', { exact: true }).inputValue()) === '')
    await page.getByRole('button', { name: 'mmol/L' }).click()
    for (const side of ['below', 'above'] as const)
      await act(page, 'Value', side).getByRole('button', { name: 'None, on purpose' }).click()
    await page.getByLabel('At least', { exact: true }).fill('4')
    await page.getByText('Without goals it is not judged.').waitFor()
    await fill.click()
    assert.equal(await page.getByLabel('Below it, at most').inputValue(), '4')
    await page.getByText('Without goals it is not judged.').waitFor({ state: 'detached' })
    // Another preset keeps no bound of the one before.
    await page.getByRole('button', { name: /^Fill in: Sensor glucose of older people/ }).click()
    await until(async () => (await page.getByLabel('Far below is below').inputValue()) === '')
    await fill.click()
    await page.getByLabel('In range, at least').fill('100')
    await page.getByRole('button', { name: 'Set the target for all' }).click()
    await page.getByText('It must be above 0 and below 100.').waitFor()
    await page.getByLabel('In range, at least').fill('65')
    await everyWidth(page)
    await page.getByRole('button', { name: 'Set the target for all' }).click()
    await row(page, 'Sensor glucose').getByText('for all', { exact: true }).waitFor()
    const [{ fields, unit, expectEvery, isForAll } = assert.fail()] = await targetsOf(willow)
    assert.deepEqual([unit, expectEvery, isForAll], ['mmol/L', 'P1D', true])
    assert.deepEqual(fields['value']?.goals, {
      inRange: 0.65,
      below: 0.04,
      farBelow: 0.01,
      above: 0.25,
      farAbove: 0.05,
    })
    await page.getByRole('link', { name: 'Change the target of Sensor glucose for all' }).click()
    await page.getByRole('button', { name: 'For all who share with me', pressed: true }).waitFor()
    assert.equal(await page.getByLabel('In range, at least').inputValue(), '65')
  },
)

test(
  'on the first day nobody is judged, and one target for all who share is a link away',
  inBrowser,
  async (t) => {
    await withoutTargets()
    const page = await stage.signIn(t, WILLOW, { width: 1_440 })
    const first = await page.getByText('None of your patients is judged yet').boundingBox()
    const line = await page.locator('a.list-line').first().boundingBox()
    assert.ok((first?.y ?? 0) < (line?.y ?? 0), 'it stands above the list, however long that is')
    await axe(page)
    await page.getByRole('link', { name: 'Set one target for all who share with you' }).click()
    await page.getByLabel('Target of what?').selectOption('Blood pressure')
    assert.equal(await page.getByRole('group', { name: 'For whom?' }).count(), 0)
    await page.getByRole('button', { name: 'Fill in: Blood pressure at home, up to 135/85' }).click()
    for (const number of ['Systolic', 'Diastolic'])
      for (const side of ['below', 'above'] as const)
        await act(page, number, side).getByRole('button', { name: 'None, on purpose' }).click()
    await everyWidth(page)
    await page.getByRole('button', { name: 'Set the target for all' }).click()
    await page.getByRole('heading', { level: 1, name: 'For all my patients' }).waitFor()
    await page.getByText('The target of blood pressure is set.').waitFor()
    await row(page, 'Blood pressure').getByText('at most 135/85 mmHg').waitFor()
    await everyWidth(page)
    assert.deepEqual(
      (await targetsOf(willow)).map(({ isForAll }) => isForAll),
      [true],
    )
    await page.getByRole('link', { name: /My patients/ }).click()
    await page.getByRole('link', { name: /Ada Example/ }).waitFor()
    await until(async () => (await willow.myPatients.list()).data.every(({ trend }) => trend.length > 0))
    await page.reload()
    await page.getByRole('link', { name: /Ada Example/ }).waitFor()
    assert.equal(await page.getByText('None of your patients is judged yet').count(), 0)
  },
)

test('by keyboard, a patient sets a range of their own, which replaces no doctor’s', inBrowser, async (t) => {
  await withoutTargets()
  const page = await stage.signIn(t, 'ada-example', { path: 'set-target?type=bloodGlucose' })
  const submit = page.getByRole('button', { name: 'Set the target for patient-1' })
  await pressByKeyboard(page, submit)
  await page.getByText('Type at least one number.').waitFor()
  assert.equal(await page.getByText(/Needs somebody now|Goals|Fill in|For whom|Expect a value/).count(), 0)
  // The unit of the newest reading is chosen beforehand.
  await page.getByRole('button', { name: 'mmol/L', pressed: true }).waitFor()
  await page.locator('h1').focus()
  await pressByKeyboard(page, page.getByRole('button', { name: 'mg/dL' }))
  await tabTo(page, page.getByLabel('At most'))
  await page.keyboard.type('9000')
  await page.keyboard.press('Enter')
  await page.getByText(/^It must be from 0 to 990\.86 mg\/dL\.$/).waitFor()
  assert.equal(await page.locator(':focus').getAttribute('aria-invalid'), 'true')
  await axe(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('95')
  await tabTo(page, page.getByLabel('Note (optional)'))
  await page.keyboard.type('Agreed in October')
  await page.keyboard.press('Enter')
  // 5.5 mmol/L is 99 mg/dL.
  const own = row(page, 'set by you')
  await own.getByText('at most 5.3 mmol/L (at most 95 mg/dL)').waitFor()
  await own.getByText('Agreed in October').waitFor()
  await pressByKeyboard(page, page.getByRole('link', { name: 'Today' }))
  await card(page, 'Blood glucose').getByText('▲ above target').waitFor()
  await page.getByText('Blood glucose above target').waitFor()

  await willow.targets.set({
    patientUid: 'patient-1',
    readingType: 'bloodGlucose',
    unit: 'mmol/L',
    fields: { value: { high: 12 } },
    expectEvery: null,
  })
  await page.goto(`${stage.origin}/console/plan`)
  const rows = page.locator('.items li')
  await rows
    .first()
    .getByText(/set by Dr Willow Sample today.*readings are compared with it/)
    .waitFor()
  await own.getByText('readings are not compared with it').waitFor()
  assert.equal(
    await rows
      .first()
      .getByRole('button', { name: /^Remove/ })
      .count(),
    0,
  )
  await page.goto(`${stage.origin}/console/today`)
  await card(page, 'Blood glucose').getByText('in target', { exact: true }).waitFor()
  await card(page, 'Blood glucose').getByText('set by Dr Willow Sample today').waitFor()
  await card(page, 'Blood glucose').locator('.spark .band').waitFor()
  assert.equal(await card(page, 'Heart rate').locator('.goal, .spark .band').count(), 0)
})

test('the form begins with what is set now, and who may only see is told so', inBrowser, async (t) => {
  await withoutTargets()
  const set = (high: number) =>
    willow.targets.set({
      patientUid: 'patient-1',
      readingType: 'heartRate',
      fields: { value: { high, actAbove: null } },
      expectEvery: 'P2D',
    })
  await set(90)
  const page = await stage.signIn(t, WILLOW, { path: 'plan?patient=patient-1', ignoring: [/403/] })
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
  await act(page, 'Value', 'below').getByRole('button', { name: 'Not said', pressed: true }).waitFor()
  await act(page, 'Value', 'above').getByRole('button', { name: 'None, on purpose', pressed: true }).waitFor()
  await share('view')
  await page.getByRole('button', { name: 'Set the target for Ada Example' }).click()
  await page.getByRole('alert').getByText('You may read this record, and not change it.').waitFor()
  await page.goto(`${stage.origin}/console/plan?patient=patient-1`)
  await page.getByText('You can see these targets. To set your own, ask the patient').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Set a target' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0)
  await page.goto(`${stage.origin}/console/set-target?patient=patient-1`)
  await page.getByText('You can see this patient’s targets but not set one.').waitFor()
})

test('cards wait for no target; without a network the targets that were seen stay', inBrowser, async (t) => {
  await withoutTargets()
  await ada.targets.set({
    patientUid: 'patient-1',
    readingType: 'bloodGlucose',
    unit: 'mmol/L',
    fields: { value: { high: 4 } },
  })
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors', ignoring: [SERVER_GONE, NO_NETWORK] })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/targets/list*', async (route) => {
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
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.waitForFunction(() => JSON.stringify(sessionStorage).includes('["targets'.replace('"', '\\"')))
  await page.context().setOffline(true)
  await page.reload()
  await card(page, 'Blood glucose').getByText('▲ above target').waitFor()
  await page.getByRole('link', { name: 'Targets' }).click()
  await row(page, 'Blood glucose').getByText('at most 4 mmol/L').waitFor()
  await page.getByText(/^As of/).waitFor()
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
  assert.equal(await page.getByRole('link', { name: 'Targets' }).count(), 0)
  await page.goto(`${plain.origin}/console/plan`)
  await page.getByText('This server has no targets.').waitFor()
  assert.deepEqual(
    asked.filter((path) => path.includes('/targets/')),
    [],
  )
})
