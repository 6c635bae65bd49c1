// Ids of Observations: what they show, and to whom.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertOutcome, matchesIn, startFhir } from '../../../../test/support/fhir.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { createObservationIds } from './observation-id.ts'

const ids = createObservationIds(randomBytes(32))

const PATIENTS = [
  'ab12',
  'patient-1',
  randomUUID(),
  'é-patient-of-23-bytes!',
  'x'.repeat(24),
  'y'.repeat(128),
]

/** Ids of readings of a patient, each of another time. */
function idsOfReadings(patientUid: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const reading = { patientUid, readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 + index }
    return ids.idOf(patientUid, { readingId: readingIdOf(reading), timestamp: reading.timestamp })
  })
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('.', '_'), 'base64url')

test('ids are those that another implementation computes', () => {
  const { idOf, placeOf } = createObservationIds(Buffer.from(Array.from({ length: 32 }, (_, at) => at)))
  const place = { readingId: '0a1b2c3d-4e5f-8a9b-acbd-cedfe0f10213', timestamp: 1_762_000_000 }
  for (const [patientUid, id] of [
    ['patient-1', 'ChssPU5fipusvc7f4PECE0HaQX8gAAAADuCqgBXOKHQMQ-y0eWMYVr7CY8hHLexg'],
    [
      '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
      'ChssPU5fipusvc7f4PECE0HaQX8gAAAAkq34Cr.dICGHgqoN5IqduD14paFHwLBH',
    ],
  ] as const) {
    assert.equal(idOf(patientUid, place), id)
    assert.deepEqual(placeOf(id), { ...place, patientUid })
  }
  const long = 'ChssPU5fipusvc7f4PECE0HaQX8gAAAAu-DGYe-hmZAv72oplHK2BrtO1lDxtPz2'
  assert.equal(idOf('x'.repeat(24), place), long)
  assert.deepEqual(placeOf(long), { ...place, patientUid: undefined })
})

test('the ids of a page are those of its readings one by one', () => {
  for (const patientUid of PATIENTS) {
    const readings = Array.from({ length: 500 }, (_, index) => ({
      readingId: randomUUID(),
      timestamp: index * 1.5,
    }))
    const expected = readings.map((reading) => ids.idOf(patientUid, reading))
    for (const count of [0, 1, 2, 500])
      assert.deepEqual(ids.idsOf(patientUid, readings.slice(0, count)), expected.slice(0, count))
  }
})

test('an id holds its patient in no encoding, at no offset', () => {
  for (const patientUid of PATIENTS) {
    const plain = Buffer.from(patientUid)
    const forms = [plain, Buffer.from(patientUid.replaceAll('-', ''), 'hex')].filter(
      ({ length }) => length > 3,
    )
    // Whole characters of base64 at each of the three offsets of a byte. A shorter text would be found by chance.
    const encoded = [0, 1, 2]
      .flatMap((offset) =>
        forms.map((form) =>
          Buffer.concat([Buffer.alloc(offset), form])
            .toString('base64url')
            .replaceAll('_', '.')
            .slice(offset + 1, -2),
        ),
      )
      .filter(({ length }) => length >= 6)
    for (const id of idsOfReadings(patientUid, 50)) {
      assert.match(id, /^[A-Za-z0-9.-]{64}$/)
      assert.ok(!id.includes(patientUid))
      for (const form of forms) assert.equal(bytesOf(id).indexOf(form), -1)
      for (const text of encoded) assert.ok(!id.includes(text), `${id} holds ${text}`)
    }
  }
})

test('an id does not tell how long the id of its patient is, nor whether two are of the same', () => {
  for (const patientUid of ['a', ...PATIENTS]) {
    const all = idsOfReadings(patientUid, 2_000).map(bytesOf)
    for (let at = 24; at < 48; at++) {
      // 256 values in 2,000 draws: about 0.1 of them are expected to be missing. Padding that is encrypted with one repeated byte
      // would show as bytes that are all equal to the one before.
      for (const before of [0, 1]) {
        const values = new Set(all.map((bytes) => (bytes[at] ?? 0) ^ (before * (bytes[at - 1] ?? 0))))
        assert.ok(values.size > 245, `byte ${at} of ids of ${patientUid} has ${values.size} values`)
      }
    }
  }
})

test('what was not made with this key is no id', () => {
  const others = createObservationIds(randomBytes(32))
  for (const patientUid of PATIENTS) {
    for (const id of idsOfReadings(patientUid, 100)) {
      assert.equal(others.placeOf(id), undefined)
      assert.equal(ids.placeOf(id.slice(1)), undefined)
      assert.equal(ids.placeOf(`${id}A`), undefined)
      assert.equal(ids.placeOf(`${id.slice(0, 63)}_`), undefined)
    }
  }
})

test('an id of which any bit was altered is no id: what it is answered tells nothing of the patient', () => {
  for (const patientUid of PATIENTS) {
    const [id = ''] = idsOfReadings(patientUid, 1)
    for (let bit = 24 * 8; bit < 48 * 8; bit++) {
      const bytes = bytesOf(id)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.equal(ids.placeOf(bytes.toString('base64url').replaceAll('_', '.')), undefined)
    }
    // Nor one in which the patient of this id is exchanged for another, by who guesses it.
    const bytes = bytesOf(id)
    for (const [at, byte] of Buffer.from('victim-7').entries())
      bytes[25 + at] = (bytes[25 + at] ?? 0) ^ byte ^ 'attacker'.charCodeAt(at)
    assert.equal(ids.placeOf(bytes.toString('base64url').replaceAll('_', '.')), undefined)
  }
})

test('two processes with the same key understand the ids of each other, and one with another key finds nothing', async () => {
  const rounds = await startFhir()
  const shared = { DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url }
  const [beside, foreign] = [
    await startFhir(shared),
    await startFhir({ ...shared, FHIR_ID_KEY: randomBytes(32).toString('hex') }),
  ]
  for (const patientUid of ['patient-1', randomUUID(), 'z'.repeat(100)]) {
    const token = await rounds.token({ patientUid })
    const reading = { patientUid, readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 }
    assert.equal((await rounds.call('/casesheet/readings/add', { token, body: reading })).status, 200)
    const [found] = await rounds.search('', token)
    const id = String(found?.['id'])
    const read = await beside.fhir(`/Observation/${id}`, { token })
    assert.deepEqual(read.resource, found)
    assert.equal((await beside.search(`_id=${id}`, token)).length, 1)
    assertOutcome(await foreign.fhir(`/Observation/${id}`, { token }), 404, 'ReadingNotFound')
    const none = await foreign.fhir(`/Observation?_id=${id}`, { token })
    assert.deepEqual(matchesIn(none.resource), [])
    const [own] = await foreign.search('', token)
    assert.notEqual(own?.['id'], id)
    assertOutcome(await rounds.fhir(`/Observation/${String(own?.['id'])}`, { token }), 404, 'ReadingNotFound')
  }
})
