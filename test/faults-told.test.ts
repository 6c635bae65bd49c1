// A fault of ours tells the caller a request id and nothing of the inside, whichever operation meets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from './harness.ts'
import { callPath, OWN, PROTECTED_PATHS } from './protected-paths.ts'

const INSIDE =
  /casesheet\.|appointments\.|relation|schema|column|select|insert|sqlstate|\d{2}[A-Z0-9]{3}\b|pg|node:|\.ts|at /i

/** These answer from memory. */
const WITHOUT_DATABASE = new Set(['/casesheet/readings/types', '/appointments/doctors/specialities/list'])

test('every operation whose tables are not there answers 500 and tells nothing of them', async () => {
  const rounds = await startRounds()
  const token = await rounds.token({ patientUid: OWN })
  for (const schema of ['casesheet', 'appointments']) {
    await runSql(rounds.ownerUrl, `alter schema ${schema} rename to hidden_${schema}`)
  }
  // A stream has begun by then; a scope is missed before the database is asked.
  const asking = PROTECTED_PATHS.filter(({ isEndless, answered }) => !isEndless && answered !== 403)
  for (const path of asking.filter((one) => !WITHOUT_DATABASE.has(one.path))) {
    const answer = await callPath(rounds, path, { token })
    assertRefused(answer, 500, 'InternalError')
    const { requestId, ...told } = answer.json
    assert.doesNotMatch(JSON.stringify(told), INSIDE, path.path)
    const line = rounds
      .log()
      .split('\n')
      .find((entry) => entry.includes(requestId) && entry.includes('a fault of ours'))
    assert.match(line ?? '', /"code":"(42P01|3F000)"/, path.path)
    assert.equal(line?.includes(OWN), false)
  }
})
