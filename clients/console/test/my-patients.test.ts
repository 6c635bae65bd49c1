// My patients: who needs attention, why, and by which rule; by mouse, by keyboard, live, and on a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { COLOUR_SCHEMES, inBrowser, NO_NETWORK, startStage, WIDTHS } from './browser.ts'
import { DAY, DOCTOR, ESH, everyStatus, pressure, sharing } from './doctors-patients.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
await everyStatus(stage)

const DESK = { width: 1_440, height: 900 }

/** The names of the rows that can be seen, in their order. */
async function names(page: Page): Promise<string[]> {
  const rows = await page.locator('.list-row').evaluateAll((all) =>
    all
      .map((row) => ({
        top: row.getBoundingClientRect().top,
        name: row.querySelector('.list-name-text')?.textContent ?? row.textContent ?? '',
      }))
      .toSorted((one, other) => one.top - other.top),
  )
  return rows.map(({ name }) => name)
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const selected = (page: Page) => page.locator('[aria-selected="true"] .list-name-text').allTextContents()
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'The chosen patient' })
const queue = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })

/** Until every summary is made. */
async function untilReady(page: Page) {
  await page.getByText(/ · live$/).waitFor()
  await page.getByText('Needs attention', { exact: true }).nth(1).waitFor()
  await page.getByText('Being prepared').waitFor({ state: 'detached' })
}

async function openList(page: Page, query = '') {
  await page.goto(`${stage.origin}/console/my-patients${query}`)
  await untilReady(page)
}

test('a doctor sees who needs attention and why, by mouse', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, DESK)
  await untilReady(page)
  const [first, second, third, fourth] = await names(page)
  assert.deepEqual(new Set([first, second]), new Set(['Jonas Sample', 'Mia Example']))
  assert.deepEqual([third, fourth], ['Ada Example', 'Elif Probe'])
  const mia = rowOf(page, 'Mia Example')
  await mia.getByText(/^Sensor glucose 23\.0 mmol\/L at \d\d:\d\d .*, above 13\.9 mmol\/L\.$/).waitFor()
  await mia.getByText('shares sensor glucose and symptoms only').waitFor()
  await mia.getByRole('img', { name: /^in target \d+ %, high \d+ %, very high/ }).waitFor()
  await mia
    .getByRole('img', { name: /^Sensor glucose, 14 days: 5 to 23 mmol\/L, on \d+ of 14 days$/ })
    .waitFor()
  await rowOf(page, 'Jonas Sample')
    .getByText(/▲ above/)
    .waitFor()
  await rowOf(page, 'Elif Probe')
    .getByText(/^No reading of blood pressure for 6 days; the last was 121\/80 mmHg/)
    .waitFor()
  await rowOf(page, 'patient-60').getByText('No target is set, so nothing is judged.').waitFor()
  await page.getByText('Every patient in this list sees, once a day, that you looked.').waitFor()
  // A colour only where a rule found something; the word is always there.
  const colours = await page
    .locator('.list-status')
    .evaluateAll((all) => all.map((one) => [one.textContent, getComputedStyle(one).color] as const))
  const muted = colours.find(([word]) => word?.includes('No target'))?.[1]
  for (const [word, colour] of colours)
    assert.equal(colour === muted, !/attention|Review|worse/.test(word ?? ''), `${word} ${colour}`)

  await mia.getByText(/^Sensor glucose 23/).click()
  assert.deepEqual(await selected(page), ['Mia Example'])
  await panelOf(page).getByText('Mia Example').first().waitFor()
  await panelOf(page)
    .getByText(/^The newest reading is outside 3\.0–13\.9 mmol\/L/)
    .first()
    .waitFor()

  await queue(page, 'Needs attention now').click()
  await page.waitForURL(/queue=attention/)
  assert.equal((await names(page)).length, 2)
  await page.getByText(/^2 of \d+ patients · live$/).waitFor()
  assert.deepEqual(await selected(page), [])
  await queue(page, 'No data for 3 days').click()
  await page.waitForURL(/queue=silent/)
  assert.deepEqual(await names(page), ['Elif Probe'])
  await queue(page, 'My patients').click()
  await page.waitForURL(/my-patients$/)

  const header = page.getByRole('columnheader', { name: 'Patient' })
  await header.getByRole('button').click()
  assert.equal(await header.getAttribute('aria-sort'), 'ascending')
  assert.deepEqual((await names(page)).slice(0, 3), ['Ada Example', 'Chloé Exemple', 'Elif Probe'])
  await header.getByRole('button').click()
  assert.equal(await header.getAttribute('aria-sort'), 'descending')
  assert.equal((await names(page)).at(-1), 'Ada Example')
  await page.getByLabel('Find by name or id').fill('CHLOE')
  assert.deepEqual(await names(page), ['Chloé Exemple'])
  // A link shows what its sender saw.
  await page.reload()
  await page.getByText('Chloé Exemple').waitFor()
  assert.deepEqual(await names(page), ['Chloé Exemple'])
  await page.getByLabel('Find by name or id').fill('nobody')
  await page.getByText('No patient matches.').waitFor()
  await page.getByLabel('Find by name or id').fill('')

  await rowOf(page, 'Ada Example')
    .getByText(/^Blood pressure 151\/95/)
    .dblclick()
  await page.waitForURL(/today\?patient=patient-1/)
  await page.goBack()
  await page.getByRole('link', { name: 'Mia Example' }).click()
  await page.waitForURL(/today\?patient=child-1/)
})

test('the reasons are written in the clock and the dates of the reader', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'my-patients', locale: 'en-US' })
  await rowOf(page, 'Mia Example')
    .getByText(/^Sensor glucose 23\.0 mmol\/L at \d\d:\d\d\s[AP]M (today|on [A-Z][a-z]+ \d+), above/)
    .waitFor()
  await rowOf(page, 'Elif Probe')
    .getByText(/the last was 121\/80 mmHg at \d\d:\d\d\s[AP]M on [A-Z][a-z]+ \d+/)
    .waitFor()
})

test('by keyboard alone: search, move, panel, review, record, rules', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors' })
  await openList(page, '?sort=name')
  await page.keyboard.press('ArrowDown')
  assert.deepEqual(await selected(page), ['Ada Example'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.deepEqual(await selected(page), ['Elif Probe'])
  await page.keyboard.press('ArrowUp')
  assert.deepEqual(await selected(page), ['Chloé Exemple'])
  const grid = page.getByRole('grid', { name: 'My patients' })
  assert.equal(await grid.evaluate((element) => element === document.activeElement), true)
  const active = await grid.getAttribute('aria-activedescendant')
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
  await panelOf(page).getByText('Chloé Exemple').first().waitFor()
  await page.waitForURL(/selected=patient-22/)
  // A letter alone is no command.
  await page.keyboard.press('j')
  assert.deepEqual(await selected(page), ['Chloé Exemple'])
  await page.keyboard.press('Escape')
  assert.deepEqual(await selected(page), [])
  await panelOf(page).getByText('go to the panel').waitFor()
  await axe(page)

  const find = page.getByLabel('Find by name or id')
  await find.focus()
  await page.keyboard.type('jonas')
  await page.waitForFunction(() => document.querySelectorAll('.list-row').length === 1)
  await page.keyboard.press('Enter')
  assert.deepEqual(await selected(page), ['Jonas Sample'])
  await find.focus()
  await page.keyboard.press('Escape')
  assert.equal(await find.inputValue(), '')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Home')
  assert.deepEqual(await selected(page), ['Ada Example'])
  await page.keyboard.press(' ')
  await panelOf(page).getByRole('heading', { name: 'Ada Example' }).and(page.locator(':focus')).waitFor()
  await pressByKeyboard(page, panelOf(page).getByRole('button', { name: 'Mark as reviewed' }))
  await page.getByRole('dialog', { name: /review/i }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: /review/i }).waitFor({ state: 'detached' })
  await page.getByRole('grid', { name: 'My patients' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/today\?patient=patient-1/)
  await page.goBack()
  await page.locator('[aria-selected="true"]').getByText('Ada Example').waitFor()

  // The rules are the doctor's own, and outlast the page.
  const rules = page.getByText('Rules of this list')
  await tabTo(page, page.locator('.list-rules summary'))
  await page.keyboard.press('Enter')
  await page.getByLabel('Say “no data” after').selectOption('7 days')
  await page.getByText('No data: 7 days without a reading of what has a target.').waitFor()
  await queue(page, 'No data for 7 days').waitFor()
  await rowOf(page, 'Elif Probe').getByText('In target', { exact: true }).waitFor()
  await page.reload()
  await untilReady(page)
  await queue(page, 'No data for 7 days').waitFor()
  await rules.click()
  await page.getByLabel('Say “no data” after').selectOption('never')
  await queue(page, 'No data for').waitFor({ state: 'detached' })
  await page.getByLabel('Say “no data” after').selectOption('3 days')
  await queue(page, 'No data for 3 days').waitFor()
})

test(
  'values change in their place; rows move when nobody is at work, or on request',
  inBrowser,
  async (t) => {
    const nora = await sharing(stage, 'live-1', { sharedAs: 'Nora Live' }, [ESH])
    await nora.add([pressure(118, 76, 30), pressure(119, 77, DAY)])
    const gone = await sharing(stage, 'live-2', { sharedAs: 'Gerd Gone' }, [ESH])
    await gone.add([pressure(118, 76, 40), pressure(119, 77, DAY)])
    const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors' })
    await page.goto(`${stage.origin}/console/my-patients?find=live-`)
    await rowOf(page, 'Nora Live').getByText('In target', { exact: true }).waitFor()
    await rowOf(page, 'Gerd Gone').getByText('In target', { exact: true }).waitFor()
    const before = await names(page)
    const other = before.find((name) => name !== 'Nora Live') ?? ''
    const first = page.locator('.list-row').first()
    await rowOf(page, 'Gerd Gone')
      .getByText('All readings of blood pressure in 14 days are in target.')
      .click()
    const box = await rowOf(page, 'Gerd Gone').boundingBox()
    // The last in the order becomes the first: it stays where it is, with its new value.
    await nora.add([pressure(185, 118, 1)])
    await rowOf(page, 'Nora Live').getByText('Needs attention').waitFor()
    await rowOf(page, 'Nora Live').getByText('185 / 118').waitFor()
    assert.deepEqual(await names(page), before)
    assert.deepEqual(await rowOf(page, 'Gerd Gone').boundingBox(), box)
    // It is said what the change is, and not only that there is one.
    await page.getByRole('button', { name: '1 more needs attention: show' }).click()
    assert.deepEqual(await names(page), ['Nora Live', other])
    assert.deepEqual(await selected(page), ['Gerd Gone'])

    // Who stops sharing is gone at once; the place stays, so that nothing moves under the pointer.
    const height = await first.evaluate((row) => row.getBoundingClientRect().height)
    await gone.revoke()
    await page.getByText('Gerd Gone').first().waitFor({ state: 'detached' })
    await page.locator('.list-row').getByText('No longer shares readings with you.').waitFor()
    await panelOf(page).getByText('This patient no longer shares readings with you.').waitFor()
    assert.equal(await first.evaluate((row) => row.getBoundingClientRect().height), height)
    await page.keyboard.press('Escape')
    await page.mouse.move(5, 5)
    // Nobody is at work: the list follows by itself.
    await page.locator('.list-row').getByText('No longer shares').waitFor({ state: 'detached' })
    assert.deepEqual(await names(page), ['Nora Live'])
    await nora.revoke()
    await page.getByText('No patient matches.').waitFor()
  },
)

test('without a connection the list stays, with its time', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, {
    ...DESK,
    path: 'doctors',
    ignoring: [NO_NETWORK, /Failed to/],
  })
  await openList(page)
  await page.context().setOffline(true)
  await page.getByText(/^as of \d\d:\d\d, not connected$/).waitFor()
  await page.getByRole('link', { name: 'Ada Example' }).waitFor()
  await page.getByLabel('Find by name or id').fill('elif')
  assert.deepEqual(await names(page), ['Elif Probe'])
  await page.context().setOffline(false)
  await page.getByText(/ · live$/).waitFor()
})

test('a failure is said, and the list comes when it is over', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { ...DESK, path: 'doctors', ignoring: [NO_NETWORK] })
  await page.route('**/care/patients/list*', (route) => route.abort())
  await page.goto(`${stage.origin}/console/my-patients`)
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await axe(page)
  await page.unroute('**/care/patients/list*')
  await page.getByRole('link', { name: 'Ada Example' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})

for (const colorScheme of COLOUR_SCHEMES)
  test(`no violation and nothing beyond its place, ${colorScheme}`, inBrowser, async (t) => {
    const page = await stage.signIn(t, DOCTOR, { path: 'doctors', colorScheme, ...DESK })
    await openList(page)
    await rowOf(page, 'Chloé Exemple')
      .getByText('All readings of blood pressure in 14 days are in target.')
      .click()
    for (const width of [...WIDTHS, 1_180, 1_920]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByText('Mia Example').first().waitFor()
      await assertNoOverflow(page)
      await axe(page)
    }
  })

test('nothing moves when the list has come', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { path: 'doctors', ...DESK })
  for (const width of [1_440, 375]) {
    await page.setViewportSize({ width, height: 812 })
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/care/patients/list*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${stage.origin}/console/my-patients`)
    await page.locator('.skeleton').first().waitFor()
    const places = () =>
      page.locator('.list-find, .list-frame, .list-cards, .list-notes, .queue').evaluateAll((all) =>
        all.map((element) => {
          const { left, top } = element.getBoundingClientRect()
          return `${element.className} ${Math.round(left)} ${Math.round(top)}`
        }),
      )
    const before = await places()
    release()
    await page.getByText('Mia Example').first().waitFor()
    assert.deepEqual(await places(), before)
    await page.unroute('**/care/patients/list*')
  }
})

test('on a phone: cards, a sheet, and the queues in a line', inBrowser, async (t) => {
  const page = await stage.signIn(t, DOCTOR, { width: 375, height: 812, hasTouch: true })
  const cards = page.getByRole('list', { name: 'My patients' }).getByRole('listitem')
  await cards
    .filter({ hasText: 'Mia Example' })
    .getByText(/^Sensor glucose 23/)
    .waitFor()
  await cards.filter({ hasText: 'Ada Example' }).getByText('Review').waitFor()
  assert.equal(await page.getByRole('grid').count(), 0)
  await cards
    .filter({ hasText: 'Mia Example' })
    .getByText(/^Sensor glucose 23/)
    .tap()
  const sheet = page.getByRole('dialog', { name: 'Mia Example' })
  await sheet
    .getByText(/^The newest reading is outside/)
    .first()
    .waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.getByLabel('Sort by').selectOption('Name')
  await page.waitForFunction(() => document.querySelector('.list-card')?.textContent?.includes('Ada Example'))
  await queue(page, 'Review').tap()
  await page.waitForURL(/queue=review/)
  assert.equal(await cards.count(), 1)
  await cards.getByRole('link', { name: 'Ada Example' }).tap()
  await page.waitForURL(/today\?patient=patient-1/)
})
