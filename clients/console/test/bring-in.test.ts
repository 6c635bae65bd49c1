// Bringing in a file: what it holds is shown first, whose record it goes into is named, and nothing is stored twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/support/until.ts'
import { requestToken } from '../../../tools/dev/request-token.ts'
import { createRoundsClient } from '../../typescript/src/client.ts'
import { record, XML_END, XML_HEAD } from '../../typescript/test/apple-export.ts'
import { zipped } from '../../typescript/test/zip-file.ts'
import { inBrowser, NO_NETWORK, PHONE_AND_DESK, SERVER_GONE, startStage } from './browser.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

const stage = await startStage()
const HOUR = 3_600_000
const FIRST = Date.parse('2025-03-04T05:42:00Z')

/** Readings of sensor glucose, an hour apart, and one weight, as Rounds saves them. */
function ndjson(patientUid: string, count: number, first = FIRST) {
  const glucose = Array.from({ length: count }, (_, n) => ({
    patientUid,
    readingType: 'interstitialGlucose',
    value: 4 + (n % 70) / 10,
    unit: 'mmol/L',
    timestamp: first + n * HOUR,
  }))
  const weight = { patientUid, readingType: 'bodyWeight', value: 30, unit: 'kg', timestamp: first }
  const text = [...glucose, weight].map((one) => JSON.stringify(one)).join('\n')
  return { name: 'readings.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) }
}
type Upload = { name: string; mimeType: string; buffer: Buffer }

const choose = (page: Page, file: Upload) => page.locator('input[type=file]').setInputFiles(file)
const confirm = (page: Page) => page.getByRole('button', { name: /^Import \d/ })

async function countOf(patientUid: string): Promise<number> {
  const token = await requestToken(stage.issuer, { patientUids: [patientUid] })
  const client = createRoundsClient({ url: stage.origin, token })
  let count = 0
  for await (const _ of client.eachReading({ patientUid })) count++
  return count
}

/** Holds each request that adds readings until it is let go. */
async function holdAdding(page: Page) {
  const held: (() => Promise<void>)[] = []
  let isOpen = false
  await page.route('**/readings/add', async (route) => {
    if (!isOpen) await new Promise<void>((go) => held.push(async () => go()))
    await route.continue().catch(() => undefined)
  })
  return {
    next: async () => {
      await until(async () => held.length > 0)
      await held.shift()?.()
    },
    open: async () => {
      isOpen = true
      for (const go of held.splice(0)) await go()
    },
  }
}

for (const [index, width] of PHONE_AND_DESK.entries()) {
  const child = `child-${index + 1}`
  test(
    `a carer sees what a file holds and for whom, brings it in once, and sees its charts, at ${width} px`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'robin-example', {
        width,
        path: `today?patient=${child}`,
        hasTouch: width < 400,
        colorScheme: width < 400 ? 'light' : 'dark',
      })
      const link = page.getByRole('link', { name: 'Import a file' })
      if (width < 400) await link.tap()
      else await pressByKeyboard(page, link)
      await page.getByRole('heading', { name: `Import a file for ${child}` }).waitFor()
      const chooser = page.waitForEvent('filechooser')
      const button = page.getByRole('button', { name: 'Choose a file' })
      if (width < 400) await button.tap()
      else await pressByKeyboard(page, button)
      await (await chooser).setFiles(ndjson(child, 48))
      await page.getByText(`the record of ${child}`).waitFor()
      await page.getByText('Rounds, NDJSON', { exact: false }).waitFor()
      const rows = await page.locator('.found-types tbody tr').allInnerTexts()
      assert.match(rows[0] ?? '', /Sensor glucose in mmol\/L\s+48\s+from 4 March 2025 to 6 March 2025/)
      assert.match(rows[1] ?? '', /Body weight in kg\s+1\s+on 4 March 2025/)
      await assertNoOverflow(page)
      await axe(page)
      assert.equal(await countOf(child), 0)
      const go = page.getByRole('button', { name: `Import 49 readings for ${child}` })
      if (width < 400) await go.tap()
      else await pressByKeyboard(page, go)
      await page.getByText(`Imported for ${child}.`).waitFor()
      await page.getByText('49 readings were stored.').waitFor()
      await assertNoOverflow(page)
      await axe(page)
      assert.equal(await countOf(child), 49)

      await page.getByRole('button', { name: 'Another file' }).click()
      await choose(page, ndjson(child, 48))
      await confirm(page).click()
      await page.getByText('Nothing new was stored. 49 were there already.').waitFor()
      assert.equal(await countOf(child), 49)
      await page.getByRole('link', { name: 'See the charts of that time' }).click()
      await page.waitForURL(/charts\?.*type=interstitialGlucose.*from=2025-03-04T05%3A42%3A00Z/)
      await page.getByText('Sensor glucose').first().waitFor()
    },
  )
}

/** As LibreView writes them: the order of day and month, and the zone, are not said. */
function libreView(dates: string[]): Upload {
  const columns = Array.from({ length: 19 }, (_, n) => `Column ${n}`)
  columns.splice(
    0,
    6,
    'Device',
    'Serial Number',
    'Device Timestamp',
    'Record Type',
    'Historic Glucose mmol/L',
    'Scan Glucose mmol/L',
  )
  columns[14] = 'Strip Glucose mmol/L'
  columns[15] = 'Ketone mmol/L'
  const rows = dates.map((date) => `Invented,SN-1,${date},0,5.5${','.repeat(14)}`)
  const text = [
    'Glucose Data,Generated on,03-04-2026 09:00 UTC,Generated by,Mia Invented',
    columns.join(','),
    ...rows,
  ]
  return { name: 'libre.csv', mimeType: 'text/csv', buffer: Buffer.from(text.join('\r\n')) }
}

test(
  'the order of day and month and the zone are asked for where the file needs them',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'bring-in?patient=child-2', width: 375 })
    const before = await countOf('child-2')
    await choose(page, libreView(['03-04-2026 07:42', '05-04-2026 07:42']))
    await page.getByText('The file writes times such as 03-04-2026 07:42').waitFor()
    await pressByKeyboard(page, page.getByRole('button', { name: 'Go on' }))
    assert.equal(await page.getByText('Choose one.').count(), 2)
    await assertNoOverflow(page)
    await axe(page)
    await page.getByLabel('3 April 2026').check()
    await page.getByLabel('Another zone').check()
    await page.getByLabel('Zone', { exact: true }).selectOption('America/New_York')
    await axe(page)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('The file itself names Mia Invented.').waitFor()
    await page.getByText('2 readings from 3 April 2026 to 5 April 2026').waitFor()
    await page.getByText('Read with times of America/New_York, with the day first.').waitFor()
    await assertNoOverflow(page)
    // It may be answered anew.
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('4 March 2026').check()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('2 readings from 4 March 2026 to 4 May 2026').waitFor()
    await confirm(page).click()
    await page.getByText('2 readings were stored.').waitFor()
    assert.equal(await countOf('child-2'), before + 2)
    const token = await requestToken(stage.issuer, { patientUids: ['child-2'] })
    const client = createRoundsClient({ url: stage.origin, token })
    const { data } = await client.latestReadings({
      patientUid: 'child-2',
      readingType: ['interstitialGlucose'],
    })
    assert.equal(data[0]?.measuredAt, '2026-05-04T11:42:00.000Z')
  },
)

test('an export of Apple Health is unzipped and read in the browser', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'bring-in?patient=child-1' })
  const at = { start: '2026-02-01 08:00:00 +0100', source: 'Invented' }
  const records = [
    record('HeartRate', { ...at, value: '62', unit: 'count/min' }),
    record('DietaryWater', { ...at, value: '200', unit: 'mL' }),
  ]
  const content = [XML_HEAD, ...records, XML_END]
  const buffer = await zipped([{ name: 'apple_health_export/export.xml', content }])
  await choose(page, { name: 'export.zip', mimeType: 'application/zip', buffer })
  await page.getByText('1 reading on 1 February 2026').waitFor()
  await page.getByText('Apple Health', { exact: false }).first().waitFor()
  await page.getByText('1 entry is of a kind that Rounds does not take').waitFor()
  await confirm(page).click()
  await page.getByText('1 reading was stored.').waitFor()
})

test('a file of another child is not imported, and says so', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'bring-in?patient=child-2' })
  const before = await countOf('child-2')
  await choose(page, ndjson('child-1', 5))
  await page.getByText('Nothing in this file can be imported.').waitFor()
  await page.getByText('It is a reading of another patient.').waitFor()
  assert.equal(await confirm(page).count(), 0)
  await axe(page)
  assert.equal(await countOf('child-2'), before)
})

test(
  'what is none of the files is refused in words, and so are two at once; one may be dropped anywhere',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example', { path: 'add' })
    await page.getByRole('link', { name: 'Import a file' }).click()
    await choose(page, { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear doctor,\n') })
    await page.getByRole('alert').getByText('letter.txt cannot be imported.').waitFor()
    await axe(page)
    const drop = (names: string[]) =>
      page.evaluate((all) => {
        const dataTransfer = new DataTransfer()
        for (const name of all) dataTransfer.items.add(new File(['x'], name))
        // Beside the target: it must not open in place of the console.
        for (const type of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      }, names)
    await drop(['one.csv', 'two.csv'])
    await page.getByText('Choose one file at a time.').waitFor()
    await drop(['one.csv'])
    await page.getByText('one.csv cannot be imported.').waitFor()
  },
)

test('without a network it says so, and goes on by itself when it is back', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', {
    path: 'bring-in',
    ignoring: [SERVER_GONE, NO_NETWORK],
  })
  const adding = await holdAdding(page)
  const before = await countOf('patient-1')
  await choose(page, ndjson('patient-1', 2_499, FIRST + 1))
  await confirm(page).click()
  await adding.next()
  await page.getByText('1,000 readings of 2,500 sent.').waitFor()
  await page.context().setOffline(true)
  await adding.open()
  await page.getByText('There is no network.').waitFor()
  await page.getByText('It goes on by itself as soon as it can.', { exact: false }).waitFor()
  await axe(page)
  await page.context().setOffline(false)
  await page.getByText('2,500 readings were stored.').waitFor()
  assert.equal(await countOf('patient-1'), before + 2_500)
})

test('what is stopped keeps what was stored, and goes on without storing twice', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'bring-in' })
  const adding = await holdAdding(page)
  const before = await countOf('patient-1')
  await choose(page, ndjson('patient-1', 2_499, FIRST + 2))
  await confirm(page).click()
  await adding.next()
  await page.getByText('1,000 readings of 2,500 sent.').waitFor()
  await pressByKeyboard(page, page.getByRole('button', { name: 'Stop' }))
  await page.getByText('It stops as soon as what was sent is answered.').waitFor()
  await axe(page)
  await adding.next()
  await page.getByText('Stopped.').waitFor()
  await page.getByText('2,000 readings were stored.').waitFor()
  assert.equal(await countOf('patient-1'), before + 2_000)
  await assertNoOverflow(page)
  await axe(page)
  await adding.open()
  await pressByKeyboard(page, page.getByRole('button', { name: 'Go on with this file' }))
  await page.getByText('500 readings were stored. 2,000 were there already.').waitFor()
  assert.equal(await countOf('patient-1'), before + 2_500)
})

test(
  'it goes on while one looks at another child, into the record that was confirmed; a reload asks',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', {
      path: 'bring-in?patient=child-1',
      ignoring: [/^dialog:/],
    })
    const adding = await holdAdding(page)
    const before = [await countOf('child-1'), await countOf('child-2')]
    await choose(page, ndjson('child-1', 1_499, FIRST + 3))
    await confirm(page).click()
    await adding.next()
    await page.getByText('1,000 readings of 1,500 sent.').waitFor()
    const asked = page.waitForEvent('dialog')
    // The browser's question is answered with "stay".
    await page.reload({ timeout: 5_000 }).catch(() => undefined)
    assert.equal((await asked).type(), 'beforeunload')
    await page.getByLabel('Patient', { exact: true }).selectOption('child-2')
    await page.getByText('A file is being imported for child-1.').waitFor()
    await axe(page)
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByText('readings.ndjson for child-1: readings are being imported.').waitFor()
    await adding.open()
    await page.getByText('readings.ndjson for child-1: 1,500 readings were stored.').waitFor()
    await page.getByRole('link', { name: 'Show', exact: true }).click()
    await page.getByText('Imported for child-1.').waitFor()
    assert.deepEqual(
      [await countOf('child-1'), await countOf('child-2')],
      [(before[0] ?? 0) + 1_500, before[1]],
    )
  },
)

test('who signs out is told that it stops, and it does', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'bring-in' })
  const adding = await holdAdding(page)
  const before = await countOf('patient-1')
  await choose(page, ndjson('patient-1', 2_499, FIRST + 4))
  await confirm(page).click()
  await adding.next()
  await page.getByText('1,000 readings of 2,500 sent.').waitFor()
  await page.getByRole('button', { name: /Ada Example/ }).click()
  await page
    .getByText('If you sign out now, the import stops; what was stored stays.', { exact: false })
    .waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You have signed out').waitFor()
  await adding.open().catch(() => undefined)
  assert.ok((await countOf('patient-1')) <= before + 2_000)
})

test('staff cannot import a file', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'kim-sample', { path: 'bring-in?patient=patient-1' })
  await page.getByText('You cannot import readings for this patient.').waitFor()
})

test('the licences of what reads files are listed with those of the page', async () => {
  const listed = (await (await fetch(`${stage.origin}/console/licences.json`)).json()) as { name: string }[]
  const names = new Set(listed.map(({ name }) => name))
  for (const name of ['preact', 'saxes', 'xmlchars']) assert.ok(names.has(name), name)
})

test(
  'a file that was a mistake is withdrawn as a whole, and what was there before stays',
  inBrowser,
  async (t) => {
    const child = 'child-2'
    const first = Date.parse('2024-01-01T00:00:00Z')
    const page = await stage.signIn(t, 'robin-example', { path: `today?patient=${child}`, width: 1440 })
    await page.getByRole('navigation').getByRole('link', { name: 'Import' }).click()
    const before = await countOf(child)
    await choose(page, ndjson(child, 1, first))
    await confirm(page).click()
    await page.getByText('2 readings were stored.').waitFor()
    await page.getByRole('button', { name: 'Another file' }).click()
    await choose(page, ndjson(child, 4, first))
    await confirm(page).click()
    await page.getByText('3 readings were stored. 2 were there already.').waitFor()
    await pressByKeyboard(page, page.getByRole('button', { name: 'Withdraw all of this file' }))
    await page.getByText(`3 readings that this file brought into the record of ${child}`).waitFor()
    // What takes away does not look like the way on.
    const filling = (role: 'link' | 'button', name: string) =>
      page.getByRole(role, { name }).evaluate((one) => getComputedStyle(one).backgroundColor)
    assert.notEqual(
      await filling('button', 'Withdraw 3 readings'),
      await filling('link', 'See the charts of that time'),
    )
    await axe(page)
    assert.equal(await countOf(child), before + 5)
    await pressByKeyboard(page, page.getByRole('button', { name: 'Withdraw 3 readings' }))
    await page.getByText('3 readings were withdrawn.').waitFor()
    await assertNoOverflow(page)
    await axe(page)
    assert.equal(await countOf(child), before + 2)
  },
)

test(
  'the unit of values is asked for, and a file whose values are mostly impossible is not taken',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'bring-in?patient=child-2', width: 375 })
    const before = await countOf('child-2')
    const nightscout = (values: number[], units?: string) => ({
      name: 'entries.json',
      mimeType: 'application/json',
      buffer: Buffer.from(
        JSON.stringify(values.map((sgv, n) => ({ type: 'sgv', sgv, units, date: FIRST + n * HOUR }))),
      ),
    })
    await choose(page, nightscout([5.4, 6, 7.1]))
    await page.getByText('In which unit are its values, such as 5.4?').waitFor()
    await page.getByLabel('mmol/L').check()
    await axe(page)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('Read with values in mmol/L.').waitFor()
    assert.match(await page.locator('.found-types tbody').innerText(), /Sensor glucose in mmol\/L\s+3/)
    await page.getByRole('button', { name: 'Another file' }).click()
    await choose(page, nightscout([118, 119, 120, 50], 'mmol/l'))
    await page.getByText(/Most values of interstitialGlucose in mmol\/L are outside/).waitFor()
    assert.equal(await confirm(page).count(), 0)
    await axe(page)
    assert.equal(await countOf('child-2'), before)
  },
)
