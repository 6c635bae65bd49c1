// The id of a reading is its content, to the letter and for ever: known readings have known ids.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { READING_VECTORS } from '../../../test/support/reading-vectors.ts'
import type { Reading } from './reading.ts'
import { readingIdOf } from './reading-id.ts'

const rounds = await startRounds()
const token = await rounds.token({ patientUid: ['patient-1', 'pätient-😀'] })
const prefer = { prefer: 'return=representation' }
const add = (raw: string, headers: Record<string, string> = {}) =>
  rounds.call('/casesheet/readings/add', { token, raw, headers })

async function storedIds(sent: string): Promise<unknown[]> {
  const { patientUid, timestamp } = JSON.parse(sent) as Reading
  const query = new URLSearchParams({ patientUid, from: String(timestamp), to: String(timestamp) })
  const { json } = await rounds.call(`/casesheet/readings/get?${query.toString()}`, { token })
  return json.data.map(({ readingId }) => readingId)
}

for (const { name, sent, canonical, readingId } of READING_VECTORS) {
  test(`a known reading has its known id: ${name}`, async () => {
    assert.equal(readingIdOf(JSON.parse(sent) as Reading), readingId)
    for (const text of [sent, canonical, `[${sent}]`]) {
      const { status, text: answer } = await add(text)
      assert.equal(status, 200, answer)
    }
    const ids = await storedIds(sent)
    assert.equal(ids.filter((id) => id === readingId).length, 1)
    const verdicts = await add(`[${sent},${canonical}]`, prefer)
    // Warnings say nothing of identity.
    const judged = verdicts.json.data.map(({ verdict, readingId: id }) => ({ verdict, readingId: id }))
    assert.deepEqual(judged, [
      { verdict: 'duplicate', readingId },
      { verdict: 'duplicate', readingId },
    ])
  })
}

test('each known id is the digest of its canonical text', () => {
  for (const { name, canonical, readingId } of READING_VECTORS) {
    const bytes = createHash('sha256').update(canonical, 'utf8').digest().subarray(0, 16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    assert.equal(readingId.replaceAll('-', ''), bytes.toString('hex'), name)
  }
})

test('nothing but the known readings is stored, each once', async () => {
  const distinct = new Set(READING_VECTORS.map(({ readingId }) => readingId))
  const stored = await Promise.all(
    ['patient-1', 'pätient-😀'].map((patientUid) =>
      rounds.call(`/casesheet/readings/get?${new URLSearchParams({ patientUid }).toString()}`, { token }),
    ),
  )
  const ids = stored.flatMap(({ json }) => json.data.map(({ readingId }) => String(readingId)))
  assert.deepEqual(ids.toSorted(), [...distinct].toSorted())
  assert.equal(distinct.size, READING_VECTORS.length - 1, 'two of them are one reading, spelled differently')
})

test("the number of RFC 8785's sample that a double cannot keep would have the same id, and is refused", async () => {
  const sample = READING_VECTORS.find(({ name }) => name.includes('section 3.2.2'))
  assert.ok(sample)
  const unkept = sample.sent.replace('333333333.3333333', '333333333.33333329')
  assert.equal(readingIdOf(JSON.parse(unkept) as Reading), sample.readingId)
  const { status, json } = await add(unkept)
  assert.deepEqual([status, json.errors.map(({ pointer }) => pointer)], [400, ['/numbers/0']])
})

test('a key that would be no field of its own has no id: it is refused', async () => {
  const [{ sent } = { sent: '' }] = READING_VECTORS
  const { status, json } = await add(sent.replace('{', '{"__proto__":{"a":1},'))
  assert.deepEqual([status, json.code], [400, 'ValidationFailed'])
})
