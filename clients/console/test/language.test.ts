// In which language the console speaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, startStage } from './browser.ts'
import { axe } from './screen-checks.ts'

const stage = await startStage()

test(
  'a doctor with a German browser reads German, chooses English, and finds it again',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'dr-willow-sample', { locale: 'de-DE' })
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

test('a patient reads English, because their screens speak it alone', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Signed in as' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Deutsch' }).count(), 0)
})
