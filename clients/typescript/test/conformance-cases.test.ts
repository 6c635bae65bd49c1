// What every client decides alike, by the table that the Python client is tested with too.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBatchSize, tookTooLong } from '../src/batch-size.ts'
import { queryText } from '../src/call.ts'
import { readAnswer } from '../src/read-answer.ts'
import { waitBefore } from '../src/retry.ts'
import { RoundsError, type RoundsErrorCode } from '../src/rounds-error.ts'
import { splitRefused } from '../src/split-refused.ts'

type Case = { is: string; retryable?: boolean; retryAfterMs?: number }
type Cases = {
  waitBefore: { failures: number; retryAfterMs: number | null; random: number; waitMs: number }[]
  tookTooLong: { code: string; status: number; attemptMs: number; tooLong: boolean }[]
  batchSize: {
    max: number
    events: {
      why?: string
      event: 'failed' | 'succeeded' | 'wasTooLarge'
      count: number
      ms?: number
      then: number
    }[]
  }
  queries: { query: object; text: string }[]
  answers: (Case & { status: number; retryAfter?: string; text: string })[]
  splitRefused: { why: string; status: number; patients: string[]; pointers: string[]; parts: number[][] }[]
}

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../conformance-cases.json'), 'utf8'),
) as Cases

test('the wait before a retry is anything up to a bound that doubles, on top of what was asked for', () => {
  for (const { failures, retryAfterMs, random, waitMs } of cases.waitBefore)
    assert.equal(waitBefore(failures, retryAfterMs ?? undefined, random), waitMs)
})

test('what failed at once did not fail for its size', () => {
  for (const { attemptMs, tooLong, ...failure } of cases.tookTooLong)
    assert.equal(tookTooLong(failure, attemptMs), tooLong, JSON.stringify(failure))
})

test('batches shrink faster with each failure in a row, and grow while they are quick', () => {
  const batchSize = createBatchSize(cases.batchSize.max)
  for (const { event, count, ms = 0, then, why } of cases.batchSize.events) {
    batchSize[event](count, ms)
    assert.equal(batchSize.current(), then, why)
  }
})

test('a query is text in which a list repeats its name', () => {
  for (const { query, text } of cases.queries) assert.equal(queryText(query), text)
})

test('an answer counts only in the words of Rounds', () => {
  for (const { status, retryAfter, text, is, retryable, retryAfterMs } of cases.answers) {
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    const read = () => readAnswer({ ok: status >= 200 && status < 300, status, headers }, text, 0)
    if (is === 'answer') assert.deepEqual(read(), JSON.parse(text))
    else
      assert.throws(read, (error) => {
        assert.ok(error instanceof RoundsError)
        assert.deepEqual(
          [error.code, error.status, error.retryable, error.retryAfterMs],
          [is, status, retryable, retryAfterMs],
        )
        return true
      })
  }
})

test('a refused list is divided so that the good ones get through in few requests', () => {
  for (const { status, patients, pointers, parts, why } of cases.splitRefused) {
    const code: RoundsErrorCode = 'ValidationFailed'
    const errors = pointers.map((pointer) => ({ pointer, message: 'wrong' }))
    const error = new RoundsError({ code, message: 'Refused.', retryable: false, status, errors })
    const queued = patients.map((patientUid, key) => ({
      key,
      reading: { patientUid, readingType: 'acme.step', timestamp: 1 },
    }))
    assert.deepEqual(
      splitRefused(queued, error).map((part) => part.map(({ key }) => key)),
      parts,
      why,
    )
  }
})
