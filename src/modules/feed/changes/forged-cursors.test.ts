// Cursors of readings/changes that were never given: a real one taken apart, with one part changed. Each is refused or answered;
// none is a fault, and none gives a right.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'

const rounds = await startRounds()
const token = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
const follow = (cursor: string) =>
  rounds.call(`/casesheet/readings/changes?cursor=${encodeURIComponent(cursor)}`, { token })

const PARTS = [
  '',
  '0',
  '-1',
  '1',
  '999999999',
  '2147483648',
  '9'.repeat(18),
  '9'.repeat(19),
  '9'.repeat(400),
  '1e3',
  'NaN',
  'FFFFFFFF/FFFFFFFF',
  '0/0',
  'G/0',
  randomUUID(),
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  "' or 1=1 --",
  '\0',
  'ß',
  'x'.repeat(4_000),
]

test('a cursor with any one part forged is refused with 400 or 410, or answered', async () => {
  const { addAt } = await newPatient(rounds)
  await addAt([1, 2, 3])
  // A transaction of another test may hold them back for a moment.
  const { json } = await rounds.call('/casesheet/readings/changes?wait=30', { token })
  assert.equal(json.data.length, 3)
  const words = Buffer.from(json.nextCursor ?? '', 'base64url')
    .toString()
    .split(/([ ,])/)
  assert.equal(words.length, 11)
  const seen = new Set<string>()
  for (let place = 0; place < words.length; place++)
    for (const part of PARTS) {
      const cursor = Buffer.from(words.with(place, part).join('')).toString('base64url')
      const answer = await follow(cursor)
      assert.ok([200, 400, 410].includes(answer.status), `${place} ${part.slice(0, 40)}: ${answer.text}`)
      seen.add(`${answer.status} ${answer.json.code}`)
    }
  assert.deepEqual([...seen].toSorted(), ['200 Ok', '400 InvalidCursor', '410 CursorExpired'])
})
