// Sharing readings with doctors: the patient or carer gives, changes and stops it; the doctor sees what is shared, and no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { runSql } from '../../../test/support/harness.ts'
import { inBrowser, PHONE_AND_DESK, startStage, WIDTHS } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const WILLOW = 'dr-willow-sample'
const directory = {
  specialities: [{ title: 'Cardiology' }, { title: 'Podiatry' }],
  doctors: [
    { doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' },
    { doctorId: 'dr-ash-sample', name: 'Dr Ash Sample', specialities: ['Podiatry'], city: 'Pune' },
  ],
}
const stage = await startStage()
/** Without targets, where the doctor's list says who shares, and no more. */
const strict = await startStage({
  settings: { STAFF_REASON: 'required', MODULES: 'appointments,casesheet' },
})
const withRules = await startStage({ settings: { ALERTS: 'on' } })
await fillDirectory(withRules.ownerUrl, directory)
const now = Date.now()
await stage.add([...everyKind('patient-1', now), ...everyKind('child-1', now)])
await strict.add(everyKind('patient-1', now))
await fillDirectory(stage.ownerUrl, directory)

async function everyWidth(page: Page) {
  const before = page.viewportSize() ?? assert.fail()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await assertNoOverflow(page)
  }
  await axe(page)
  await page.setViewportSize(before)
}

async function grantOf(patientUid: string, doctorId: string) {
  const client = await stage.clientOf(patientUid === 'patient-1' ? 'ada-example' : 'robin-example')
  const { data } = await client.grants.list({ patientUid })
  return data.find((grant) => grant.doctorId === doctorId)
}

for (const [width, id, name, speciality] of [
  [375, WILLOW, 'Dr Willow Sample', 'Cardiology'],
  [1_440, 'dr-ash-sample', 'Dr Ash Sample', 'Podiatry'],
] as const) {
  test(
    `a carer shares, stops and undoes it, and reads what happened, at ${width} px`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'robin-example', { width, path: 'sharing?patient=child-1' })
      await page.getByText('Doctors who can see readings of child-1').waitFor()
      await page.getByRole('link', { name: 'Share with a doctor' }).click()
      await page.getByText('With whom do you want to share readings of child-1?').waitFor()
      await everyWidth(page)
      await page.getByLabel('Name').fill(name.slice(3, 6))
      await page.locator('.doctor-list li').nth(1).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: `Share readings with ${name}` }).click()
      await page.getByText(`${name}, ${speciality}, Pune`).waitFor()
      await page.getByRole('button', { name: 'Only some' }).click()
      await page.getByText('Choose at least one kind of reading.').waitFor()
      await page.getByLabel('Blood pressure').check()
      await page.getByLabel('Heart rate', { exact: true }).check()
      // Who only looks does so for a while, until another day is chosen.
      assert.notEqual(await page.getByLabel('Last day').inputValue(), '')
      await page.getByLabel('See the readings, set targets and rules').check()
      assert.equal(await page.getByLabel('Last day').inputValue(), '')
      await page.getByLabel('Last day').fill('2099-03-01')
      await page.getByLabel('Name that this doctor sees').fill('Mia Example')
      await page.getByLabel('How this doctor reaches you').fill('555 0142')
      await everyWidth(page)
      await page
        .getByText(
          `${name} will see blood pressure and heart rate of child-1 until 1 Mar 2099, as “Mia Example”.`,
        )
        .waitFor()
      await page.getByRole('button', { name: 'Share readings of child-1' }).click()

      const row = page.locator('.grants li').filter({ hasText: name })
      await row
        .getByText(
          'Sees blood pressure and heart rate, may also set targets and rules, and is alerted by them',
        )
        .waitFor()
      await row.getByText('until 1 Mar 2099 · shown as “Mia Example” · reaches you by “555 0142”').waitFor()
      await everyWidth(page)
      const given = await grantOf('child-1', id)
      assert.deepEqual(given?.readingTypes?.toSorted(), ['bloodPressure', 'heartRate'])
      assert.equal(given.validUntil, '2099-03-01T23:00:00.000Z')

      // A double click stops it once, and does not undo that.
      await row.getByRole('button', { name: `Stop sharing with ${name}` }).dblclick()
      await row.getByText('You stopped sharing.').waitFor()
      await page.getByText(`You stopped sharing readings of child-1 with ${name}.`).first().waitFor()
      assert.equal((await grantOf('child-1', id))?.state, 'revoked')
      await axe(page)
      await row.getByRole('button', { name: `Undo: share again with ${name}` }).click()
      await row.getByRole('button', { name: `Stop sharing with ${name}` }).waitFor()
      const { changedAt: _, ...again } = (await grantOf('child-1', id)) ?? assert.fail()
      const { changedAt: __, ...first } = given
      assert.deepEqual(again, first)

      const history = page.getByRole('region', { name: 'What was shared, and who decided it' })
      await history
        .getByText(
          `You shared blood pressure and heart rate of child-1 with ${name} until 1 Mar 2099, as “Mia Example”.`,
        )
        .nth(1)
        .waitFor()
      // The other child shares nothing.
      await page.getByLabel('Patient', { exact: true }).selectOption('child-2')
      await page.getByText('Doctors who can see readings of child-2').waitFor()
      await page.getByText('No doctor can see these readings.').waitFor()
    },
  )
}

test(
  'by keyboard, from the entry of a doctor in the directory; and a change of what is shared',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
    await pressByKeyboard(page, page.getByRole('link', { name: 'Share my readings with Dr Willow Sample' }))
    await page.getByText('Which readings?').first().waitFor()
    await tabTo(page, page.getByLabel('Name that this doctor sees'))
    await page.keyboard.type('Ada Example')
    await pressByKeyboard(page, page.getByRole('button', { name: 'Share readings of patient-1' }))
    const row = page.locator('.grants li').filter({ hasText: 'Dr Willow Sample' })
    await row.getByText('Sees all readings').waitFor()
    await row.getByText(/^until .* · shown as “Ada Example”$/).waitFor()
    await pressByKeyboard(page, row.getByRole('link', { name: 'Change: Dr Willow Sample' }))
    await pressByKeyboard(page, page.getByRole('button', { name: 'Only some' }))
    await tabTo(page, page.getByLabel('Blood pressure'))
    await page.keyboard.press('Space')
    await pressByKeyboard(page, page.getByRole('button', { name: 'Save for patient-1' }))
    await row.getByText('Sees blood pressure').waitFor()
    await page
      .getByText(
        /^You changed what is shared with Dr Willow Sample: now blood pressure of patient-1 until .*, as “Ada Example”\.$/,
      )
      .waitFor()
    const stop = row.getByRole('button', { name: /Stop sharing with|Undo/ })
    await pressByKeyboard(page, stop)
    await row.getByText('You stopped sharing.').waitFor()
    // The focus stays on the button, which has become the way back.
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^Undo/)
    await page.keyboard.press('Enter')
    await row.getByText('Sees blood pressure').waitFor()
  },
)

test(
  'that sharing ends within a week is said on Today; rules are named, with how they end',
  inBrowser,
  async (t) => {
    const ada = await withRules.clientOf('ada-example')
    const validUntil = new Date(Date.now() + 3 * 86_400_000).toISOString()
    await ada.grants.add({ patientUid: 'patient-1', doctorId: WILLOW, permission: 'manage', validUntil })
    await (await withRules.clientOf(WILLOW)).rules.set({
      patientUid: 'patient-1',
      readingType: 'heartRate',
      field: 'value',
      unit: '/min',
      severity: 'urgent',
      value: { above: 160 },
    })
    const page = await withRules.signIn(t, 'ada-example', { width: 375 })
    await page.getByText('Sharing with Dr Willow Sample ends in 3 days.').waitFor()
    // To go on is not to end on the same day.
    await page.getByRole('link', { name: 'Go on sharing' }).click()
    assert.equal(await page.getByLabel('Last day').inputValue(), '')
    await page.getByLabel('See the readings', { exact: true }).check()
    assert.ok(Date.parse(await page.getByLabel('Last day').inputValue()) > Date.now() + 80 * 86_400_000)
    await page.goto(`${withRules.origin}/console/sharing`)
    await page.locator('.grants li').getByText('Ends in 3 days.').waitFor()
    const rules = page.getByRole('region', { name: 'Rules that doctors have about these readings' })
    await rules.getByText('Heart rate above 160 /min').waitFor()
    await assertNoOverflow(page)
    await axe(page)
    // As it says: they end with what the doctor may do.
    await page.getByRole('link', { name: /^Change/ }).click()
    await page.getByLabel('See the readings', { exact: true }).check()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.locator('.grants li').getByText('Ends in 3 days.').waitFor()
    assert.equal(await rules.count(), 0)
  },
)

test('a doctor who left the directory is shown as such, and can still be stopped', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'sharing?patient=child-2' })
  await page.getByText('No doctor can see these readings.').waitFor()
  await grantByHand({ patientUid: 'child-2', doctorId: 'left' })
  await page.reload()
  const row = page.locator('.grants li').filter({ hasText: 'A doctor who is no longer in the directory' })
  await row.getByRole('button', { name: /^Stop sharing with/ }).click()
  await row.getByText('You stopped sharing.').waitFor()
})

test(
  'going back from the form of one doctor to that of another shows, and saves, nothing of the first',
  inBrowser,
  async (t) => {
    const robin = await stage.clientOf('robin-example')
    const patientUid = 'child-2'
    const [toAsh, toWillow] = [
      { doctorId: 'dr-ash-sample', permission: 'view', readingTypes: ['heartRate'], sharedAs: 'L. E.' },
      { doctorId: WILLOW, permission: 'manage', sharedAs: 'Leo Example' },
    ] as const
    await robin.grants.add({ patientUid, ...toAsh, readingTypes: [...toAsh.readingTypes] })
    await robin.grants.add({ patientUid, ...toWillow })
    t.after(async () => {
      for (const { doctorId } of [toAsh, toWillow]) await robin.grants.revoke({ patientUid, doctorId })
    })
    const page = await stage.signIn(t, 'robin-example', {
      path: `share?patient=${patientUid}&doctor=${toAsh.doctorId}`,
    })
    const name = page.getByLabel('Name that this doctor sees')
    await page.getByText('Dr Ash Sample, Podiatry, Pune').waitFor()
    assert.equal(await name.inputValue(), 'L. E.')
    await page.getByRole('link', { name: 'Choose another' }).click()
    await page.getByRole('link', { name: 'Share readings with Dr Willow Sample' }).click()
    await page.getByText('Dr Willow Sample, Cardiology, Pune').waitFor()
    assert.equal(await name.inputValue(), 'Leo Example')

    await page.evaluate(() => history.go(-2))
    await page.getByText('Dr Ash Sample, Podiatry, Pune').waitFor()
    await page.getByRole('button', { name: `Save for ${patientUid}` }).click()
    const row = page.locator('.grants li').filter({ hasText: 'Dr Ash Sample' })
    await row.getByText('no end date').waitFor()
    const { permission, readingTypes, sharedAs } =
      (await grantOf(patientUid, toAsh.doctorId)) ?? assert.fail()
    assert.deepEqual({ doctorId: toAsh.doctorId, permission, readingTypes, sharedAs }, toAsh)
  },
)

for (const width of PHONE_AND_DESK) {
  test(
    `a doctor sees what is shared and nothing else, until it is stopped, at ${width} px`,
    inBrowser,
    async (t) => {
      const ada = await stage.clientOf('ada-example')
      const patientUid = 'patient-1'
      await ada.grants.add({
        patientUid,
        doctorId: WILLOW,
        permission: 'view',
        readingTypes: ['bloodPressure', 'heartRate'],
        sharedAs: 'Ada Example',
      })
      const page = await stage.signIn(t, WILLOW, { width, ignoring: [/403/] })
      await page.getByRole('heading', { level: 1, name: 'My patients' }).waitFor()
      await everyWidth(page)
      assert.equal(await page.getByRole('link', { name: 'Today' }).count(), 0)
      await page.getByRole('link', { name: 'Ada Example' }).click()
      await page.getByText('Shares blood pressure and heart rate with you, without an end').waitFor()
      await page.goto(`${stage.origin}/console/today?patient=${patientUid}`)
      const limited = page.getByText('Ada Example shares only blood pressure and heart rate with you.')
      await limited.waitFor()
      await page.getByRole('article').first().waitFor()
      assert.equal(await page.getByRole('article').count(), 2)
      await everyWidth(page)
      const sections = page.getByRole('navigation', { name: 'Sections' })
      for (const name of ['Add', 'Shared with', 'Shared'])
        assert.equal(await sections.getByText(name, { exact: true }).count(), 0)
      for (const [path, shown] of [
        ['charts', '.chart-plot canvas'],
        ['access', '.moments li'],
      ]) {
        await page.goto(`${stage.origin}/console/${path}?patient=${patientUid}`)
        await page
          .locator(shown ?? '')
          .first()
          .waitFor()
        await limited.waitFor()
        assert.doesNotMatch(await page.getByRole('main').innerText(), /Body weight|Withdraw|Restore|Undo/)
      }
      // The form is not for doctors, not even by its address.
      await page.goto(`${stage.origin}/console/sharing?patient=${patientUid}`)
      await page.getByText('Only the patient can share these readings.').waitFor()

      await page.goto(`${stage.origin}/console/today?patient=${patientUid}`)
      await page.getByText('Live', { exact: true }).waitFor()
      await ada.grants.revoke({ patientUid, doctorId: WILLOW })
      // Without a step of the doctor: the stream ends, and with it what was shown.
      await page.getByText('This patient does not share readings with you.').waitFor()
      assert.equal(await page.getByRole('article').count(), 0)
      await axe(page)
      await page.getByRole('link', { name: 'Back to my patients' }).click()
      await page.getByRole('heading', { level: 1, name: 'My patients' }).waitFor()
      await page.getByRole('link', { name: 'Ada Example' }).waitFor({ state: 'detached' })
    },
  )
}

test('the patient sees the doctor by name, and why staff read', inBrowser, async (t) => {
  const ada = await stage.clientOf('ada-example')
  await ada.grants.add({ patientUid: 'patient-1', doctorId: WILLOW, permission: 'view' })
  const doctor = await stage.clientOf(WILLOW)
  await doctor.getReadings({ patientUid: 'patient-1', limit: 3 })
  const staff = await stage.signIn(t, 'kim-sample')
  await staff.getByLabel('Patient id').fill('patient-1')
  await staff.getByLabel('Why? (optional)').fill('Called with chest pain')
  await staff.keyboard.press('Enter')
  await staff.getByRole('article').first().waitFor()
  const page = await stage.signIn(t, 'ada-example', { path: 'access' })
  await page
    .getByText(/^Dr Willow Sample, Cardiology, .*read \d+ readings/)
    .first()
    .waitFor()
  await page
    .getByText(/^kim-sample, staff, .*: Called with chest pain$/)
    .first()
    .waitFor()
  assert.doesNotMatch(await page.locator('.moments').innerText(), /dr-willow-sample/)
  await everyWidth(page)
})

test('where a reason is required, staff who come by a link are asked for it, once', inBrowser, async (t) => {
  const page = await strict.signIn(t, 'kim-sample', {
    path: 'today?patient=patient-1',
    ignoring: [/403/],
  })
  await page.getByText('Why do you open this record?').waitFor()
  assert.equal(await page.getByRole('article').count(), 0)
  await axe(page)
  assert.equal(await page.getByLabel('Why?').evaluate((field) => field === document.activeElement), true)
  await page.keyboard.type('Größe unklar: “chest pain”')
  await page.keyboard.press('Enter')
  await page.getByRole('article').first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Charts' }).click()
  await page.locator('.chart-plot canvas').first().waitFor()
  await page.reload()
  await page.locator('.chart-plot canvas').first().waitFor()
  const patient = await strict.signIn(t, 'ada-example', { path: 'access' })
  await patient
    .getByText(/: Größe unklar: “chest pain”$/)
    .first()
    .waitFor()
})

test(
  '500 grants of a patient, and 1,000 patients of a doctor, do not freeze the page',
  inBrowser,
  async (t) => {
    await runSql(
      strict.ownerUrl,
      `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
     select 'child-1', 'given-' || number, 'view', 'child-1', 'robin-example' from generate_series(1, 90) as number;
     insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by, valid_until)
     select 'child-1', 'expired-' || number, 'view', 'child-1', 'robin-example', '2026-01-01'
     from generate_series(1, 410) as number;
     insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
     select 'many-' || number, '${WILLOW}', 'view', 'Example ' || to_char(number, 'fm0000'),
       'example ' || to_char(number, 'fm0000'), 'many-' || number
     from generate_series(1, 1000) as number`,
    )
    const patient = await strict.signIn(t, 'robin-example', { path: 'doctors' })
    await longTasksOf(patient, 'sharing?patient=child-1', '.grants li >> nth=499')
    const doctor = await strict.signIn(t, WILLOW, { path: 'doctors' })
    await longTasksOf(doctor, 'my-patients', '.my-patients li >> nth=99')
    for (let page = 0; page < 9; page++) {
      const first = await doctor.locator('.my-patients li').first().innerText()
      await doctor.getByRole('link', { name: 'Next page' }).click()
      await doctor
        .locator('.my-patients li')
        .first()
        .filter({ hasNotText: first.slice(0, 12) })
        .waitFor()
    }
    await doctor.getByText('Example 1000').waitFor()
    // A link to a patient of a later page shows the name too.
    await doctor.goto(`${strict.origin}/console/today?patient=many-1000`)
    await doctor.getByRole('heading', { level: 1, name: 'Example 1000' }).waitFor()
  },
)

/** Opens a screen, and fails where one task of the page took a second of CPU: by the clock, a busy machine decides. */
async function longTasksOf(page: Page, path: string, shown: string) {
  const browser = page.context().browser() ?? assert.fail('The page has no browser.')
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await page.goto(`${strict.origin}/console/${path}`)
  await page.locator(shown).waitFor()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] }
  const thread = ({ pid, tid }: Traced) => `${pid} ${tid}`
  const mains = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(thread))
  const cpuMs = traceEvents
    .filter((event) => event.name === 'RunTask' && mains.has(thread(event)))
    .map(({ tdur = 0 }) => tdur / 1_000)
  assert.ok(cpuMs.length > 0, 'no task was traced')
  const longest = Math.max(...cpuMs)
  assert.ok(longest > 0 && longest < 1_000, `${longest} ms of CPU`)
  await assertNoOverflow(page)
}

/** `tdur` is the CPU time of the thread, in microseconds. */
type Traced = { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }

function grantByHand({ patientUid, doctorId }: { patientUid: string; doctorId: string }) {
  return runSql(
    stage.ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
     values ('${patientUid}', '${doctorId}', 'view', '${patientUid}', 'robin-example')`,
  )
}
