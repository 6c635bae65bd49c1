// Reports: their figures are those of the service, each is one printed page, and nothing is judged before a target is set.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import type { RoundsClient } from '../../typescript/src/client.ts'
import { inBrowser, LOOKS, NO_NETWORK, PHONE_AND_DESK, startStage } from './browser.ts'
import { homePressures, sensorGlucose } from './invented-readings.ts'
import { assertNoOverflow, axe, pressByKeyboard } from './screen-checks.ts'

type Figures<Name extends keyof RoundsClient['reports']> = Awaited<
  ReturnType<RoundsClient['reports'][Name]>
>['data']

const WILLOW = 'dr-willow-sample'
const stage = await startStage()
const now = Date.now()
const days = (count: number) => now - count * 86_400_000

/** patient-1 has no target, child-1 has them, child-2 measures with fingersticks. */
before(async () => {
  await stage.add([
    ...sensorGlucose('patient-1', now, 15),
    ...homePressures('patient-1', now, 95),
    ...sensorGlucose('child-1', now, 15),
    ...homePressures('child-1', now, 95),
    { patientUid: 'child-2', readingType: 'bloodGlucose', value: 5.4, unit: 'mmol/L', timestamp: days(1) },
  ])
  await fillDirectory(stage.ownerUrl, {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ doctorId: WILLOW, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
  })
  const carer = await stage.clientOf('robin-example')
  await carer.targets.set({
    patientUid: 'child-1',
    readingType: 'interstitialGlucose',
    unit: 'mg/dL',
    fields: { value: { low: 70, high: 180 } },
  })
  await carer.targets.set({
    patientUid: 'child-1',
    readingType: 'bloodPressure',
    fields: { systolic: { high: 134 }, diastolic: { high: 84 } },
  })
  const grant = {
    patientUid: 'child-1',
    doctorId: WILLOW,
    permission: 'view',
    sharedAs: 'Mia Example',
  } as const
  await carer.grants.add({ ...grant, readingTypes: ['bloodPressure'] })
})

/** What the service answers while something is done, and the report that shows it. */
async function reportAfter<Name extends keyof RoundsClient['reports']>(
  page: Page,
  doing: () => Promise<unknown>,
) {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/care/reports/') && response.ok(),
  )
  await doing()
  const { data } = (await (await answered).json()) as { data: Figures<Name> }
  await page.waitForFunction(
    () => document.querySelector('.reports .skeleton, .reports [aria-busy="true"]') === null,
  )
  return { data, report: page.locator('.report') }
}

const open = (page: Page, query: string) => () => page.goto(`${stage.origin}/console/reports?${query}`)

const whole = (value: number | null) => (value === null ? assert.fail() : String(Math.round(value)))
const tenth = (value: number | null) =>
  new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 }).format(value ?? assert.fail())
const fixed = (value: number | null) => (value ?? assert.fail()).toFixed(1)
const percent = (share: number) =>
  share < 0.0995 ? `${tenth(share * 100)} %` : `${Math.round(share * 100)} %`
const facts = async (report: Locator) =>
  Object.fromEntries(
    await report
      .locator('.report-facts > div')
      .evaluateAll((all) =>
        all.map((one) => [
          one.querySelector('dt')?.textContent ?? '',
          one.querySelector('dd')?.innerText ?? '',
        ]),
      ),
  ) as Record<string, string>
const rowsOf = (table: Locator) =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll<HTMLElement>('th, td')].map((cell) =>
          cell.innerText.replace(/\s+/g, ' ').trim(),
        ),
      ),
    )
/** As Europe/Berlin shows it. */
const berlin = (at: string) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Berlin',
  }).format(Date.parse(at))

test(
  'the glucose profile has the figures of the service, in both units, and judges nothing without a target',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'ada-example')
    const { data, report } = await reportAfter<'glucose'>(page, async () => {
      await pressByKeyboard(page, page.getByRole('link', { name: 'Reports' }))
    })
    const shown = await facts(report)
    assert.equal(data.unit, 'mg/dL')
    assert.match(shown['Mean glucose'] ?? '', new RegExp(`^${whole(data.mean)} mg/dL`))
    assert.match(shown['GMI'] ?? '', new RegExp(`^${fixed(data.gmi)} %`))
    assert.match(
      shown['Variation (CV)'] ?? '',
      new RegExp(`^${tenth((data.coefficientOfVariation ?? 0) * 100)} %`),
    )
    assert.match(shown['Sensor active'] ?? '', new RegExp(`^${percent(data.active.share ?? 0)}`))
    const [lowest, highest] = [data.lowest ?? assert.fail(), data.highest ?? assert.fail()]
    assert.equal(shown['Lowest reading'], `${whole(lowest.value)} mg/dL\n${berlin(lowest.measuredAt)}`)
    assert.equal(shown['Highest reading'], `${whole(highest.value)} mg/dL\n${berlin(highest.measuredAt)}`)
    await report.getByText('patient-1', { exact: true }).waitFor()
    await report.getByText('times in Europe/Berlin').waitFor()

    await pressByKeyboard(page, page.getByText('By time of day, as a table'))
    const profile = await rowsOf(report.locator('.report-details'))
    assert.equal(profile.length, 48)
    assert.deepEqual(
      profile.map((cells) => cells.slice(1)),
      data.profile.map(({ p5, p25, p50, p75, p95, count }) => [
        ...[p5, p25, p50, p75, p95].map(whole),
        String(count),
      ]),
    )
    assert.equal(await report.locator('.day-curves li').count(), 14)

    // Nobody has set a target: no bands, no words, no colours.
    await report.getByText('No target is set').waitFor()
    assert.equal(await report.locator('.band, .target-band, .target-line, .judged, .is-low').count(), 0)
    assert.doesNotMatch(await report.innerText(), /\b(above|below|low|high|very)\b/)

    const other = await reportAfter<'glucose'>(page, () =>
      page.getByRole('button', { name: 'mmol/L' }).click(),
    )
    assert.equal(other.data.unit, 'mmol/L')
    assert.match((await facts(report))['Mean glucose'] ?? '', new RegExp(`^${fixed(other.data.mean)} mmol/L`))
    const week = await reportAfter<'glucose'>(page, () =>
      page.getByRole('button', { name: '7 days' }).click(),
    )
    assert.equal(week.data.gmi, null)
    assert.match(
      (await facts(report))['GMI'] ?? '',
      /^Too little data\n14 days are needed, 70 % of them with the sensor$/,
    )
    assert.match(page.url(), /days=7/)
    const month = await reportAfter<'glucose'>(page, () =>
      page.getByRole('button', { name: '30 days' }).click(),
    )
    assert.match((await facts(report))['GMI'] ?? '', /^Too little data\n1\d\.\d of 30 days; 70 % are needed$/)

    await report
      .getByRole('link', { name: /^\d+\.\d mmol\/L, .*: see it in the chart of sensor glucose$/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor()
    const lowestOfMonth = month.data.lowest ?? assert.fail()
    assert.equal(
      new URL(page.url()).searchParams.get('mark'),
      `interstitialGlucose@${lowestOfMonth.measuredAt}`,
    )
    await page.getByRole('link', { name: 'Report on sensor glucose' }).click()
    await page.getByRole('heading', { name: 'Glucose profile' }).waitFor()
  },
)

test('with a target, the bands have the shares of the service, and lows are named', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'doctors' })
  const { data, report } = await reportAfter<'glucose'>(
    page,
    open(page, 'patient=child-1&report=glucose&unit=mg/dL'),
  )
  assert.equal(data.bandsFrom, 'target')
  const rows = await rowsOf(report.locator('.bands table'))
  assert.deepEqual(
    rows.map(([name]) => name),
    [
      'Very high above 250 mg/dL',
      'High 181–250 mg/dL',
      'In target 70–180 mg/dL',
      'Low 54–69 mg/dL',
      'Very low below 54 mg/dL',
    ],
  )
  const shares = data.bands.map(({ share }) => share ?? assert.fail()).toReversed()
  assert.ok(shares.every((share) => share > 0))
  for (const [index, share] of shares.entries()) {
    const minutes = Math.round(share * 1_440)
    const time = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    assert.equal(rows[index]?.[1], `${percent(share)} ${time} a day`)
  }
  await report.getByText(/70–180 mg\/dL, set by robin-example on \d/).waitFor()
  const lowest = data.lowest ?? assert.fail()
  await report
    .locator('.day-curves .is-low')
    .getByText(`low ${whole(lowest.value)}`)
    .first()
    .waitFor()
  assert.ok((await report.locator('.profile .target-band').count()) > 0)
})

test(
  'blood pressure has the means of the service, its extremes and a diary; a target judges it',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'doctors' })
    const { data, report } = await reportAfter<'bloodPressure'>(
      page,
      open(page, 'patient=child-1&report=blood-pressure&days=90'),
    )
    const rows = await rowsOf(report.locator('.means'))
    const means = data.periods.map(({ morning, evening, all, withoutFirstDay }) => [
      morning,
      evening,
      all,
      withoutFirstDay,
    ])
    for (const [column, period] of means.entries()) {
      for (const [row, { count, systolic, diastolic }] of period.entries())
        assert.equal(rows[row]?.[column + 1], `${whole(systolic)} / ${whole(diastolic)} ${count} readings`)
      assert.equal(rows[4]?.[column + 1], whole(period[2]?.pulse ?? null))
      const { judged, in: within } = data.periods[column]?.inTarget ?? assert.fail()
      assert.equal(rows[5]?.[column + 1], `${percent(within / judged)} ${within} of ${judged} readings`)
    }
    const highest = data.highest ?? assert.fail()
    assert.equal(
      (await facts(report))['Highest systolic'],
      `${highest.systolic} / ${highest.diastolic} mmHg\n${berlin(highest.measuredAt)}`,
    )
    await report
      .getByText(
        /Target: at most 134\/84 mmHg, set by robin-example on (\d+ [A-Z][a-z]+|[A-Z][a-z]+ \d+,) 20\d\d\.$/,
      )
      .waitFor()
    assert.equal(await report.locator('.scatter .column').count(), data.readings)
    const diary = await rowsOf(report.locator('.report-diary'))
    assert.equal(diary.length, 30)
    const high = diary.flat().join(' ')
    assert.match(
      high,
      new RegExp(`▲ above target ${highest.systolic} / ${highest.diastolic}|▲ above target 1[34]`),
    )
    // Just after midnight, today has no reading yet.
    await report.getByText(/The newest 30 of [89]\d days with readings/).waitFor()
  },
)

test('days with data are counted in total and from devices, for a type or for all', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'doctors' })
  const { data, report } = await reportAfter<'daysWithData'>(
    page,
    open(page, 'patient=child-1&report=days&type=bloodPressure'),
  )
  assert.equal(data.days, 30)
  await report
    .getByText(
      `Readings on ${data.daysWithData} of 30 days; on ${data.daysWithDeviceData} of them from a device`,
    )
    .waitFor()
  const cells = await report.locator('.calendar td:not(.outside)').allTextContents()
  assert.deepEqual(
    cells,
    data.dates.map(({ date, readings, fromDevices }) => {
      const day = new Intl.DateTimeFormat('en-GB', {
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
      }).format(Date.parse(date))
      const count = readings === 0 ? 'none' : `${readings} reading${readings === 1 ? '' : 's'}`
      return `${day}${count}${fromDevices > 0 ? `, ${fromDevices} from devices` : ''}`
    }),
  )
  const all = await reportAfter<'daysWithData'>(page, () => page.getByLabel('Readings of').selectOption(''))
  assert.ok(all.data.daysWithDeviceData >= data.daysWithDeviceData)
  await report.getByRole('heading', { name: 'Days with data: all types' }).waitFor()
})

/** How many sheets of A4 and of Letter it takes, with the margins of a printer. */
async function sheetsOf(page: Page): Promise<number[]> {
  const margin = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' }
  const sheets: number[] = []
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format, margin })
    sheets.push(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0)
  }
  return sheets
}

const REPORTS = ['report=glucose', 'report=blood-pressure&days=90', 'report=days']

for (const width of PHONE_AND_DESK) {
  test(
    `each report is one page of A4 and of Letter, with what it is about, from a window ${width} px wide`,
    inBrowser,
    async (t) => {
      const page = await stage.signIn(t, 'robin-example', { path: 'doctors', width })
      for (const query of REPORTS) {
        const { report } = await reportAfter(page, open(page, `patient=child-1&${query}`))
        assert.deepEqual(await sheetsOf(page), [1, 1], query)
        await page.emulateMedia({ media: 'print' })
        assert.match(
          await report.innerText(),
          /child-1[^]*days\)[^]*times in Europe\/Berlin[^]*Made .* from Rounds\./,
        )
        assert.equal(
          await page
            .getByRole('navigation')
            .or(page.locator('.report-bar'))
            .filter({ visible: true })
            .count(),
          0,
        )
        await page.emulateMedia({ media: null })
      }
    },
  )
}

for (const scheme of LOOKS) {
  test(`no report has violations or overflow, ${scheme}`, inBrowser, async (t) => {
    const colours = scheme === 'forced' ? { forcedColors: 'active' as const } : { colorScheme: scheme }
    const page = await stage.signIn(t, 'robin-example', {
      path: 'doctors',
      reducedMotion: 'reduce',
      ...colours,
    })
    for (const query of [
      ...REPORTS.map((one) => `patient=child-1&${one}`),
      'patient=child-2&report=glucose',
    ]) {
      await reportAfter(page, open(page, query))
      for (const width of scheme === 'light' ? [320, 390, 768, 1_440] : [390]) {
        await page.setViewportSize({ width, height: 800 })
        await assertNoOverflow(page)
      }
      await axe(page)
    }
  })
}

test('fingersticks give no profile, and the screen says why', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'robin-example', { path: 'reports?patient=child-2' })
  await page.getByText('No sensor glucose in the last 14 days.').waitFor()
  await page.getByText('A profile takes a sensor').waitFor()
  await page.getByRole('link', { name: 'Fingersticks in Charts' }).click()
  await page.waitForURL(/charts\?.*type=bloodGlucose/)
})

test(
  'a doctor sees whose report it is, what is not shared, and no way to set a target',
  inBrowser,
  async (t) => {
    const page = await stage.signIn(t, WILLOW, { path: 'my-patients' })
    const { report } = await reportAfter(page, open(page, 'patient=child-1'))
    await report.getByRole('heading', { name: 'Blood pressure' }).waitFor()
    await report.getByText('Mia Example').waitFor()
    await page.getByText('Mia Example shares only blood pressure with you.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Choose a target' }).count(), 0)
    await page.getByRole('button', { name: 'Glucose' }).click()
    await page.getByText('No sensor glucose is shared with you.').waitFor()
    assert.deepEqual(await sheetsOf(page), [1, 1])
  },
)

test('what fails is said, and comes when it is tried again', inBrowser, async (t) => {
  const ignoring = [NO_NETWORK]
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors', ignoring })
  await page.route('**/care/reports/**', (route) => route.abort())
  await page.goto(`${stage.origin}/console/reports?report=blood-pressure`)
  await page.getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/care/reports/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.report').waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.getByRole('button', { name: '90 days' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.context().setOffline(false)
  await page.locator('.report').getByText('(90 days)').waitFor()
})

for (const width of PHONE_AND_DESK) {
  test(`what is pressed stays in place while a report loads, at ${width} px`, inBrowser, async (t) => {
    const page = await stage.signIn(t, 'robin-example', { path: 'doctors', width })
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/care/reports/**', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${stage.origin}/console/reports?patient=child-1&report=glucose`)
    const places = () =>
      page
        .locator('.report-bar button')
        .evaluateAll((all) => all.map((one) => [one.textContent, one.getBoundingClientRect().top]))
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: '90 days' }).waitFor()
    const was = await places()
    release()
    await page.locator('.report').waitFor()
    assert.deepEqual(await places(), was)
  })
}

test('where the server has no reports, there is no way to them', inBrowser, async (t) => {
  const page = await stage.signIn(t, 'ada-example', { path: 'doctors' })
  await page.route('**/console/config.json', async (route) => {
    const response = await route.fetch()
    const { careUrl: _, ...config } = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: config })
  })
  await page.goto(`${stage.origin}/console/today`)
  await page.getByRole('link', { name: 'Charts' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Reports' }).count(), 0)
})
