// The catalogue in the client's types: the compiler knows the fields of a type by `readingType`, on the way there and on
// the way back. The lines that expect an error are checked by the compiler, the others run too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { type CatalogueReading, createReadingQueue, isOfType, type Reading } from '../src/client.ts'
import { clientOfNewPatient, failureOf } from './client-of.ts'

const rounds = await startRounds()
const { client, patientUid } = await clientOfNewPatient(rounds)
const at = (timestamp: number) => ({ patientUid, timestamp })

test('the catalogue comes typed', async () => {
  const { data } = await client.listReadingTypes()
  const temperature = data.find(({ readingType }) => readingType === 'bodyTemperature')
  const [{ ranges } = assert.fail('no number')] = temperature?.numbers ?? []
  assert.deepEqual(
    ranges.map(({ unit, possible: { least, most } }) => [unit, least, most]),
    [
      ['Cel', 20, 46],
      ['[degF]', 68, 114.8],
    ],
  )
})

test('a reading of the catalogue is known by its type, also in a list, and any other type may have any fields', async () => {
  await client.addReadings({
    ...at(1_000),
    readingType: 'bodyTemperature',
    value: 98.6,
    unit: '[degF]',
    ear: 'left',
  })
  await client.addReadings([
    { ...at(2_000), readingType: 'bloodPressure', systolic: 120, diastolic: 80 },
    { ...at(3_000), readingType: 'acme.step', value: ['anything'] },
  ])
  const name: string = 'acme.chosen-at-run-time'
  await client.addReadings({ ...at(4_000), readingType: name, value: null })
  const readings: Reading[] = [{ ...at(5_000), readingType: 'heartRate', value: 72 }]
  await client.addReadings(readings)

  const found = []
  for await (const reading of client.eachReading({ patientUid, from: 1_000, to: 5_000 })) {
    if (isOfType(reading, 'bodyTemperature'))
      found.push(`${reading.value.toFixed(2)} ${reading.unit ?? 'Cel'}`)
    else if (isOfType(reading, 'bloodPressure')) found.push(reading.systolic - reading.diastolic)
    else if (isOfType(reading, 'acme.step')) found.push(reading['value'])
    else found.push(`${reading.readingType} ${reading.measuredAt}`)
  }
  assert.deepEqual(found, [
    '98.60 [degF]',
    40,
    ['anything'],
    'acme.chosen-at-run-time 1970-01-01T01:06:40.000Z',
    'heartRate 1970-01-01T01:23:20.000Z',
  ])
})

test('what the compiler refuses, the service refuses', async () => {
  const refused = [
    // @ts-expect-error -- a text is no number
    client.addReadings({ ...at(1), readingType: 'heartRate', value: '72' }),
    // @ts-expect-error -- diastolic is missing
    client.addReadings([{ ...at(1), readingType: 'bloodPressure', systolic: 120 }]),
    // @ts-expect-error -- not a unit of this type
    client.addReadings({ ...at(1), readingType: 'bodyWeight', value: 71, unit: 'Cel' }),
    // @ts-expect-error -- which of its units is meant
    client.addReadings({ ...at(1), readingType: 'bodyWeight', value: 71 }),
    // @ts-expect-error -- given by the service
    client.addReadings({ ...at(1), readingType: 'fev1', value: 3, measuredAt: '2025-01-01' }),
  ]
  for (const call of refused) assert.equal((await failureOf(call)).code, 'ValidationFailed')
  const queue = createReadingQueue({ client, onRefused: (_reading, error) => assert.ok(error.errors) })
  // @ts-expect-error -- as above, in the queue
  await queue.add({ ...at(1), readingType: 'painScore', value: 'much' })
  await queue.add({ ...at(6_000), readingType: 'painScore', value: 4 })
  assert.deepEqual(await queue.flush(), { sent: 1, refused: 1 })
})

test('readingType tells the types of the catalogue apart', () => {
  const words = (reading: CatalogueReading): string => {
    switch (reading.readingType) {
      case 'symptom':
        return reading.symptoms.map(({ symptom }) => symptom).join()
      case 'note':
        return reading.text
      case 'bloodPressure':
        return `${reading.systolic.toFixed()}/${reading.diastolic.toFixed()}`
      case 'sleep':
        return `${reading.value.toFixed()} ${reading.deep?.toFixed() ?? 'unknown'}`
      default:
        return `${reading.readingType} ${reading.value.toFixed(1)}`
    }
  }
  assert.equal(words({ ...at(1), readingType: 'bloodPressure', systolic: 120, diastolic: 80 }), '120/80')
  assert.equal(words({ ...at(1), readingType: 'bodyWeight', value: 71, unit: 'kg' }), 'bodyWeight 71.0')
})
