// Finding a doctor.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { importDirectory } from '../../../src/modules/appointments/import/import-directory.ts'
import { inBrowser, startStage } from './browser.ts'
import { assertNoOverflow, axe, tabTo } from './screen-checks.ts'

const stage = await startStage()
await importDirectory({
  databaseUrl: stage.ownerUrl,
  file: join(import.meta.dirname, '../../../samples/directory.json'),
})

test('a patient finds doctors while typing, and sends the link to someone else', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  await page.getByText('20 doctors on this page').waitFor()
  await tabTo(page, page.getByLabel('Name'))
  await page.keyboard.type('calloway')
  await page.waitForURL(/q=calloway/)
  const list = page.locator('.doctor-list li')
  await page.getByText(/^\d+ doctors?( on this page)?$/).waitFor()
  await list
    .filter({ hasNotText: /calloway/i })
    .first()
    .waitFor({ state: 'detached' })
  const names = await list.locator('.doctor-name').allTextContents()
  assert.ok(names.length > 0 && names.every((name) => /calloway/i.test(name)))
  await axe(page)
  const other = await stage.signIn(t, 'robin-example', {
    path: new URL(page.url()).pathname.slice(9) + new URL(page.url()).search,
  })
  await other.getByLabel('Name').waitFor()
  await other.locator('.doctor-list li').first().waitFor()
  assert.deepEqual(await other.locator('.doctor-list .doctor-name').allTextContents(), names)
})

test('by speciality, language and city together', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  await page.getByLabel('Language').selectOption({ label: 'German' })
  await page.getByLabel('City').fill('port ellery')
  await page.waitForURL(/city=port/)
  const list = page.locator('.doctor-list li')
  await list.filter({ hasNotText: 'Port Ellery' }).first().waitFor({ state: 'detached' })
  for (const text of await list.allTextContents()) assert.match(text, /Port Ellery.*German/)
  await page.getByLabel('Speciality').selectOption({ index: 1 })
  await page.waitForURL(/speciality=/)
  await page.getByLabel('Name').fill('zzzz')
  await page.getByText('No doctor matches.').waitFor()
  await assertNoOverflow(page)
  await axe(page)
  await page.getByRole('link', { name: 'Show all doctors' }).click()
  await page.getByText('20 doctors on this page').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), '')
})

test('page by page, and back', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'kim-sample', { path: 'doctors' })
  const first = page.locator('.doctor-list li').first()
  await first.waitFor()
  const name = (await first.textContent()) ?? ''
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'First page' }).waitFor()
  await first.filter({ hasNotText: name }).waitFor()
  await page.goBack()
  await first.filter({ hasText: name }).waitFor()
})
