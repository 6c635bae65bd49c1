// Reviews as the patient, a carer, other doctors and staff see them: who looked, when, and what they noted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { COLOUR_SCHEMES, inBrowser, type PersonId, startStage, WIDTHS } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { assertNoOverflow, axe } from './screen-checks.ts'

const WILLOW = 'dr-willow-sample'
const stage = await startStage()
const now = Date.now()
await fillDirectory(stage.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
})
for (const uid of ['patient-1', 'child-1', 'child-2']) await stage.add(everyKind(uid, now))
const ada = await stage.clientOf('ada-example')
const robin = await stage.clientOf('robin-example')
const willow = await stage.clientOf(WILLOW)
const grant = { doctorId: WILLOW, permission: 'manage' as const }
await ada.grants.add({ ...grant, patientUid: 'patient-1', sharedAs: 'Ada Example' })
await robin.grants.add({ ...grant, patientUid: 'child-1', sharedAs: 'Mia Example' })
await robin.grants.add({ ...grant, patientUid: 'child-2' })

const HOSTILE = `<img src=x onerror=alert(1)>\nצלצלי אליי מחר\n${'wörd '.repeat(150)}${'x'.repeat(120)}`
for (const note of ['The first look.', undefined, 'The second note.', 'Nights look better.\nPlease go on.'])
  await willow.reviews.add({ patientUid: 'patient-1', ...(note === undefined ? {} : { note }) })
await willow.reviews.add({ patientUid: 'child-1' })
await willow.reviews.add({ patientUid: 'child-2', note: HOSTILE })

for (const colorScheme of COLOUR_SCHEMES) {
  test(`the patient reads on Today who looked, and earlier notes, ${colorScheme}`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'today', colorScheme })
    const line = page.getByRole('region', { name: 'Looked at by a doctor' })
    await line.getByText('Dr Willow Sample looked at your readings today and noted:').waitFor()
    assert.equal(await line.locator('blockquote').innerText(), 'Nights look better.\nPlease go on.')
    await axe(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoOverflow(page)
    }
    await line.getByRole('link', { name: 'Earlier reviews' }).click()
    const list = page.getByRole('region', { name: 'Looked at by doctors' })
    await list.getByText('Dr Willow Sample, Cardiology, looked at your readings').first().waitFor()
    await list.getByRole('button', { name: 'Show older' }).click()
    await list.getByText('The first look.').waitFor()
    assert.deepEqual(await list.locator('blockquote').allInnerTexts(), [
      'Nights look better.\nPlease go on.',
      'The second note.',
      'The first look.',
    ])
    // One of the four has no note.
    assert.equal(await list.locator('li').count(), 4)
    await page
      .getByText(/^You .*read .*what doctors noted/)
      .first()
      .waitFor()
    await axe(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoOverflow(page)
    }
  })
}

test('a carer, the doctor and staff read whose readings were looked at', inBrowser, async (t) => {
  const cases: [person: PersonId, sentence: string][] = [
    ['robin-example', 'Dr Willow Sample looked at the readings of child-1 today.'],
    [WILLOW, 'You looked at the readings of Mia Example today.'],
    ['kim-sample', 'Dr Willow Sample looked at the readings of child-1 today.'],
  ]
  for (const [person, sentence] of cases) {
    const page = await stage.signIn(t, person, { path: 'today?patient=child-1' })
    await page.getByRole('region', { name: 'Looked at by a doctor' }).getByText(sentence).waitFor()
    assert.equal(await page.locator('.last-review blockquote').count(), 0)
  }
})

test('a note is text, whatever is in it, and fits a phone', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'today?patient=child-2', width: 320 })
  const note = page.locator('.last-review blockquote')
  await note.waitFor()
  assert.equal(await note.textContent(), HOSTILE)
  await assertNoOverflow(page)
})

test('a patient whom nobody has looked at reads nothing of it', inBrowser, async (t) => {
  await stage.add(everyKind('patient-9', now))
  const page = await stage.signIn(t, 'kim-sample', { path: 'today?patient=patient-9' })
  await page.getByRole('article').first().waitFor()
  assert.equal(await page.locator('.last-review').count(), 0)
  await page.goto(`${stage.origin}/console/access?patient=patient-9`)
  await page.locator('.moments').waitFor()
  assert.equal(await page.getByText('Looked at by doctors').count(), 0)
})
