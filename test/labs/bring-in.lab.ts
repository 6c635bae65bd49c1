// A file of 200 MB in the console: the page answers within 100 ms while it is read and sent, in memory that does not grow with it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, startStage } from '../../clients/console/test/browser.ts'

const FILE_BYTES = 200_000_000
const ANSWERS_WITHIN_MS = 100
/** On a busy machine, others hold up the page now and then. */
const LATE_SHARE = 0.05
const MORE_MIB = 180

const stage = await startStage({ settings: { PATIENT_BYTES_PER_DAY: '1000000000' } })

/** Readings an invented sensor might have sent, one a second. */
async function writeFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rounds-bring-in-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'readings.ndjson')
  const file = createWriteStream(path)
  const first = Date.parse('2025-03-04T05:42:00Z')
  for (let written = 0, at = 0; written < FILE_BYTES; ) {
    const lines = Array.from({ length: 1_000 }, () => {
      const timestamp = first + at++ * 1_000
      return `{"patientUid":"patient-1","readingType":"heartRate","value":${60 + (at % 60)},"timestamp":${timestamp}}`
    })
    const text = `${lines.join('\n')}\n`
    written += text.length
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
  return path
}

/** How long the page has not answered at most, and the part of the time in which it would have answered late, since last asked. */
async function watchAnswers(page: Page) {
  await page.evaluate((withinMs) => {
    let last = performance.now()
    const watch = { sinceMs: last, lateMs: 0, longestMs: 0 }
    Object.assign(globalThis, { watch })
    const look = () => {
      const now = performance.now()
      watch.longestMs = Math.max(watch.longestMs, now - last)
      if (now - last > withinMs) watch.lateMs += now - last
      last = now
      setTimeout(look)
    }
    look()
  }, ANSWERS_WITHIN_MS)
  return () =>
    page.evaluate(() => {
      const { watch } = globalThis as unknown as {
        watch: { sinceMs: number; lateMs: number; longestMs: number }
      }
      const now = performance.now()
      const answers = { longestMs: Math.round(watch.longestMs), late: watch.lateMs / (now - watch.sinceMs) }
      Object.assign(watch, { sinceMs: now, lateMs: 0, longestMs: 0 })
      return answers
    })
}

/** Resident memory of the processes that show pages. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession()
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
  await session?.detach()
  let bytes = 0
  for (const { id, type } of processInfo) {
    if (type !== 'renderer') continue
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    bytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024
  }
  return bytes / 2 ** 20
}

test('a file of 200 MB is read and sent while the page answers', inBrowser, async (t) => {
  const path = await writeFile(t)
  const page = await stage.signIn(t, 'ada-example', { path: 'bring-in' })
  await page.getByText('Which files?').waitFor()
  const before = await memoryOf(page)
  let most = before
  const timer = setInterval(() => void memoryOf(page).then((now) => (most = Math.max(most, now))), 500)
  t.after(() => clearInterval(timer))
  const longest = await watchAnswers(page)
  const began = performance.now()
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByText('Goes into').waitFor()
  const [readMs, whileRead] = [performance.now() - began, await longest()]
  await page.getByRole('button', { name: /^Import/ }).click()
  await page.getByText(/^[2-9]\d,000 readings of/).waitFor()
  const whileSent = await longest()
  clearInterval(timer)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped.').waitFor()
  const text = ({ longestMs, late }: typeof whileRead) =>
    `${longestMs} ms at most, ${(late * 100).toFixed(2)} % of the time late`
  t.diagnostic(
    `read in ${Math.round(readMs)} ms; without an answer while read ${text(whileRead)}, while sent ${text(whileSent)}; ` +
      `memory ${Math.round(before)} to ${Math.round(most)} MiB`,
  )
  assert.ok(Math.max(whileRead.late, whileSent.late) <= LATE_SHARE)
  assert.ok(most - before <= MORE_MIB, `${most - before} MiB more`)
})
