// What a person chose is found again by that person, and by nobody else who signs in on the same device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { choosePerson, inBrowser, type PersonId, startStage, untilShown } from './browser.ts'
import { everyKind } from './invented-readings.ts'

const stage = await startStage()
await stage.add([...everyKind('patient-1', Date.now()), ...everyKind('child-1', Date.now())])

async function signOutAndIn(page: Page, person: PersonId, path: string) {
  await page
    .getByRole('button', { name: /Signed in as/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await choosePerson(page, person)
  await untilShown(page, stage.origin)
  await page.goto(`${stage.origin}/console/${path}`)
}

test('zone, unit and types are remembered for the person, not for the device', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'charts?type=bloodGlucose' })
  await page.getByRole('button', { name: 'mg/dL' }).click()
  await page.getByRole('button', { name: 'times in Europe/Berlin' }).click()
  await page.getByRole('dialog').getByLabel('The patient’s zone').selectOption('Asia/Tokyo')
  await page.getByText('times in Asia/Tokyo').waitFor()
  await page.locator('.chart-picker summary').click()
  await page.locator('.chart-options').getByText('Body weight', { exact: true }).click()
  await page.waitForURL(/type=bodyWeight/)

  await signOutAndIn(page, 'robin-example', 'charts?patient=child-1&type=bloodGlucose')
  await page.getByText('times in Europe/Berlin').waitFor()
  await page.getByRole('button', { name: 'mmol/L', pressed: true }).waitFor()
  await page.goto(`${stage.origin}/console/charts?patient=child-1`)
  await page.locator('.chart-pane h2').first().waitFor()
  assert.equal(await page.locator('.chart-pane h2').count(), 1)

  await signOutAndIn(page, 'ada-example', 'charts')
  await page.getByText('times in Asia/Tokyo').waitFor()
  // A link shows what its sender saw.
  await page.waitForURL(/zone=Asia%2FTokyo/)
  await page.getByRole('heading', { name: 'Body weight' }).waitFor()
  await page.getByRole('button', { name: 'mg/dL', pressed: true }).waitFor()
  // What the address says comes first.
  await page.goto(`${stage.origin}/console/charts?type=bloodGlucose&unit=mmol/L&zone=UTC`)
  await page.getByText('times in UTC').waitFor()
  await page.getByRole('button', { name: 'mmol/L', pressed: true }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Body weight' }).count(), 0)
  const stored = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  assert.doesNotMatch(stored, /patient-1|child-1/)
})
