// The plain evaluation that other tests compare with, on cases that were worked out by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  alertsOf,
  DAY,
  HOUR,
  isAcknowledged,
  MINUTE,
  type Outage,
  type Reading,
  type Span,
  type Terms,
} from './alerts-model.ts'

const START = Date.parse('2026-03-02T00:00:00Z') * 1_000

/** Such as 10:05, on the first day, or 2d10:05, two days later. */
function at(text: string): number {
  const [, days = 0, hours = 0, minutes = 0] = /^(?:(\d+)d)?(\d+):(\d+)$/.exec(text) ?? []
  return START + Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE
}

function clockOf(time: number): string {
  const day = Math.floor((time - START) / DAY)
  return `${day > 0 ? `${day}d` : ''}${new Date(time / 1_000).toISOString().slice(11, 16)}`
}

/** Such as `open 10:00` and `resolved 10:00-10:10 late`. */
const wordsOf = ({ condition, since, until, isLate }: Span) =>
  `${condition} ${clockOf(since)}${until === null ? '' : `-${clockOf(until)}`}${isLate ? ' late' : ''}`

type Given = { receivedAt?: string; unit?: string; isWithdrawn?: boolean; value?: unknown }
type Case = {
  name: string
  rule: Partial<Terms>
  setAt?: string
  now?: string
  /** Times and values: `10:00 131, 10:05 125`. They were received when they were measured. */
  readings: string
  /** What is different, by the number of the reading. */
  but?: Record<number, Given>
  outages?: [string, string][]
  alerts: string[]
  openedAt?: string[]
  /** The numbers of the readings by which each alert opened. */
  by?: number[][]
}

const ABOVE_130: Partial<Terms> = { threshold: { above: 130 }, clear: { atMost: 130, count: 1 } }
const TWO_OF_THREE: Partial<Terms> = {
  sustained: { above: 130, count: 2, of: 3 },
  clear: { atMost: 130, count: 2 },
}
const FOR_AN_HOUR: Partial<Terms> = {
  sustained: { above: 130, for: 'PT1H' },
  clear: { atMost: 130, count: 2 },
}
const GLUCOSE: Partial<Terms> = { readingType: 'bloodGlucose', unit: 'mg/dL' }
const WEIGHT: Partial<Terms> = { readingType: 'bodyWeight', unit: 'kg', clear: { count: 1 } }
const TWO_HOURS: Partial<Terms> = { missing: { for: 'PT2H' } }

/** A reading beyond each ten minutes from midnight on, and a clear one five minutes after each. */
const sawOf = (alerts: number, more = '') =>
  Array.from({ length: alerts }, (_, nth) => {
    const [hour, minute] = [Math.floor(nth / 6), (nth % 6) * 10]
    return `${hour}:${minute} 131, ${hour}:${minute + 5} 120`
  }).join(', ') + more

const CASES: Case[] = [
  { name: 'a value at the bound is not beyond it', rule: ABOVE_130, readings: '10:00 130', alerts: [] },
  {
    name: 'a threshold opens at the first reading beyond it and resolves at the first that is not',
    rule: ABOVE_130,
    readings: '10:00 120, 10:05 131, 10:10 140, 10:15 130, 10:20 129',
    alerts: ['resolved 10:05-10:15'],
    by: [[1]],
  },
  {
    name: 'below, with its own bound',
    rule: { threshold: { below: 50 }, clear: { atLeast: 50, count: 1 } },
    readings: '10:00 50, 10:05 49, 10:10 50',
    alerts: ['resolved 10:05-10:10'],
  },
  {
    name: 'hysteresis: between the bounds it stays open, and clear readings count in a row',
    rule: { threshold: { above: 130 }, clear: { below: 120, count: 2 } },
    readings: '10:00 131, 10:05 125, 10:10 119, 10:15 120, 10:20 119, 10:25 118',
    alerts: ['resolved 10:00-10:25'],
  },
  {
    name: 'without another reading it stays open, however long that is',
    rule: ABOVE_130,
    readings: '10:00 131',
    now: '9d10:00',
    alerts: ['open 10:00'],
  },
  {
    name: 'a reading that is withdrawn, has no number, or is of more than a day before the rule is not looked at',
    rule: ABOVE_130,
    setAt: '1d10:00',
    readings: '9:59 131, 10:00 132, 10:05 133, 10:10 134',
    but: { 1: { isWithdrawn: true }, 2: { value: 'high' } },
    alerts: ['open 10:10'],
  },
  {
    name: 'of one instant, the reading with the greater id is the later one',
    rule: ABOVE_130,
    readings: '10:00 131, 10:00 120, 10:05 120, 10:05 131',
    alerts: ['resolved 10:00-10:00', 'open 10:05'],
  },
  {
    name: 'a reading is not from the future: its time is when it was received',
    rule: ABOVE_130,
    readings: '10:00 131, 1d9:00 120, 10:20 132',
    but: { 1: { receivedAt: '10:10' } },
    alerts: ['resolved 10:00-10:10', 'open 10:20'],
  },
  {
    name: 'ahead by a day it is looked at, by more it is not, also for missing',
    rule: ABOVE_130,
    readings: '1d10:00 131, 1d10:11 120',
    but: { 0: { receivedAt: '10:00' }, 1: { receivedAt: '10:10' } },
    alerts: ['open 10:00'],
  },
  {
    name: 'missing: ahead by more than a day is not looked at',
    rule: TWO_HOURS,
    readings: '1d2:00 72',
    but: { 0: { receivedAt: '1:00' } },
    now: '3:00',
    alerts: ['open 02:00'],
  },
  {
    name: 'units: 10.0 mmol/L is 180 mg/dL, as people are shown it',
    rule: { ...GLUCOSE, threshold: { above: 180 }, clear: { atMost: 180, count: 1 } },
    readings: '10:00 10, 10:05 10.1, 10:10 10',
    but: { 0: { unit: 'mmol/L' }, 1: { unit: 'mmol/L' }, 2: { unit: 'mmol/L' } },
    alerts: ['resolved 10:05-10:10'],
  },
  {
    name: 'units: 181 mg/dL is 10.0 mmol/L, 182 mg/dL is 10.1',
    rule: { ...GLUCOSE, unit: 'mmol/L', threshold: { above: 10 }, clear: { atMost: 10, count: 1 } },
    readings: '10:00 181, 10:05 182',
    but: { 0: { unit: 'mg/dL' }, 1: { unit: 'mg/dL' } },
    alerts: ['open 10:05'],
  },
  {
    name: 'units: without one the first of the type is meant, and another is no number',
    rule: { ...GLUCOSE, threshold: { above: 180 }, clear: { atMost: 180, count: 1 } },
    readings: '10:00 200, 10:05 11',
    but: { 0: { unit: 'furlong' } },
    alerts: ['open 10:05'],
  },
  {
    name: 'two of three: it holds at a reading beyond, and not at the one between',
    rule: TWO_OF_THREE,
    readings: '10:00 131, 10:05 120, 10:10 132, 10:15 120, 10:20 119',
    alerts: ['resolved 10:10-10:20'],
    by: [[0, 2]],
  },
  {
    name: 'two of three: the first of four is forgotten; what begins is pending since the first that counts',
    rule: TWO_OF_THREE,
    readings: '10:00 131, 10:05 120, 10:10 120, 10:15 131',
    alerts: ['pending 10:15'],
    by: [[3]],
  },
  {
    name: 'what is pending vanishes with the next reading that is not beyond',
    rule: TWO_OF_THREE,
    readings: '10:00 131, 10:05 120',
    alerts: [],
  },
  {
    name: 'two of three: readings before the end of an alert count for the next one',
    rule: { ...TWO_OF_THREE, clear: { atMost: 130, count: 1 } },
    readings: '10:00 131, 10:05 132, 10:10 120, 10:15 133',
    alerts: ['resolved 10:05-10:10', 'open 10:15'],
    by: [
      [0, 1],
      [1, 3],
    ],
  },
  {
    name: 'three of four: pending since the first beyond of the last four',
    rule: { sustained: { above: 130, count: 3, of: 4 }, clear: { atMost: 130, count: 3 } },
    readings: '10:00 131, 10:05 120, 10:10 120, 10:15 131, 10:20 120, 10:25 132',
    alerts: ['pending 10:15'],
    by: [[3, 5]],
  },
  {
    name: 'for an hour: it holds after an hour of readings that are all beyond',
    rule: FOR_AN_HOUR,
    readings: '10:00 131, 10:30 132, 11:00 133, 11:10 120, 11:20 120',
    alerts: ['resolved 11:00-11:20'],
    by: [[0, 1, 2]],
  },
  {
    name: 'for an hour: a minute less does not do',
    rule: FOR_AN_HOUR,
    readings: '10:00 131, 10:59 132',
    alerts: ['pending 10:00'],
    by: [[0, 1]],
  },
  {
    name: 'for an hour: two readings do, two hours apart at most',
    rule: FOR_AN_HOUR,
    readings: '10:00 131, 12:00 132',
    alerts: ['open 12:00'],
    by: [[0, 1]],
  },
  {
    name: 'for an hour: two readings that are farther apart prove nothing',
    rule: FOR_AN_HOUR,
    readings: '10:00 131, 12:01 132',
    alerts: ['pending 12:01'],
  },
  {
    name: 'for an hour: the run is proved by its newest reading that is old enough',
    rule: FOR_AN_HOUR,
    readings: '8:00 131, 10:01 132, 10:10 133, 11:05 134',
    alerts: ['open 11:05'],
    by: [[1, 2, 3]],
  },
  {
    name: 'for an hour: one reading that is not beyond ends the run',
    rule: FOR_AN_HOUR,
    readings: '10:00 131, 10:30 130, 11:00 132, 11:59 133',
    alerts: ['pending 11:00'],
  },
  {
    name: 'change up: so much above the lowest of the window, as decimals',
    rule: { ...WEIGHT, change: { by: 2, within: 'P3D' } },
    readings: '8:00 63, 1d8:00 62.1, 2d8:00 64, 3d8:00 64.1, 4d8:00 64.1, 5d8:00 64',
    alerts: ['resolved 3d08:00-5d08:00'],
    by: [[1, 3]],
    now: '6d0:00',
  },
  {
    name: 'change up: the window ends, and begins with a reading that is exactly so old',
    rule: { ...WEIGHT, change: { by: 2, within: 'PT2H' } },
    readings: '8:00 60, 10:00 62, 10:01 62',
    alerts: ['resolved 10:00-10:01'],
  },
  {
    name: 'change down: so much below the highest of the window; a fall is no rise',
    rule: { ...WEIGHT, change: { by: -2, within: 'P1D' } },
    readings: '8:00 62, 9:00 65, 10:00 63.1, 11:00 63, 12:00 64',
    alerts: ['resolved 11:00-12:00'],
    by: [[1, 3]],
  },
  {
    name: 'missing: from the last reading on, until the next one, with or without a number',
    rule: TWO_HOURS,
    readings: '1:00 72, 3:00 72, 5:30 72, 6:00 72',
    but: { 2: { value: null } },
    now: '8:00',
    alerts: ['resolved 05:00-05:30'],
  },
  {
    name: 'missing: from when the rule was set, where there is no reading',
    rule: TWO_HOURS,
    setAt: '1:00',
    readings: '0:59 72',
    now: '3:01',
    alerts: ['open 03:00'],
    openedAt: ['3:00'],
  },
  {
    name: 'missing: the time of an outage does not count, and devices get half an hour',
    rule: TWO_HOURS,
    readings: '1:00 72',
    outages: [
      ['0:10', '0:20'],
      ['2:00', '2:30'],
      ['3:20', '3:50'],
      ['4:10', '4:20'],
    ],
    now: '6:00',
    // 1:00 to 2:00, 2:30 to 3:20, 3:50 to 4:00, and half an hour.
    alerts: ['open 04:30'],
  },
  {
    name: 'missing: an outage that began before the reading counts from the reading on',
    rule: TWO_HOURS,
    readings: '1:00 72',
    outages: [['0:30', '1:10']],
    now: '6:00',
    alerts: ['open 03:40'],
  },
  {
    name: 'missing: an outage after the deadline changes nothing',
    rule: TWO_HOURS,
    readings: '1:00 72',
    outages: [['3:00', '3:40']],
    now: '6:00',
    alerts: ['open 03:00'],
  },
  {
    name: 'every alert of a day resolves at the next clear reading, however many there are',
    rule: ABOVE_130,
    readings: sawOf(22, ', 1d0:05 131'),
    alerts: [
      ...Array.from({ length: 22 }, (_, nth) => {
        const [from, to] = [START + nth * 10 * MINUTE, START + (nth * 10 + 5) * MINUTE]
        return `resolved ${clockOf(from)}-${clockOf(to)}`
      }),
      'open 1d00:05',
    ],
    now: '2d0:00',
  },
  {
    name: 'late by more than maxAge it is late; by as much it is not',
    rule: { ...ABOVE_130, maxAge: 'PT2H' },
    readings: '8:00 131, 8:05 120, 9:00 131',
    but: { 0: { receivedAt: '10:01' }, 1: { receivedAt: '10:01' }, 2: { receivedAt: '11:00' } },
    now: '11:00',
    alerts: ['resolved 08:00-08:05 late', 'open 09:00'],
    openedAt: ['10:01', '11:00'],
  },
  {
    name: 'what was late is so no more with a reading beyond that was received in time',
    rule: { ...ABOVE_130, maxAge: 'PT2H' },
    readings: '8:00 131, 10:30 132',
    but: { 0: { receivedAt: '10:01' } },
    alerts: ['open 08:00'],
  },
  {
    name: 'it could be known when the last of its readings was received',
    rule: TWO_OF_THREE,
    readings: '10:00 131, 10:05 120, 10:10 132',
    but: { 0: { receivedAt: '10:40' } },
    alerts: ['open 10:10'],
    openedAt: ['10:40'],
  },
]

function evaluated({ rule, setAt = '0:00', now = '1d0:00', readings, but = {}, outages = [] }: Case) {
  const terms: Terms = {
    readingType: 'heartRate',
    field: 'value',
    unit: '/min',
    severity: 'warning',
    maxAge: 'P1D',
    ...rule,
  }
  const given = readings.split(', ').map((text, nth): Reading => {
    const [time = '', value] = text.split(' ')
    const { receivedAt = time, isWithdrawn = false, ...other } = but[nth] ?? {}
    return {
      readingId: String(nth).padStart(4, '0'),
      measuredAt: at(time),
      receivedAt: at(receivedAt),
      details: { value: Number(value), ...other },
      isWithdrawn,
    }
  })
  const during = outages.map(([began, ended]): Outage => ({ beganAt: at(began), endedAt: at(ended) }))
  return alertsOf({ terms, setAt: at(setAt) }, given, { now: at(now), outages: during })
}

test('the plain evaluation gives what was worked out by hand', async (t) => {
  for (const one of CASES)
    await t.test(one.name, () => {
      const spans = evaluated(one)
      assert.deepEqual(spans.map(wordsOf), one.alerts)
      if (one.by)
        assert.deepEqual(
          spans.map(({ readings }) => readings.map(Number)),
          one.by,
        )
      if (one.openedAt)
        assert.deepEqual(
          spans.map(({ openedAt }) => openedAt),
          one.openedAt.map(at),
        )
    })
})

test('an acknowledgement is one of the alert in which its point lies', () => {
  const [first] = evaluated({ name: '', rule: ABOVE_130, readings: '10:00 131, 10:10 120', alerts: [] })
  assert.ok(first)
  const points = ['9:59', '10:00', '10:10', '10:11']
  assert.deepEqual(
    points.map((point) => isAcknowledged(first, [at(point)])),
    [false, true, true, false],
  )
  assert.equal(isAcknowledged({ ...first, until: null }, [at('2d0:00')]), true)
})
