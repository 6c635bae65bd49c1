import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillDirectory } from '../../../test/support/directory.ts'
import { assertRefused, startRounds } from '../../../test/support/harness.ts'
import { cursorOf, placeOf } from './doctor-cursor.ts'

const PATH = '/appointments/doctors/list'
const rounds = await startRounds()
const token = await rounds.token()
const COUNT = 230
// Several doctors share each name, so that a page may end among equals.
await fillDirectory(rounds.ownerUrl, {
  specialities: [{ title: 'Invented', specialityId: 'invented' }],
  doctors: Array.from({ length: COUNT }, (_, index) => ({
    doctorId: `doctor-${(index * 37) % COUNT}`,
    name: `Dr. Nobody ${String.fromCharCode(65 + (index % 26))} (invented)`,
    specialities: index % 3 === 0 ? ['Invented'] : [],
    // Every second, ninth and fiftieth: found by the walk for a language, now and then, and never.
    languages: [
      ...(index % 2 === 0 ? ['en-IN'] : []),
      ...(index % 9 === 0 ? ['fr'] : []),
      ...(index % 50 === 0 ? ['cy'] : []),
    ],
    city: index % 5 === 0 ? 'Pune' : null,
  })),
})
type Query = Record<string, string>
const page = (query: Query) => rounds.call(`${PATH}?${new URLSearchParams(query).toString()}`, { token })

async function allPages(query: Query, limit: number) {
  const seen: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await page({ ...query, limit: String(limit), ...(cursor ? { cursor } : {}) })
    assert.ok(json.data.length <= limit && (json.data.length > 0 || seen.length === 0))
    seen.push(...json.data.map(({ doctorId }) => doctorId))
    cursor = json.nextCursor
  }
  return seen
}

const searches: [Query, number][] = [
  [{}, COUNT],
  [{ specialityId: 'invented' }, 77],
  [{ q: 'nobody' }, COUNT],
  [{ q: 'd' }, COUNT],
  [{ language: 'en' }, 115],
  [{ language: 'fr' }, 26],
  [{ language: 'cy' }, 5],
  [{ city: 'pune' }, 46],
  [{ specialityId: 'invented', language: 'en', q: 'n', city: 'pune' }, 8],
]
for (const [query, count] of searches) {
  test(`whatever the limit, pages hold every doctor once and in order: ${JSON.stringify(query)}`, async () => {
    const whole = await allPages(query, 1_000)
    assert.equal(new Set(whole).size, count)
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (limit) => {
      assert.deepEqual(await allPages(query, limit), whole)
    })
    await fc.assert(property, {
      numRuns: 8,
      seed: 20261115,
      examples: [[count], [count - 1], [7], [10], [20]],
    })
  })
}

test('without a limit a page holds a hundred', async () => {
  const { json } = await page({})
  assert.equal(json.data.length, 100)
  assert.equal(typeof json.nextCursor, 'string')
})

test('a page goes on after its place, though the doctor who stood there was moved', async () => {
  const { json } = await page({ limit: '3' })
  const [, , third] = json.data
  await fillDirectory(rounds.ownerUrl, {
    doctors: [{ doctorId: third?.['doctorId'], name: 'Zz Elsewhere (invented)', specialities: [] }],
  })
  const rest = await page({ limit: '1000', cursor: String(json.nextCursor) })
  assert.equal(rest.json.data.length, COUNT - 2)
})

test('a known place has a known cursor, which leads back to it', () => {
  // ["D7WxhrSjQxN","dr. invented willow","doctor-1"]; the checksum was computed apart.
  const cursor = 'WyJEN1d4aHJTalF4TiIsImRyLiBpbnZlbnRlZCB3aWxsb3ciLCJkb2N0b3ItMSJd'
  const [place, search] = [
    { nameKey: 'dr. invented willow', doctorId: 'doctor-1' },
    { q: 'wíllow', city: 'Pune' },
  ]
  assert.equal(cursorOf(place, search), cursor)
  assert.deepEqual(placeOf(cursor, search), place)
})

test('a cursor that was made up, was changed or belongs to another search is refused', async () => {
  const cursor = String((await page({ limit: '1', q: 'nobody' })).json.nextCursor)
  const text = (content: string) => Buffer.from(content).toString('base64url')
  const flipped = cursor.slice(0, 30) + (cursor[30] === 'A' ? 'B' : 'A') + cursor.slice(31)
  const bad: [string, Query][] = [
    ['', {}],
    ['nope', { q: 'nobody' }],
    [flipped, { q: 'nobody' }],
    [`${cursor}A`, { q: 'nobody' }],
    [`${cursor}=`, { q: 'nobody' }],
    [cursor.slice(0, -1), { q: 'nobody' }],
    [cursor, {}],
    [cursor, { q: 'body' }],
    [cursor, { q: 'nobody', city: 'Pune' }],
    [text('[]'), {}],
    [text('{}'), {}],
    [text('null'), {}],
    [text('["",1,2]'), {}],
    [cursorOf({ nameKey: 'a\0b', doctorId: 'x' }, {}), {}],
    [cursorOf({ nameKey: 'a', doctorId: '\ud800' }, {}), {}],
    ["' or true --", {}],
    ['x'.repeat(5_000), {}],
  ]
  for (const [forged, query] of bad) {
    assertRefused(await page({ ...query, cursor: forged }), 400, 'InvalidCursor')
  }
  assert.equal((await page({ q: 'nobody', cursor })).status, 200)
})
