// Every screen, in light and dark, at every width: nothing that axe-core finds, nothing that overlaps or scrolls sideways.
import { test } from 'node:test'
import { COLOUR_SCHEMES, inBrowser, startStage, WIDTHS } from './browser.ts'
import { everyKind, HOSTILE_PATIENT, hostileReadings } from './invented-readings.ts'
import { assertNoOverflow, axe } from './screen-checks.ts'

const stage = await startStage()
await stage.add([...everyKind('patient-1', Date.now()), ...hostileReadings(Date.now())])

const SCREENS = [
  ['today', 'Heart rate'],
  ['add', 'Import a file'],
  ['add?type=symptom', 'How bad is it? Tap one.'],
  ['bring-in', 'Which files?'],
  ['add?type=bodyTemperature', '°F'],
  ['access', 'You'],
  ['plan', 'No targets are set.'],
  ['set-target?type=sleep', 'Leave empty what has no limit.'],
  ['take-away', 'Save CSV'],
  ['doctors', 'Speciality'],
  ['nowhere', 'There is no such page.'],
] as const

for (const colorScheme of COLOUR_SCHEMES) {
  test(`every screen is without violations and overflow in ${colorScheme}`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { colorScheme, reducedMotion: 'reduce' })
    for (const [path, text] of SCREENS) {
      await page.setViewportSize({ width: 1_440, height: 900 })
      await page.goto(`${stage.origin}/console/${path}`)
      await page.getByText(text, { exact: false }).first().waitFor()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        await assertNoOverflow(page)
      }
      await axe(page)
    }
  })

  test(`hostile readings break no screen in ${colorScheme}`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'robin-example', { colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${stage.origin}/console/today?patient=${HOSTILE_PATIENT}`)
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoOverflow(page)
    }
    await axe(page)
  })
}

test(
  'staff who have chosen nobody yet, and a patient id of 128 characters, break no screen',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'kim-sample')
    await page.getByText('Whose readings do you want to see?').waitFor()
    await axe(page)
    for (const uid of ['M'.repeat(128), 'مريض-'.repeat(25)]) {
      await page.goto(`${stage.origin}/console/today?patient=${encodeURIComponent(uid)}`)
      await page.getByText(/^Nothing is stored for this id/).waitFor()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        await assertNoOverflow(page)
      }
      await axe(page)
    }
  },
)
