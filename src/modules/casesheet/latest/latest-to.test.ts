// Readings that are later than now, or than `to`: they hide nothing in `latest`, and their types are counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Rounds, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'

const rounds = await startRounds()
const MINUTE = 60_000
const THREE_YEARS = 3 * 365 * 24 * 60 * MINUTE

/** A patient with a reading of each type at each of its times, in milliseconds from now. */
async function patientWith(times: Record<string, number[]>, on: Rounds = rounds) {
  const { accessLog, add, patientUid, token } = await newPatient(on)
  const now = Date.now()
  const readings = Object.entries(times).flatMap(([readingType, ahead]) =>
    ahead.map((ms) => ({ patientUid, readingType, timestamp: now + ms, ahead: ms })),
  )
  for (let index = 0; index < readings.length; index += 1_000) {
    const { status, text } = await add(readings.slice(index, index + 1_000))
    assert.equal(status, 200, text)
  }
  const latest = async (query = '') => {
    const answer = await on.call(`/casesheet/readings/latest${query}`, { token })
    assert.equal(answer.status, 200, answer.text)
    const { data, typesBeyond } = answer.json as unknown as {
      data: Record<string, unknown>[]
      typesBeyond: number
    }
    return { found: data.map(({ readingType, ahead }) => [readingType, ahead]), typesBeyond }
  }
  return { accessLog, latest, now }
}

test('a reading three years ahead hides nothing: the newest is at most five minutes from now', async () => {
  const { accessLog, latest, now } = await patientWith({
    a: [-THREE_YEARS, -MINUTE, THREE_YEARS],
    b: [-MINUTE, 4 * MINUTE, 15 * MINUTE],
    c: [-2 * MINUTE],
    d: [THREE_YEARS, 2 * THREE_YEARS],
  })
  const found = [
    ['a', -MINUTE],
    ['b', 4 * MINUTE],
    ['c', -2 * MINUTE],
  ]
  assert.deepEqual(await latest(), { found, typesBeyond: 3 })
  assert.deepEqual(await latest('?readingType=d'), { found: [], typesBeyond: 1 })
  assert.deepEqual(await latest('?readingType=c&readingType=a&readingType=z'), {
    found: [found[0], found[2]],
    typesBeyond: 1,
  })
  const [row] = await accessLog()
  const to = Date.parse(String(row?.['range_to']))
  assert.ok(to >= now + 5 * MINUTE && to <= Date.now() + 5 * MINUTE, String(row?.['range_to']))
  assert.deepEqual(row?.['readings_count'], 3)
})

test('`to` is included, in either unit, and may be any time', async () => {
  const { latest, now } = await patientWith({ a: [0, 1], b: [-1, 500], c: [THREE_YEARS] })
  const at = (ms: number) => latest(`?to=${now + ms}`)
  assert.deepEqual(await at(-2), { found: [], typesBeyond: 3 })
  assert.deepEqual(await at(-1), { found: [['b', -1]], typesBeyond: 3 })
  assert.deepEqual(await at(0), {
    found: [
      ['a', 0],
      ['b', -1],
    ],
    typesBeyond: 3,
  })
  assert.deepEqual(await at(1), {
    found: [
      ['a', 1],
      ['b', -1],
    ],
    typesBeyond: 2,
  })
  assert.deepEqual(await latest(`?to=${now / 1_000}`), await at(0))
  const all = {
    found: [
      ['a', 1],
      ['b', 500],
      ['c', THREE_YEARS],
    ],
    typesBeyond: 0,
  }
  assert.deepEqual(await at(THREE_YEARS), all)
  assert.deepEqual(await latest('?to=253402300799999'), all)
  assert.deepEqual(await latest('?to=0'), { found: [], typesBeyond: 3 })
})

test('types that lie wholly beyond count toward the 200: none is left out without a word', async () => {
  const name = (index: number) => `type-${String(index).padStart(3, '0')}`
  const { latest } = await patientWith(
    Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [name(index), [index % 2 ? THREE_YEARS : -1]]),
    ),
  )
  const { found, typesBeyond } = await latest()
  assert.deepEqual([found.length, typesBeyond], [100, 100])

  const { add, patientUid, token } = await newPatient(rounds)
  const readings = Array.from({ length: 201 }, (_, index) => ({
    patientUid,
    readingType: name(index),
    timestamp: Date.now() + THREE_YEARS,
  }))
  assert.equal((await add(readings)).status, 200)
  const { status, json } = await rounds.call('/casesheet/readings/latest', { token })
  assert.deepEqual([status, json.errors[0]?.pointer], [400, '/readingType'])
})

test('requests with different ends share a statement without mixing them up', async () => {
  const { latest, now } = await patientWith({ a: Array.from({ length: 20 }, (_, index) => index) })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => latest(`?to=${now + index}`)))
  for (const [index, { found, typesBeyond }] of answers.entries()) {
    assert.deepEqual([found, typesBeyond], [[['a', index]], index === 19 ? 0 : 1])
  }
})
