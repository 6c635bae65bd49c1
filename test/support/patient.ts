// A new patient with a token of their own, and the two operations of the casesheet as that patient calls them.
import { randomUUID } from 'node:crypto'
import { type Rounds, runSql } from './harness.ts'

type Query = Record<string, string | number>

export async function newPatient(rounds: Rounds) {
  const patientUid = `patient-${randomUUID()}`
  const token = await rounds.token({ patientUid })
  const add = (body: unknown) => rounds.call('/casesheet/readings/add', { token, body })
  const get = (query: Query = {}, { as = token, requestId = '' } = {}) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const headers: Record<string, string> = requestId ? { 'x-request-id': requestId } : {}
    return rounds.call(`/casesheet/readings/get?${search.toString()}`, { token: as, headers })
  }
  const stored = async () => (await get()).json.data
  const symptom = (timestamp: unknown, extra: object = {}) => ({
    patientUid,
    readingType: 'symptom',
    symptoms: [{ symptom: 'headache', severity: 'MODERATE' }],
    timestamp,
    ...extra,
  })
  /** Adds a reading at each time, numbered by `sequence`. */
  async function addAt(timestamps: number[], readingTypes = ['acme.step']) {
    const readings = timestamps.map((timestamp, sequence) => ({
      patientUid,
      readingType: readingTypes[sequence % readingTypes.length],
      timestamp,
      sequence,
    }))
    for (let first = 0; first < readings.length; first += 1_000) {
      const { status, text } = await add(readings.slice(first, first + 1_000))
      if (status !== 200) throw new Error(text)
    }
  }
  const accessLog = () =>
    runSql(
      rounds.ownerUrl,
      `select request_id, page, read_by, allowed_as, operation, range_from::text, range_to::text, reading_types, readings_count
       from casesheet.access_log
       where patient_uid = $1
       order by at, page`,
      [patientUid],
    )
  return { patientUid, token, add, addAt, get, stored, accessLog, symptom }
}

/** A new patient with a reading at each time. */
export async function patientWithReadings(rounds: Rounds, timestamps: number[], readingTypes?: string[]) {
  const patient = await newPatient(rounds)
  await patient.addAt(timestamps, readingTypes)
  return patient
}

export function sequencesOf(data: Record<string, unknown>[]) {
  return data.map(({ sequence }) => sequence)
}
