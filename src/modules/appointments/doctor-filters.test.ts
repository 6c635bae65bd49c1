// What every filter of the contract must do, asked of each that the contract names: one that is added is asked too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { assertRefused, startRounds } from '../../../test/support/harness.ts'
import { contentOf, cursorOf } from './doctor-cursor.ts'
import { DoctorsQuery } from './list-doctors.ts'

const PATH = '/appointments/doctors/list'
const rounds = await startRounds()
const token = await rounds.token()
await fillDirectory(rounds.ownerUrl, {
  specialities: [{ title: 'Invented', specialityId: 'invented' }],
  doctors: ['a', 'b', 'c'].map((doctorId) => ({
    doctorId,
    name: 'Dr. Nobody (invented)',
    specialities: ['Invented'],
  })),
})
const page = (query: Record<string, unknown>) => {
  const parameters = new URLSearchParams()
  // A list has one entry here, so its text is that entry.
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return rounds.call(`${PATH}?${parameters.toString()}`, { token })
}

/** Each filter of the contract with a value that no doctor here has: the contract's own example. */
const FILTERS = Object.entries(DoctorsQuery.properties)
  .filter(([name]) => name !== 'limit' && name !== 'cursor')
  .map(([name, schema]) => ({ [name]: exampleOf(schema) }))

test('the contract has filters', () => {
  assert.ok(FILTERS.length >= 4)
})

for (const filter of FILTERS) {
  const [name] = Object.keys(filter)

  test(`${name} decides which doctors are listed, whichever pages are cached`, async () => {
    // With limits whose plans are cached too, where a plan without the filter would be taken for its own.
    for (const limit of ['100', '20', '7']) {
      for (let time = 0; time < 2; time++) {
        assert.equal((await page({ limit })).json.data.length, 3)
        assert.equal((await page({ limit, ...filter })).json.data.length, 0)
      }
    }
  })

  test(`${name} belongs to a cursor`, async () => {
    const cursor = String((await page({ limit: '1' })).json.nextCursor)
    assert.equal((await page({ limit: '1', cursor })).status, 200)
    assertRefused(await page({ limit: '1', cursor, ...filter }), 400, 'InvalidCursor')
    const ofFilter = cursorOf({ nameKey: 'a', doctorId: 'a' }, filter)
    assert.equal((await page({ cursor: ofFilter, ...filter })).status, 200)
    assertRefused(await page({ cursor: ofFilter }), 400, 'InvalidCursor')
  })
}

test('a filter that is added later changes no cursor of searches without it', () => {
  const names = ['specialityId', 'q', 'later', 'earlier', 'language', 'city']
  assert.deepEqual(contentOf({ q: 'x' }, names), [null, 'x', null, null])
  assert.deepEqual(contentOf({ later: 'b', q: 'x', earlier: 'a' }, names), [
    null,
    'x',
    null,
    null,
    ['earlier', 'a'],
    ['later', 'b'],
  ])
})

type Exemplified = { examples?: unknown[]; 'x-examples'?: { example: { value: unknown } } }

function exampleOf(schema: object): unknown {
  const { examples, 'x-examples': beside }: Exemplified = schema
  const example = beside?.example.value ?? examples?.[0]
  assert.notEqual(example, undefined, 'every filter of the contract has an example')
  return example
}
