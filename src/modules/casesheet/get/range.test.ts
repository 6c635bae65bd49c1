// Cursors outlive a release: an app may hold one across an update. Known places have known cursors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { cursorOf, positionOf } from './range.ts'

const READING_ID = 'a8cc4b5f-bc32-829e-b074-9ccbae1ab403'
const KNOWN = [
  {
    // asc 1762000000000 a8cc4b5f-bc32-829e-b074-9ccbae1ab403
    cursor: 'YXNjIDE3NjIwMDAwMDAwMDAgYThjYzRiNWYtYmMzMi04MjllLWIwNzQtOWNjYmFlMWFiNDAz',
    order: 'asc',
    timestamp: 1_762_000_000_000,
  },
  {
    // desc 1762000000000 a8cc4b5f-bc32-829e-b074-9ccbae1ab403
    cursor: 'ZGVzYyAxNzYyMDAwMDAwMDAwIGE4Y2M0YjVmLWJjMzItODI5ZS1iMDc0LTljY2JhZTFhYjQwMw',
    order: 'desc',
    timestamp: 1_762_000_000_000,
  },
  {
    // desc 1762000000.123456 a8cc4b5f-bc32-829e-b074-9ccbae1ab403
    cursor: 'ZGVzYyAxNzYyMDAwMDAwLjEyMzQ1NiBhOGNjNGI1Zi1iYzMyLTgyOWUtYjA3NC05Y2NiYWUxYWI0MDM',
    order: 'desc',
    timestamp: 1_762_000_000.123_456,
  },
] as const

test('known places have known cursors, and these lead back to them', () => {
  for (const { cursor, order, timestamp } of KNOWN) {
    const position = { timestamp, readingId: READING_ID }
    assert.equal(cursorOf(position, { order, from: undefined, to: undefined }), cursor)
    assert.deepEqual(positionOf(cursor, { order, from: timestamp, to: timestamp }), position)
  }
})

test('the service gives and takes known cursors', async () => {
  const rounds = await startRounds()
  const token = await rounds.token({ patientUid: 'patient-1' })
  const [before, at, after] = [1_761_999_999_999, 1_762_000_000_000, 1_762_000_000_001]
  const symptoms = [{ symptom: 'headache', severity: 'MODERATE' }]
  const body = [before, at, after].map((timestamp) => ({
    patientUid: 'patient-1',
    readingType: 'symptom',
    symptoms,
    timestamp,
  }))
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  for (const { cursor, order, timestamp } of KNOWN.slice(0, 2)) {
    const path = `/casesheet/readings/get?order=${order}&limit=2`
    const page = await rounds.call(path, { token })
    assert.deepEqual([page.json.nextCursor, page.json.data[1]?.['timestamp']], [cursor, timestamp])
    const next = await rounds.call(`${path}&cursor=${cursor}`, { token })
    assert.deepEqual(
      next.json.data.map((reading) => reading['timestamp']),
      [order === 'asc' ? after : before],
    )
  }
})
