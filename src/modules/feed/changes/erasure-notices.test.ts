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

test('endpoints of webhooks forget the id when its announcement is over, at once where there is none, and then get nothing', async () => {
  const { addAt, patientUid } = await newPatient(rounds)
  const [kept, due] = [await newPatient(rounds), await newPatient(rounds)]
  for (const patient of [{ addAt }, kept, due]) await patient.addAt([1])
  const named = (uids: string[]) =>
    runSql<{ endpoint_id: string }>(
      rounds.ownerUrl,
      `insert into webhooks.endpoints (url, events, patient_uids, secret, key_id, added_by)
       values ('https://' || gen_random_uuid() || '.example/', '{readings.changed,patient.erased}', $1, '', '', 'test')
       returning endpoint_id`,
      [uids],
    )
  await named([patientUid, kept.patientUid, due.patientUid])
  await named([patientUid])
  await named([due.patientUid, kept.patientUid])
  await runSql(
    rounds.ownerUrl,
    "insert into webhooks.endpoints (url, events, secret, key_id, added_by) values ('https://all.example/', '{patient.erased}', '', '', 'test')",
  )
  const lists = async () =>
    (
      await runSql<{ uids: string[] | null }>(
        rounds.ownerUrl,
        'select patient_uids as uids from webhooks.endpoints order by added_at',
      )
    ).map(({ uids }) => uids)
  const run = async (...args: string[]) => {
    const { code, output } = await runPatientCommand(['erase', ...args, ...BY, '--yes'], rounds.ownerUrl)
    assert.equal(code, 0, output)
  }
  await run(patientUid, '--announce-days', '0')
  assert.deepEqual(await lists(), [
    [kept.patientUid, due.patientUid],
    [],
    [due.patientUid, kept.patientUid],
    null,
  ])
  await run(due.patientUid, '--announce-days', '1')
  assert.deepEqual((await lists())[0], [kept.patientUid, due.patientUid])
  await runSql(
    rounds.ownerUrl,
    `update casesheet.erasure_notices set announced_until = now() where patient_uid = '${due.patientUid}'`,
  )
  const serving = await serveOnce()
  try {
    await until(async () => (await lists())[0]?.length === 1)
    assert.deepEqual(await lists(), [[kept.patientUid], [], [kept.patientUid], null])
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
