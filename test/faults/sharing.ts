// A patient who gives doctors grants and revokes them while Rounds is struck, and the doctors, who read all the time. What was
// acknowledged holds: after a revocation no read succeeds that begins later, and a grant that stands is read.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { requestToken } from '../../tools/dev/request-token.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import type { Service } from './service.ts'

const DOCTORS = 4
const CALLER_TIMEOUT_MS = 60_000

/** `unknown` while a change is not acknowledged. */
type State = 'given' | 'revoked' | 'unknown'
type Doctor = { id: string; token: string; state: State; changes: number }

export type Sharing = Awaited<ReturnType<typeof startSharing>>

export async function startSharing({ url, issuer, ownerUrl }: Service, stopping: AbortSignal) {
  const patientUid = `sharing-${randomUUID().slice(0, 8)}`
  const token = await requestToken(issuer.source, { patientUids: [patientUid] })
  const rows = await runSql<{ doctor_id: string }>(
    ownerUrl,
    'select doctor_id from appointments.doctors where is_active order by doctor_id limit $1',
    [DOCTORS],
  )
  const doctors = await Promise.all(
    rows.map(async ({ doctor_id: id }): Promise<Doctor> => {
      return { id, token: await requestToken(issuer.source, { doctorId: id }), state: 'revoked', changes: 0 }
    }),
  )
  const seen = { revocations: 0, reads: 0, readsAfterRevoke: 0, refusedGrants: 0 }

  /** The status; 0 where none came. */
  async function call(as: string, path: string, body?: object): Promise<number> {
    try {
      const response = await fetch(`${url}/casesheet/${path}`, {
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(CALLER_TIMEOUT_MS),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }

  /** Sent until it is acknowledged. */
  async function change(doctor: Doctor, to: 'given' | 'revoked') {
    doctor.state = 'unknown'
    doctor.changes++
    const named = { patientUid, doctorId: doctor.id }
    while (!stopping.aborted) {
      const status =
        to === 'given'
          ? await call(token, 'grants/add', { ...named, permission: 'view' })
          : await call(token, 'grants/revoke', named)
      if (status === 200) {
        doctor.state = to
        if (to === 'revoked') seen.revocations++
        return
      }
      await pause(50)
    }
  }

  async function keepChanging(doctor: Doctor) {
    while (!stopping.aborted) {
      await change(doctor, doctor.state === 'revoked' ? 'given' : 'revoked')
      await pause(Math.random() * 150)
    }
  }

  async function keepReading(doctor: Doctor) {
    while (!stopping.aborted) {
      await readOnce(doctor)
      await pause(Math.random() * 20)
    }
  }

  async function readOnce(doctor: Doctor) {
    const { state, changes } = doctor
    const status = await call(doctor.token, `readings/get?patientUid=${patientUid}&limit=20`)
    seen.reads++
    // Something else was asked for meanwhile.
    if (doctor.changes !== changes) return
    if (state === 'revoked' && status === 200) seen.readsAfterRevoke++
    if (state === 'given' && status === 403) seen.refusedGrants++
  }

  const working = Promise.all(doctors.flatMap((doctor) => [keepChanging(doctor), keepReading(doctor)]))
  return {
    seen,
    /** How many revocations were acknowledged so far. */
    revocations: () => seen.revocations,
    /** When the cluster is whole again, all that was acknowledged still holds. */
    async findOut() {
      await working
      for (const doctor of doctors) await readOnce(doctor)
      return seen
    },
  }
}
