// Ranges without a limit take no place of the whole answers while their first page is waited for.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { metricOf } from '../support/event-stream.ts'
import { startRounds } from '../support/harness.ts'
import { until } from '../support/until.ts'

/** More than the whole answers that are sent at a time. */
const SUBJECTS = 300

test('while readings are locked 300 subjects wait for theirs, and all of them get it', async () => {
  const rounds = await startRounds()
  const tokens = await Promise.all(
    Array.from({ length: SUBJECTS }, (_, n) => rounds.token({ sub: `s-${n}`, patientUid: `s-${n}` })),
  )
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table casesheet.readings in access exclusive mode')
  const answers = tokens.map((token) => rounds.call('/casesheet/readings/get', { token }))
  const verified = () => metricOf(rounds.adminUrl, 'rounds_token_checks_total{outcome="verified"}')
  await until(async () => (await verified()) === SUBJECTS, 20_000)
  await holder.query('rollback')
  const texts = (await Promise.all(answers)).map(({ status, text }) => (status === 200 ? 'Ok' : text))
  assert.deepEqual([...new Set(texts)], ['Ok'])
})
