// Adding readings, as a patient does at the kitchen table with a bad network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import { inBrowser, NO_NETWORK, PHONE_AND_DESK, SERVER_GONE, startStage } from './browser.ts'
import { assertNoOverflow, axe, slowDown, tabTo } from './screen-checks.ts'

const stage = await startStage()

const readingsOf = async (readingType: string) => {
  const client = await stage.clientOf('ada-example')
  return (await client.getReadings({ patientUid: 'patient-1', readingType: [readingType] })).data
}
const sent = (page: Page, text: string) => page.locator('.sent li').filter({ hasText: text })

async function addWeight(page: Page, kilograms: string) {
  await page.getByLabel('Value').fill(kilograms)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

test(
  'a patient adds a blood pressure by keyboard alone, and sees that it is stored',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bloodPressure' })
    await tabTo(page, page.getByLabel('Systolic'))
    await page.keyboard.type('128')
    await page.keyboard.press('Tab')
    await page.keyboard.type('82')
    await page.keyboard.press('Enter')
    await sent(page, '128 / 82 mmHg').getByText('stored').waitFor()
    assert.equal(await page.getByLabel('Systolic').inputValue(), '')
    await page.getByRole('heading', { name: 'Stored. Nobody may have seen it yet.' }).waitFor()
    const [stored, ...others] = await readingsOf('bloodPressure')
    assert.deepEqual([stored?.['systolic'], stored?.['diastolic'], others.length], [128, 82, 0])
    assert.deepEqual(stored?.['source'], { kind: 'manual', app: { name: 'Rounds console' } })
    await axe(page)
  },
)

test('what cannot be is refused beside its field, before it is sent', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bodyTemperature' })
  await page.getByRole('button', { name: '°C' }).click()
  await page.getByLabel('Value').fill('98,6')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('It must be from 20 to 46 °C.').waitFor()
  // The focus follows the message, in the next frame.
  await page.getByLabel('Value').and(page.locator(':focus')).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Use °F' }).click()
  await sent(page, '98.6 °F').getByText('stored').waitFor()
  const [stored] = await readingsOf('bodyTemperature')
  assert.deepEqual([stored?.['value'], stored?.['unit']], [98.6, '[degF]'])
})

for (const width of PHONE_AND_DESK) {
  test(
    `three taps and typing add a blood pressure, and Change corrects it, at ${width} px`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'ada-example', { width })
      await page.getByRole('link', { name: 'Add', exact: true }).click()
      await assertNoOverflow(page)
      await axe(page)
      await page.getByRole('link', { name: 'Blood pressure' }).click()
      // The focus is in the first field, and goes on to the second by itself.
      await page.getByLabel('Systolic').and(page.locator(':focus')).waitFor()
      await page.keyboard.type(`15${width % 10}94`)
      assert.equal(await page.getByLabel('Diastolic').inputValue(), '94')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      const [earlier, later] = [`15${width % 10} / 94 mmHg`, `15${width % 10} / 84 mmHg`]
      await sent(page, earlier).getByText('stored').waitFor()

      await sent(page, earlier)
        .getByRole('link', { name: /^Change/ })
        .click()
      assert.equal(await page.getByLabel('Systolic').inputValue(), `15${width % 10}`)
      await page.getByLabel('Diastolic').fill('84')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      const row = sent(page, later)
      await row.getByText('stored').waitFor()
      assert.equal(await row.locator('s').textContent(), earlier)
      await assertNoOverflow(page)
      await axe(page)
      const client = await stage.clientOf('ada-example')
      const all = { patientUid: 'patient-1', readingType: ['bloodPressure'], withdrawn: 'include' as const }
      const pressures = async () =>
        (await client.getReadings(all)).data
          .filter(({ systolic }) => systolic === 150 + (width % 10))
          .map(({ diastolic, measuredAt, withdrawn }) => [diastolic, measuredAt, withdrawn !== undefined])
      await until(async () => (await pressures()).some(([, , isWithdrawn]) => isWithdrawn))
      const [[, at] = []] = await pressures()
      // Its time is the same, though the form shows minutes.
      assert.deepEqual(
        new Set(await pressures()),
        new Set([
          [94, at, true],
          [84, at, false],
        ]),
      )
      // What was typed in last comes first now.
      await page.getByRole('link', { name: 'Something else' }).click()
      await page
        .locator('.type-tile')
        .first()
        .getByText(/^last 15\d \/ 84 mmHg, today/)
        .waitFor()
    },
  )
}

for (const width of PHONE_AND_DESK) {
  test(
    `how bad a symptom is, is chosen by a person and not in advance, at ${width} px`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'ada-example', { path: 'add?type=symptom', width })
      await page.getByRole('button', { name: 'Chest pain' }).click()
      assert.equal(await page.getByRole('radio', { checked: true }).count(), 0)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('Choose how bad it is.').waitFor()
      await assertNoOverflow(page)
      await axe(page)
      assert.equal(await page.locator('.sent li').count(), 0)
      await page.getByRole('radio', { name: 'Moderate' }).check()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await sent(page, 'Chest pain (moderate)').getByText('stored').waitFor()
      // The next one is a person's choice again.
      assert.equal(await page.getByRole('radio', { checked: true }).count(), 0)
      assert.equal(await page.getByRole('button', { pressed: true, name: 'Chest pain' }).count(), 0)
    },
  )
}

test('a symptom in own words, of another time in another zone', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=symptom', timezoneId: 'Asia/Kolkata' })
  await page.getByLabel('In your words').fill('<b>غثيان</b>')
  await page.getByRole('radio', { name: 'Severe' }).check()
  await page.getByRole('button', { name: 'Another time' }).click()
  await page.getByLabel('Date and time').fill('2026-03-01T07:42')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await sent(page, '<b>غثيان</b> (severe)').getByText('stored').waitFor()
  const [stored] = await readingsOf('symptom')
  assert.equal(stored?.measuredAt, '2026-03-01T02:12:00.000Z')
})

test('a note that was written before is added by one tap', inBrowser, async (t) => {
  await stage.add([
    { patientUid: 'patient-1', readingType: 'note', text: 'ate late', timestamp: Date.now() - 9e6 },
  ])
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=note' })
  await page.getByRole('button', { name: 'ate late' }).click()
  await sent(page, 'ate late').getByText('stored').waitFor()
  assert.equal((await readingsOf('note')).length, 2)
})

test('offline, a reading waits on the device, and is sent when the network is back', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', {
    path: 'add?type=painScore',
    ignoring: [NO_NETWORK],
  })
  await page.getByLabel('Value').waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Value').fill('4')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await sent(page, '4 of 10').getByText('waiting').waitFor()
  await page.getByText('1 reading waits on this device').waitFor()
  await axe(page)
  assert.equal((await readingsOf('painScore')).length, 0)
  await page.context().setOffline(false)
  await sent(page, '4 of 10').getByText('stored').waitFor()
  assert.equal((await readingsOf('painScore')).length, 1)
})

test('what was typed and not sent survives a reload', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=heartRate' })
  await page.getByLabel('Value').fill('72')
  await page.getByLabel('Context').fill('resting')
  await page.reload()
  assert.equal(await page.getByLabel('Value').inputValue(), '72')
  assert.equal(await page.getByLabel('Context').inputValue(), 'resting')
})

test('on a slow network a reading is shown as waiting until it is stored', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=bodyHeight' })
  await page.getByLabel('Value').waitFor()
  await page.getByRole('button', { name: 'cm' }).click()
  await slowDown(page, { latencyMs: 1_500 })
  await page.getByLabel('Value').fill('172')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await sent(page, '172 cm').getByText('waiting').waitFor()
  await sent(page, '172 cm').getByText('stored').waitFor()
})

test('an impatient second press is no second reading', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add?type=stepCount' })
  await page.getByLabel('Value').fill('4000')
  await page.getByRole('button', { name: 'Add', exact: true }).dblclick()
  await sent(page, '4,000 steps').getByText('stored').waitFor()
  // It reads the queue again, and so what a second one would have left there.
  await page.reload()
  await page.getByText('Nothing yet.').waitFor()
  assert.equal((await readingsOf('stepCount')).length, 1)
})

test(
  'the server is killed and started again in the middle of adding: nothing is lost, nothing doubled',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', {
      path: 'add?type=bodyWeight',
      ignoring: [SERVER_GONE],
    })
    await page.getByRole('button', { name: 'kg' }).click()
    await addWeight(page, '71.1')
    await sent(page, '71.1 kg').getByText('stored').waitFor()
    // In the middle: the request may have been committed, or not have arrived.
    await addWeight(page, '71.2')
    await stage.killServer()
    await sent(page, '71.2 kg').waitFor()
    await addWeight(page, '71.3')
    await sent(page, '71.3 kg').getByText('waiting').waitFor()
    await page.getByText(/readings? waits? to be sent/).waitFor()
    await page.reload().catch(() => undefined)
    await stage.startServer()
    await page.goto(`${stage.origin}/console/add?type=bodyWeight`)
    await page.getByText('Nothing yet.').or(page.locator('.sent')).first().waitFor()
    await page.locator('.sent').getByText('waiting').first().waitFor({ state: 'detached' })
    const weights = async () => (await readingsOf('bodyWeight')).map((reading) => reading['value'])
    for (let tries = 0; (await weights()).length < 3 && tries < 100; tries++) await page.waitForTimeout(200)
    assert.deepEqual(await weights(), [71.1, 71.2, 71.3])
  },
)
