import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientWithReadings, sequencesOf } from '../../../../test/support/patient.ts'

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

/** Adds readings with a text of so many characters each, a second apart, numbered from `first` on. */
async function addLarge(patient: Awaited<ReturnType<typeof patientWith>>, sizes: number[], first = 0) {
  for (const [index, size] of sizes.entries()) {
    const sequence = first + index
    const note = 'x'.repeat(size)
    const reading = { readingType: 'acme.large', timestamp: 1_700_000_000 + sequence, sequence, note }
    const { status } = await patient.add({ patientUid: patient.patientUid, ...reading })
    assert.equal(status, 200)
  }
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test('pages of large readings end early and lose nothing', async () => {
  const patient = await patientWith([])
  await addLarge(patient, Array(40).fill(60_000))
  const { get } = patient
  const first = await get({ limit: 1_000 })
  assert.ok(first.text.length > 900_000 && first.text.length < 1_100_000, `${first.text.length}`)
  const rest = await get({ cursor: String(first.json.nextCursor) })
  assert.deepEqual(sequencesOf([...first.json.data, ...rest.json.data]), numbers(40))
  assert.deepEqual(sequencesOf((await get()).json.data), numbers(40))
})

test('whatever the sizes of readings, pages hold every reading once and in order', async () => {
  const patient = await patientWith([])
  // Around the 512 bytes of a part, the 2,000 of a reading that is stored as it is, and the most that a reading may take.
  const sizes = numbers(120).map((n) => [10, 280, 330, 1_900, 2_100, 5_000, 64_500][(n * n) % 7] ?? 0)
  await addLarge(patient, sizes)
  for (const limit of [1, 3, 17, 119, 120, 1_000]) {
    for (const order of ['asc', 'desc']) {
      const seen: unknown[] = []
      for (let query: Record<string, string | number> | undefined = { limit, order }; query; ) {
        const { json, text } = await patient.get(query)
        assert.ok(json.data.length > 0 && json.data.length <= limit)
        // Where a page is not full, the next reading would have made it larger than a page may be.
        if (json.nextCursor !== null && json.data.length < limit) assert.ok(text.length > 970_000)
        assert.ok(text.length < 1_100_000)
        seen.push(...sequencesOf(json.data))
        query = json.nextCursor === null ? undefined : { limit, order, cursor: json.nextCursor }
      }
      assert.deepEqual(seen, order === 'asc' ? numbers(120) : numbers(120).toReversed())
    }
  }
})

test('large readings do not make the pages of a stream behind them shorter', async () => {
  const patient = await patientWith([])
  await addLarge(patient, Array(30).fill(60_000))
  await patient.addAt(numbers(5_000).map((n) => 1_800_000_000 + n))
  const { json } = await patient.get()
  assert.equal(json.data.length, 5_030)
  const pages = (await patient.accessLog()).map(({ readings_count }) => Number(readings_count))
  // 4 of the large ones in a page of 256 KiB; 250 of the others.
  assert.deepEqual(pages.slice(0, 7), Array(7).fill(4))
  assert.deepEqual(pages.slice(8, -1), Array(pages.length - 9).fill(250))
  assert.ok(pages.length <= 30, `${pages.length} pages`)
})

test('a page is as long for each of many callers at once as for one alone', async () => {
  const patients = await Promise.all(numbers(3).map(() => patientWith([])))
  await Promise.all(patients.map((patient) => addLarge(patient, Array(20).fill(60_000))))
  const lengths = async (count: number) =>
    Promise.all(
      numbers(count).map(async (n) => (await patients[n % 3]?.get({ limit: 1_000 }))?.json.data.length),
    )
  const [alone] = await lengths(1)
  assert.deepEqual(await lengths(40), Array(40).fill(alone))
  const small = await patientWith(numbers(1_000))
  const answers = await Promise.all(numbers(40).map(() => small.get({ limit: 1_000 })))
  for (const { json } of answers) assert.deepEqual([json.data.length, json.nextCursor], [1_000, null])
})
