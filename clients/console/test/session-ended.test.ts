// A session that the issuer ends, and an issuer that is away for a while.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { inBrowser, NO_NETWORK, startStage } from './browser.ts'
import { axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage({ tokenSeconds: 20 })
const COMES_AT_RENEWAL = { timeout: 60_000 }

test(
  'when the issuer renews no more, what was typed stays, and signing in again leads back to it',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add?type=heartRate', ignoring: [/400|401/] })
    await page.getByLabel('Value').fill('72')
    await page.route(`${stage.issuer.url}/token`, (route) =>
      route.fulfill({
        status: 400,
        headers: { 'access-control-allow-origin': stage.origin },
        json: { error: 'invalid_grant' },
      }),
    )
    await page.getByText('Your sign-in has ended.').waitFor(COMES_AT_RENEWAL)
    assert.equal(await page.getByLabel('Value').inputValue(), '72')
    await axe(page)
    // It is kept on the device, and sent once there is a session again.
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('.sent li').getByText('waiting').waitFor()
    await page.getByLabel('Value').fill('73')
    await page.unroute(`${stage.issuer.url}/token`)
    await pressByKeyboard(page, page.getByRole('button', { name: 'Sign in again' }))
    await page.waitForURL(/\/console\/add\?type=heartRate$/)
    await page.getByText('Your sign-in has ended.').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Value').inputValue(), '73')
    const client = await stage.clientOf('ada-example')
    const values = async () =>
      (await client.getReadings({ patientUid: 'patient-1' })).data.map((reading) => reading['value'])
    await until(async () => (await values()).length > 0, undefined, { everyMs: 200 })
    assert.deepEqual(await values(), [72])
  },
)

test('an issuer that cannot be reached for a while ends nothing', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', {
    path: 'add?type=painScore',
    ignoring: [NO_NETWORK, /401/],
  })
  await page.getByLabel('Value').fill('4')
  const attempts: string[] = []
  await page.route(`${stage.issuer.url}/token`, (route) => {
    attempts.push(route.request().method())
    return attempts.length < 3 ? route.abort() : route.continue()
  })
  await until(() => attempts.length >= 3)
  assert.equal(await page.getByText('Your sign-in has ended.').count(), 0)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.locator('.sent li').getByText('stored').waitFor(COMES_AT_RENEWAL)
})
