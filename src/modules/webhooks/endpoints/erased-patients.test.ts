// An endpoint whose patients were all erased gets nothing, and not everything.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { closeServer, listen, runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until } from '../../../../test/support/until.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const token = await rounds.token({ scope: 'webhooks:manage' })
const received: Record<string, string[]> = { '/one': [], '/all': [] }
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk))
  request.on('end', () => {
    received[request.url ?? '']?.push(body)
    response.writeHead(204).end()
  })
})
const url = await listen(server)
after(() => closeServer(server))

test('an endpoint that named one patient gets nothing of others after the patient was erased', async () => {
  const [erased, other] = [await newPatient(rounds), await newPatient(rounds)]
  const add = (body: object) => rounds.call('/webhooks/endpoints/add', { token, body })
  const { json } = await add({ url: `${url}/one`, patientUids: [erased.patientUid] })
  assert.equal((await add({ url: `${url}/all` })).status, 200)
  await erased.addAt([1])
  await until(() => received['/one']?.length === 1 && received['/all']?.length === 1)
  const { code, output } = await runPatientCommand(
    ['erase', erased.patientUid, ...BY, '--yes', '--announce-days', '0'],
    rounds.ownerUrl,
  )
  assert.equal(code, 0, output)
  await other.addAt([1])
  await until(() => received['/all']?.some((body) => body.includes(other.patientUid)) === true)
  // Its place in the sequence moves on, beyond what it does not get.
  const { endpointId } = Object(json).endpoint as { endpointId: string }
  await until(async () => {
    const [row] = await runSql<{ is_beyond: boolean }>(
      rounds.ownerUrl,
      `select xid >= (select changed_xid from casesheet.readings order by changed_xid desc limit 1) as is_beyond
       from casesheet.followers
       where name = 'webhook:${endpointId}'`,
    )
    return row?.is_beyond === true
  })
  assert.equal(received['/one']?.length, 1)
  const list = await rounds.call('/webhooks/endpoints/list', { token })
  assert.deepEqual(
    list.json.data.map(({ patientUids }) => patientUids),
    [[], undefined],
  )
})
