// Patients and staff who use Rounds while it is struck. Each patient sends readings one after the other, sends every one
// again until it is acknowledged, withdraws and restores some, and looks now and then whether the last ones are there. A service
// follows all changes meanwhile, another is called with them, and alert rules are evaluated. All that was acknowledged is compared with what is stored at the end.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredReading } from '../../clients/typescript/src/client.ts'
import { requestToken } from '../../tools/dev/request-token.ts'
import { Copy } from '../../tools/simulate/keep-copy.ts'
import { startAlerting } from './alerting.ts'
import type { State, Step } from './order.ts'
import { startPosts } from './posts.ts'
import type { Service } from './service.ts'
import { startSharing } from './sharing.ts'

const PATIENTS = 10
const LONG_HISTORY = 3_000
const FIRST_TIMESTAMP = 1_760_000_000_000
// Longer than the time a request may wait for the database.
const CALLER_TIMEOUT_MS = 60_000

/** How an answer fails whose status had come already. */
export const CUT = 'was cut off on its way'

export type Patient = {
  uid: string
  token: string
  /** Readings are numbered from 1; these were acknowledged. */
  acknowledged: Set<number>
  /** Sent, and the last answer was no Ok. */
  uncertain: Set<number>
  /** What was done to which readings, one after the other. */
  steps: Step[]
  /** Whether the last of them was acknowledged. */
  isSettled: boolean
  /** The changes of this patient as the service that follows them was given them. */
  followed: { number: number; state: State }[]
  /** The request ids of answered gets. */
  gets: string[]
}

export type Failure = { secondsIn: number; what: string }

/** What happened, as the callers saw it. */
export type Seen = {
  patients: Patient[]
  startedAt: number
  requests: number
  failures: Failure[]
  /** When each add was acknowledged, in milliseconds of performance.now(). */
  acknowledgedAt: number[]
  longestWaitMs: number
  /** Reads that lacked or doubled what had been acknowledged before they began. */
  wrongReads: string[]
}

export type Traffic = Awaited<ReturnType<typeof startTraffic>>

export async function startTraffic(service: Service) {
  const { url, issuer } = service
  const runId = randomUUID().slice(0, 8)
  const seen: Seen = {
    patients: [],
    startedAt: performance.now(),
    requests: 0,
    failures: [],
    acknowledgedAt: [],
    longestWaitMs: 0,
    wrongReads: [],
  }
  const stopping = new AbortController()

  /** One request; what is not answered 200 is a failure, and its answer undefined. */
  async function call(
    token: string,
    path: string,
    { body, requestId = randomUUID() }: { body?: object; requestId?: string } = {},
  ) {
    seen.requests++
    let hasBegun = false
    try {
      const response = await fetch(`${url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${token}`,
          'x-request-id': requestId,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(CALLER_TIMEOUT_MS),
      })
      hasBegun = response.ok
      const text = await response.text()
      if (response.status === 200) return JSON.parse(text) as { data: Stored[] }
      fail(`${path.split('?', 1)[0]} ${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const reason = cause instanceof Error ? cause.message : 'failed'
      fail(`${path.split('?', 1)[0]} ${hasBegun ? CUT : reason}`)
    }
    return undefined
  }
  const fail = (what: string) =>
    void seen.failures.push({ secondsIn: Math.round(performance.now() - seen.startedAt) / 1_000, what })

  async function add(patient: Patient, numbers: number[]) {
    const readings = numbers.map((number) => readingOf(patient.uid, number))
    const body = readings.length === 1 ? (readings[0] as object) : readings
    for (const number of numbers) if (!patient.acknowledged.has(number)) patient.uncertain.add(number)
    if (patient.uncertain.size > 0) patient.steps.push({ numbers: new Set(numbers), state: 'present' })
    const isDone = await repeat(patient, 'add', body)
    if (!isDone) return
    for (const number of numbers) {
      patient.uncertain.delete(number)
      patient.acknowledged.add(number)
    }
  }

  /** Sends it until it is acknowledged; false where that did not come to pass. */
  async function repeat(patient: Patient, verb: string, body: object): Promise<boolean> {
    for (;;) {
      const began = performance.now()
      if (await call(patient.token, `/casesheet/readings/${verb}`, { body })) {
        const now = performance.now()
        if (verb === 'add') seen.acknowledgedAt.push(now)
        seen.longestWaitMs = Math.max(seen.longestWaitMs, now - began)
        return true
      }
      if (stopping.signal.aborted) return false
      await pause(100)
    }
  }

  /** Withdraws one of the last readings, or restores it. */
  async function correct(patient: Patient, last: number) {
    const found = await stored(patient, Math.max(1, last - 20))
    const reading = found?.[Math.floor(Math.random() * found.length)]
    if (!reading) return
    const { readingId, timestamp, number } = reading
    const state = isWithdrawn(patient, number) ? 'present' : 'withdrawn'
    const named = { patientUid: patient.uid, readingId, timestamp }
    patient.steps.push({ numbers: new Set([number]), state })
    patient.isSettled = false
    patient.isSettled = await (state === 'present'
      ? repeat(patient, 'restore', named)
      : repeat(patient, 'withdraw', { ...named, reason: 'mistyped' }))
  }

  /** The readings from this one on, as a get answers them. */
  async function read(patient: Patient, from: number, more = ''): Promise<Stored[] | undefined> {
    const requestId = randomUUID()
    const query = `patientUid=${patient.uid}&from=${timestampOf(from)}${more}`
    const answer = await call(patient.token, `/casesheet/readings/get?${query}`, { requestId })
    if (answer) patient.gets.push(requestId)
    return answer?.data
  }
  const stored = (patient: Patient, from: number) => read(patient, from, '&withdrawn=include')

  async function readAndCompare(patient: Patient, from: number, last: number) {
    const numbers = Array.from({ length: last - from + 1 }, (_, index) => from + index)
    const expected = numbers.filter((number) => !isWithdrawn(patient, number)).join()
    const answered = await read(patient, from)
    const found = answered?.map(({ number }) => number).join()
    if (found !== undefined && found !== expected) seen.wrongReads.push(`${expected} was read as ${found}`)
  }

  async function keepSending(patient: Patient) {
    for (let last = 0; !stopping.signal.aborted; ) {
      const count = Math.random() < 0.2 ? 3 : 1
      await add(
        patient,
        Array.from({ length: count }, (_, index) => last + 1 + index),
      )
      if (patient.uncertain.size > 0) return
      last += count
      if (Math.random() < 0.1) await add(patient, [last])
      if (Math.random() < 0.2) await correct(patient, last)
      if (!patient.isSettled) return
      if (Math.random() < 0.3) await readAndCompare(patient, Math.max(1, last - 20), last)
      await pause(20 + Math.random() * 40)
    }
  }

  /** Everything else that callers do, among it long ranges that are streamed through the fault. */
  async function keepReading(patient: Patient) {
    const [day, now] = [86_400_000, Date.now()]
    const paths = [
      '/appointments/doctors/list?q=willow&limit=20',
      '/appointments/doctors/specialities/list',
      `/casesheet/readings/latest?patientUid=${patient.uid}`,
      `/casesheet/readings/statistics?patientUid=${patient.uid}&readingType=heartRate&from=${now - 30 * day}&to=${now}`,
      `/casesheet/readings/access-log?patientUid=${patient.uid}&limit=5`,
    ]
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      await call(patient.token, paths[turn % paths.length] as string)
      if (turn % 2) await readAndCompare(patient, 1, LONG_HISTORY)
      await pause(100)
    }
  }

  async function newPatient(uid: string): Promise<Patient> {
    const token = await requestToken(issuer.source, { patientUids: [uid] })
    const patient: Patient = {
      uid,
      token,
      acknowledged: new Set(),
      uncertain: new Set(),
      gets: [],
      steps: [],
      isSettled: true,
      followed: [],
    }
    seen.patients.push(patient)
    patients.set(uid, patient)
    return patient
  }
  const patients = new Map<string, Patient>()
  const copy = new Copy({
    url,
    requestToken: () => requestToken(issuer.source, { scopes: ['readings:changes'] }),
    isOurs: (uid) => patients.has(uid),
    onChange(change) {
      if (change.state === 'erased') return
      const { patientUid, number } = change.reading
      patients.get(patientUid)?.followed.push({ number: Number(number), state: change.state })
    },
    stopping: new AbortController().signal,
  })

  const posts = await startPosts(service)
  const reader = await newPatient(`reader-${runId}`)
  for (let first = 1; first <= LONG_HISTORY; first += 1_000) {
    await add(
      reader,
      Array.from({ length: 1_000 }, (_, index) => first + index),
    )
  }
  const senders = await Promise.all(
    Array.from({ length: PATIENTS }, (_, index) => newPatient(`patient-${runId}-${index}`)),
  )
  const sharing = await startSharing(service, stopping.signal)
  const alerting = await startAlerting(service, stopping.signal)
  const working = Promise.all([keepReading(reader), ...senders.map(keepSending)])
  return {
    seen,
    stored,
    copy,
    posts,
    sharing,
    alerting,
    /** Somebody new, with a token of now. */
    newPatient: () => newPatient(`late-${randomUUID().slice(0, 8)}`),
    add,
    async stop() {
      stopping.abort()
      await working
    },
  }
}

type Stored = StoredReading & { number: number }

/** Whether the last that was done to a reading withdrew it. */
export function isWithdrawn({ steps }: Patient, number: number): boolean {
  return steps.findLast(({ numbers }) => numbers.has(number))?.state === 'withdrawn'
}

function readingOf(patientUid: string, number: number) {
  return { patientUid, readingType: 'faultDiary', number, timestamp: timestampOf(number) }
}

function timestampOf(number: number): number {
  return FIRST_TIMESTAMP + number * 1_000
}
