// The four operations and the iterators over pages, as an app calls them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import { createRoundsClient, type Reading } from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'

const rounds = await startRounds()
await fillDirectory(rounds.ownerUrl, {
  specialities: ['Cardiology', 'Ear, Nose & Throat'].map((title) => ({ title })),
  doctors: firstNumbers(25).map((number) => ({
    name: `Dr. Invented ${String(number).padStart(2, '0')}`,
    specialities: [number % 5 === 0 ? 'Ear, Nose & Throat' : 'Cardiology'],
    city: 'Pune',
  })),
})
const { client, patientUid, token, steps } = await clientOfNewPatient(rounds)

test('specialities and doctors come typed, and a query finds those it names', async () => {
  // The server hears of an import a moment later.
  await until(async () => (await client.listSpecialities()).data.length > 0)
  const { data: specialities } = await client.listSpecialities()
  assert.deepEqual(
    specialities.map(({ title }) => title),
    ['Cardiology', 'Ear, Nose & Throat'],
  )
  const specialityId = specialities.find(({ title }) => title.startsWith('Ear'))?.specialityId ?? ''
  const { data: doctors, nextCursor } = await client.listDoctors({ specialityId, city: 'pune', limit: 3 })
  assert.deepEqual(
    doctors.map(({ name }) => name),
    ['Dr. Invented 00', 'Dr. Invented 05', 'Dr. Invented 10'],
  )
  assert.equal(typeof nextCursor, 'string')
})

test('the iterator over doctors follows cursors through all pages', async () => {
  const names = []
  for await (const { name } of client.eachDoctor({ q: 'invented', limit: 10 })) names.push(name)
  assert.equal(names.length, 25)
  assert.deepEqual(names, names.toSorted())
})

test('a reading comes back as it was sent, with the fields that the service gives', async () => {
  const reading: Reading = {
    patientUid,
    readingType: 'symptom',
    symptoms: [{ symptom: 'headache & fever', severity: 'MODERATE' }],
    timestamp: 1_600_000_000,
    device: { name: 'acme' },
  }
  assert.equal((await client.addReadings(reading)).code, 'Ok')
  const { data } = await client.getReadings({ patientUid, from: 1_600_000_000, to: 1_600_000_000 })
  const [{ readingId, measuredAt, receivedAt, ...asSent } = assert.fail('no reading')] = data
  assert.deepEqual([data.length, asSent], [1, reading])
  assert.equal(measuredAt, '2020-09-13T12:26:40.000Z')
  assert.match(`${readingId} ${receivedAt}`, /^[\da-f-]{36} \d{4}-/)
})

test('the iterator over a range follows cursors, in either order, and keeps to the types asked for', async () => {
  await client.addReadings(steps(1_000))
  await client.addReadings(steps(7, { readingType: 'acme.pulse' }))
  const range = { from: 1_763_000_000_000, to: 1_763_000_000_699, readingType: ['acme.step'] }
  const found = []
  for await (const { sequence } of client.eachReading({ ...range, limit: 100 })) found.push(sequence)
  assert.deepEqual(found, firstNumbers(700))
  const newest = []
  for await (const { sequence } of client.eachReading({ ...range, order: 'desc' })) newest.push(sequence)
  assert.deepEqual(newest, firstNumbers(700).toReversed())
  const both = await client.getReadings({ to: 1_763_000_000_006, readingType: ['acme.step', 'acme.pulse'] })
  assert.equal(both.data.length, 14)
})

test('the newest reading of each type comes, and statistics come typed, bucket by bucket', async () => {
  const own = await clientOfNewPatient(rounds)
  await own.client.addReadings(own.steps(3))
  await own.client.addReadings(own.steps(2, { readingType: 'acme.pulse' }))
  const newest = await own.client.latestReadings()
  assert.deepEqual(
    newest.data.map(({ readingType, sequence }) => [readingType, sequence]),
    [
      ['acme.pulse', 1],
      ['acme.step', 2],
    ],
  )
  assert.equal((await own.client.latestReadings({ readingType: ['acme.step'] })).data.length, 1)
  const { data, units } = await own.client.readingStatistics({
    readingType: 'acme.step',
    from: 1_763_000_000_000,
    to: 1_763_000_000_001,
    bucket: 'hour',
    timeZone: 'Asia/Kolkata',
  })
  const [{ localStart, count, fields } = assert.fail('no bucket')] = data
  assert.deepEqual([data.length, localStart, count, units], [1, '2025-11-13T07:00:00+05:30', 2, {}])
  assert.deepEqual([fields['sequence']?.count, fields['sequence']?.mean], [2, 0.5])
})

test('an iterator that is left early asks for no further page', async () => {
  let requests = 0
  const counting = createRoundsClient({
    url: rounds.url,
    token: () => token,
    fetch: (url, init) => {
      requests++
      return fetch(url, init)
    },
  })
  for await (const { sequence } of counting.eachReading({ from: 1_763_000_000_000, limit: 10 })) {
    if (sequence === 12) break
  }
  assert.equal(requests, 2)
})

test('a refusal is a RoundsError with code, status, pointers and request id', async () => {
  const [good, bad] = steps(2)
  const error = await failureOf(client.addReadings([good, { ...bad, timestamp: -1 }] as Reading[]))
  assert.equal(error.name, 'RoundsError')
  assert.deepEqual([error.code, error.status, error.retryable], ['ValidationFailed', 400, false])
  assert.deepEqual(
    error.errors.map(({ pointer }) => pointer),
    ['/1/timestamp'],
  )
  assert.match(error.message, /^timestamp must be .+\.$/)
  assert.ok(rounds.log().includes(String(error.requestId)))
})

test('modules that run apart have an address each', async () => {
  const apart = createRoundsClient({
    appointmentsUrl: `${rounds.url}/appointments/`,
    casesheetUrl: `${rounds.url}/casesheet`,
    token: async () => token,
  })
  assert.equal((await apart.listSpecialities()).data.length, 2)
  assert.equal((await apart.getReadings({ limit: 1 })).data.length, 1)
  assert.throws(() => createRoundsClient({ url: 'rounds.example', token: () => token }), /https:/)
})
