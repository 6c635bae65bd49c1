// A doctor who asks for thousands of strangers, and a patient who changes grants all the time, beside patients who read: what the
// patients notice. Each has as many requests open as a subject may have.
import { setTimeout as pause } from 'node:timers/promises'
import { spreadOf } from '../load/figures.ts'
import { bytesOf, type Hostile, sendOnce } from './send.ts'
import type { LimitsStage } from './stage.ts'

const SECONDS = 10
const CONNECTIONS = 20
const PATIENTS = 10
const CALL_EVERY_MS = 20

export async function measurePatients(stage: LimitsStage) {
  const until = performance.now() + SECONDS * 1_000
  const doctor = await stage.bearer({ sub: 'curious', doctorId: 'curious' })
  const patient = await stage.bearer({ sub: 'restless', patientUid: 'restless' })
  const { rows } = await stage.owner.query<{ doctor_id: string }>(
    'select doctor_id from appointments.doctors where is_active order by doctor_id limit 100',
  )
  let sent = 0
  async function keepSending(make: (nth: number) => Hostile) {
    while (performance.now() < until) await sendOnce(stage.server.url, bytesOf(make(sent++)))
  }
  const stranger = (nth: number): Hostile => ({
    path: `/casesheet/readings/get?patientUid=one-of-many-${1 + (nth % 4_000)}`,
    headers: doctor,
  })
  const change = (nth: number): Hostile => ({
    path: `/casesheet/grants/${nth % 3 === 0 ? 'revoke' : 'add'}`,
    headers: patient,
    body: Buffer.from(
      JSON.stringify({
        patientUid: 'restless',
        doctorId: rows[nth % 7]?.doctor_id,
        ...(nth % 3 === 0 ? {} : { permission: nth % 2 === 0 ? 'view' : 'manage' }),
      }),
    ),
  })
  const hostile = [stranger, change].flatMap((make) =>
    Array.from({ length: CONNECTIONS }, () => keepSending(make)),
  )
  const calls = await callAsPatients(stage, until)
  await Promise.all(hostile)
  return {
    p99Ms: spreadOf(calls.map(({ ms }) => ms)).p99,
    calls: calls.length,
    refused: calls.filter(({ status }) => status !== 200).length,
    sent,
  }
}

async function callAsPatients({ bearer, server }: LimitsStage, until: number) {
  const calls: { status: number; ms: number }[] = []
  await Promise.all(
    Array.from({ length: PATIENTS }, async (_, nth) => {
      const uid = `one-of-many-${nth + 1}`
      const headers = await bearer({ patientUid: uid, sub: uid })
      while (performance.now() < until) {
        calls.push(await sendOnce(server.url, bytesOf({ path: '/casesheet/readings/get?limit=20', headers })))
        await pause(CALL_EVERY_MS)
      }
    }),
  )
  return calls
}
