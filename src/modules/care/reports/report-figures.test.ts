// Each figure of the reports, in cases whose figures were worked out by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { newReportPatient, type Report, type TargetSet } from '../../../../test/support/reports.ts'

const rounds = await startRounds()

type Fields = Record<string, unknown>
type Reading = [at: string, fields: Fields]
type Case = {
  zone: string
  from: string
  to: string
  readings: Reading[]
  targets?: TargetSet[]
  unit?: string
  /** The readings to withdraw, by their place. */
  withdrawn?: number[]
  /** By report: what stands at a path. An entry of a list is named by its name, minute, date or days. */
  expected: Record<string, Record<string, unknown>>
}

const mg = (at: string, value: number, more: Fields = {}): Reading => [
  at,
  { readingType: 'interstitialGlucose', value, unit: 'mg/dL', ...more },
]
const mmol = (at: string, value: number): Reading => mg(at, value, { unit: 'mmol/L' })
const pressure = (at: string, systolic: number, diastolic: number, more: Fields = {}): Reading => [
  at,
  { readingType: 'bloodPressure', systolic, diastolic, ...more },
]
const every = (minutes: number, count: number, from: string, of: (at: string, nth: number) => Reading) =>
  Array.from({ length: count }, (_, nth) =>
    of(new Date(Date.parse(from) + nth * minutes * 60_000).toISOString(), nth),
  )
const MG_PER_MMOL = 18.0156
const glucoseTarget = (bounds: Partial<TargetSet>): TargetSet[] => [
  { readingType: 'interstitialGlucose', unit: 'mg/dL', ...bounds },
]
const ESH: TargetSet[] = [
  { readingType: 'bloodPressure', field: 'systolic', high: 135 },
  { readingType: 'bloodPressure', field: 'diastolic', high: 85 },
]
/** A day in UTC. */
const DAY = { zone: 'UTC', from: '2025-06-01T00:00Z', to: '2025-06-01T23:59:59.999Z' }
const FORTNIGHT = { ...DAY, to: '2025-06-14T23:59:59.999Z' }
const LEAST = 0.001

/** A local day or two around a change of clocks: when sensor values were measured, their half hours, and their dates. */
const CLOCKS: [
  what: string,
  range: [zone: string, from: string, to: string],
  at: string[],
  halfHours: Record<number, number>,
  dates: Record<string, number>,
][] = [
  [
    'a day of 23 hours has nothing between two and three',
    ['Europe/Berlin', '2025-03-29T23:00Z', '2025-03-30T21:59:59.999Z'],
    ['2025-03-30T00:45Z', '2025-03-30T01:00Z', '2025-03-30T21:45Z'],
    { 90: 1, 120: 0, 150: 0, 180: 1, 1410: 1 },
    { '2025-03-30': 3 },
  ],
  [
    'a day of 25 hours has the half hour from half past two twice',
    ['Europe/Berlin', '2025-10-25T22:00Z', '2025-10-26T22:59:59.999Z'],
    ['2025-10-26T00:30Z', '2025-10-26T01:30Z', '2025-10-26T22:59Z'],
    { 150: 2, 1410: 1 },
    { '2025-10-26': 3 },
  ],
  [
    'clocks put back by half an hour repeat a half hour',
    ['Australia/Lord_Howe', '2025-04-05T13:00Z', '2025-04-06T13:29:59.999Z'],
    ['2025-04-05T14:45Z', '2025-04-05T15:15Z', '2025-04-05T15:30Z'],
    { 90: 2, 120: 1 },
    { '2025-04-06': 3 },
  ],
  [
    'clocks put forward by half an hour leave one out',
    ['Australia/Lord_Howe', '2025-10-04T13:30Z', '2025-10-05T12:59:59.999Z'],
    ['2025-10-04T15:29Z', '2025-10-04T15:30Z'],
    { 90: 1, 120: 0, 150: 1 },
    { '2025-10-05': 2 },
  ],
  [
    'a day begins at a quarter past six in the evening of UTC',
    ['Asia/Kathmandu', '2025-06-01T00:00Z', '2025-06-02T00:00Z'],
    ['2025-06-01T18:14:59Z', '2025-06-01T18:15Z'],
    { 1410: 1, 0: 1 },
    { '2025-06-01': 1, '2025-06-02': 1 },
  ],
  [
    'a midnight that is left out begins its day at one',
    ['America/Santiago', '2025-09-06T04:00Z', '2025-09-08T02:59:59.999Z'],
    ['2025-09-07T03:59Z', '2025-09-07T04:00Z'],
    { 1410: 1, 0: 0, 60: 1 },
    { '2025-09-06': 1, '2025-09-07': 1 },
  ],
  [
    'an hour before midnight that comes twice is of one day',
    ['America/Santiago', '2025-04-05T03:00Z', '2025-04-07T03:59:59.999Z'],
    ['2025-04-06T02:30Z', '2025-04-06T03:30Z', '2025-04-06T04:00Z'],
    { 1410: 2, 0: 1 },
    { '2025-04-05': 2, '2025-04-06': 1 },
  ],
  [
    'a day that was left out is no day',
    ['Pacific/Apia', '2011-12-29T10:00Z', '2011-12-31T09:59:59.999Z'],
    ['2011-12-30T09:59Z', '2011-12-30T10:00Z'],
    { 1410: 1, 0: 1 },
    { '2011-12-29': 1, '2011-12-31': 1 },
  ],
  [
    'clocks put back just after midnight show the day before again',
    ['America/St_Johns', '2006-10-28T02:30Z', '2006-10-30T03:29:59.999Z'],
    ['2006-10-29T02:30:30Z', '2006-10-29T02:31Z', '2006-10-29T03:31Z'],
    { 0: 2, 1380: 1 },
    { '2006-10-28': 1, '2006-10-29': 2 },
  ],
]

for (const [what, [timeZone, from, to], at, halfHours, dates] of CLOCKS) {
  test(`in ${timeZone}, ${what}`, async () => {
    const { patientUid, add, report } = await newReportPatient(rounds)
    await add(
      at.map((instant, nth) => ({ patientUid, timestamp: Date.parse(instant), ...mg('', 100 + nth)[1] })),
    )
    const range = { from: Date.parse(from), to: Date.parse(to), timeZone }
    const glucose = await report('glucose', range)
    const days = await report('days-with-data', range)
    for (const [minute, count] of Object.entries(halfHours))
      assert.equal(found(glucose, `profile.${minute}.count`, 0), count, minute)
    assert.deepEqual(
      Object.fromEntries((days['dates'] as Report[]).map(({ date, readings }) => [date, readings])),
      dates,
    )
    assert.equal(glucose['days'], Object.keys(dates).length)
  })
}

const CASES: Record<string, Case> = {
  'scans in a daily peak of 90 minutes: 83 % of readings and 94 % of the time are in range': {
    ...FORTNIGHT,
    readings: every(24 * 60, 14, '2025-06-01T00:00Z', (at) => mg(at, 120)).flatMap(([day]) => [
      // Every 15 minutes but from 12:00 to 13:30, when they come every 5 minutes.
      ...every(15, 48, day, (at) => mg(at, 120)),
      ...every(5, 18, day.replace('T00:00', 'T12:00'), (at) => mg(at, 240)),
      ...every(15, 42, day.replace('T00:00', 'T13:30'), (at) => mg(at, 120)),
    ]),
    expected: {
      glucose: {
        readings: 14 * 108,
        'bands.target.readings': 14 * 90,
        'bands.target.share': (14 * 81_000 - LEAST) / (14 * 86_400 - LEAST),
        'bands.high.readings': 14 * 18,
        'bands.high.seconds': 14 * 5_400,
        // Of readings the mean would be 140, and the GMI 6.7.
        mean: 127.5,
        isEnough: true,
        gmi: 3.31 + 0.02392 * 127.5,
        'profile.720.p50': 240,
        'profile.720.count': 14 * 6,
      },
    },
  },
  'a gap of 47 hours is no data: a value stands for 20 minutes': {
    ...DAY,
    to: '2025-06-03T23:59:59.999Z',
    readings: [
      mg('2025-06-01T09:45Z', 60),
      mg('2025-06-01T10:00Z', 60),
      mg('2025-06-03T09:00Z', 200),
      mg('2025-06-03T09:15Z', 200),
    ],
    expected: {
      glucose: {
        'active.seconds': 900 + 1_200 + 900 + 1_200,
        'bands.low.seconds': 2_100,
        'bands.low.share': 0.5,
        isEnough: false,
      },
      'days-with-data': { days: 3, daysWithData: 2 },
    },
  },
  'an hour of values every 5 minutes weighs no more than one of values every 15': {
    ...DAY,
    readings: [
      ...every(5, 12, '2025-06-01T08:00Z', (at) => mg(at, 60)),
      ...every(15, 4, '2025-06-01T09:00Z', (at) => mg(at, 120)),
    ],
    targets: glucoseTarget({ low: 70, high: 180 }),
    expected: {
      glucose: {
        'bands.low.readings': 12,
        'bands.low.seconds': 3_600,
        // The last one stands for 20 minutes.
        'bands.target.seconds': 3_900,
        'bands.low.share': 0.48,
        mean: (60 * 3_600 + 120 * 3_900) / 7_500,
      },
      'time-in-target?readingType=interstitialGlucose': {
        seconds: { judged: 7_500, inTarget: 3_900 },
        'fields.value.seconds': { below: 3_600, in: 3_900, above: 0 },
        'fields.value.readings': { below: 12, in: 4, above: 0 },
      },
    },
  },
  'LOW and HIGH are in the outermost bands, whatever number stands beside them': {
    ...DAY,
    readings: [
      mg('2025-06-01T08:00Z', 39, { outOfRange: 'low' }),
      mg('2025-06-01T08:10Z', 75, { outOfRange: 'low' }),
      mg('2025-06-01T08:20Z', 100),
      mg('2025-06-01T08:30Z', 180, { outOfRange: 'high' }),
    ],
    targets: glucoseTarget({ low: 70, high: 180 }),
    expected: {
      glucose: {
        readings: 4,
        'bands.veryLow.readings': 2,
        'bands.veryLow.seconds': 1_200,
        'bands.target.readings': 1,
        'bands.veryHigh.seconds': 1_200,
        'bands.veryHigh.share': 0.4,
        'lowest.value': 39,
      },
      'time-in-target?readingType=interstitialGlucose': {
        inTarget: 1,
        'fields.value.readings': { below: 2, in: 1, above: 1 },
      },
    },
  },
  'a value of a sensor stands until its UTC day ends, whatever the zone, and another one beyond it': {
    zone: 'Europe/Berlin',
    from: '2025-05-31T22:00Z',
    to: '2025-06-02T21:59:59.999Z',
    readings: [
      mg('2025-06-01T21:55Z', 100),
      mg('2025-06-01T23:50Z', 100),
      ['2025-06-01T23:50Z', { readingType: 'heartRate', value: 60 }],
    ],
    targets: [{ readingType: 'heartRate', high: 100 }],
    expected: {
      glucose: { 'active.seconds': 1_200 + 600 },
      'time-in-target?readingType=heartRate': {
        'seconds.judged': 22 * 3_600 + 600 - LEAST,
        'days.2025-06-02': { date: '2025-06-02', readings: 1, judged: 1, inTarget: 1 },
      },
    },
  },
  'nights on which clocks change have true hours': {
    zone: 'Europe/Berlin',
    from: '2025-10-25T22:00Z',
    to: '2025-10-26T22:59:59.999Z',
    readings: every(15, 100, '2025-10-25T22:00Z', (at) => mg(at, 100)),
    expected: {
      glucose: {
        'active.seconds': 25 * 3_600 - LEAST,
        'active.share': 1,
        'profile.120.count': 4,
        'profile.180.count': 2,
      },
    },
  },
  'and so has the night that is an hour shorter': {
    zone: 'Europe/Berlin',
    from: '2025-03-29T23:00Z',
    to: '2025-03-30T21:59:59.999Z',
    readings: every(15, 92, '2025-03-29T23:00Z', (at) => mg(at, 100)),
    expected: { glucose: { 'active.seconds': 23 * 3_600 - LEAST, 'profile.120.count': 0 } },
  },
  'what was sent twice counts once': {
    ...DAY,
    readings: [
      mg('2025-06-01T08:00Z', 180),
      mg('2025-06-01T08:00:00.400Z', 180, { app: 'second' }),
      // The same in another unit.
      [
        '2025-06-01T08:00:00.700Z',
        { readingType: 'interstitialGlucose', value: 180 / MG_PER_MMOL, unit: 'mmol/L' },
      ],
      mg('2025-06-01T08:00:00.800Z', 90),
      pressure('2025-06-01T09:00Z', 120, 80),
      // It says more, and is the same.
      pressure('2025-06-01T09:00:00.100Z', 120, 80, { pulse: 70 }),
      pressure('2025-06-01T09:00:00.200Z', 120, 90),
      pressure('2025-06-01T09:00:01Z', 120, 80),
      ['2025-06-01T10:00Z', { readingType: 'symptom', symptoms: [{ symptom: 'tired', severity: 'MILD' }] }],
      [
        '2025-06-01T10:00:00.500Z',
        { readingType: 'symptom', symptoms: [{ symptom: 'tired', severity: 'MILD' }], app: 'second' },
      ],
      [
        '2025-06-01T10:00:00.600Z',
        { readingType: 'symptom', symptoms: [{ symptom: 'tired', severity: 'SEVERE' }] },
      ],
    ],
    targets: ESH,
    expected: {
      glucose: { readings: 2, 'bands.target.readings': 2, 'profile.480.p50': 135 },
      'blood-pressure': {
        readings: 3,
        'periods.7.all': { count: 3, systolic: 120, diastolic: 250 / 3, pulse: 70 },
        'periods.7.inTarget': { judged: 3, in: 2 },
      },
      'time-in-target?readingType=bloodPressure': { readings: 3, inTarget: 2 },
      'days-with-data': { 'dates.2025-06-01.readings': 7 },
      'days-with-data?readingType=symptom': { 'dates.2025-06-01.readings': 2 },
    },
  },
  'the limits of the bands in mg/dL': {
    ...DAY,
    readings: [53.9, 54, 69, 70, 180, 181, 250, 251].map((value, nth) => mg(`2025-06-01T0${nth}:00Z`, value)),
    expected: {
      glucose: {
        'bands.veryLow.readings': 1,
        'bands.low.readings': 2,
        'bands.target.readings': 2,
        'bands.high.readings': 2,
        'bands.veryHigh.readings': 1,
        'bands.low.share': 0.25,
        'bands.high.seconds': 2_400,
        bandsFrom: 'consensus',
      },
    },
  },
  'the limits of the bands in mmol/L': {
    ...DAY,
    unit: 'mmol/L',
    readings: [2.9, 3, 3.8, 3.9, 10, 10.1, 13.9, 14].map((value, nth) =>
      mmol(`2025-06-01T0${nth}:00Z`, value),
    ),
    expected: {
      glucose: {
        'bands.veryLow': { name: 'veryLow', from: null, to: 3, readings: 1, share: 0.125, seconds: 1_200 },
        'bands.low.readings': 2,
        'bands.target': { name: 'target', from: 3.9, to: 10, readings: 2, share: 0.25, seconds: 2_400 },
        'bands.high.readings': 2,
        'bands.veryHigh': {
          name: 'veryHigh',
          from: 13.9,
          to: null,
          readings: 1,
          share: 0.125,
          seconds: 1_200,
        },
      },
    },
  },
  'values of both units have one mean, and each is judged in its own': {
    ...DAY,
    unit: 'mmol/L',
    readings: [
      mmol('2025-06-01T08:00Z', 10),
      mg('2025-06-01T09:00Z', 180),
      mg('2025-06-01T10:00Z', 5 * MG_PER_MMOL),
    ],
    expected: {
      glucose: {
        mean: (15 + 180 / MG_PER_MMOL) / 3,
        'bands.target.readings': 3,
        'highest.value': 10,
        'lowest.value': 5,
      },
    },
  },
  'mean 120, deviation 20 and their quotient': {
    ...DAY,
    readings: [100, 120, 140].map((value, nth) => mg(`2025-06-01T0${nth}:00Z`, value)),
    expected: { glucose: { mean: 120, standardDeviation: 20, coefficientOfVariation: 1 / 6, gmi: null } },
  },
  'one value has no deviation': {
    ...DAY,
    readings: [mg('2025-06-01T08:00Z', 100)],
    expected: {
      glucose: { mean: 100, standardDeviation: null, coefficientOfVariation: null, 'profile.480.p5': 100 },
    },
  },
  'percentiles are interpolated between values': {
    ...DAY,
    unit: 'mmol/L',
    readings: [5, 3, 1, 2, 4, 1, 5].map((value, nth) =>
      mmol(`2025-06-01T${nth < 5 ? '08' : '12'}:0${nth}Z`, value),
    ),
    expected: {
      glucose: {
        'profile.480': { minute: 480, count: 5, p5: 1.2, p25: 2, p50: 3, p75: 4, p95: 4.8 },
        // The first of several.
        'lowest.measuredAt': '2025-06-01T08:02:00.000Z',
        'highest.measuredAt': '2025-06-01T08:00:00.000Z',
      },
    },
  },
  'a value stands until the range ends': {
    ...DAY,
    to: '2025-06-01T08:41:40Z',
    readings: [mg('2025-06-01T08:00Z', 60), mg('2025-06-01T08:05Z', 100), mg('2025-06-01T08:40Z', 200)],
    expected: { glucose: { 'active.seconds': 300 + 1_200 + 100, 'bands.high.seconds': 100 } },
  },
  'what is withdrawn is left out, and its time is that of the reading before': {
    ...DAY,
    readings: [mg('2025-06-01T08:00Z', 100), mg('2025-06-01T08:05Z', 400), mg('2025-06-01T08:10Z', 160)],
    withdrawn: [1],
    expected: {
      glucose: { readings: 2, mean: 140, 'highest.value': 160, 'active.seconds': 600 + 1_200 },
      'days-with-data': { 'dates.2025-06-01.readings': 2 },
    },
  },
  'what arrives late counts by when it was measured, and two values of one instant both do': {
    ...DAY,
    readings: [
      mg('2025-06-01T08:10Z', 100),
      mg('2025-06-01T08:00Z', 90),
      mg('2025-06-01T08:05Z', 60),
      mg('2025-06-01T08:05Z', 61),
    ],
    expected: {
      glucose: {
        readings: 4,
        'active.seconds': 600 + 1_200,
        'bands.low.seconds': 300,
        'bands.low.readings': 2,
      },
    },
  },
  'fourteen days of which less than 70 % have values are too few': {
    ...FORTNIGHT,
    // The last one stands for 20 minutes: 846,300 of 846,720 s.
    readings: every(15, 940, '2025-06-01T00:00Z', (at) => mg(at, 154)),
    expected: { glucose: { days: 14, isEnough: false, gmi: null, mean: 154, 'active.seconds': 846_300 } },
  },
  'seventy per cent of fourteen days are enough': {
    ...FORTNIGHT,
    readings: every(15, 941, '2025-06-01T00:00Z', (at) => mmol(at, 8)),
    expected: { glucose: { isEnough: true, gmi: 3.31 + 0.02392 * 8 * MG_PER_MMOL } },
  },
  'thirteen full days are not': {
    ...DAY,
    to: '2025-06-13T23:59:59.999Z',
    readings: every(15, 13 * 96, '2025-06-01T00:00Z', (at) => mg(at, 154)),
    expected: { glucose: { days: 13, isEnough: false, gmi: null } },
  },
  'a reading after midnight on the first date is in every period that reaches the day before': {
    ...DAY,
    to: '2025-06-07T23:59:59Z',
    readings: [pressure('2025-06-01T00:30Z', 180, 100), pressure('2025-06-07T08:00Z', 120, 80)],
    expected: {
      'blood-pressure': {
        'periods.7.evening.systolic': null,
        'periods.30.from': '2025-06-01',
        'periods.30.evening.systolic': 180,
        'periods.null.evening.systolic': 180,
      },
    },
  },
  'readings of devices are counted apart': {
    zone: 'America/New_York',
    from: '2025-11-01T04:00Z',
    to: '2025-11-30T04:59:59.999Z',
    readings: [
      pressure('2025-11-01T12:00Z', 120, 80, {
        source: { kind: 'device', device: { name: 'Invented cuff' } },
      }),
      pressure('2025-11-02T12:00Z', 120, 80, { source: { kind: 'manual' } }),
      pressure('2025-11-02T13:00Z', 120, 80),
      mg('2025-11-03T12:00Z', 100),
      ['2025-11-04T12:00Z', { readingType: 'constructor', value: 1 }],
    ],
    expected: {
      'days-with-data': { days: 29, daysWithData: 4, daysWithDeviceData: 1 },
      'days-with-data?readingType=bloodPressure': {
        daysWithData: 2,
        'dates.2025-11-02': { date: '2025-11-02', readings: 2, fromDevices: 0 },
      },
    },
  },
  'a week with a day of 23 hours in New York has seven days': {
    zone: 'America/New_York',
    from: '2025-03-06T05:00Z',
    to: '2025-03-13T03:59:59.999Z',
    readings: [
      pressure('2025-03-09T06:59Z', 120, 80),
      pressure('2025-03-09T07:00Z', 130, 84),
      pressure('2025-03-10T12:00Z', 140, 90),
    ],
    expected: {
      'days-with-data': { days: 7, 'dates.2025-03-09.readings': 2 },
      // 01:59 and 03:00 are both of the evening before.
      'blood-pressure': {
        'periods.7.from': '2025-03-06',
        'periods.7.to': '2025-03-12',
        'periods.7.evening': { count: 2, systolic: 125, diastolic: 82, pulse: null },
        'periods.7.morning': { count: 1, systolic: 140, diastolic: 90, pulse: null },
        'periods.7.withoutFirstDay.count': 1,
      },
    },
  },
  'an hour that comes twice in New York is of the evening before both times': {
    zone: 'America/New_York',
    from: '2025-11-01T04:00Z',
    to: '2025-11-03T04:59:59.999Z',
    readings: [
      pressure('2025-11-02T05:30Z', 130, 80),
      pressure('2025-11-02T06:30Z', 140, 90),
      pressure('2025-11-02T09:00Z', 120, 70),
    ],
    expected: {
      'blood-pressure': {
        'periods.null.evening.count': 2,
        'periods.null.morning.count': 1,
        'periods.null.withoutFirstDay': { count: 1, systolic: 120, diastolic: 70, pulse: null },
      },
      'days-with-data': { days: 2, 'dates.2025-11-02.readings': 3 },
    },
  },
  'no readings at all': {
    ...DAY,
    readings: [],
    targets: ESH,
    expected: {
      glucose: {
        readings: 0,
        mean: null,
        lowest: null,
        'bands.target.share': null,
        'active.seconds': 0,
        profile: 48,
      },
      'blood-pressure': {
        readings: 0,
        highest: null,
        'periods.7.all.count': 0,
        'periods.7.inTarget': { judged: 0, in: 0 },
      },
      'days-with-data': { days: 1, daysWithData: 0 },
    },
  },
  'a narrow target is the middle band, between the outer limits of the consensus': {
    ...DAY,
    readings: [53, 54, 62, 63, 140, 141, 250, 251].map((value, nth) => mg(`2025-06-01T0${nth}:00Z`, value)),
    targets: glucoseTarget({ low: 63, high: 140 }),
    unit: 'mmol/L',
    expected: {
      glucose: {
        'bands.veryLow.readings': 1,
        'bands.low.readings': 2,
        'bands.target.readings': 2,
        'bands.high.readings': 2,
        'bands.veryHigh.readings': 1,
        'bands.target.from': 3.5,
        'bands.target.to': 7.8,
      },
    },
  },
  'a side that a target leaves open ends where that of the consensus does: at most 160 mg/dL does not put 39 into the band named target':
    {
      ...DAY,
      readings: [39, 54, 70, 160, 161, 251].map((value, nth) => mg(`2025-06-01T0${nth}:00Z`, value)),
      targets: glucoseTarget({ high: 160 }),
      expected: {
        glucose: {
          bands: 5,
          'bands.veryLow.readings': 1,
          'bands.low.readings': 1,
          'bands.target.from': 70,
          'bands.target.to': 160,
          'bands.target.readings': 2,
          'bands.high.readings': 1,
          'bands.veryHigh.readings': 1,
        },
      },
    },
  'the same of a target without an upper bound': {
    ...DAY,
    readings: [53, 79, 80, 180, 181, 400].map((value, nth) => mg(`2025-06-01T0${nth}:00Z`, value)),
    targets: glucoseTarget({ low: 80 }),
    expected: {
      glucose: {
        bands: 5,
        'bands.veryLow.readings': 1,
        'bands.low.readings': 1,
        'bands.target.from': 80,
        'bands.target.to': 180,
        'bands.target.readings': 2,
        'bands.high.readings': 1,
        'bands.veryHigh.readings': 1,
      },
    },
  },
  'outer limits that a wide target crosses fall away': {
    ...DAY,
    readings: [49, 50, 260, 261].map((value, nth) => mg(`2025-06-01T0${nth}:00Z`, value)),
    targets: glucoseTarget({ low: 50, high: 260 }),
    expected: {
      glucose: {
        bands: 3,
        'bands.low.from': null,
        'bands.low.to': 50,
        'bands.low.readings': 1,
        'bands.high.readings': 1,
        'bands.high.to': null,
      },
    },
  },
  'what was sent in another unit than the target is rounded to what is shown': {
    ...DAY,
    readings: [3.8, 3.9, 10, 10.1].map((value, nth) => mmol(`2025-06-01T0${nth}:00Z`, value)),
    targets: glucoseTarget({ low: 70, high: 180 }),
    expected: {
      'time-in-target?readingType=interstitialGlucose': {
        inTarget: 2,
        'fields.value.readings': { below: 1, in: 2, above: 1 },
        'days.2025-06-01.inTarget': 2,
      },
    },
  },
  'a temperature in Celsius against a target in Fahrenheit': {
    ...DAY,
    readings: [37.9, 38, 38.1].map(
      (value, nth): Reading => [
        `2025-06-01T0${nth}:00Z`,
        { readingType: 'bodyTemperature', value, unit: 'Cel' },
      ],
    ),
    targets: [{ readingType: 'bodyTemperature', high: 100.4, unit: '[degF]' }],
    // The last one stands until the range ends, as that is within 24 hours.
    expected: {
      'time-in-target?readingType=bodyTemperature': {
        inTarget: 2,
        'fields.value.seconds': { below: 0, in: 7_200, above: 79_199.999 },
      },
    },
  },
  'a weight stands for a day at most': {
    zone: 'Europe/Berlin',
    from: '2025-10-24T22:00Z',
    to: '2025-10-31T22:59:59.999Z',
    readings: [
      ['2025-10-25T06:00Z', { readingType: 'bodyWeight', value: 80, unit: 'kg' }],
      ['2025-10-28T06:00Z', { readingType: 'bodyWeight', value: 180, unit: '[lb_av]' }],
      ['2025-10-28T18:00Z', { readingType: 'bodyWeight', value: 82, unit: 'kg' }],
    ],
    targets: [{ readingType: 'bodyWeight', low: 79, high: 81.6, unit: 'kg' }],
    // 180 lb are 81.65 kg, which people are shown as 81.6: at the limit is not above it.
    expected: {
      'time-in-target?readingType=bodyWeight': {
        inTarget: 2,
        'fields.value.seconds': { below: 0, in: 86_400 + 43_200, above: 86_400 },
        'days.2025-10-28': { date: '2025-10-28', readings: 2, judged: 2, inTarget: 1 },
      },
    },
  },
  'a home protocol of a week: two in the morning, two in the evening, without the first day': {
    zone: 'Europe/Berlin',
    from: '2025-10-31T23:00Z',
    to: '2025-11-07T22:59:59.999Z',
    readings: every(24 * 60, 7, '2025-11-01T06:00Z', (at) => pressure(at, 130, 80)).flatMap(([at], day) => [
      pressure(at, day === 0 ? 150 : 130, 80, { pulse: 60 }),
      pressure(new Date(Date.parse(at) + 60_000).toISOString(), day === 0 ? 150 : 134, 84),
      pressure(new Date(Date.parse(at) + 12 * 3_600_000).toISOString(), 124, 76),
      pressure(new Date(Date.parse(at) + 12 * 3_600_000 + 60_000).toISOString(), 128, 80, { pulse: 70 }),
    ]),
    targets: ESH,
    expected: {
      'blood-pressure': {
        readings: 28,
        'periods.7.morning': { count: 14, systolic: (2 * 150 + 6 * 264) / 14, diastolic: 82, pulse: 60 },
        'periods.7.evening': { count: 14, systolic: 126, diastolic: 78, pulse: 70 },
        'periods.7.withoutFirstDay': { count: 24, systolic: 129, diastolic: 80, pulse: 65 },
        'periods.7.inTarget': { judged: 28, in: 26 },
        'highest.measuredAt': '2025-11-01T06:00:00.000Z',
        'lowest.systolic': 124,
      },
    },
  },
  'mornings begin at four, middays are neither, evenings begin at five': {
    ...DAY,
    readings: [
      pressure('2025-06-01T03:59:59Z', 101, 60),
      pressure('2025-06-01T04:00Z', 111, 61),
      pressure('2025-06-01T11:59Z', 113, 63),
      pressure('2025-06-01T12:00Z', 121, 65),
      pressure('2025-06-01T16:59Z', 123, 67),
      pressure('2025-06-01T17:00Z', 131, 69),
      pressure('2025-06-01T23:59Z', 133, 71),
    ],
    expected: {
      'blood-pressure': {
        'periods.null.morning': { count: 2, systolic: 112, diastolic: 62, pulse: null },
        'periods.null.evening': {
          count: 3,
          systolic: (101 + 131 + 133) / 3,
          diastolic: 200 / 3,
          pulse: null,
        },
        'periods.null.all.count': 7,
        // The first one is of the day before, which is one of the last seven.
        'periods.7.all.count': 7,
        'periods.null.withoutFirstDay.count': 6,
      },
    },
  },
  'periods end with the day of the range, and count its readings alone': {
    zone: 'UTC',
    from: '2025-05-01T00:00Z',
    to: '2025-06-30T12:00Z',
    readings: [
      pressure('2025-05-31T08:00Z', 160, 100),
      pressure('2025-06-01T08:00Z', 150, 90),
      pressure('2025-06-23T20:00Z', 140, 85),
      pressure('2025-06-24T08:00Z', 130, 80),
      pressure('2025-06-30T08:00Z', 120, 75),
    ],
    expected: {
      'blood-pressure': {
        'periods.7.from': '2025-06-24',
        'periods.7.all': { count: 2, systolic: 125, diastolic: 77.5, pulse: null },
        'periods.30.from': '2025-06-01',
        'periods.30.all.count': 4,
        'periods.null.from': '2025-05-01',
        'periods.null.all.count': 5,
      },
    },
  },
  'a blood pressure is in target when both of its values are': {
    ...DAY,
    readings: [
      pressure('2025-06-01T08:00Z', 135, 85),
      pressure('2025-06-01T09:00Z', 136, 85),
      pressure('2025-06-01T10:00Z', 135, 86),
      pressure('2025-06-01T11:00Z', 160, 95, { pulse: 70 }),
    ],
    targets: [...ESH, { readingType: 'bloodPressure', field: 'pulse', high: 80, unit: '/min' }],
    expected: {
      'blood-pressure': { 'periods.null.inTarget': { judged: 4, in: 1 }, 'target.fields.systolic.high': 135 },
      // A target of the pulse counts there too, for the one reading that has a pulse.
      'time-in-target?readingType=bloodPressure': {
        readings: 4,
        judged: 4,
        inTarget: 1,
        'fields.systolic.readings': { below: 0, in: 2, above: 2 },
        'fields.diastolic.readings': { below: 0, in: 2, above: 2 },
        'fields.pulse.readings': { below: 0, in: 1, above: 0 },
      },
    },
  },
}

for (const [name, one] of Object.entries(CASES)) {
  test(name, async () => {
    const { patientUid, addAll, report, setTargets, withdraw } = await patientOf()
    const { zone: timeZone, readings, targets = [], unit = 'mg/dL', withdrawn = [], expected } = one
    await addAll(readings.map(([at, fields]) => ({ patientUid, timestamp: Date.parse(at), ...fields })))
    for (const place of withdrawn) await withdraw(Date.parse(readings[place]?.[0] ?? ''))
    await setTargets(targets)
    const range = { from: Date.parse(one.from), to: Date.parse(one.to), timeZone }
    for (const [asked, figures] of Object.entries(expected)) {
      const [path = '', readingType] = asked.split('?readingType=')
      const own = { ...(path === 'glucose' && { unit }), ...(readingType !== undefined && { readingType }) }
      const answer = await report(path, { ...range, ...own })
      for (const [at, value] of Object.entries(figures))
        assert.deepEqual(close(found(answer, at, value)), close(value), `${asked}: ${at}`)
    }
  })
}

async function patientOf() {
  const patient = await newReportPatient(rounds)
  const { patientUid, token } = patient
  return {
    ...patient,
    addAll: async (readings: object[]) => {
      for (let first = 0; first < readings.length; first += 1_000) {
        const { status, text } = await patient.add(readings.slice(first, first + 1_000))
        assert.equal(status, 200, text)
      }
    },
    withdraw: async (timestamp: number) => {
      const [{ readingId } = assert.fail()] = (await patient.get({ from: timestamp, to: timestamp })).json
        .data
      const body = { patientUid, readingId, timestamp }
      assert.equal((await rounds.call('/casesheet/readings/withdraw', { token, body })).status, 200)
    },
  }
}

/** What stands at the path; of a list, where a number is expected, how long it is. */
function found(report: Report, path: string, expected: unknown): unknown {
  let value: unknown = report
  const parts = path.split('.')
  for (const part of parts) {
    value = Array.isArray(value)
      ? value.find(
          (entry: Report) =>
            String(entry['name'] ?? entry['minute'] ?? entry['date'] ?? entry['days']) === part,
        )
      : (value as Report)[part]
  }
  return Array.isArray(value) && typeof expected === 'number' ? value.length : value
}

/** Numbers to ten digits. */
function close(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'number' ? Number(part.toPrecision(10)) : part,
  )
}

test('a value stands no longer than until now, and what has not passed counts for no share', async () => {
  const { patientUid, add, report } = await newReportPatient(rounds)
  const now = Date.now()
  const [from, to] = [now - 600_000, now + 86_400_000]
  const added = await add({ patientUid, timestamp: now - 300_000, ...mg('', 100)[1] })
  assert.equal(added.status, 200, added.text)
  const { active } = (await report('glucose', { from, to })) as { active: { seconds: number; share: number } }
  assert.ok(active.seconds >= 300 && active.seconds < 360, `${active.seconds}`)
  assert.ok(active.share > 0.45 && active.share < 0.6, `${active.share}`)
})
