// Patients and staff who use Rounds while it is struck. Each patient sends readings one after the other, sends every one
// again until it is acknowledged, and looks now and then whether the last ones are there. All that was acknowledged is
// compared with what is stored at the end.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { requestToken } from '../../tools/dev/request-token.ts'
import type { Service } from './service.ts'

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

export async function startTraffic({ url, issuer }: Service) {
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
      if (response.status === 200) return JSON.parse(text) as { data: { number: number }[] }
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
    for (;;) {
      const began = performance.now()
      if (await call(patient.token, '/casesheet/readings/add', { body })) {
        const now = performance.now()
        seen.acknowledgedAt.push(now)
        seen.longestWaitMs = Math.max(seen.longestWaitMs, now - began)
        for (const number of numbers) {
          patient.uncertain.delete(number)
          patient.acknowledged.add(number)
        }
        return
      }
      if (stopping.signal.aborted) return
      await pause(100)
    }
  }

  /** The numbers of the readings from this one on, as a get answers them. */
  async function read(patient: Patient, from: number): Promise<number[] | undefined> {
    const requestId = randomUUID()
    const query = `patientUid=${patient.uid}&from=${timestampOf(from)}`
    const answer = await call(patient.token, `/casesheet/readings/get?${query}`, { requestId })
    if (answer) patient.gets.push(requestId)
    return answer?.data.map(({ number }) => number)
  }

  async function readAndCompare(patient: Patient, from: number, last: number) {
    const expected = Array.from({ length: last - from + 1 }, (_, index) => from + index).join()
    const found = await read(patient, from)
    if (found && found.join() !== expected) seen.wrongReads.push(`${expected} was read as ${found.join()}`)
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
    const patient = { uid, token, acknowledged: new Set<number>(), uncertain: new Set<number>(), gets: [] }
    seen.patients.push(patient)
    return patient
  }

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
  const working = Promise.all([keepReading(reader), ...senders.map(keepSending)])
  return {
    seen,
    read,
    /** Somebody new, with a token of now. */
    newPatient: () => newPatient(`late-${randomUUID().slice(0, 8)}`),
    add,
    async stop() {
      stopping.abort()
      await working
    },
  }
}

function readingOf(patientUid: string, number: number) {
  return { patientUid, readingType: 'faultDiary', number, timestamp: timestampOf(number) }
}

function timestampOf(number: number): number {
  return FIRST_TIMESTAMP + number * 1_000
}
