// _elements and _summary=count: less of what is found, and how much it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, matchesIn, type Resource, startFhir } from '../../../../test/support/fhir.ts'
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
    source: { kind: 'device', device: { name: 'Strap (invented)' }, app: { name: 'App (invented)' } },
  },
])

const EVERY = ['resourceType', 'id', 'meta']
const WANTED: [elements: string, kept: string[]][] = [
  ['subject', [...EVERY, 'status', 'code', 'subject']],
  ['Observation.value', [...EVERY, 'status', 'code', 'valueQuantity']],
  [
    'value.code,effective',
    [...EVERY, 'status', 'code', 'effectiveDateTime', '_effectiveDateTime', 'valueQuantity'],
  ],
  ['effectiveDateTime', [...EVERY, 'status', 'code', 'effectiveDateTime', '_effectiveDateTime']],
  ['device', [...EVERY, 'contained', 'status', 'code', 'device']],
  ['none', [...EVERY, 'status', 'code']],
]
for (const [elements, kept] of WANTED) {
  test(`_elements=${elements}`, async () => {
    const { resource } = await rounds.fhir(`/Observation?_elements=${elements}`, { token })
    const [found] = matchesIn(resource)
    const { resource: read } = await rounds.fhir(
      `/Observation/${String(found?.['id'])}?_elements=${elements}`,
      { token },
    )
    assert.deepEqual(read, found)
    assert.deepEqual(Object.keys(read), kept)
    assert.deepEqual(faultsOf(read), [])
    const { tag, lastUpdated, profile } = read['meta'] as Record<string, unknown>
    assert.match(JSON.stringify(tag), /"SUBSETTED"/)
    assert.equal(typeof lastUpdated, 'string')
    assert.equal(profile, undefined)
    assert.equal(((read['contained'] ?? []) as Resource[]).length, kept.includes('contained') ? 1 : 0)
    const [link] = resource['link'] as { url: string }[]
    assert.ok(link?.url.includes('_elements='))
  })
}

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
  assertOutcome(await rounds.fhir('/Observation?_elements=a&_elements=b', { token }), 400, 'ValidationFailed')
})
