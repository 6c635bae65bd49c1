// A new patient who tries readings of one type, one after the other, each at a time of its own.
import assert from 'node:assert/strict'
import type { Rounds } from './harness.ts'
import { newPatient } from './patient.ts'

export async function patientTrying(rounds: Rounds, readingType: string) {
  const { patientUid, add, stored } = await newPatient(rounds)
  let timestamp = 1_762_000_000_000
  const send = (fields: object) => add({ patientUid, readingType, timestamp: timestamp++, ...fields })
  let accepted = 0
  const accepts = async (fields: object) => {
    const { status, text } = await send(fields)
    assert.equal(status, 200, `${JSON.stringify(fields)}: ${text}`)
    accepted++
  }
  const refuses = async (fields: object, ...errors: { pointer: string; message: string }[]) => {
    const { status, json } = await send(fields)
    assert.deepEqual([status, json.code], [400, 'ValidationFailed'], JSON.stringify(fields))
    assert.deepEqual(json.errors, errors, JSON.stringify(fields))
  }
  const acceptedAreStored = async () => assert.equal((await stored()).length, accepted)
  return { patientUid, add, stored, accepts, refuses, acceptedAreStored }
}
