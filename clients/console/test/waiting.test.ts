// Readings that wait on a device while people sign out and in: they are neither lost nor sent as somebody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import { choosePerson, inBrowser, NO_NETWORK, type PersonId, startStage, untilShown } from './browser.ts'
import { axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const ADD = '**/readings/add'

async function readingsOf(person: PersonId, patientUid: string) {
  const client = await stage.clientOf(person)
  return (await client.getReadings({ patientUid })).data.map((reading) => reading['value'])
}

async function addPain(page: Page, value: string) {
  await page.getByLabel('Value').fill(value)
  await page.getByRole('button', { name: /^Add(?: for|$)/ }).click()
  await page
    .locator('.sent li')
    .filter({ hasText: `${value} of 10` })
    .getByText('waiting')
    .waitFor()
}

async function signOut(page: Page) {
  await pressByKeyboard(page, page.getByRole('button', { name: /Signed in as/ }).first())
  await pressByKeyboard(page, page.getByRole('button', { name: 'Sign out' }))
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
}

async function signIn(page: Page, person: PersonId) {
  await page.getByRole('button', { name: 'Sign in' }).click()
  await choosePerson(page, person)
  await untilShown(page, stage.origin)
}

test(
  'what waits stays with its person: the next one on the device neither sees nor sends it',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', {
      path: 'add?type=painScore',
      ignoring: [NO_NETWORK],
    })
    await page.route(ADD, (route) => route.abort())
    await addPain(page, '7')
    await page.getByLabel('Value').fill('3')
    await page.getByText('1 reading waits to be sent.').waitFor()
    await page
      .getByRole('button', { name: /Signed in as/ })
      .first()
      .click()
    await page.getByText(/^1 reading waits on this device. If you sign out now, it stays here/).waitFor()
    await axe(page)
    await page.keyboard.press('Escape')
    await signOut(page)
    await page.getByText(/1 reading that was not sent yet stays on this device/).waitFor()
    await axe(page)
    // What was typed and not sent has left with its person.
    assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('draft')), false)

    await page.unroute(ADD)
    await signIn(page, 'robin-example')
    await page.getByRole('heading', { name: 'Everyone' }).waitFor()
    await page.goto(`${stage.origin}/console/add?type=painScore&patient=child-1`)
    await page.getByText('Nothing yet.').waitFor()
    assert.equal(await page.getByLabel('Value').inputValue(), '')
    assert.equal(await page.getByText(/reading waits/).count(), 0)
    await page.getByLabel('Value').fill('2')
    await page.getByRole('button', { name: /^Add(?: for|$)/ }).click()
    await page.locator('.sent li').getByText('stored').waitFor()
    assert.deepEqual(await readingsOf('robin-example', 'child-1'), [2])
    assert.deepEqual(await readingsOf('ada-example', 'patient-1'), [])

    await signOut(page)
    assert.equal(await page.getByText(/not sent yet/).count(), 0)
    await signIn(page, 'ada-example')
    await until(async () => (await readingsOf('ada-example', 'patient-1')).length > 0, undefined, {
      everyMs: 200,
    })
    assert.deepEqual(await readingsOf('ada-example', 'patient-1'), [7])
  },
)

test(
  'signing out without a network ends the session here, and says what it could not do',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', {
      path: 'add?patient=child-2&type=painScore',
      ignoring: [NO_NETWORK],
    })
    await page.clock.install()
    await page.reload()
    await page.getByLabel('Value').waitFor()
    await page.context().setOffline(true)
    await addPain(page, '6')
    await signOut(page)
    await page.getByText(/The place where you sign in was not reached/).waitFor()
    await page.getByText(/1 reading that was not sent yet stays on this device/).waitFor()
    assert.doesNotMatch(page.url(), /child-2/)
    assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('eyJ')), false)
    await axe(page)
    await page.context().setOffline(false)
    // The network is back, and the person is not: nothing is sent.
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.evaluate(() => dispatchEvent(new Event('online')))
    // Longer than what waits is left to wait. This request is the first.
    await page.clock.runFor(11_000)
    await page.evaluate(() => fetch('/console/licences.json'))
    assert.deepEqual(requests, [`${stage.origin}/console/licences.json`])
    assert.deepEqual(await readingsOf('robin-example', 'child-2'), [])
  },
)

test('behind 200 others a reading waits too, and all of them are counted', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', {
    path: 'add?type=painScore',
    ignoring: [NO_NETWORK],
  })
  await page.getByLabel('Value').waitFor()
  await page.context().setOffline(true)
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('rounds console ada-example', 1)
        opening.addEventListener('error', () => reject(new Error('not opened')))
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('readings', 'readwrite')
          const store = transaction.objectStore('readings')
          for (let minute = 0; minute < 200; minute++)
            store.add({
              patientUid: 'patient-1',
              readingType: 'stepCount',
              value: minute,
              timestamp: 1_762_000_000_000 + minute * 60_000,
            })
          transaction.addEventListener('complete', () => resolve())
        })
      }),
  )
  await addPain(page, '9')
  await page.getByText('201 readings wait on this device').waitFor()
})
