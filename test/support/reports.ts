// Reports as a patient asks for them.
import assert from 'node:assert/strict'
import type { Rounds } from './harness.ts'
import { newPatient } from './patient.ts'

type Query = Record<string, string | number>
export type Report = Record<string, unknown>
/** What the patient's own target says of one field. */
export type TargetSet = { readingType: string; field?: string; low?: number; high?: number; unit?: string }

export async function newReportPatient(rounds: Rounds) {
  const patient = await newPatient(rounds)
  const { patientUid, token } = patient
  const ask = (
    name: string,
    query: Query,
    options: { token?: string; headers?: Record<string, string> } = {},
  ) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([field, value]): [string, string] => [field, String(value)]),
    )
    return rounds.call(`/care/reports/${name}?${search.toString()}`, { token, ...options })
  }
  async function report(name: string, query: Query): Promise<Report> {
    const { status, text } = await ask(name, query)
    assert.equal(status, 200, text)
    return (JSON.parse(text) as { data: Report }).data
  }
  async function setTargets(targets: TargetSet[]) {
    for (const [readingType, ofType] of Map.groupBy(targets, (target) => target.readingType)) {
      const fields = Object.fromEntries(
        ofType.map(({ field = 'value', low, high }) => [field, { low, high }]),
      )
      // A pulse has a unit of its own.
      const unit = ofType.find(({ field }) => field !== 'pulse')?.unit
      const body = { patientUid, readingType, unit, fields }
      const { status, text } = await rounds.call('/care/targets/set', { token, body })
      assert.equal(status, 200, text)
    }
  }
  return { ...patient, ask, report, setTargets }
}
