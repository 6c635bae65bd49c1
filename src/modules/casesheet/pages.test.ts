import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../test/harness.ts'
import { patientWithReadings, sequencesOf } from '../../../test/patient.ts'

const rounds = await startRounds()

const patientWith = (timestamps: number[], readingTypes?: string[]) =>
  patientWithReadings(rounds, timestamps, readingTypes)

test('whatever the limit, the order and the types, pages hold every reading once and in order', async () => {
  // Several readings share each instant, so that a page may end among equals.
  const { token, get } = await patientWith(
    Array.from({ length: 240 }, (_, index) => 1_700_000_000 + Math.floor(index / 7)),
    ['a', 'b', 'a', 'c', 'rare-but-not-last', 'a'],
  )
  const whole = (await get()).json.data
  assert.equal(new Set(sequencesOf(whole)).size, 240)
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 300 }),
    fc.constantFrom('asc', 'desc'),
    fc.constantFrom<string[]>([], ['a'], ['b', 'a'], ['none', 'c', 'a', 'a', 'b'], ['none']),
    async (limit, order, types) => {
      const wanted = whole.filter(
        ({ readingType }) => types.length === 0 || types.includes(String(readingType)),
      )
      const query = ['', ...types].map((type) => (type ? `&readingType=${type}` : '')).join('')
      const seen: unknown[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/casesheet/readings/get?limit=${limit}&order=${order}${query}${cursor ? `&cursor=${cursor}` : ''}`
        const { json } = await rounds.call(path, { token })
        assert.ok(json.data.length <= limit && (json.data.length > 0 || seen.length === 0))
        seen.push(...sequencesOf(json.data))
        cursor = json.nextCursor
      }
      assert.deepEqual(seen, sequencesOf(order === 'asc' ? wanted : wanted.toReversed()))
    },
  )
  await fc.assert(property, {
    numRuns: 40,
    seed: 20261115,
    examples: [
      [1, 'asc', []],
      [240, 'desc', []],
      [239, 'asc', []],
      [241, 'asc', []],
      [120, 'asc', ['a']],
      [119, 'desc', ['a']],
    ],
  })
})

test('without a limit the whole range is streamed, and a cursor without a limit goes on to the end', async () => {
  const { accessLog, get } = await patientWith(
    Array.from({ length: 3_500 }, (_, index) => 1_700_000_000 + index),
  )
  const { json, headers } = await get()
  assert.equal(headers.get('content-length'), null)
  assert.deepEqual(
    sequencesOf(json.data),
    Array.from({ length: 3_500 }, (_, index) => index),
  )
  assert.equal(json.nextCursor, null)
  const first = await get({ limit: 100 })
  const rest = await get({ cursor: String(first.json.nextCursor) })
  assert.deepEqual(sequencesOf([...first.json.data, ...rest.json.data]), sequencesOf(json.data))
  const pages = (await accessLog()).filter(({ request_id }) => request_id === headers.get('x-request-id'))
  assert.deepEqual(
    pages.map(({ page, readings_count }) => [page, readings_count]),
    Array.from({ length: 14 }, (_, page) => [page, 250]),
  )
})

test('a cursor that was made up, is of another order or lies outside the range is refused', async () => {
  const { get } = await patientWith([1_000, 2_000, 3_000])
  const ascending = String((await get({ limit: 1, from: 1_000 })).json.nextCursor)
  const text = (content: string) => Buffer.from(content).toString('base64url')
  const id = '00000000-0000-8000-8000-000000000000'
  const bad: [string, Record<string, string | number>][] = [
    ['bm9wZQ', {}],
    [ascending, { order: 'desc' }],
    [ascending, { from: 2_000 }],
    [`${ascending}A`, {}],
    [text(`asc -1 ${id}`), {}],
    [text(`asc NaN ${id}`), {}],
    [text(`asc 1e3 ${id}`), {}],
    [text(`asc 1000 ${id} x`), {}],
    [text(`asc 9e99 ${id}`), {}],
    [text("asc 1000 '; drop table"), {}],
    ['%00', {}],
  ]
  for (const [cursor, query] of bad) {
    const { status, json } = await get({ ...query, cursor, limit: 1 })
    assert.deepEqual([status, json.code], [400, 'InvalidCursor'], cursor)
  }
})

test('pages of large readings end early and lose nothing', async () => {
  const { add, get, patientUid } = await patientWith([])
  const note = 'x'.repeat(60_000)
  const readings = Array.from({ length: 40 }, (_, sequence) => ({
    patientUid,
    readingType: 'acme.large',
    timestamp: sequence,
    sequence,
    note,
  }))
  assert.equal((await add(readings)).status, 200)
  const first = await get({ limit: 1_000 })
  assert.ok(first.text.length < 1_200_000 && first.json.nextCursor !== null)
  const rest = await get({ cursor: first.json.nextCursor })
  const all = Array.from({ length: 40 }, (_, sequence) => sequence)
  assert.deepEqual(sequencesOf([...first.json.data, ...rest.json.data]), all)
  assert.deepEqual(sequencesOf((await get()).json.data), all)
})
