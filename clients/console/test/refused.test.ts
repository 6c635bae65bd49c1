// Readings that the service does not accept: they are shown with the reason, wherever their person is, until they are corrected or
// removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createPatientDigests } from '../../../src/modules/casesheet/patient-digest.ts'
import { runSql } from '../../../test/support/harness.ts'
import { ERASURE_KEY } from '../../../test/support/patient-with-history.ts'
import {
  choosePerson,
  inBrowser,
  NO_NETWORK,
  type PersonId,
  startStage,
  untilShown,
  WIDTHS,
} from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage({ settings: { ERASURE_KEY } })
const refusals = (page: Page) => page.locator('.refused')

/** As if the page had been opened before a release that checks more strictly. */
async function withAnOlderCatalogue(page: Page) {
  await page.route('**/readings/types', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as {
      data: { readingType: string; schema: { properties: { value: { maximum: number } } } }[]
    }
    const pain = json.data.find(({ readingType }) => readingType === 'painScore') ?? assert.fail()
    pain.schema.properties.value.maximum = 100
    await route.fulfill({ response, json })
  })
}

async function changePerson(page: Page, id: PersonId) {
  await page
    .getByRole('button', { name: /Signed in as/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await choosePerson(page, id)
  await untilShown(page, stage.origin)
}

async function painScores() {
  const client = await stage.clientOf('ada-example')
  const { data } = await client.getReadings({ patientUid: 'patient-1', readingType: ['painScore'] })
  return data.map((reading) => reading['value'])
}

test(
  'a reading that is refused is shown with the reason on every screen, and is corrected by keyboard alone',
  inBrowser,
  async (t) => {
    const page = await stage.open(t, { ignoring: [/400/] })
    await withAnOlderCatalogue(page)
    await page.getByRole('button', { name: /Ada Example/ }).click()
    await page.getByRole('article').or(page.getByText('No readings yet.')).first().waitFor()
    await page.goto(`${stage.origin}/console/add?type=painScore`)
    await page.getByLabel('Value').fill('50')
    await page.getByLabel('Site').fill('lower back')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await refusals(page).getByText('Pain 50 of 10 was not accepted.').waitFor()
    await refusals(page)
      .getByText(/Value must be .*10/)
      .waitFor()
    assert.match((await refusals(page).locator('code').textContent()) ?? '', /\S{8,}/)
    await axe(page)

    await page.getByRole('link', { name: 'Doctors' }).click()
    await page.getByRole('heading', { name: 'Doctors' }).waitFor()
    await refusals(page).waitFor()
    await axe(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoOverflow(page)
    }
    await page.setViewportSize({ width: 1_280, height: 800 })

    await pressByKeyboard(page, refusals(page).getByRole('button', { name: 'Correct' }))
    await page.waitForURL(/add\?.*type=painScore/)
    await page.getByLabel('Date and time').waitFor()
    assert.equal(await page.getByLabel('Value').inputValue(), '50')
    assert.equal(await page.getByLabel('Site').inputValue(), 'lower back')
    // Whoever leaves the form still has it.
    await page.goto(`${stage.origin}/console/today`)
    await refusals(page).waitFor()
    await page.goBack()
    await page.getByLabel('Date and time').waitFor()
    await tabTo(page, page.getByLabel('Value'))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.locator('.sent li').filter({ hasText: '5 of 10' }).getByText('stored').waitFor()
    assert.equal(await refusals(page).count(), 0)
    assert.deepEqual(await painScores(), [5])
  },
)

test('what was refused for one child fills no form of another, and is kept', inBrowser, async (t) => {
  const page = await stage.open(t, { path: 'add?patient=child-1&type=painScore', ignoring: [/400/] })
  await withAnOlderCatalogue(page)
  await choosePerson(page, 'robin-example')
  await page.getByLabel('Value').fill('60')
  await page.getByRole('button', { name: 'Add for child-1', exact: true }).click()
  await refusals(page).getByRole('button', { name: 'Correct' }).click()
  await page.waitForURL(/correct=/)
  const correcting = page.url()
  await page.getByLabel('Date and time').waitFor()
  assert.equal(await page.getByLabel('Value').inputValue(), '60')

  await page.getByLabel('Patient', { exact: true }).selectOption('child-2')
  await page.getByRole('button', { name: 'Add for child-2', exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('correct'), null)
  // Nor by an address that names the other child.
  await page.goto(correcting.replace('child-1', 'child-2'))
  await refusals(page).waitFor()
  await page.getByRole('button', { name: 'Add for child-2', exact: true }).waitFor()
  assert.equal(await page.getByLabel('Value').inputValue(), '')
  await page.getByLabel('Value').fill('6')
  await page.getByRole('button', { name: 'Add for child-2', exact: true }).click()
  await page.locator('.sent li').filter({ hasText: '6 of 10' }).getByText('stored').waitFor()
  await refusals(page).getByText('Pain 60 of 10 was not accepted.').waitFor()
})

test(
  'a reading of a patient who was erased meanwhile is named as refused, and is removed by keyboard alone',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', {
      path: 'add?patient=child-2&type=heartRate',
      ignoring: [NO_NETWORK, /403/],
    })
    await page.getByLabel('Value').waitFor()
    await page.context().setOffline(true)
    for (const value of ['81', '82']) {
      await page.getByLabel('Value').fill(value)
      await page.getByRole('button', { name: 'Add for child-2' }).click()
      await page.locator('.sent li').filter({ hasText: value }).getByText('waiting').waitFor()
    }
    const { keyId, digestOf } = createPatientDigests(Buffer.from(ERASURE_KEY, 'hex'))
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const refuse = 'insert into casesheet.refused_patients values ($1, $2, $3)'
    await runSql(stage.ownerUrl, refuse, [keyId, digestOf('child-2'), until])
    // They are named for whom they were, also while one looks at another patient.
    await page.getByLabel('Patient', { exact: true }).selectOption('child-1')
    await page.context().setOffline(false)
    await refusals(page).filter({ hasText: '82 /min' }).waitFor()
    assert.equal(await refusals(page).count(), 2)
    await refusals(page).filter({ hasText: '81 /min' }).getByText('for child-2').waitFor()
    await refusals(page).first().getByText('The readings of this patient were erased.').waitFor()
    await page.reload()
    await refusals(page).nth(1).waitFor()
    // Another person who signs in on the same device does not see them.
    await changePerson(page, 'ada-example')
    await page.waitForFunction(async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
      return names.filter((name) => name.startsWith('rounds console refused ')).length === 2
    })
    assert.equal(await refusals(page).count(), 0)
    await changePerson(page, 'robin-example')
    await page.goto(`${stage.origin}/console/add?patient=child-1&type=heartRate`)
    for (const left of [1, 0]) {
      await pressByKeyboard(page, refusals(page).first().getByRole('button', { name: 'Remove' }))
      await refusals(page).nth(left).waitFor({ state: 'detached' })
      const next = left === 0 ? 'H1' : 'BUTTON'
      await page.waitForFunction((tag) => document.activeElement?.tagName === tag, next)
    }
    await page.reload()
    await page.getByText('Nothing yet.').waitFor()
    assert.equal(await refusals(page).count(), 0)
  },
)
