// _summary=count: how much is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, matchesIn, startFhir } from '../../../../test/support/fhir.ts'
import { faultsOf } from '../../../../test/support/fhir-validation.ts'

const rounds = await startFhir()
const patientUid = 'patient-1'
const token = await rounds.token({ patientUid })
const add = async (body: object[]) =>
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
await add([
  {
    patientUid,
    readingType: 'heartRate',
    value: 61,
    timestamp: 1_762_000_000.5,
  },
])

test('_summary=count says how many match, and nothing of them', async () => {
  const countOf = async (query: string) => {
    const { resource, text } = await rounds.fhir(`/Observation?_summary=count&${query}`, { token })
    assert.deepEqual(faultsOf(resource), [], text)
    assert.equal(matchesIn(resource).length, 0)
    return resource['total']
  }
  assert.equal(await countOf(''), 1)
  assert.equal(await countOf('code=8867-4&_count=1'), 1)
  assert.equal(await countOf('code=nothing'), 0)
  const stepsOf = (from: number) =>
    Array.from({ length: 1_000 }, (_, n) => ({
      patientUid,
      readingType: 'acme.n',
      n,
      timestamp: 1_700_000_000 + from + n,
    }))
  await add(stepsOf(0))
  await add(stepsOf(1_000))
  assert.equal(await countOf('code=acme.n'), 2_000)
  assert.equal(await countOf(''), undefined)
  const { resource } = await rounds.fhir('/Observation?_summary=count', { token })
  assert.match(JSON.stringify(resource['entry']), /total is left out/)
  const practitioners = await rounds.fhir('/Practitioner?_summary=count', { token })
  assert.equal(practitioners.resource['total'], 0)
  assertOutcome(await rounds.fhir('/Observation?_count=1&_count=2', { token }), 400, 'ValidationFailed')
})
