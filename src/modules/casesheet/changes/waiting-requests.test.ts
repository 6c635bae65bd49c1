// Requests of readings/changes that wait: their bounds, and what they cost others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricOf, until } from '../../../../test/event-stream.ts'
import { assertRefused, startRounds } from '../../../../test/harness.ts'
import { newPatient } from '../../../../test/patient.ts'

// The queue of the database is as short as in production, where requests that are woken together would fill it.
const rounds = await startRounds({ MAX_REQUESTS_WHEN_BUSY: '64' })
const waiting = () => metricOf(rounds.adminUrl, 'rounds_changes_waiting')
const wait = (token: string, signal?: AbortSignal) =>
  fetch(`${rounds.url}/casesheet/readings/changes?start=now&wait=30`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  })

test('one subject may have twenty requests waiting, also when they come at once, and another is served', async () => {
  const leaving = new AbortController()
  const token = await rounds.token({ sub: 'greedy', scope: 'readings:changes' })
  const answers = Array.from({ length: 40 }, () => wait(token, leaving.signal).catch(() => undefined))
  const refused: Response[] = []
  for (const answer of answers) void answer.then((found) => found && refused.push(found))
  await until(() => refused.length === 20)
  for (const answer of refused) {
    assertRefused(
      { status: answer.status, headers: answer.headers, json: (await answer.json()) as object },
      429,
      'RateLimited',
    )
    assert.equal(answer.headers.get('retry-after'), '10')
  }
  assert.equal(await waiting(), 20)
  const other = await rounds.token({ sub: 'modest', scope: 'readings:changes' })
  const served = wait(other)
  await until(async () => (await waiting()) === 21)
  const { addAt } = await newPatient(rounds)
  await addAt([1])
  assert.equal((await served).status, 200)
  leaving.abort()
  await until(async () => (await waiting()) === 0)
})

test('more requests than the queue of the database holds are all answered by one change, and others are served meanwhile', async () => {
  const answers: Promise<Response>[] = []
  for (let service = 0; service < 6; service++) {
    const token = await rounds.token({ sub: `service-${service}`, scope: 'readings:changes' })
    answers.push(...Array.from({ length: 20 }, () => wait(token)))
    await until(async () => (await waiting()) === answers.length)
  }
  const { addAt, token } = await newPatient(rounds)
  await addAt([1])
  // The access log is read on the same connections as changes are.
  for (let asked = 0; asked < 10; asked++)
    assert.equal((await rounds.call('/casesheet/readings/access-log', { token })).status, 200)
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
  assert.deepEqual([...statuses], [200])
  await until(async () => (await waiting()) === 0)
})
