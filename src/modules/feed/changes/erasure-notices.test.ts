// An erasure stands in readings/changes with the patient's id for as long as it is announced, and afterwards without it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIENCE, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until } from '../../../../test/support/until.ts'
import { readServeConfig } from '../../../config/config.ts'
import { serve } from '../../../server/serve.ts'

const rounds = await startRounds()
const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })

async function erase(...options: string[]) {
  const { addAt, patientUid } = await newPatient(rounds)
  await addAt([1])
  const { code, output } = await runPatientCommand(
    ['erase', patientUid, ...BY, '--yes', ...options],
    rounds.ownerUrl,
  )
  assert.equal(code, 0, output)
  return patientUid
}

async function erasures() {
  const { json } = await rounds.call('/casesheet/readings/changes?limit=1000', { token: service })
  return json.data.filter(({ state }) => state === 'erased').map(({ patientUid }) => String(patientUid))
}

/** A second server on the same database, started and stopped. */
async function serveOnce(databaseUrl = rounds.serveUrl) {
  let log = ''
  const environment = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', DATABASE_URL: databaseUrl }
  const auth = { AUTH_ISSUER: rounds.issuer.url, AUTH_AUDIENCE: AUDIENCE }
  const serving = await serve(readServeConfig({ ...environment, ...auth }), {
    logTo: { write: (line) => void (log += line) },
  })
  return { ...serving, log: () => log }
}

test('an id is announced until its time, and a server that starts after it removes it', async () => {
  const [announced, due] = [await erase(), await erase('--announce-days', '1')]
  await erase('--announce-days', '0')
  // A transaction of another test may hold the last one back for a moment.
  await until(async () => (await erasures()).length === 3)
  assert.deepEqual((await erasures()).toSorted(), [announced, due, 'null'].toSorted())
  const [times] = await runSql(
    rounds.ownerUrl,
    `select extract(day from announced_until - at)::integer as days from casesheet.erasure_notices where patient_uid = '${announced}'`,
  )
  assert.deepEqual(times, { days: 30 })
  await runSql(
    rounds.ownerUrl,
    `update casesheet.erasure_notices set announced_until = now() where patient_uid = '${due}'`,
  )
  const serving = await serveOnce()
  try {
    await until(async () => (await erasures()).filter((uid) => uid === 'null').length === 2)
    assert.deepEqual(
      (await erasures()).toSorted(),
      [announced, 'null', 'null'].toSorted(),
      'each keeps its place',
    )
  } finally {
    await serving.stop()
  }
})

test('that it fails is logged, and the server serves', async () => {
  await runSql(
    rounds.ownerUrl,
    'revoke execute on function casesheet.clear_erasure_notices from rounds_server',
  )
  const serving = await serveOnce()
  try {
    await until(() => serving.log().includes('ids of erased patients'))
    assert.equal((await fetch(`${serving.adminUrl}/livez`)).status, 200)
  } finally {
    await serving.stop()
  }
})
