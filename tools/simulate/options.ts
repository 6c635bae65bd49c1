// The options of `rounds simulate` → what to simulate. Every bad one is named in one message.
import { ConfigError } from '../../src/config/config.ts'
import { DAY_MS, HOUR_MS } from './patient.ts'
import type { Days, Faults } from './syncs.ts'

export type Simulation = {
  url: string
  patients: number
  days: Days
  seed: number
  /** Readings a second; as fast as it goes where there is none. */
  rate: number | undefined
  /** `droppedShare`: of the answers to adds, those that are dropped. */
  faults: Faults & { droppedShare: number }
  /** Of the readings, those that are withdrawn once they are stored; every second one of them is restored. */
  withdrawnShare: number
  /** Whether a consumer of readings/changes builds a copy meanwhile. */
  isFollowed: boolean
}

type Options = {
  [name in
    | 'patients'
    | 'days'
    | 'from'
    | 'seed'
    | 'rate'
    | 'url'
    | 'duplicates'
    | 'late'
    | 'out-of-order'
    | 'drop-answers'
    | 'withdraw'
    | 'follow']?: string | boolean | undefined
}

const UNITS = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS }
const MAX_LATE_MS = 30 * DAY_MS

export function readSimulation(options: Options): Simulation {
  const mistakes: string[] = []
  function read<T>(
    name: keyof Options,
    fallback: string,
    wanted: string,
    parse: (text: string) => T | undefined,
  ) {
    const value = parse(String(options[name] ?? fallback))
    if (value === undefined) mistakes.push(`--${name} must be ${wanted}.`)
    return value
  }
  const wholeNumber = (name: keyof Options, fallback: number, min: number, max: number) =>
    read(name, String(fallback), `a whole number from ${min} to ${max}`, (text) => {
      const isGood = /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
      return isGood ? Number(text) : undefined
    }) ?? fallback
  const share = (name: keyof Options, maxPercent: number) =>
    read(name, '0%', `a percentage from 0% to ${maxPercent}%, such as 5%`, (text) => {
      const [, number] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? []
      return number !== undefined && Number(number) <= maxPercent ? Number(number) / 100 : undefined
    }) ?? 0

  const first = read('from', '2026-01-01', 'a date such as 2026-01-01, from 1973-03-04 on', readDay) ?? 0
  const dayCount = wholeNumber('days', 7, 1, 3_660)
  const simulation = {
    url: read('url', 'http://127.0.0.1:8080', 'an http:// or https:// address', readUrl) ?? '',
    patients: wholeNumber('patients', 10, 1, 1_000_000),
    days: { first, end: first + dayCount },
    seed: wholeNumber('seed', 1, 0, 4_294_967_295),
    rate: options.rate === undefined ? undefined : wholeNumber('rate', 1, 1, 1_000_000),
    faults: {
      duplicateShare: share('duplicates', 100),
      lateMs: read('late', '0s', 'a time from 0s to 30d, such as 90s, 30m, 2h or 1d', readDuration) ?? 0,
      isOutOfOrder: options['out-of-order'] === true,
      // Beyond that, hardly any request would come to an end.
      droppedShare: share('drop-answers', 50),
    },
    withdrawnShare: share('withdraw', 100),
    isFollowed: options.follow === true,
  }
  if (mistakes.length > 0) {
    const lines = mistakes.map((line) => `  ${line}`).join('\n')
    throw new ConfigError(`"rounds simulate" cannot run with these options:\n${lines}`)
  }
  return simulation
}

/** Days since 1970. Milliseconds before March 1973 would be read as seconds. */
function readDay(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
  return isReal && ms > 100_000_000_000 ? ms / DAY_MS : undefined
}

function readDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  const ms = Number(number) * UNITS[unit as keyof typeof UNITS]
  return ms <= MAX_LATE_MS ? ms : undefined
}

function readUrl(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}
