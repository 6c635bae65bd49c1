// What stands in CSV and in lines of JSON: the very readings, and nothing that a spreadsheet would run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'

const rounds = await startRounds()
const [CSV, NDJSON] = ['text/csv', 'application/x-ndjson']

const exportOf = (token: string, accept: string) =>
  rounds.call('/casesheet/readings/get', { token, headers: { accept } })

// Everything that some reader of text takes for the end of a line; these are the ones of Python's splitlines.
const LINE_ENDS = ['\n', '\v', '\f', '\r', '\x1c', '\x1d', '\x1e', '\u0085', '\u2028', '\u2029']
const ANY_LINE_END = new RegExp(`\r\n|[${LINE_ENDS.join('')}]`)

type Row = Record<string, string>

const rowsOf = (csv: string) => parse<Row>(csv, { columns: true, bom: true, relax_quotes: false })

/** What docs/api.md says: one leading apostrophe away, numbers are numbers, and the rest stands in `other`. */
function readingFrom(row: Row) {
  const texts = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell.replace(/^'/, '')]))
  const { unit: _, symptoms: __, sourceKind: ___, sourceDevice: ____, other, timestamp, ...cells } = texts
  const { patientUid, readingType, measuredAt, receivedAt, readingId, ...numbers } = cells
  return {
    patientUid,
    readingType,
    measuredAt,
    receivedAt,
    readingId,
    timestamp: Number(timestamp),
    ...Object.fromEntries(
      Object.entries(numbers).flatMap(([name, cell]) => (cell === '' ? [] : [[name, Number(cell)]])),
    ),
    ...(JSON.parse(other || '{}') as object),
  }
}

test('CSV has a header row always, then fixed columns in which a person finds the numbers', async () => {
  const { add, patientUid, symptom, token } = await newPatient(rounds)
  const header =
    'patientUid,readingType,timestamp,measuredAt,receivedAt,readingId,value,unit,systolic,diastolic,pulse,' +
    'deep,light,rem,awake,symptoms,sourceKind,sourceDevice,other'
  const empty = await exportOf(token, CSV)
  assert.equal(empty.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  // `fetch` takes the mark of UTF-8 away from a text.
  assert.equal(empty.text, `${header}\r\n`)
  const of = (timestamp: number, readingType: string, fields: object) => ({
    patientUid,
    readingType,
    timestamp,
    ...fields,
  })
  const sent = [
    of(1, 'bloodPressure', { systolic: 128, diastolic: 82, pulse: 70, position: 'sitting, "left"' }),
    of(2, 'acme.delta', { value: -1.5, unit: 'Cel' }),
    of(3, 'bloodGlucose', { value: 6.1, unit: 'mmol/L' }),
    of(4, 'acme.odd', { value: '72', unit: 'a;=b', pulse: null }),
    symptom(5, { symptoms: ['headache', 'cough'].map((name) => ({ symptom: name, severity: 'MILD' })) }),
  ]
  assert.equal((await add(sent)).status, 200)
  const rows = rowsOf((await exportOf(token, CSV)).text)
  const pick = (name: string) => rows.map((row) => row[name])
  assert.deepEqual(pick('value'), ['', '-1.5', '6.1', '', ''])
  assert.deepEqual(pick('unit'), ['mm[Hg]', 'Cel', 'mmol/L', '', ''])
  assert.deepEqual([pick('systolic')[0], pick('diastolic')[0], pick('pulse')[0]], ['128', '82', '70'])
  assert.deepEqual(pick('symptoms'), ['', '', '', '', 'headache (MILD), cough (MILD)'])
  assert.deepEqual(pick('other').slice(0, 4), [
    '{"position":"sitting, \\"left\\""}',
    '{"unit":"Cel"}',
    '{"unit":"mmol/L"}',
    '{"value":"72","unit":"a\\u003b=b","pulse":null}',
  ])
  assert.deepEqual(pick('measuredAt')[0], '1970-01-01T00:00:01.000Z')
})

test('the source of a reading has a column for its kind and one for its device, and stays whole beside them', async () => {
  const { add, patientUid, symptom, token } = await newPatient(rounds)
  const device = { name: '=cmd|a;+b', serial: '1' }
  const sources = [{ kind: 'manual' }, { kind: 'device', device }, undefined]
  const sent = sources.map((source, index) => symptom(index + 1, { source }))
  assert.equal((await add([...sent, { patientUid, readingType: 'acme.odd', timestamp: 4 }])).status, 200)
  const rows = rowsOf((await exportOf(token, CSV)).text)
  const pick = (name: string) => rows.map((row) => row[name])
  assert.deepEqual(pick('sourceKind'), ['manual', 'device', '', ''])
  // No spreadsheet takes it for a formula, also where semicolons divide cells.
  assert.deepEqual(pick('sourceDevice'), ['', "'=cmd|a +b", '', ''])
  assert.deepEqual(
    rows.map((row) => (readingFrom(row) as { source?: unknown }).source),
    [...sources, undefined],
  )
})

test('symptoms are put into words only where they are symptoms', async () => {
  const { add, patientUid, token } = await newPatient(rounds)
  const symptoms = [1, null, 'cough', [], { symptom: 'ache' }, { symptom: 'ache', severity: 'MILD' }]
  await add({ patientUid, readingType: 'acme.odd', timestamp: 1, symptoms })
  const [row] = rowsOf((await exportOf(token, CSV)).text)
  assert.deepEqual([row?.['symptoms'], row?.['other']], ['ache (MILD)', JSON.stringify({ symptoms })])
})

test('whatever readings hold, CSV and lines of JSON give back the very same readings', async () => {
  const { add, patientUid, stored, token } = await newPatient(rounds)
  const risky = fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '-1.5',
    '@x',
    '\tx',
    '\rx',
    '\n',
    "'",
    "'=1",
    ';=1',
    'a";=b',
    '，＝',
    '"',
    ',',
    'next\u0085line',
    'line\u2028separator',
    '\u2029',
    '\v\f\x1c\x1d\x1e',
  )
  const text = fc.oneof(risky, fc.string({ unit: 'grapheme' }))
  const value = fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const name = fc.oneof(
    fc.constantFrom('value', 'unit', 'systolic', 'pulse', 'other', 'symptoms', 'rem', '=x'),
    fc.string({ minLength: 1, unit: 'grapheme' }),
  )
  const readings = fc
    .sample(fc.dictionary(name, value, { maxKeys: 6 }), { numRuns: 400, seed: 20261115 })
    .filter((fields) => !/\\u0000|__proto__|constructor|-0[,}\]]/.test(JSON.stringify(fields)))
    .map((fields, index) => ({
      ...fields,
      patientUid,
      readingType: ['-1-2', '-5', 'acme.x'][index % 3],
      timestamp: index / 4,
    }))
  assert.ok(readings.length > 250)
  const added = await add(readings)
  assert.equal(added.status, 200, added.text)
  const expected = await stored()
  const lines = (await exportOf(token, NDJSON)).text
  assert.ok(lines.endsWith('}\n'))
  const fromLines = lines.trimEnd().split('\n')
  assert.deepEqual(
    fromLines.map((line) => JSON.parse(line) as unknown),
    expected,
  )
  const csv = (await exportOf(token, CSV)).text
  assert.deepEqual(rowsOf(csv).map(readingFrom), expected)
  assert.equal(csv.split(ANY_LINE_END).length, expected.length + 2, 'no cell holds a line end')
})

test('no cell begins like a formula, whichever of comma, semicolon or tab divides the cells', async () => {
  const formulas = [
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    ' =1',
    '＝1',
    ';=1',
    '; =1',
    'x;\t+1',
    'x\n=1',
  ]
  const patientUid = '=cmd|calc'
  const token = await rounds.token({ patientUid })
  const readings = formulas.flatMap((formula, index) => [
    { patientUid, readingType: '-1-1', timestamp: index, unit: formula, note: formula, [`${formula}.`]: 1 },
    {
      patientUid,
      readingType: 'symptom',
      timestamp: index,
      symptoms: [{ symptom: formula, severity: 'MILD' }],
    },
  ])
  const added = await rounds.call('/casesheet/readings/add', { token, body: readings })
  assert.equal(added.status, 200, added.text)
  const csv = (await exportOf(token, CSV)).text
  const cells = rowsOf(csv).flatMap(Object.values)
  // A spreadsheet that divides at another character sees the quotes as part of the cells.
  const divided = csv.split('\r\n').flatMap((line) => line.split(/[;\t]/))
  for (const cell of [...cells, ...divided])
    assert.doesNotMatch(cell, /^"?\s*[=+\-@＝＋－＠](?!\d+(\.\d+)?$)/)
  assert.ok(cells.includes("'=cmd|calc") && cells.includes("'-1-1"))
})

test('a character that some program takes for a line end begins no row, in any column, and is not lost', async () => {
  const { add, patientUid, stored, symptom, token } = await newPatient(rounds)
  const texts = LINE_ENDS.map((character) => `a${character}=b`)
  const readings = texts.flatMap((text, index) => [
    {
      patientUid,
      readingType: 'acme.x',
      timestamp: index,
      unit: text,
      note: text,
      [text]: [{ [text]: text }],
    },
    symptom(index, { symptoms: [{ symptom: text, severity: 'MILD' }] }),
  ])
  assert.equal((await add(readings)).status, 200)
  const csv = (await exportOf(token, CSV)).text
  assert.equal(csv.split(ANY_LINE_END).length, readings.length + 2)
  const rows = rowsOf(csv)
  assert.deepEqual(rows.map(readingFrom), await stored())
  assert.deepEqual(
    new Set(rows.flatMap(({ symptoms, unit }) => [symptoms, unit])),
    new Set(['', 'a =b (MILD)']),
    'what is there to be read has a space in its place, or is left out',
  )
})
