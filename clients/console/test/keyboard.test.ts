// Stories by keyboard alone, where no other test has them: nothing is clicked here.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { importDirectory } from '../../../src/modules/appointments/import/import-directory.ts'
import { inBrowser, startStage } from './browser.ts'
import { everyKind } from './invented-readings.ts'
import { pressByKeyboard, tabTo } from './screen-checks.ts'

const stage = await startStage()
const now = Date.now()
await stage.add(everyKind('patient-1', now))
await importDirectory({
  databaseUrl: stage.ownerUrl,
  file: join(import.meta.dirname, '../../../samples/directory.json'),
})

/** Until the focus is on what has this name. */
async function untilFocused(page: Page, name: RegExp) {
  await page.waitForFunction((source) => {
    const { activeElement } = document
    const label = (activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent
    return new RegExp(source).test(activeElement?.ariaLabel ?? label ?? '')
  }, name.source)
}

/** In a focused list of choices one types the beginning of what one means. */
async function chooseByKeyboard(page: Page, label: string, choice: string) {
  await tabTo(page, page.getByLabel(label))
  await page.keyboard.type(choice)
}

test('a patient adds a symptom', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'add' })
  await pressByKeyboard(page, page.getByRole('link', { name: 'Symptoms' }))
  await pressByKeyboard(page, page.getByRole('button', { name: 'Headache' }))
  await tabTo(page, page.getByLabel('In your words'))
  await page.keyboard.type('behind the eyes')
  await tabTo(page, page.getByRole('radio', { name: 'Mild' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const added = page.locator('.sent li').filter({ hasText: 'Headache, behind the eyes (moderate)' })
  await added.getByText('stored').waitFor()
})

test('a patient finds a doctor by speciality, language and city', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  await page.locator('.doctor-list li').first().waitFor()
  await chooseByKeyboard(page, 'Language', 'German')
  await page.waitForURL(/language=de/)
  await tabTo(page, page.getByLabel('City'))
  await page.keyboard.type('port ellery')
  await page.waitForURL(/city=port/)
  await untilFocused(page, /^City$/)
  const list = page.locator('.doctor-list li')
  await list.filter({ hasNotText: 'Port Ellery' }).first().waitFor({ state: 'detached' })
  for (const text of await list.allTextContents()) assert.match(text, /Port Ellery.*German/)
  await page.goto(`${stage.origin}/console/doctors`)
  await list.first().waitFor()
  await tabTo(page, page.getByLabel('Speciality'))
  await page.keyboard.press('ArrowDown')
  await page.waitForURL(/speciality=/)
  const [title = ''] = await page.getByLabel('Speciality').locator('option:checked').allTextContents()
  await list.filter({ hasNotText: title }).first().waitFor({ state: 'detached' })
  await page.goto(`${stage.origin}/console/doctors`)
  await pressByKeyboard(page, page.getByRole('link', { name: 'Next page' }))
  await page.getByRole('link', { name: 'First page' }).waitFor()
  // The next page is read from its top.
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1' && scrollY === 0)
})

test('a patient looks who has read, chooses days, and saves a file', inBrowser, async (t) => {
  const staff = await stage.clientOf('kim-sample')
  await staff.getReadings({ patientUid: 'patient-1', limit: 5 })
  const page = await stage.signIn(t, 'ada-example')
  await pressByKeyboard(page, page.getByRole('link', { name: 'Who has read' }))
  await pressByKeyboard(page, page.getByRole('button', { name: 'Others' }))
  await page.getByText(/^kim-sample, staff, read 5 readings/).waitFor()

  await tabTo(page, page.getByRole('link', { name: 'Export' }), { key: 'Shift+Tab' })
  await page.keyboard.press('Enter')
  await pressByKeyboard(page, page.getByRole('button', { name: '90 days' }))
  await page.waitForURL(/from=/)
  await chooseByKeyboard(page, 'Which readings?', 'Body weight')
  await page.waitForURL(/type=bodyWeight/)
  const download = page.waitForEvent('download')
  await pressByKeyboard(page, page.getByRole('button', { name: 'Save CSV' }))
  assert.match(await readFile(await (await download).path(), 'utf8'), /bodyWeight/)
  await page.getByText(/^Saved .*\.csv, /).waitFor()
})
