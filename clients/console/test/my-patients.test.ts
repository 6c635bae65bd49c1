// My patients: who needs somebody first, in words; one patient opened; Done, by mouse and by keyboard, and on a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import { COLOUR_SCHEMES, inBrowser, LOOKS, NO_NETWORK, startStage, WIDTHS } from './browser.ts'
import { DAY, DOCTOR, everyQueue, pressure } from './doctors-patients.ts'
import { assertNoOverflow, axe, pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const { bruno, otto } = await everyQueue(stage)
const doctor = await stage.clientOf(DOCTOR)
await until(async () => (await doctor.myPatients.list()).counts.fine === 1, 30_000)

const DESK = { width: 1_440, height: 900 }
const lineOf = (page: Page, name: string) => page.locator('a.list-line').filter({ hasText: name })
const opened = (page: Page) => page.getByRole('region', { name: 'The patient' })
const queue = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Queues' }).getByRole('link', { name: new RegExp(`${name} \\d+$`) })
const undoing = (page: Page) => page.locator('.undo-look:visible')

async function openList(t: Parameters<typeof stage.signIn>[0], options: object = DESK) {
  const page = await stage.signIn(t, DOCTOR, { path: 'my-patients', ...options })
  await lineOf(page, 'Bruno Muster').waitFor()
  return page
}

async function open(page: Page, name: string) {
  await lineOf(page, name).click()
  await opened(page).getByRole('heading', { name }).waitFor()
  await opened(page).getByRole('button', { name: /^Done/ }).first().waitFor()
}

const close = (page: Page) =>
  page
    .getByRole('link', { name: /My patients/ })
    .first()
    .click()

async function looksOf(patientUid: string) {
  const { data } = await doctor.timeline.list({ patientUid })
  return data.filter((entry) => entry.kind === 'look')
}

test('the worst comes first, with every reason in words', inBrowser, async (t) => {
  const page = await openList(t)
  const lines = await page.locator('a.list-line').allInnerTexts()
  const named = (name: string) => lines.findIndex((line) => line.includes(name))
  assert.match(
    lines[0] ?? '',
    /Severe (at|yesterday) .*: crushing chest pain.*224\/126 mmHg (at|yesterday) .*, above 180/s,
  )
  const cut = await page
    .locator('.list-line')
    .filter({ hasNotText: 'طويل' })
    .locator(':is(.line-name, .line-newest, .line-look, .list-head > span)')
    .evaluateAll((cells) =>
      cells
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((cell) => cell.textContent),
    )
  assert.deepEqual(cut, [])
  assert.ok(named('Bruno') < named('Ada') && named('Ada') < named('Elif') && named('Elif') < named('Chloé'))
  assert.match(lines[named('Ada')] ?? '', /Mean of 7 days: systolic 148 mmHg, limit 135.*Mild: tired/s)
  assert.match(lines[named('Mia')] ?? '', /above 10 mmol\/L, goal at most 25 %/)
  assert.match(lines[named('Elif')] ?? '', /No blood pressure for 6 days, expected every 3 days/)
  assert.match(lines[named('patient-60')] ?? '', /Not judged: blood pressure, no target.*160\/100 mmHg/s)
  assert.match(lines[named('Chloé')] ?? '', /118\/76 mmHg.*looked:\s+never/s)
  assert.deepEqual(
    (await page.getByRole('group', { name: 'Queues' }).getByRole('link').allInnerTexts()).map((words) =>
      words.replaceAll('\n', ' '),
    ),
    ['! Act now 1', '◆ This week 2', '◌ Silent 1', '◉ Seen 0', '○ No reason 1', '– Not judged 3'],
  )
  await queue(page, 'Silent').click()
  await lineOf(page, 'Bruno').waitFor({ state: 'detached' })
  assert.equal(await page.locator('a.list-line').count(), 1)
  await queue(page, 'Seen').click()
  await page.getByText('No patient is in this queue.').waitFor()
  await page
    .getByRole('link', { name: /^My patients/ })
    .first()
    .click()
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('chloe')
  await lineOf(page, 'Bruno').waitFor({ state: 'detached' })
  await lineOf(page, 'Chloé').waitFor()
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('nobody')
  await page.getByText('No patient with this name or id is here.').waitFor()
})

test('every width and look holds, list and patient', inBrowser, async (t) => {
  for (const look of LOOKS) {
    const colours = look === 'forced' ? { forcedColors: 'active' } : { colorScheme: look }
    const page = await openList(t, { ...DESK, ...colours })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await axe(page)
      await assertNoOverflow(page)
      await open(page, 'Bruno Muster')
      await axe(page)
      await assertNoOverflow(page)
      await close(page)
      await opened(page).waitFor({ state: 'detached' })
    }
  }
})

test(
  'a patient opened: whose limit it is, the newest values, the ways to charts and report',
  inBrowser,
  async (t) => {
    const page = await openList(t)
    await open(page, 'Bruno Muster')
    const it = opened(page)
    await it
      .getByText(/^224\/126 mmHg (at|yesterday) .*, above 180, your act limit\. Not seen yet\.$/)
      .waitFor()
    await it.getByText(/^Severe (at|yesterday) .*: crushing chest pain\. Not seen yet\.$/).waitFor()
    await it.getByRole('heading', { name: 'Blood pressure mmHg' }).waitFor()
    await it.getByText('No look yet.').waitFor()
    await it.getByText('555 0142 mobile').waitFor()
    await it.getByRole('link', { name: 'Report' }).click()
    await page.waitForURL(/reports\?.*patient=patient-1/)
    await page.goBack()
    await it.getByRole('link', { name: 'Charts' }).click()
    await page.waitForURL(/charts\?.*patient=patient-1/)
  },
)

test(
  'Done with a note asks who reads it, can be undone, and covers only what was shown',
  inBrowser,
  async (t) => {
    const page = await openList(t)
    await open(page, 'Bruno Muster')
    const it = opened(page)
    await it.getByLabel('Note (optional)').fill('Called.\nAmbulance is on its way.')
    await it.getByRole('button', { name: 'Done', exact: true }).click()
    await it.getByText('Choose who reads the note.').waitFor()
    assert.deepEqual(await looksOf('patient-1'), [])
    // While the note is typed.
    await bruno.add([pressure(232, 131, 1)])
    await it.getByText('Something has changed since you opened this.').waitFor()
    await it.getByRole('button', { name: 'For doctors only' }).click()
    await it.getByRole('button', { name: '3 d', exact: true }).click()
    await it.getByRole('button', { name: 'Done', exact: true }).click()
    await undoing(page).getByText('Done: Bruno Muster').waitFor()
    const [look] = await looksOf('patient-1')
    assert.deepEqual([look?.note, look?.visibleTo], ['Called.\nAmbulance is on its way.', 'doctors'])
    const aheadMs = Date.parse(look?.lookAgainAt ?? '') - Date.now()
    assert.ok(aheadMs > 2 * DAY * 60_000 && aheadMs < 4 * DAY * 60_000, look?.lookAgainAt ?? 'no date')
    await it.getByText(/^232\/131 mmHg .* Not seen yet\.$/).waitFor()
    await it.getByText(/crushing chest pain\. Seen\.$/).waitFor()
    // The pending date is shown, and chosen.
    await it.locator('[aria-pressed="true"]').filter({ hasText: /06:00/ }).waitFor()
    await undoing(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Bruno Muster').waitFor()
    assert.notEqual((await looksOf('patient-1'))[0]?.undoneAt, null)
    const { data: after } = await doctor.myPatients.list({ patientUid: 'patient-1' })
    assert.ok(after[0]?.reasons.every(({ isSeen }) => !isSeen))
  },
)

test(
  'what arrives is shown when it is asked for, and a note that is being typed stays',
  inBrowser,
  async (t) => {
    const page = await openList(t)
    await open(page, 'Bruno Muster')
    const it = opened(page)
    await it.getByLabel('Note (optional)').fill('Called.')
    await bruno.add([pressure(236, 133, 1)])
    await it.getByRole('button', { name: 'Show it' }).click()
    await it.getByText(/^236\/133 mmHg .* Not seen yet\.$/).waitFor()
    assert.equal(await it.getByLabel('Note (optional)').inputValue(), 'Called.')
  },
)

test('Done whose answer was lost is one look', inBrowser, async (t) => {
  const page = await openList(t, { ...DESK, ignoring: [/ERR_/, /Failed to load/, NO_NETWORK] })
  await open(page, 'Elif Probe')
  let isLost = true
  await page.route('**/care/reviews/add', async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    return route.fulfill({ status: 500, json: { code: 'InternalError', message: 'Lost.' } })
  })
  await opened(page).getByRole('button', { name: 'Done', exact: true }).click()
  await opened(page).getByRole('alert').waitFor()
  isLost = false
  await opened(page).getByRole('button', { name: 'Done', exact: true }).click()
  await opened(page)
    .getByText(/expected every 3 days.* Seen\.$/)
    .waitFor()
  assert.equal((await looksOf('patient-31')).length, 1)
})

test('by keyboard alone: open, Done, next; no letter does anything', inBrowser, async (t) => {
  const page = await openList(t)
  await queue(page, 'This week').click()
  await lineOf(page, 'Bruno').waitFor({ state: 'detached' })
  const names = await page.locator('a.list-line .line-name').allInnerTexts()
  const [first = '', second = ''] = names
  await page.keyboard.type('jkrqed')
  assert.equal(await opened(page).count(), 0)
  await pressByKeyboard(page, lineOf(page, first))
  await opened(page).getByRole('heading', { name: first }).waitFor()
  await pressByKeyboard(page, opened(page).getByRole('button', { name: 'Done, next' }))
  await opened(page).getByRole('heading', { name: second }).waitFor()
  await page.getByText(`Done: ${first}`).waitFor()
  await tabTo(page, opened(page).getByRole('button', { name: 'Done', exact: true }))
  // The one that was done waits in its place until the list is sorted again.
  assert.deepEqual((await doctor.myPatients.list({ queue: ['thisWeek'] })).data.length, names.length - 1)
})

test(
  'the record: reasons, last days, timeline; Done and next leads through the queue',
  inBrowser,
  async (t) => {
    const page = await openList(t)
    await queue(page, 'Not judged').click()
    await lineOf(page, 'Bruno').waitFor({ state: 'detached' })
    await open(page, 'Jonas Sample')
    await opened(page).getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jonas Sample' }).waitFor()
    const lack = page.getByText('Not judged: blood pressure, no target')
    assert.ok(((await lack.boundingBox())?.width ?? 0) > 200, 'it stands on one line')
    await page.getByRole('img', { name: 'Systolic: 178 to 178 mmHg' }).first().waitFor()
    await page.getByText('No target judges these readings.').waitFor()
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByText('Shared for reading, without an end.')
      .waitFor()
    const ways = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    assert.doesNotMatch((await ways.allInnerTexts()).join(), /Charts|Report|Target|Rule|Add/)
    await page.getByRole('button', { name: 'Done, next' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jonas Sample' }).waitFor({ state: 'detached' })
    await undoing(page).getByText('Done: Jonas Sample').waitFor()
    await undoing(page).getByRole('button', { name: 'Undo' }).click()
    await undoing(page).getByText('Undone: Jonas Sample').waitFor()
    assert.notEqual((await looksOf('patient-7'))[0]?.undoneAt, null)
    await page
      .getByRole('link', { name: /My patients/ })
      .first()
      .click()
    await lineOf(page, 'Bruno').waitFor()
  },
)

test(
  'values are drawn against the target of the reader, those beyond an act limit by number',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, DOCTOR, { path: 'overview?patient=patient-1', ...DESK })
    await page.getByText('▲ above, ▼ below, ● in your target; larger: beyond an act limit.').waitFor()
    const chart = page.getByRole('img', { name: /^Systolic: 128 to 2\d\d mmHg, \d beyond an act limit$/ })
    await chart.first().locator('.is-act-above').first().waitFor()
    assert.ok((await chart.first().locator('.is-in').count()) >= 6)
    await page.getByText('mean').first().waitFor()
  },
)

test('on a phone the patient is a page, and Done comes up from below', inBrowser, async (t) => {
  const page = await openList(t, { width: 375, height: 812, hasTouch: true })
  await lineOf(page, 'Mia Example').tap()
  await opened(page)
    .getByRole('heading', { name: /Mia Example/ })
    .waitFor()
  assert.equal(await lineOf(page, 'Mia Example').isVisible(), false)
  const sheet = page.getByRole('dialog', { name: 'Done' })
  await page.getByRole('button', { name: 'Done…' }).tap()
  await sheet.getByLabel('Note (optional)').fill('Seen on the way.')
  await sheet.getByRole('button', { name: 'The patient can read it' }).tap()
  await axe(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Done…' }).tap()
  assert.equal(await sheet.getByLabel('Note (optional)').inputValue(), 'Seen on the way.')
  await sheet.getByRole('button', { name: 'Done', exact: true }).tap()
  await opened(page)
    .getByText(/goal at most 25 %, your goal\. Seen\.$/)
    .waitFor()
  assert.equal((await looksOf('child-1'))[0]?.note, 'Seen on the way.')
  await page.getByRole('link', { name: '‹ My patients' }).tap()
  await lineOf(page, 'Mia Example').waitFor()
})

test('one who stops sharing is gone, open or not', inBrowser, async (t) => {
  const page = await openList(t)
  await open(page, 'patient-60')
  await opened(page).getByText('No target judges these readings.').waitFor()
  await otto.revoke()
  await page.reload()
  await opened(page).getByText('This patient no longer shares readings with you.').waitFor()
  await close(page)
  await lineOf(page, 'patient-60').waitFor({ state: 'detached' })
})

for (const colorScheme of COLOUR_SCHEMES) {
  test(`the patient reads on Today that the doctor looked, ${colorScheme}`, inBrowser, async (t) => {
    const { data } = await doctor.myPatients.list({ patientUid: 'patient-2' })
    const look = { patientUid: 'patient-2', ...(data[0]?.look ?? assert.fail()) }
    const note = 'Evenings are better.\n<b>Go on.</b>'
    await doctor.reviews.add({ ...look, reviewId: crypto.randomUUID(), note, visibleTo: 'patient' })
    await doctor.reviews.add({
      ...look,
      reviewId: crypto.randomUUID(),
      note: 'Ask for potassium.',
      visibleTo: 'doctors',
    })
    const page = await stage.signIn(t, 'kim-sample', { path: 'today?patient=patient-2', colorScheme })
    const seen = page.getByRole('region', { name: 'Looked at by a doctor' })
    await seen.getByText(/^Dr Willow Sample looked at the readings of patient-2 today, .*\.$/).waitFor()
    await seen.getByText('Earlier').click()
    assert.equal(await seen.locator('blockquote').first().textContent(), note)
    assert.doesNotMatch(await page.innerText('body'), /potassium/)
    const own = await stage.signIn(t, DOCTOR, { path: 'today?patient=patient-2', colorScheme })
    await own.getByText(/^You looked at the readings of Ada Example.* and noted for doctors only:$/).waitFor()
    await own.getByText('Ask for potassium.').waitFor()
    await axe(page)
    await assertNoOverflow(page)
  })
}
