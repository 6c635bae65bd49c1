// A doctor of the tests, and patients who share with the doctor.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer } from '../../src/modules/care/patients/list-contract.ts'
import type { ListedPatient } from '../../src/modules/care/patients/listed-patient.ts'
import type { Rounds } from './harness.ts'
import { until } from './until.ts'

type Body = Record<string, unknown>

export type Doctor = Awaited<ReturnType<typeof newDoctor>>
export type SharingPatient = Awaited<ReturnType<Doctor['patient']>>

export async function newDoctor(
  rounds: Rounds,
  doctorId = `doctor-${randomUUID()}`,
  practiceIds: readonly string[] = [],
) {
  const token = await rounds.token({ doctorId, sub: `sub-of-${doctorId}`, practiceIds })
  const ask = (query = '', headers: Record<string, string> = {}) =>
    rounds.call(`/care/patients/list${query}`, { token, headers })

  async function list(query = ''): Promise<Answer> {
    const { status, json, text } = await ask(query)
    assert.equal(status, 200, text)
    return json as unknown as Answer
  }

  return {
    doctorId,
    token,
    ask,
    list,

    /** The patient as the list has it. */
    async listed(patientUid: string, query = ''): Promise<ListedPatient | undefined> {
      const { data } = await list(query)
      return data.find((listed) => listed.patientUid === patientUid)
    },

    /** Once the list says so. */
    async untilListed(isTrue: (answer: Answer) => boolean, query = '', withinMs = 10_000): Promise<Answer> {
      let answer: Answer | undefined
      await until(
        async () => {
          answer = await list(query)
          return isTrue(answer)
        },
        withinMs,
        {
          everyMs: 50,
          what: () => `the list is as expected, and not ${JSON.stringify(answer)?.slice(0, 2_000)}`,
        },
      )
      assert.ok(answer)
      return answer
    },

    /** A new patient who shares with the doctor. */
    async patient(grant: Body = {}, patientUid = `patient-${randomUUID()}`) {
      const own = await rounds.token({ patientUid, sub: patientUid })
      async function must(path: string, body: unknown, by = own) {
        const { status, json, text } = await rounds.call(path, { token: by, body })
        assert.equal(status, 200, text)
        return json
      }
      const give = (terms: Body = {}) =>
        must('/casesheet/grants/add', { patientUid, doctorId, permission: 'manage', ...terms })
      await give(grant)
      return {
        patientUid,
        token: own,
        give,
        revoke: () => must('/casesheet/grants/revoke', { patientUid, doctorId }),
        add: (...readings: Body[]) =>
          must(
            '/casesheet/readings/add',
            readings.map((reading) => ({ patientUid, ...reading })),
          ),
        withdraw: (timestamp: number, readingId: string) =>
          must('/casesheet/readings/withdraw', { patientUid, timestamp, readingId }),
        setTarget: (target: Body, by = token) => must('/care/targets/set', { patientUid, ...target }, by),
        removeTarget: (target: Body, by = token) =>
          must('/care/targets/remove', { patientUid, ...target }, by),
      }
    },
  }
}

/** A reading of blood pressure, so many minutes ago. */
export const pressure = (systolic: number, diastolic: number, minutesAgo = 0, now = Date.now()) => ({
  readingType: 'bloodPressure',
  timestamp: now - minutesAgo * 60_000,
  systolic,
  diastolic,
})
