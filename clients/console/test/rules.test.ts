// Rules: a doctor sets them as a sentence, for one patient or for all, after seeing what they would have done; patients and staff read them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { until } from '../../../test/support/until.ts'
import type { Reading } from '../../typescript/src/client.ts'
import { inBrowser, PHONE_AND_DESK, startStage, WIDTHS } from './browser.ts'
import { DOCTOR, pressure, sharing, symptom } from './doctors-patients.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage({ settings: { ALERTS: 'on' } })
const DAY_MIN = 24 * 60
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})
const ada = await sharing(stage, 'patient-1', { sharedAs: 'Ada Example' })
const mia = await sharing(stage, 'child-1', { sharedAs: 'Mia Example' })
// Each second day one; high twice in two days, 24 and 60 days ago.
await ada.add(
  Array.from({ length: 85 }, (_, day) =>
    pressure(day === 24 || day === 25 || day === 60 || day === 61 ? 170 : 130, 80, day * DAY_MIN + 30),
  ),
)
const willow = await stage.clientOf(DOCTOR)

async function withoutRules() {
  for (const whose of [{}, { patientUid: 'patient-1' }, { patientUid: 'child-1' }])
    for (const { ruleId } of (await willow.rules.list(whose)).data) await willow.rules.remove({ ruleId })
}
const rulesOf = async (patientUid?: string) =>
  (await willow.rules.list(patientUid === undefined ? {} : { patientUid })).data
const rows = (page: Page) => page.getByRole('region', { name: /^Rules for/ }).locator('.items > li')
const preview = (page: Page) => page.getByRole('region', { name: 'The last 90 days' })

async function everyWidth(page: Page) {
  const before = page.viewportSize() ?? assert.fail()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await assertNoOverflow(page)
  }
  await axe(page)
  await page.setViewportSize(before)
}

for (const width of PHONE_AND_DESK)
  test(
    `a rule is a sentence, tried on 90 days, set, changed and removed, at ${width} px`,
    inBrowser,
    async (t) => {
      await withoutRules()
      const page = await stage.signIn(t, DOCTOR, { width, path: 'plan?patient=patient-1' })
      await page.getByText('Without a rule, no reading alerts anybody.').waitFor()
      await page.getByRole('link', { name: 'Add a rule' }).click()
      await page.getByLabel('Which number').selectOption('systolic blood pressure')
      // Nothing is proposed that only a doctor can say.
      assert.equal(await page.getByLabel('Bound', { exact: true }).inputValue(), '')
      assert.equal(
        await page.getByRole('group', { name: 'How urgent is it?' }).locator('[aria-pressed=true]').count(),
        0,
      )
      await page.getByLabel('Bound', { exact: true }).fill('160')
      await preview(page)
        .getByText(/^It would have told you \d+ times/)
        .waitFor()
      await page.getByLabel('How many times').fill('2')
      await preview(page).getByText('It would have told you 2 times.').waitFor()
      await preview(page)
        .getByRole('img', { name: /^Systolic: 130 to 170 mmHg$/ })
        .locator('.told')
        .nth(1)
        .waitFor()
      await page.getByText('Sent to nobody, unless a receiver is set up.').waitFor()
      const save = page.getByRole('button', { name: 'Set the rule for Ada Example' })
      await save.click()
      await page.getByText('Choose how urgent it is.').waitFor()
      await page.getByRole('button', { name: 'Warning: this week' }).click()
      await everyWidth(page)
      await save.click()
      const words = 'Systolic blood pressure above 160 mmHg, 2 times within 2 days'
      await rows(page).getByText(words).waitFor()
      await page.getByText(/^The rule is set: systolic/).waitFor()
      await everyWidth(page)
      const [stored] = await rulesOf('patient-1')
      assert.deepEqual(
        [stored?.value, stored?.severity, stored?.patientUid],
        [{ above: 160, times: 2, within: 'P2D' }, 'warning', 'patient-1'],
      )
      await rows(page)
        .getByRole('link', { name: /^Change/ })
        .click()
      await page.getByLabel('How many times').fill('1')
      await page.getByLabel('Ends below (optional)').fill('150')
      await save.click()
      await rows(page).getByText('It ends with a value below 150 mmHg.').waitFor()
      const [changed, ...others] = await rulesOf('patient-1')
      assert.deepEqual([changed?.ruleId, changed?.value?.times ?? 1, others.length], [stored?.ruleId, 1, 0])
      await rows(page)
        .getByRole('button', { name: /^Remove/ })
        .click()
      await page
        .getByRole('alertdialog', { name: 'Remove this rule?' })
        .getByRole('button', { name: 'Remove' })
        .click()
      await page.getByText('No rules are set.').waitFor()
      assert.equal(await page.locator(':focus').textContent(), 'Rules for Ada Example')
    },
  )

test('one rule for all who share says for how many, and stands in the plan of each', inBrowser, async (t) => {
  await withoutRules()
  const page = await stage.signIn(t, DOCTOR, { path: 'for-all' })
  await page.getByRole('link', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'A symptom' }).click()
  await page.getByRole('button', { name: 'Urgent: now' }).click()
  await preview(page).getByText('It would not have told you.').waitFor()
  await page.getByRole('button', { name: 'Set the rule for all' }).click()
  await rows(page).getByText('Any symptom that is severe').waitFor()
  assert.deepEqual(
    (await rulesOf()).map(({ patientUid, symptom: { severity } = {} }) => [patientUid, severity]),
    [[null, 'SEVERE']],
  )
  await mia.add([symptom('crushing chest pain', 'SEVERE', 1)])
  await until(async () => (await willow.alerts.list({ patientUid: 'child-1' })).data.length === 1, 30_000)
  await page.goto(`${stage.origin}/console/plan?patient=child-1`)
  await rows(page)
    .getByText(/^Open since .*, sent to nobody: no receiver is set up\.$/)
    .waitFor()
  // It is changed where it was set.
  assert.equal(
    await rows(page)
      .getByRole('link', { name: /^Change/ })
      .count(),
    0,
  )
  await axe(page)
  await page.goto(`${stage.origin}/console/overview?patient=child-1`)
  await page
    .getByRole('region', { name: 'Timeline' })
    .getByText(/^Opened: .* Sent to nobody\.$/)
    .waitFor()
})

test('by keyboard: a change, a mistake at its gap, and nothing that arrives', inBrowser, async (t) => {
  await withoutRules()
  const page = await stage.signIn(t, DOCTOR, { path: 'set-rule?patient=patient-1&type=bloodPressure' })
  await pressByKeyboard(page, page.getByRole('button', { name: 'A change' }))
  await tabTo(page, page.getByLabel('By how much'))
  await page.keyboard.type('0')
  await pressByKeyboard(page, page.getByRole('button', { name: 'Warning: this week' }))
  await pressByKeyboard(page, page.getByRole('button', { name: 'Set the rule for Ada Example' }))
  await page.getByText('It must be more than 0.').waitFor()
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'By how much')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('30')
  await page.keyboard.press('Enter')
  await rows(page).getByText('Systolic blood pressure rises by 30 mmHg within 2 days').waitFor()
})

test(
  'the patient and staff read rules and change none; a doctor who may only see is told so',
  inBrowser,
  async (t) => {
    await withoutRules()
    const { data: rule } = await willow.rules.set({
      patientUid: 'patient-1',
      readingType: 'heartRate',
      severity: 'urgent',
      label: 'After the new medicine',
      missing: { for: 'P2D' },
    })
    for (const [person, path] of [
      ['ada-example', 'plan'],
      ['kim-sample', 'plan?patient=patient-1'],
    ] as const) {
      const page = await stage.signIn(t, person, { path })
      await rows(page).getByText('No heart rate for 2 days').waitFor()
      await rows(page).getByText('“After the new medicine”').waitFor()
      await page.getByText(/^Doctors set these rules, if/).waitFor()
      assert.equal(await page.getByRole('link', { name: /Add a rule|Change the rule/ }).count(), 0)
      assert.equal(await page.getByRole('button', { name: /^Remove the rule/ }).count(), 0)
      await axe(page)
    }
    await ada.client.grants.add({
      patientUid: 'patient-1',
      doctorId: DOCTOR,
      permission: 'view',
      sharedAs: 'Ada Example',
    })
    t.after(() =>
      ada.client.grants.add({
        patientUid: 'patient-1',
        doctorId: DOCTOR,
        permission: 'manage',
        sharedAs: 'Ada Example',
      }),
    )
    const page = await stage.signIn(t, DOCTOR, { path: 'plan?patient=patient-1' })
    await page.getByText(/^You can see these rules. To set them, ask the patient/).waitFor()
    await rows(page)
      .getByText('Suspended: the patient does not share this with its author any more.')
      .waitFor()
    await page.goto(`${stage.origin}/console/set-rule?patient=patient-1&rule=${rule.ruleId}`)
    await page.getByText('You can see this patient’s rules but not change them.').waitFor()
  },
)

test(
  'where it cannot be read whether a doctor may set rules or targets, that is said, and not that they may not',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, DOCTOR, { path: 'doctors', ignoring: [/503/] })
    const json = { status: 'error', code: 'DatabaseUnavailable', message: 'Try again.', retryable: true }
    for (const path of ['set-rule', 'set-target', 'plan']) {
      await page.route('**/patients/list*', (route) => route.fulfill({ status: 503, json }))
      await page.goto(`${stage.origin}/console/${path}?patient=patient-1`)
      await page.getByRole('alert').getByText('The server could not answer just now.').first().waitFor()
      assert.doesNotMatch(await page.getByRole('main').innerText(), /You can see|ask the patient/)
      await page.unroute('**/patients/list*')
    }
  },
)

test('a server without alerts shows nothing of them, and is asked for nothing', inBrowser, async (t) => {
  const plain = await startStage()
  await plain.add([
    { patientUid: 'patient-1', readingType: 'heartRate', timestamp: Date.now(), value: 70 },
  ] as Reading[])
  const page = await plain.signIn(t, 'ada-example', { path: 'today' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'Targets', exact: true }).click()
  await page.getByText('No targets are set.').waitFor()
  assert.equal(await rows(page).count(), 0)
  await page.goto(`${plain.origin}/console/set-rule`)
  await page.getByText('This server has no alerts.').waitFor()
  assert.deepEqual(
    asked.filter((path) => /rules\/|alerts\//.test(path)),
    [],
  )
})
