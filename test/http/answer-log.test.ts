// One line in the log for each answer: enough to find it and to see what it cost, and nothing of who asked or for whom.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'

const rounds = await startRounds()

/** The line of an answer; it is written when the answer has ended, a moment after the client has it. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; ) {
    const lines = rounds
      .log()
      .split('\n')
      .filter((line) => line.includes(`"requestId":"${requestId}"`))
    if (lines.length > 0) {
      assert.equal(lines.length, 1)
      return JSON.parse(lines[0] ?? '') as Record<string, unknown>
    }
    await new Promise((resume) => setTimeout(resume, 5))
  }
  throw new Error(`No line of ${requestId} in the log.`)
}

test('a line names the request, its route, what was answered, and what it took', async () => {
  const { addAt, token, patientUid } = await newPatient(rounds)
  await addAt(Array.from({ length: 600 }, (_, index) => 1_762_000_000_000 + index))
  const get = '/casesheet/readings/get'
  const cases: [string, { token?: string; body?: object }, object][] = [
    [`${get}?patientUid=${patientUid}&limit=2`, { token }, { method: 'GET', route: get, status: 200 }],
    [`${get}?patientUid=${patientUid}`, { token }, { method: 'GET', route: get, status: 200 }],
    [`${get}?patientUid=${patientUid}`, {}, { method: 'GET', route: get, status: 401, code: 'TokenMissing' }],
    [`/nothing/${patientUid}`, { token }, { method: 'GET', route: 'none', status: 404, code: 'NotFound' }],
    [
      '/casesheet/readings/add',
      { token, body: { patientUid, readingType: 'symptom' } },
      { method: 'POST', route: '/casesheet/readings/add', status: 400, code: 'ValidationFailed' },
    ],
  ]
  for (const [path, request, expected] of cases) {
    const requestId = randomUUID()
    const headers = { 'x-request-id': requestId, 'accept-encoding': 'identity' }
    const answer = await rounds.call(path, { ...request, headers })
    const { level, time, ms, bytes, ...line } = await lineOf(requestId)
    assert.deepEqual(line, { requestId, ...expected }, path)
    assert.deepEqual([level, typeof time], [30, 'number'])
    assert.ok(Number(ms) > 0 && Number(ms) < 60_000, String(ms))
    // The body, also where it was streamed, with the headers and the lengths of its chunks.
    const beyondBody = Number(bytes) - Buffer.byteLength(answer.text)
    assert.ok(beyondBody > 100 && beyondBody < 2_000, `${path}: ${String(bytes)}`)
  }
})
