// FHIR through the router: each way to name a patient finds the cell, and practitioners are found in the directory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { fillDirectory } from '../support/directory.ts'
import { FHIR_TYPE, matchesIn, type Resource } from '../support/fhir.ts'
import { runSql, startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { patientWhere, setThirds, thirdOf } from '../support/slots.ts'
import { CELL_NAMES, startCellsRouter } from './haproxy-of-cells.ts'

const CELL = { MODULES: 'casesheet,fhir' }
const first = await startRounds(CELL)
const issuer = { AUTH_ISSUER: first.issuer.url }
const cells = [first, await startRounds({ ...CELL, ...issuer }), await startRounds({ ...CELL, ...issuer })]
const directory = await startRounds({ ...issuer, MODULES: 'appointments,fhir' })
await fillDirectory(directory.ownerUrl, {
  specialities: [],
  doctors: [{ doctorId: 'a', name: 'Dr. Ann Willow (invented)', specialities: [] }],
})
await setThirds(cells)
const withHaproxy = needs('haproxy')
const router = withHaproxy.skip ? undefined : await startCellsRouter({ cells, directory, cellOf: thirdOf })

async function call(
  path: string,
  token: string,
  { body, type = FHIR_TYPE }: { body?: string; type?: string } = {},
) {
  const response = await fetch(`${router?.url}/fhir${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  const text = await response.text()
  return { status: response.status, text, resource: JSON.parse(text || '{}') as Resource }
}

const observationOf = (patientUid: string, minute: number) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
  effectiveDateTime: `2026-01-01T10:0${minute}:00Z`,
  valueQuantity: { value: 72, unit: '/min', system: 'http://unitsofmeasure.org', code: '/min' },
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }],
    },
  ],
  subject: { reference: `Patient/${patientUid}` },
})

const patientOfCell = (index: number) => patientWhere((slot) => thirdOf(slot) === index)

test(
  'an Observation of any patient is written and found in its cell, whoever asks',
  withHaproxy,
  async () => {
    const patients = cells.map((_, index) => patientOfCell(index))
    // Of all of them, so that the token leads to the first one's cell.
    const token = await first.token({ patientUid: patients })
    for (const patientUid of patients) {
      const one = JSON.stringify(observationOf(patientUid, 1))
      assert.equal((await call('/Observation', token, { body: one })).status, 201)
      const bundle = JSON.stringify({
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [2, 3].map((minute) => ({
          request: { method: 'POST', url: 'Observation' },
          resource: observationOf(patientUid, minute),
        })),
      })
      assert.equal((await call('', token, { body: bundle })).status, 200)
      const reference = encodeURIComponent(`Patient/${patientUid}`)
      const found = [
        await call(`/Observation?patient=${patientUid}`, token),
        await call(`/Observation?patient=${reference}`, token),
        await call(`/Observation?subject=${reference}`, token),
        await call('/Observation/_search', token, {
          body: `patient=${patientUid}`,
          type: 'application/x-www-form-urlencoded',
        }),
      ]
      found.push(await call(`/Patient/${patientUid}/Observation`, token))
      const inBatch = [`Observation?_count=9&patient=${reference}`, `Patient/${patientUid}/Observation`]
      for (const url of inBatch) {
        const body = JSON.stringify({
          resourceType: 'Bundle',
          type: 'batch',
          entry: [{ request: { method: 'GET', url } }],
        })
        const { status, text, resource } = await call('', token, { body })
        const [entry] = (resource['entry'] ?? []) as { resource: Resource }[]
        found.push({ status, text, resource: entry?.resource ?? { resourceType: '' } })
      }
      const everything = await call(`/Patient/${patientUid}/$everything`, token)
      assert.equal(matchesIn(everything.resource).length, 4, everything.text)
      for (const path of [
        `/Patient/${patientUid}`,
        `/Patient?_id=${patientUid}`,
        `/Device?patient=${patientUid}`,
      ]) {
        const { status, text } = await call(path, token)
        assert.equal(status, 200, text)
      }
      for (const [nth, { status, text, resource }] of found.entries()) {
        assert.equal(status, 200, `${nth}: ${text}`)
        assert.equal(matchesIn(resource).length, 3)
      }
    }
  },
)

test(
  'each cell exports its own patients, and the addresses of an export lead back to it',
  withHaproxy,
  async () => {
    const token = await first.token({ sub: 'warehouse', scope: 'system/Observation.rs' })
    const headers = { authorization: `Bearer ${token}`, prefer: 'respond-async' }
    const at = (path: string) => fetch(path, { headers })
    const apart = await at(`${router?.url}/fhir/$export`)
    assert.deepEqual([apart.status, /CellMissing/.test(await apart.text())], [400, true])
    for (const [index, name] of CELL_NAMES.entries()) {
      const patientUid = patientOfCell(index)
      const own = await first.token({ patientUid })
      const body = JSON.stringify(observationOf(patientUid, 4))
      assert.equal((await call('/Observation', own, { body })).status, 201)
      const begun = await at(`${router?.url}/cells/${name}/fhir/$export`)
      assert.equal(begun.status, 202)
      const status = await at(begun.headers.get('content-location') ?? '')
      assert.equal(status.status, 200)
      const { output } = (await status.json()) as { output: { url: string }[] }
      const files = await Promise.all(output.map(async ({ url }) => (await at(url)).text()))
      const patients = [...files.join('').matchAll(/"reference":"Patient\/([^"]+)"/g)].map(
        ([, uid = '']) => uid,
      )
      assert.ok(patients.includes(patientUid))
      assert.ok(patients.every((uid) => thirdOf(slotOf(uid)) === index))
    }
  },
)

test('practitioners are found in the directory', withHaproxy, async () => {
  const token = await first.token({ patientUid: patientOfCell(2) })
  const { status, text, resource } = await call('/Practitioner?name=willow', token)
  assert.equal(status, 200, text)
  assert.equal(matchesIn(resource).length, 1)
})

test('cells and the directory each state what they serve, and serve nothing else', async () => {
  const typesOf = async (rounds: typeof first) => {
    const { rest } = JSON.parse((await rounds.call('/fhir/metadata')).text) as {
      rest: { resource: { type: string }[] }[]
    }
    return rest[0]?.resource.map(({ type }) => type)
  }
  assert.deepEqual(await typesOf(first), ['Observation', 'Patient', 'Device', 'Consent'])
  assert.deepEqual(await typesOf(directory), ['Practitioner', 'PractitionerRole'])
  const patientUid = patientOfCell(0)
  const token = await first.token({ patientUid })
  const body = observationOf(patientUid, 4)
  const headers = { 'content-type': FHIR_TYPE }
  assert.equal((await directory.call('/fhir/Observation', { token, body, headers })).status, 404)
  const stored = await runSql(directory.ownerUrl, 'select from casesheet.readings')
  assert.equal(stored.length, 0)
  assert.equal((await first.call('/fhir/Practitioner', { token })).status, 404)
})
