// A carer of several patients: all of them on one screen, and for whom a reading is added is named at each step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { requestToken } from '../../../tools/dev/request-token.ts'
import { choosePerson, inBrowser, PHONE_AND_DESK, startStage, untilShown } from './browser.ts'
import { DOCTOR, sharing } from './doctors-patients.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
const glucose = (patientUid: string, value: number, timestamp: number) => ({
  patientUid,
  readingType: 'interstitialGlucose' as const,
  value,
  unit: 'mmol/L' as const,
  timestamp,
})
await stage.add([
  glucose('child-1', 6.1, now - 20 * 60_000),
  { patientUid: 'child-2', readingType: 'heartRate', value: 101, timestamp: now - 52 * 60_000 },
])
const cardOf = (page: Page, patientUid: string) =>
  page.getByRole('article', { name: patientUid, exact: true })

for (const width of PHONE_AND_DESK) {
  test(
    `all children with their newest readings are on the first screen, at ${width} px`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'robin-example', { width })
      await page.getByRole('heading', { level: 1, name: 'Everyone' }).waitFor()
      await cardOf(page, 'child-1').getByText('6.1 mmol/L').waitFor()
      await cardOf(page, 'child-1')
        .getByText(/^\d+ min ago$/)
        .first()
        .waitFor()
      await cardOf(page, 'child-2').getByText('101 /min').waitFor()
      await assertNoOverflow(page)
      await axe(page)
      await cardOf(page, 'child-2').getByRole('link', { name: 'Add for child-2' }).click()
      await page.getByRole('button', { name: 'Add for child-2' }).waitFor()
      // By keyboard back to all of them, and on to the other child.
      await tabTo(page, page.getByRole('link', { name: /^(Everyone|All)$/ }), { key: 'Shift+Tab' })
      await page.keyboard.press('Enter')
      await pressByKeyboard(page, cardOf(page, 'child-1').getByRole('link', { name: 'child-1', exact: true }))
      await page.waitForURL(/today\?patient=child-1/)
    },
  )
}

test(
  'of forty patients some are asked for, a few at once, and how many are not is said',
  inBrowser,
  async (t) => {
    const patientUids = Array.from({ length: 40 }, (_, index) => `many-${index + 1}`)
    const token = await requestToken(stage.issuer, { patientUids })
    const page = await stage.open(t)
    await page.route(`${stage.issuer.url}/token`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...Object(await response.json()), access_token: token } })
    })
    let [asked, open, most] = [0, 0, 0]
    await page.route('**/readings/latest*', async (route) => {
      asked++
      open++
      most = Math.max(most, open)
      const response = await route.fetch()
      open--
      await route.fulfill({ response })
    })
    await choosePerson(page, 'robin-example')
    await untilShown(page, stage.origin)
    await page.getByText('28 more patients are not shown here.').waitFor()
    await cardOf(page, 'many-12').getByText('No readings yet.').waitFor()
    assert.equal(await page.getByRole('article').count(), 12)
    assert.equal(asked, 12)
    assert.ok(most <= 4, `${most} at once`)
    for (const width of PHONE_AND_DESK) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoOverflow(page)
    }
    await axe(page)
    await page.getByLabel('Open another patient').selectOption('many-33')
    await page.waitForURL(/today\?patient=many-33/)
  },
)

test('who cares for one patient has no screen of everyone', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example')
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Everyone' }).count(), 0)
})

for (const width of PHONE_AND_DESK) {
  test(`the button, the message and the list name the child, at ${width} px`, inBrowser, async (t) => {
    const value = String(PHONE_AND_DESK.indexOf(width) + 1)
    const page = await stage.signIn(t, 'robin-example', {
      width,
      path: 'add?patient=child-2&type=painScore',
    })
    await page.getByLabel('Value').click()
    await page.keyboard.type(value)
    await page.getByRole('button', { name: 'Add for child-2', exact: true }).click()
    const list = page.getByRole('region', { name: 'Added here for child-2' })
    await list.getByRole('listitem').getByText('stored for child-2').waitFor()
    await assertNoOverflow(page)
    await axe(page)
    await page.getByLabel('Patient', { exact: true }).selectOption('child-1')
    await page.getByRole('button', { name: 'Add for child-1', exact: true }).waitFor()
    const client = await stage.clientOf('robin-example')
    const { data } = await client.getReadings({ patientUid: 'child-2' })
    assert.ok(data.some((reading) => reading['value'] === Number(value)))
  })
}

test('a patient who adds for nobody else is not named at each step', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=painScore' })
  await tabTo(page, page.getByLabel('Value'))
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.locator('.sent li').getByText('stored', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).waitFor()
})

for (const width of PHONE_AND_DESK) {
  test(
    `a value outside the patient’s target is marked for the carer, and moves nothing, at ${width} px`,
    inBrowser,
    async (t) => {
      const { targets } = await stage.clientOf('robin-example')
      await targets.set({
        patientUid: 'child-1',
        readingType: 'interstitialGlucose',
        fields: { value: { low: 3.9, high: 10 } },
        unit: 'mmol/L',
      })
      await targets.set({
        patientUid: 'child-2',
        readingType: 'bodyWeight',
        fields: { value: { low: 40 } },
        unit: 'kg',
      })
      await stage.add([
        glucose('child-1', 23.3, Date.now()),
        { patientUid: 'child-1', readingType: 'heartRate', value: 190, timestamp: Date.now() - 60_000 },
        {
          patientUid: 'child-2',
          readingType: 'bodyWeight',
          value: 20,
          unit: 'kg',
          timestamp: now - 400 * 86_400_000,
        },
      ])
      const page = await stage.signIn(t, 'robin-example', { path: 'doctors', width })
      let release = () => {}
      let asked = 0
      const released = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/targets/list*', async (route) => {
        asked++
        await released
        await route.continue()
      })
      await page.goto(`${stage.origin}/console/everyone`)
      const rowOf = (patientUid: string, name: string) =>
        cardOf(page, patientUid).getByRole('row').filter({ hasText: name })
      const sensor = rowOf('child-1', 'Sensor glucose')
      await sensor.getByText('23.3 mmol/L').waitFor()
      await rowOf('child-2', 'Body weight').getByText('20 kg').waitFor()
      const places = () =>
        page
          .locator('.patient-card :is(tr, a)')
          .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top + scrollY)))
      const before = await places()
      release()
      await sensor.getByText('▲ above target', { exact: true }).waitFor()
      assert.deepEqual(await places(), before)
      assert.equal(asked, 2)
      // Without a target, and old.
      for (const row of [rowOf('child-1', 'Heart rate'), rowOf('child-2', 'Body weight')])
        assert.doesNotMatch((await row.textContent()) ?? '', /target/)
      await assertNoOverflow(page)
      await axe(page)
    },
  )
}

test('a carer sees the name under which a child is shared, beside its id', inBrowser, async (t) => {
  await fillDirectory(stage.ownerUrl, {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
  })
  await sharing(stage, 'child-1', { sharedAs: 'Mia Example, born 2017' })
  const page = await stage.signIn(t, 'robin-example', { width: 375 })
  await page.getByRole('article', { name: 'Mia Example, born 2017 child-1' }).waitFor()
  await cardOf(page, 'child-2').waitFor()
  await assertNoOverflow(page)
  await axe(page)
  await page.getByRole('link', { name: 'Mia Example, born 2017' }).click()
  const options = page.getByLabel('Patient', { exact: true }).getByRole('option')
  await page.getByText('Mia Example, born 2017 · child-1').waitFor({ state: 'attached' })
  assert.deepEqual(await options.allInnerTexts(), ['Mia Example, born 2017 · child-1', 'child-2'])
  await assertNoOverflow(page)
})
