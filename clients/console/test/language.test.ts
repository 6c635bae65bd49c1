// In which language the console speaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { inBrowser, startStage } from './browser.ts'
import { DOCTOR, everyQueue } from './doctors-patients.ts'
import { assertNoOverflow, axe } from './screen-checks.ts'

const stage = await startStage({ settings: { ALERTS: 'on' } })
await everyQueue(stage)
const doctor = await stage.clientOf(DOCTOR)
await until(async () => (await doctor.myPatients.list()).counts.actNow > 0, 30_000)

test(
  'a doctor with a German browser reads German, chooses English, and finds it again',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, DOCTOR, { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Angemeldet als' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Abmelden' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await axe(page)
    await dialog.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Signed in as' }).click()
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    await page.reload()
    await page.getByRole('button', { name: 'Signed in as' }).waitFor()
  },
)

/** What stands on each screen of a doctor, a whole sentence where there is one. */
const SCREENS: [path: string, text: string | RegExp][] = [
  ['my-patients', /^Schwer, .*: crushing chest pain/],
  // Some hours before may be the day before.
  ['my-patients?selected=patient-1', /Messwerte an \d von 30 Tagen\./],
  ['overview?patient=patient-1', /hat den Zielbereich für Blutdruck festgelegt: höchstens 135\/85 mmHg/],
  ['charts?patient=patient-1&type=bloodPressure', /von Tag zu Tag, höchster|höchster/],
  ['reports?patient=patient-1&report=blood-pressure', 'Alle ohne den ersten Tag'],
  ['reports?patient=child-1&report=glucose', 'Zeit im Zielbereich'],
  ['reports?patient=patient-1&report=days', 'nur eingetippt oder importiert'],
  ['plan?patient=patient-1', 'Keine Regel ist festgelegt.'],
  ['set-target?patient=patient-1&type=bloodPressure', 'Sofort handeln über'],
  ['set-rule?patient=patient-1', 'Wie dringend ist es?'],
  ['for-all', 'Regeln für alle, die mit Ihnen teilen'],
  ['access?patient=patient-1', /^Sie: .* gelesen/],
  ['doctors', 'Fachgebiet'],
]

test('every screen of a doctor speaks German, without violations and overflow', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { locale: 'de-DE', reducedMotion: 'reduce' })
  for (const [path, text] of SCREENS) {
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.goto(`${stage.origin}/console/${path}`)
    await page.getByText(text).first().waitFor()
    for (const width of [1_440, 768, 375]) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoOverflow(page)
    }
    await axe(page)
    const shown = await page.locator('main').innerText()
    // Published limits and guidelines keep their titles.
    assert.doesNotMatch(shown, /\b(readings?|days|your?|looked)\b/i, `${path}: ${shown}`)
  }
})

test('a patient reads English, because their screens speak it alone', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Signed in as' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Deutsch' }).count(), 0)
  // Nor that of a doctor who used this browser before.
  await page.evaluate(() => localStorage.setItem('rounds.language', 'de'))
  await page.reload()
  await page.getByRole('button', { name: 'Signed in as' }).waitFor()
  assert.deepEqual(
    await page.evaluate(() => [document.documentElement.lang, localStorage.getItem('rounds.language')]),
    ['en', null],
  )
})
