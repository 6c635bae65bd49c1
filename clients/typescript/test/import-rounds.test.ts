// Rounds' own CSV and NDJSON, brought in again: the same readings to the letter, once. All people and values are invented.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { READING_VECTORS } from '../../../test/support/reading-vectors.ts'
import { createRoundsClient } from '../src/client.ts'
import {
  findImported,
  ImportError,
  type ImportProgress,
  importReadings,
  previewImport,
  withdrawImported,
} from '../src/import/import-readings.ts'
import { readingIdOf } from '../src/import/undo-import.ts'
import { clientOfNewPatient } from './client-of.ts'
import { fileOf } from './import-file.ts'

const rounds = await startRounds()

const FIRST = 1_763_000_000_000
const readingsOf = (patientUid: string) => [
  { patientUid, readingType: 'heartRate', timestamp: FIRST, value: 72, source: { kind: 'device' as const } },
  { patientUid, readingType: 'bloodGlucose', timestamp: FIRST + 1, value: 6.1, unit: 'mmol/L' as const },
  { patientUid, readingType: 'bloodGlucose', timestamp: FIRST + 2, value: 110, unit: 'mg/dL' as const },
  { patientUid, readingType: 'acme.note', timestamp: 1_763_000_000, text: '=1+1, "quoted"\nand more; -2' },
  {
    patientUid,
    readingType: 'symptom',
    timestamp: FIRST + 3,
    symptoms: [{ symptom: 'headache', severity: 'MILD' }],
  },
]

for (const format of ['csv', 'ndjson'] as const) {
  test(`an export in ${format} is understood, goes into an empty record, and is not stored twice`, async () => {
    const { client, patientUid } = await clientOfNewPatient(rounds)
    const sent = readingsOf(patientUid)
    await client.addReadings(sent)
    const exported = await (await client.exportReadings(format, { patientUid })).text()
    // The record that it came from holds it already.
    const again = await importReadings(fileOf(exported), { client, patientUid })
    assert.deepEqual([again.stored, again.duplicates, again.rejected.count], [0, 5, 0])

    const other = await clientOfNewPatient(rounds)
    const moved = fileOf(exported.replaceAll(patientUid, other.patientUid), { pieceBytes: 7 })
    const preview = await previewImport(moved, { patientUid: other.patientUid })
    assert.deepEqual(preview, {
      format: `rounds-${format}`,
      types: [
        typeAt('acme.note', 0),
        { ...typeAt('bloodGlucose', 1), unit: 'mmol/L' },
        { ...typeAt('bloodGlucose', 2), unit: 'mg/dL' },
        typeAt('heartRate', 0),
        typeAt('symptom', 3),
      ],
      notUnderstood: [],
      skipped: [],
      from: new Date(FIRST).toISOString(),
      to: new Date(FIRST + 3).toISOString(),
    })
    const seen: ImportProgress[] = []
    const result = await importReadings(moved, {
      client: other.client,
      patientUid: other.patientUid,
      onProgress: (progress) => seen.push(progress),
    })
    assert.deepEqual(result, { ...preview, stored: 5, duplicates: 0, rejected: { count: 0, examples: [] } })
    const { size: bytes } = moved
    const last = { phase: 'import', bytesRead: bytes, bytes, found: 5, stored: 5, duplicates: 0, rejected: 0 }
    assert.deepEqual(seen.at(-1), last)
    const { data } = await other.client.getReadings({ patientUid: other.patientUid })
    const back = data.map(asSent)
    const expected = readingsOf(other.patientUid)
    assert.deepEqual(new Set(back.map(sorted)), new Set(expected.map(sorted)))
    const second = await importReadings(moved, { client: other.client, patientUid: other.patientUid })
    assert.deepEqual([second.stored, second.duplicates], [0, 5])
  })
}

const GIVEN = new Set(['readingId', 'measuredAt', 'receivedAt'])
const asSent = (reading: object) =>
  Object.fromEntries(Object.entries(reading).filter(([name]) => !GIVEN.has(name)))
const sorted = (reading: object) =>
  JSON.stringify(Object.entries(reading).sort(([a], [b]) => (a < b ? -1 : 1)))

function typeAt(readingType: string, ms: number) {
  const at = new Date(FIRST + ms).toISOString()
  return { readingType, count: 1, from: at, to: at }
}

test('what is no reading of this patient is left out and said; what the service refuses is counted with its line', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const lines = [
    { readingType: 'heartRate', timestamp: FIRST, value: 72 },
    { patientUid: 'someone-else', readingType: 'heartRate', timestamp: FIRST, value: 72 },
    { patientUid, readingType: 'heartRate', timestamp: FIRST + 1, value: 73, withdrawn: { at: 'x' } },
    { patientUid, readingType: 'heartRate', timestamp: FIRST + 2, value: -1 },
    { patientUid, timestamp: FIRST + 3 },
  ].map((line) => JSON.stringify(line))
  lines.push(
    '{"readingType":"acme.x","timestamp":1763000000001,"n":9007199254740993}',
    `{"readingType":"acme.x","timestamp":1763000000002,"n":${'['.repeat(17)}${']'.repeat(17)}}`,
    '{"readingType":"acme.x","timestamp":1763000000003,"t":"9007199254740993 [[[[[[[[[[[[[[[[[[[[[\\""}',
    '{"readingType":"heartRate","timest',
  )
  const file = fileOf(`\ufeff${lines.join('\r\n')}`)
  const result = await importReadings(file, { client, patientUid })
  assert.deepEqual(result.skipped, [
    { reason: 'It is a reading of another patient.', count: 1, example: 'line 2' },
    { reason: 'It was withdrawn, because it was entered in error.', count: 1, example: 'line 3' },
    { reason: 'It is no whole reading with readingType and timestamp.', count: 2, example: 'line 5' },
    {
      reason: 'It holds a number with more digits than can be stored exactly.',
      count: 1,
      example: 'line 6',
    },
    { reason: 'It is nested too deeply.', count: 1, example: 'line 7' },
  ])
  assert.deepEqual([result.stored, result.rejected.count, result.rejected.examples[0]?.line], [2, 1, 4])
  assert.match(result.rejected.examples[0]?.message ?? '', /value/)
})

test('a file that is none of the formats, empty, cut off or in another encoding is a sentence', async () => {
  const options = { patientUid: 'patient-1' }
  const header = 'patientUid,readingType,timestamp,other\r\n'
  const cases: [content: string | Uint8Array, code: string, message: RegExp][] = [
    ['', 'UnknownFormat', /The file is empty/],
    ['hello', 'UnknownFormat', /none of these: export\.zip of Apple Health/],
    [new Uint8Array([0x50, 0xe4, 0x0a]), 'Damaged', /not UTF-8 text.*save it as UTF-8/],
    [`${header}patient-1,acme.x,1,"{""a"":`, 'Damaged', /ends within the quotes that begin in line 2/],
    [`${header}patient-1,acme.x,1,"${'x'.repeat(2_000_000)}`, 'Damaged', /Line 2 is longer than 1 MiB/],
    [`${header}patient-1,acme.x,1,"${'x\n'.repeat(1_000_000)}`, 'Damaged', /Line 2 is longer than 1 MiB/],
  ]
  for (const [content, code, message] of cases) {
    await assert.rejects(previewImport(fileOf(content), options), (error: unknown) => {
      assert.ok(error instanceof ImportError)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  }
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${header}patient-1,acme.x,1,\r\n`, 'utf16le'))
  assert.equal((await previewImport(fileOf(utf16, { pieceBytes: 3 }), options)).types[0]?.count, 1)
})

test('many readings go in batches and in order; a signal stops it; a limit ends it with a sentence and what to do', async () => {
  const { client, patientUid, token } = await clientOfNewPatient(rounds)
  const lines = Array.from(
    { length: 2_500 },
    (_, sequence) => `{"readingType":"acme.step","timestamp":${FIRST + sequence},"sequence":${sequence}}\n`,
  )
  const file = fileOf(lines.join(''))
  const sizes: number[] = []
  const counting: typeof client.addReadingsEach = (readings, options) => {
    sizes.push([readings].flat().length)
    return client.addReadingsEach(readings, options)
  }
  const controller = new AbortController()
  const stopping = importReadings(file, {
    client: { addReadingsEach: counting },
    patientUid,
    signal: controller.signal,
    onProgress: ({ stored }) => stored > 0 && controller.abort(new Error('enough')),
  })
  await assert.rejects(stopping, /enough/)
  const done = await importReadings(file, { client, patientUid })
  assert.ok(done.stored < 2_500 && done.stored + done.duplicates === 2_500, String(done.stored))
  assert.ok(sizes.every((size) => size === 1_000))
  // They are found by more than one page.
  assert.equal((await findImported(file, { client, patientUid })).imported.length, 2_500)

  const limited = createRoundsClient({
    url: rounds.url,
    token,
    fetch: async () =>
      new Response('{"status":"error","code":"RateLimited","message":"At most 9 bytes.","retryable":true}', {
        status: 429,
        headers: { 'retry-after': '4000' },
      }),
  })
  const { stored, stopped } = await importReadings(file, { client: limited, patientUid })
  assert.equal(stored, 0)
  assert.equal(stopped?.retryAfterMs, 4_000_000)
  assert.match(
    stopped?.message ?? '',
    /^At most 9 bytes\. Until then 0 readings were stored\. Import the same file again/,
  )
})

test('the readings of a file are found in the record by their content, withdrawn, and not found again', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const file = fileOf(
    readingsOf(patientUid)
      .map((reading) => JSON.stringify(reading))
      .join('\n'),
  )
  const other = { patientUid, readingType: 'heartRate', timestamp: FIRST, value: 72 }
  await client.addReadings(other)
  const options = { client, patientUid }
  assert.deepEqual((await findImported(file, options)).imported, [])
  assert.equal((await importReadings(file, options)).stored, 5)
  const { imported } = await findImported(file, options)
  const seen: number[] = []
  const erased = { readingId: '00000000-0000-8000-8000-000000000000', timestamp: FIRST }
  const result = await withdrawImported([erased, ...imported], {
    ...options,
    onWithdrawn: (done) => seen.push(done),
  })
  assert.deepEqual([result, seen], [{ withdrawn: 5 }, [1, 2, 3, 4, 5]])
  const left = (await client.getReadings({ patientUid })).data
  assert.deepEqual(
    left.map(({ readingType, source }) => [readingType, source]),
    [['heartRate', undefined]],
  )
  assert.deepEqual((await findImported(file, options)).imported, [])
})

test('the client gives a reading the id that the service gives it', async () => {
  for (const { name, sent, readingId } of READING_VECTORS)
    assert.equal(await readingIdOf(JSON.parse(sent) as object), readingId, name)
})
