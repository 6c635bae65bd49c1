// A fault of ours tells the caller a request id and nothing of the inside, whichever operation meets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakTables } from '../support/broken-tables.ts'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { callPath, OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'

const INSIDE =
  /casesheet\.|appointments\.|relation|schema|column|select|insert|sqlstate|\d{2}[A-Z0-9]{3}\b|pg|node:|\.ts|at /i

/** These answer from memory. */
const WITHOUT_DATABASE = new Set([
  '/casesheet/readings/types',
  '/care/targets/presets',
  '/appointments/doctors/specialities/list',
])

// A stream has begun by then; a scope is missed before the database is asked.
const asking = PROTECTED_PATHS.filter(
  ({ path, isEndless, answered }) => !isEndless && answered !== 403 && !WITHOUT_DATABASE.has(path),
)

test('every operation that meets a fault of ours answers 500 and tells nothing of it', async () => {
  const rounds = await startRounds({ ALERTS: 'on' })
  const token = await rounds.token({ patientUid: OWN })
  await breakTables(rounds.ownerUrl)
  for (const path of asking) {
    const answer = await callPath(rounds, path, { token })
    assertRefused(answer, 500, 'InternalError')
    const { requestId, ...told } = answer.json
    assert.doesNotMatch(JSON.stringify(told), INSIDE, path.path)
    const line = rounds
      .log()
      .split('\n')
      .find((entry) => entry.includes(requestId) && entry.includes('a fault of ours'))
    assert.match(line ?? '', /"code":"22012"/, path.path)
    // A message of the database may hold a value of a row.
    assert.doesNotMatch(line ?? '', /division/, path.path)
    assert.equal(line?.includes(OWN), false)
  }
})

test('every operation whose tables are not there answers 503, names the command, and tells nothing of them', async () => {
  const rounds = await startRounds({ ALERTS: 'on' })
  const token = await rounds.token({ patientUid: OWN })
  for (const schema of ['casesheet', 'appointments']) {
    await runSql(rounds.ownerUrl, `alter schema ${schema} rename to hidden_${schema}`)
  }
  for (const path of asking) {
    const answer = await callPath(rounds, path, { token })
    assertRefused(answer, 503, 'DatabaseUnavailable')
    const { requestId, ...told } = answer.json
    assert.match(answer.json.message, /"rounds migrate"/)
    assert.doesNotMatch(JSON.stringify(told), INSIDE, path.path)
    const line = rounds
      .log()
      .split('\n')
      .find((entry) => entry.includes(requestId))
    assert.match(line ?? '', /"code":"DatabaseUnavailable","reason":"(42P01|3F000)"/, path.path)
  }
  assert.equal(rounds.log().includes('a fault of ours'), false)
})
