// Patients with an alert rule who send, withdraw and restore readings while Rounds is struck. At the end the alerts must be those that
// the stored readings give from nothing, and each must have been announced once, its events in order.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { requestToken } from '../../tools/dev/request-token.ts'
import {
  alertsOf,
  differenceOf,
  isSaidInOrder,
  readingsOf,
  setThreshold,
} from '../support/threshold-alerts.ts'
import { until } from '../support/until.ts'
import type { Service } from './service.ts'

const PATIENTS = 8
const CALLER_TIMEOUT_MS = 60_000
/** How long an evaluation may be late: another process takes over, and statements are repeated. */
const MAX_DELAY_MS = 30_000
/** Readings of the last 24 hours are not late, so that their alerts are announced. */
const [HOURS_BACK, STEP_MS] = [22, 10_000]

export type Alerting = Awaited<ReturnType<typeof startAlerting>>

type Patient = { uid: string; token: string; acknowledged: Set<number> }

export async function startAlerting({ url, issuer, ownerUrl }: Service, stopping: AbortSignal) {
  const runId = randomUUID().slice(0, 8)
  const startMs = Date.now() - HOURS_BACK * 3_600_000
  const patients = await Promise.all(
    Array.from({ length: PATIENTS }, async (_, number): Promise<Patient> => {
      const uid = `alerting-${runId}-${number}`
      await setThreshold(ownerUrl, uid, 2)
      return {
        uid,
        token: await requestToken(issuer.source, { patientUids: [uid] }),
        acknowledged: new Set(),
      }
    }),
  )

  /** Sent until it is acknowledged; false where that did not come to pass. */
  async function post({ token }: Patient, verb: string, body: object): Promise<boolean> {
    while (!stopping.aborted) {
      const status = await fetch(`${url}/casesheet/readings/${verb}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(CALLER_TIMEOUT_MS),
      }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      if (status === 200) return true
      await pause(50)
    }
    return false
  }

  /** Heart rates that go up and down; one of eight is measured before those that were sent. */
  async function keepSending(patient: Patient) {
    const isOver = () => stopping.aborted
    for (let step = 2, isHigh = false; !isOver() && startMs + step * STEP_MS < Date.now(); step++) {
      if (Math.random() < 0.45) isHigh = !isHigh
      const timestamp = startMs + (Math.random() < 0.12 ? step - 2.5 : step) * STEP_MS
      const value = Math.random() < 0.1 ? 125 : isHigh ? 140 : 80
      const isSent = await post(patient, 'add', {
        patientUid: patient.uid,
        readingType: 'heartRate',
        value,
        timestamp,
      })
      if (isSent) patient.acknowledged.add(timestamp)
      if (Math.random() < 0.15) await correct(patient)
      await pause(20 + Math.random() * 40)
    }
  }

  /** Withdraws one of the last readings, or restores it. */
  async function correct(patient: Patient) {
    const readings = await readingsOf(ownerUrl, patient.uid).catch(() => [])
    const last = readings.slice(-12)
    const reading = last[Math.floor(Math.random() * last.length)]
    if (!reading) return
    const named = {
      patientUid: patient.uid,
      readingId: reading.reading_id,
      timestamp: Number(reading.sent_timestamp),
    }
    await (reading.is_withdrawn
      ? post(patient, 'restore', named)
      : post(patient, 'withdraw', { ...named, reason: 'mistyped' }))
  }

  const working = Promise.all(patients.map(keepSending))
  return {
    /** To be called when the cluster is whole again. */
    async findOut() {
      await working
      const found = { alerts: 0, alertsWrong: 0, alertEventsWrong: 0 }
      for (const { uid, acknowledged } of patients) {
        let wrong = ''
        const isRight = async () => (wrong = await differenceOf(ownerUrl, uid)) === ''
        // What is wrong then is counted.
        await until(isRight, MAX_DELAY_MS, { everyMs: 200 }).catch(() => {})
        if (wrong) found.alertsWrong++
        const stored = new Set((await readingsOf(ownerUrl, uid)).map((one) => Number(one.sent_timestamp)))
        if ([...acknowledged].some((timestamp) => !stored.has(timestamp))) found.alertsWrong++
        const alerts = await alertsOf(ownerUrl, uid)
        found.alerts += alerts.length
        for (const alert of alerts) if (!(await isSaidInOrder(ownerUrl, uid, alert))) found.alertEventsWrong++
      }
      return found
    },
  }
}
