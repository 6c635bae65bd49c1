// A carer of several patients: all of them on one screen, and for whom a reading is added is named at each step.
import './words.ts'
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
      await page.getByText('This page does not wake you: keep the sensor’s alarm on.').waitFor()
      await cardOf(page, 'child-1').getByText('6.1 mmol/L').waitFor()
      await cardOf(page, 'child-1')
        .getByText(/^No value for \d+ min\.$/)
        .waitFor()
      await cardOf(page, 'child-2').getByText('101 /min').waitFor()
      await assertNoOverflow(page)
      await axe(page)
      await cardOf(page, 'child-2').getByRole('link', { name: 'Add for child-2' }).click()
      await page.getByRole('link', { name: 'Blood pressure' }).waitFor()
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
  test(`who is low stands first, and is told without a tap, at ${width} px`, inBrowser, async (t) => {
    const robin = await stage.clientOf('robin-example')
    const at = Date.now()
    await stage.add([
      { ...glucose('child-1', 11.4, at - 60_000), trend: 'steady' },
      { ...glucose('child-2', 3.4, at - 120_000), trend: 'fallingFast' },
      { patientUid: 'child-1', readingType: 'heartRate', value: 190, timestamp: at - 60_000 },
    ])
    const page = await stage.signIn(t, 'robin-example', { width })
    const [mia, leo] = [cardOf(page, 'child-1'), cardOf(page, 'child-2')]
    // Without a limit nobody is low. The page asks once, and what is set is the carer's own.
    await mia.getByLabel('Below which value shall child-1 stand first?').waitFor()
    assert.doesNotMatch(await page.getByRole('main').innerText(), /LOW|target/)
    const limit = leo.getByLabel('Below which value shall child-2 stand first?')
    await limit.fill('70')
    await leo.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Change it' }).click()
    await limit.fill('3.9')
    await leo.getByRole('button', { name: 'Save' }).click()
    await leo.getByText('LOW', { exact: true }).waitFor()
    await leo.getByText('Below 3.9, set by you').waitFor()
    assert.equal(await leo.getByText('falling fast').count(), 1)
    // No tile moves under a finger.
    const first = page.getByRole('article').first().getByRole('heading')
    assert.equal(await first.innerText(), 'child-1')
    await page.getByRole('button', { name: '1 child is low now: show first' }).click()
    await page.getByText('Read again every minute.', { exact: false }).waitFor()
    assert.equal(await first.innerText(), 'child-2')
    await mia.getByRole('button', { name: 'Not now' }).click()
    await assertNoOverflow(page)
    await axe(page)
    // What was done about it is one tap.
    const notes = async () => {
      const { data } = await robin.getReadings({ patientUid: 'child-2', readingType: ['note'] })
      return data.map(({ text }) => text)
    }
    const stored = leo.getByText('Stored for child-2: I gave juice. Nobody may have seen it yet.')
    await leo.getByRole('button', { name: 'I gave juice' }).dblclick()
    await stored.waitFor()
    assert.deepEqual(await notes(), ['I gave juice'])
    await axe(page)
    await leo.getByRole('button', { name: 'Undo for child-2: I gave juice' }).click()
    await leo.getByText('It stays in the record, and no longer counts.').waitFor()
    assert.equal(await stored.count(), 0)
    assert.deepEqual(await notes(), [])
    await page.reload()
    await leo.getByText('LOW', { exact: true }).waitFor()
    assert.equal(await page.getByText('Below which value', { exact: false }).count(), 0)
    await robin.targets.remove({ patientUid: 'child-2', readingType: 'interstitialGlucose' })
  })
}

test('a note that was refused is not said to be stored', inBrowser, async (t) => {
  const robin = await stage.clientOf('robin-example')
  const aim = { patientUid: 'child-2', readingType: 'interstitialGlucose' } as const
  await robin.targets.set({ ...aim, unit: 'mmol/L', fields: { value: { low: 3.9 } } })
  t.after(() => robin.targets.remove(aim))
  await stage.add([glucose('child-2', 3.3, Date.now() - 60_000)])
  const page = await stage.signIn(t, 'robin-example', { ignoring: [/400/] })
  await page.route('**/readings/add*', (route) =>
    route.continue({ postData: (route.request().postData() ?? '').replace('I gave juice', '') }),
  )
  const leo = cardOf(page, 'child-2')
  await leo.getByRole('button', { name: 'I gave juice' }).click()
  await leo.getByRole('alert').waitFor()
  assert.doesNotMatch(await leo.innerText(), /Stored|Noted/)
})

test('a carer sees the name under which a child is shared', inBrowser, async (t) => {
  await fillDirectory(stage.ownerUrl, {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
  })
  await sharing(stage, 'child-1', { sharedAs: 'Mia Example, born 2017' })
  const page = await stage.signIn(t, 'robin-example', { width: 375 })
  await page.getByRole('article', { name: 'Mia Example, born 2017' }).waitFor()
  await cardOf(page, 'child-2').waitFor()
  await assertNoOverflow(page)
  await axe(page)
  await page.getByRole('link', { name: 'Mia Example, born 2017', exact: true }).click()
  const options = page.getByLabel('Patient', { exact: true }).getByRole('option')
  await page.getByText('Mia Example, born 2017 · child-1').waitFor({ state: 'attached' })
  assert.deepEqual(await options.allInnerTexts(), ['Mia Example, born 2017 · child-1', 'child-2'])
  await assertNoOverflow(page)
})
