// Each figure of the reports, in cases whose figures were worked out by hand. Each case is also held against the definitions in
// test/support/reports-by-hand.ts.
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

const mg = (at: string, value: number): Reading => [
  at,
  { readingType: 'interstitialGlucose', value, unit: 'mg/dL' },
]
const mmol = (at: string, value: number): Reading => [
  at,
  { readingType: 'interstitialGlucose', value, unit: 'mmol/L' },
]
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

const CASES: Record<string, Case> = {
  'a day of 23 hours in Berlin has no readings between two and three': {
    zone: 'Europe/Berlin',
    from: '2025-03-29T23:00Z',
    to: '2025-03-30T21:59:59.999Z',
    readings: [mg('2025-03-30T00:45Z', 100), mg('2025-03-30T01:00Z', 110), mg('2025-03-30T21:45Z', 120)],
    expected: {
      glucose: {
        days: 1,
        'profile.90.count': 1,
        'profile.120.count': 0,
        'profile.180.count': 1,
        'profile.1410.p50': 120,
        'active.seconds': 2_699.999,
      },
      'days-with-data': { days: 1, 'dates.2025-03-30.readings': 3 },
    },
  },
  'a day of 25 hours in Berlin has the half hour from half past two twice': {
    zone: 'Europe/Berlin',
    from: '2025-10-25T22:00Z',
    to: '2025-10-26T22:59:59.999Z',
    readings: [mg('2025-10-26T00:30Z', 80), mg('2025-10-26T01:30Z', 100), mg('2025-10-26T22:59Z', 90)],
    expected: {
      glucose: { days: 1, 'profile.150.count': 2, 'profile.150.p50': 90, 'profile.1410.count': 1 },
      'days-with-data': { days: 1, 'dates.2025-10-26.readings': 3 },
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
  'clocks put back by half an hour in Lord Howe repeat a half hour': {
    zone: 'Australia/Lord_Howe',
    from: '2025-04-05T13:00Z',
    to: '2025-04-06T13:29:59.999Z',
    readings: [mg('2025-04-05T14:45Z', 100), mg('2025-04-05T15:15Z', 120), mg('2025-04-05T15:30Z', 140)],
    expected: {
      glucose: { days: 1, 'profile.90.count': 2, 'profile.90.p25': 105, 'profile.120.count': 1 },
      'days-with-data': { 'dates.2025-04-06.readings': 3 },
    },
  },
  'clocks put forward by half an hour in Lord Howe leave one out': {
    zone: 'Australia/Lord_Howe',
    from: '2025-10-04T13:30Z',
    to: '2025-10-05T12:59:59.999Z',
    readings: [mg('2025-10-04T15:29Z', 100), mg('2025-10-04T15:30Z', 120)],
    expected: { glucose: { days: 1, 'profile.90.count': 1, 'profile.120.count': 0, 'profile.150.count': 1 } },
  },
  'a day in Kathmandu begins at a quarter past six in the evening of UTC': {
    zone: 'Asia/Kathmandu',
    from: '2025-06-01T00:00Z',
    to: '2025-06-02T00:00Z',
    readings: [mg('2025-06-01T18:14:59Z', 100), mg('2025-06-01T18:15Z', 120)],
    expected: {
      glucose: { days: 2, 'profile.1410.count': 1, 'profile.0.count': 1 },
      'days-with-data': { 'dates.2025-06-01.readings': 1, 'dates.2025-06-02.readings': 1 },
    },
  },
  'a midnight that is left out in Santiago begins its day at one': {
    zone: 'America/Santiago',
    from: '2025-09-06T04:00Z',
    to: '2025-09-08T02:59:59.999Z',
    readings: [mg('2025-09-07T03:59Z', 100), mg('2025-09-07T04:00Z', 120)],
    expected: {
      glucose: { days: 2, 'profile.1410.count': 1, 'profile.0.count': 0, 'profile.60.count': 1 },
      'days-with-data': { 'dates.2025-09-06.readings': 1, 'dates.2025-09-07.readings': 1 },
    },
  },
  'an hour before midnight that comes twice in Santiago is of one day': {
    zone: 'America/Santiago',
    from: '2025-04-05T03:00Z',
    to: '2025-04-07T03:59:59.999Z',
    readings: [mg('2025-04-06T02:30Z', 100), mg('2025-04-06T03:30Z', 120), mg('2025-04-06T04:00Z', 140)],
    expected: {
      glucose: { days: 2, 'profile.1410.count': 2, 'profile.0.count': 1 },
      'days-with-data': { 'dates.2025-04-05.readings': 2, 'dates.2025-04-06.readings': 1 },
    },
  },
  'a midnight that is left out in Cairo': {
    zone: 'Africa/Cairo',
    from: '2025-04-23T22:00Z',
    to: '2025-04-25T20:59:59.999Z',
    readings: [mg('2025-04-24T21:59Z', 100), mg('2025-04-24T22:00Z', 120)],
    expected: {
      glucose: { days: 2, 'profile.60.count': 1 },
      'days-with-data': { 'dates.2025-04-24.readings': 1, 'dates.2025-04-25.readings': 1 },
    },
  },
  'a day that Samoa left out is no day': {
    zone: 'Pacific/Apia',
    from: '2011-12-29T10:00Z',
    to: '2011-12-31T09:59:59.999Z',
    readings: [pressure('2011-12-30T09:59Z', 130, 80), pressure('2011-12-30T10:00Z', 120, 70)],
    expected: {
      'days-with-data': { days: 2, 'dates.2011-12-29.readings': 1, 'dates.2011-12-31.readings': 1, dates: 2 },
    },
  },
  'clocks put back just after midnight in Newfoundland show the day before again': {
    zone: 'America/St_Johns',
    from: '2006-10-28T02:30Z',
    to: '2006-10-30T03:29:59.999Z',
    readings: [mg('2006-10-29T02:30:30Z', 100), mg('2006-10-29T02:31Z', 120), mg('2006-10-29T03:31Z', 110)],
    expected: {
      glucose: { days: 2, 'profile.0.count': 2, 'profile.1380.count': 1 },
      'days-with-data': { 'dates.2006-10-28.readings': 1, 'dates.2006-10-29.readings': 2 },
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
        'bands.high.seconds': 1_800,
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
        'bands.veryLow.readings': 1,
        'bands.low.readings': 2,
        'bands.target.readings': 2,
        'bands.high.readings': 2,
        'bands.veryHigh.readings': 1,
        'bands.veryLow.to': 3,
        'bands.target.from': 3.9,
        'bands.target.to': 10,
        'bands.veryHigh.from': 13.9,
      },
    },
  },
  'values of both units have one mean, and each is judged in its own': {
    ...DAY,
    unit: 'mmol/L',
    readings: [
      mmol('2025-06-01T08:00Z', 10),
      mg('2025-06-01T08:05Z', 180),
      mg('2025-06-01T08:10Z', 5 * MG_PER_MMOL),
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
    readings: [100, 120, 140].map((value, nth) => mg(`2025-06-01T08:${nth}5Z`, value)),
    expected: { glucose: { mean: 120, standardDeviation: 20, coefficientOfVariation: 1 / 6, gmi: null } },
  },
  'one value has no deviation': {
    ...DAY,
    readings: [mg('2025-06-01T08:00Z', 100)],
    expected: {
      glucose: { mean: 100, standardDeviation: null, coefficientOfVariation: null, 'profile.480.p5': 100 },
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
  'percentiles are interpolated between values': {
    ...DAY,
    unit: 'mmol/L',
    readings: [5, 3, 1, 2, 4].map((value, nth) => mmol(`2025-06-01T08:0${nth}Z`, value)),
    expected: {
      glucose: {
        'profile.480': { minute: 480, count: 5, p5: 1.2, p25: 2, p50: 3, p75: 4, p95: 4.8 },
        'lowest.measuredAt': '2025-06-01T08:02:00.000Z',
        'highest.measuredAt': '2025-06-01T08:00:00.000Z',
      },
    },
  },
  'a value stands until the next one, for 15 minutes, or until the range ends': {
    ...DAY,
    to: '2025-06-01T08:41:40Z',
    readings: [mg('2025-06-01T08:00Z', 60), mg('2025-06-01T08:05Z', 100), mg('2025-06-01T08:40Z', 200)],
    targets: glucoseTarget({ low: 70, high: 180 }),
    expected: {
      glucose: {
        'active.seconds': 300 + 900 + 100,
        'bands.low.seconds': 300,
        'bands.target.seconds': 900,
        'bands.high.seconds': 100,
        bandsFrom: 'target',
      },
      'time-in-target?readingType=interstitialGlucose': {
        judged: 3,
        inTarget: 1,
        seconds: { judged: 1_300, inTarget: 900 },
        'fields.value.readings': { below: 1, in: 1, above: 1 },
        'fields.value.seconds': { below: 300, in: 900, above: 100 },
      },
    },
  },
  'what is withdrawn is left out, and its time is that of the reading before': {
    ...DAY,
    readings: [mg('2025-06-01T08:00Z', 100), mg('2025-06-01T08:05Z', 400), mg('2025-06-01T08:10Z', 120)],
    withdrawn: [1],
    expected: {
      glucose: { readings: 2, mean: 110, 'highest.value': 120, 'active.seconds': 600 + 900 },
      'days-with-data': { 'dates.2025-06-01.readings': 2 },
    },
  },
  'readings that arrive late, and twice at one time, count by when they were measured': {
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
        'active.seconds': 600 + 900,
        'bands.low.seconds': 300,
        'bands.low.readings': 2,
      },
    },
  },
  'fourteen days with a value every quarter of an hour have a GMI': {
    zone: 'Europe/Berlin',
    from: '2025-10-13T22:00Z',
    to: '2025-10-27T22:59:59.999Z',
    readings: every(15, 1_348, '2025-10-13T22:00Z', (at) => mg(at, 154)),
    expected: {
      // 14 days of which one has 25 hours.
      glucose: {
        days: 14,
        isEnough: true,
        gmi: 3.31 + 0.02392 * 154,
        coefficientOfVariation: 0,
        'active.seconds': 1_213_199.999,
      },
    },
  },
  'fourteen days of which less than 70 % have values have none': {
    zone: 'UTC',
    from: '2025-06-01T00:00Z',
    to: '2025-06-14T23:59:59.999Z',
    readings: every(15, 940, '2025-06-01T00:00Z', (at) => mg(at, 154)),
    expected: { glucose: { days: 14, isEnough: false, gmi: null, mean: 154, 'active.seconds': 846_000 } },
  },
  'seventy per cent of fourteen days are enough': {
    zone: 'UTC',
    from: '2025-06-01T00:00Z',
    to: '2025-06-14T23:59:59.999Z',
    readings: every(15, 941, '2025-06-01T00:00Z', (at) => mmol(at, 8)),
    expected: { glucose: { isEnough: true, gmi: 3.31 + 0.02392 * 8 * MG_PER_MMOL } },
  },
  'thirteen full days are not': {
    zone: 'UTC',
    from: '2025-06-01T00:00Z',
    to: '2025-06-13T23:59:59.999Z',
    readings: every(15, 13 * 96, '2025-06-01T00:00Z', (at) => mg(at, 154)),
    expected: { glucose: { days: 13, isEnough: false, gmi: null } },
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
    ],
    expected: {
      'days-with-data': { days: 29, daysWithData: 3, daysWithDeviceData: 1 },
      'days-with-data?readingType=bloodPressure': {
        daysWithData: 2,
        'dates.2025-11-02': { date: '2025-11-02', readings: 2, fromDevices: 0 },
      },
    },
  },
}

for (const [name, one] of Object.entries(CASES)) {
  test(name, async () => {
    const { patientUid, addAll, report, setTargets, assertByHand, withdraw } = await patientOf()
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
    await assertByHand(range, { unit, targets })
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
