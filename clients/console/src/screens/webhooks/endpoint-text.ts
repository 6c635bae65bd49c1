// Endpoints and attempts in words: what state one is in, what it gets, and what became of a message.
import type { Attempt, Endpoint } from '../../../../typescript/src/client.ts'
import { listText } from '../../format/list-text.ts'
import { countText } from '../../format/numbers.ts'
import { sinceText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../format/zone-calendar.ts'

const MAX_TYPES_NAMED = 4

const MAX_ADDRESS = 60
/** Two addresses of one host differ most often at their end. */
const MAX_END = 24

/** An address in its parts: the scheme only where messages are not encrypted, the host, and what follows it. */
export function partsOf(url: string): { scheme: string; host: string; rest: string } {
  if (!URL.canParse(url)) return { scheme: '', host: url, rest: '' }
  const { protocol, host, pathname, search } = new URL(url)
  const scheme = protocol === 'http:' ? 'http://' : ''
  return { scheme, host, rest: pathname === '/' ? search : `${pathname}${search}` }
}

/** What an endpoint is called: "copy.example/rounds". A long one is shortened in its middle. */
export function addressText(url: string): string {
  const { scheme, host, rest } = partsOf(url)
  const text = `${scheme}${host}${rest}`
  return text.length <= MAX_ADDRESS
    ? text
    : `${text.slice(0, MAX_ADDRESS - MAX_END - 1)}…${text.slice(-MAX_END)}`
}

export type StateText = { mark: 'good' | 'late' | 'failing' | 'paused'; word: string; rest: string }
type State = Pick<
  Endpoint,
  'state' | 'pausedBecause' | 'behindSince' | 'failures' | 'failingSince' | 'nextAttemptAt'
>

/** Such as "Failing: 7 attempts in a row since 14:02, next at 14:32." A lag of less than a minute is none. */
export function stateText(endpoint: State, now: number, zone: string): StateText {
  const { state, pausedBecause, behindSince, failures, failingSince, nextAttemptAt } = endpoint
  const at = (time: string) => sinceText(time, now, zone)
  if (state === 'paused')
    return {
      mark: 'paused',
      word: 'Paused',
      rest:
        pausedBecause === 'gone'
          ? ' because the receiver said that it is gone. Changes wait.'
          : ' by a person. Changes wait.',
    }
  if (failures > 0) {
    const since = failingSince ? ` since ${at(failingSince)}` : ''
    const isDue = !nextAttemptAt || Date.parse(nextAttemptAt) <= now
    const next = isDue ? 'next at any moment' : `next at ${at(nextAttemptAt)}`
    const row = failures > 1 ? ' in a row' : ''
    return {
      mark: 'failing',
      word: 'Failing',
      rest: `: ${countText(failures, 'attempt')}${row}${since}, ${next}.`,
    }
  }
  const lagMs = behindSince ? now - Date.parse(behindSince) : 0
  if (behindSince && lagMs >= MINUTE_MS)
    return { mark: 'late', word: `${lagText(lagMs)} behind`, rest: `, since ${at(behindSince)}.` }
  return { mark: 'good', word: 'Up to date', rest: '. Nothing waits longer than a minute.' }
}

function lagText(ms: number): string {
  if (ms < 2 * HOUR_MS) return countText(Math.floor(ms / MINUTE_MS), 'minute')
  if (ms < 2 * DAY_MS) return countText(Math.floor(ms / HOUR_MS), 'hour')
  return countText(Math.floor(ms / DAY_MS), 'day')
}

export type EventType = Endpoint['events'][number]
type Wanted = { events: readonly EventType[]; readingTypes: readonly string[] | undefined }

/** Such as "heart rate, erased patients and what patients share". */
export function eventsText({ events, readingTypes }: Wanted): string {
  const readings = !readingTypes
    ? 'all readings'
    : readingTypes.length > MAX_TYPES_NAMED
      ? `${readingTypes.length} kinds of readings`
      : listText(readingTypes.map(nameWithin))
  const words: Record<EventType, string> = {
    'readings.changed': readings,
    'patient.erased': 'erased patients',
    'grant.changed': 'what patients share',
    'alert.opened': 'alerts',
    'alert.reopened': 'alerts',
    'alert.acknowledged': 'alerts',
    'alert.resolved': 'alerts',
    'alert.retracted': 'alerts',
  }
  return listText([...new Set(events.map((event) => words[event]))])
}

export function patientsText(patientUids: readonly string[] | null | undefined): string {
  if (!patientUids) return 'all patients'
  return patientUids.length === 0 ? 'no patient any more' : countText(patientUids.length, 'patient')
}

const STATUS_HINTS: Readonly<Record<number, string>> = {
  400: 'it did not understand the message',
  401: 'it did not accept the signature',
  403: 'it did not allow the message',
  404: 'nothing is at this address',
  405: 'it takes no POST requests',
  410: 'it is gone',
  413: 'the message was too large for it',
  429: 'it got too many messages',
}

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'No answer within 15 seconds',
  refused: 'The connection was refused',
  dns: 'The name of the host was not found',
  tls: 'No secure connection: check the certificate',
  address: 'The address is private, and this server may not call it',
  closed: 'The connection was closed before an answer',
  key: 'WEBHOOK_KEY of this server does not open its secret. Rotate the secret',
}

type Outcome = {
  status?: number | null | undefined
  error?: string | null | undefined
  skipped?: Attempt['skipped']
}

/** What became of a message: "Delivered (204)", "The receiver answered 500: an error of its own". */
export function outcomeText({ status, error, skipped }: Outcome): string {
  if (skipped) return `Skipped by ${skipped.by}`
  if (!error) return status ? `Delivered (${status})` : 'Delivered'
  if (error === 'redirect') return `Redirected${status ? ` (${status})` : ''}: redirects are not followed`
  if (status) {
    const hint = STATUS_HINTS[status] ?? (status >= 500 ? 'an error of its own' : undefined)
    return `The receiver answered ${status}${hint === undefined ? '' : `: ${hint}`}`
  }
  return ERRORS[error] ?? `Not delivered: ${error}`
}

const MESSAGES: Readonly<Record<string, string>> = {
  'readings.changed': 'readings',
  'patient.erased': 'erased patients',
  'grant.changed': 'what patients share',
  'alert.opened': 'alerts that opened',
  'alert.reopened': 'alerts that hold again',
  'alert.acknowledged': 'alerts that were acknowledged',
  'alert.resolved': 'alerts that are over',
  'alert.retracted': 'alerts that were retracted',
  'feed.reset': 'that everything follows anew',
  'endpoint.test': 'test',
}

/** What messages of a type are about. */
export const messageText = (event: string) => MESSAGES[event] ?? event

/** "84 ms", "2.4 s". */
export const tookText = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`)
