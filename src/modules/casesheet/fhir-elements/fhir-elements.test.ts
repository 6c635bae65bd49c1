// `fhir` of a reading through readings/add: the same shapes as those of an Observation, and the limits of any field.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startFhir } from '../../../../test/support/fhir.ts'
import { runSql } from '../../../../test/support/harness.ts'

const rounds = await startFhir()

async function add(fields: object, path = '/casesheet/readings/add') {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  const body = { patientUid, readingType: 'heartRate', value: 72, timestamp: 1_762_000_000, ...fields }
  return { patientUid, token, answer: await rounds.call(path, { token, body }) }
}

const nested = (levels: number): object =>
  levels === 0 ? { url: 'urn:x', valueString: 'y' } : { url: 'urn:x', extension: [nested(levels - 1)] }

const REFUSED: [name: string, fields: object, pointer: string, message: RegExp][] = [
  ['a text', { fhir: 'note' }, '/fhir', /must be an object with elements/],
  ['a list', { fhir: [] }, '/fhir', /must be an object with elements/],
  ['nothing', { fhir: {} }, '/fhir', /must be an object that is not empty/],
  ['an element that is not kept', { fhir: { bodySite: { text: 'a' } } }, '/fhir/bodySite', /cannot be kept/],
  [
    'a prototype',
    { fhir: { note: [{ constructor: 1, text: 'a' }] } },
    '/fhir/note/0/constructor',
    /cannot be/,
  ],
  [
    'a blank text',
    { fhir: { note: [{ text: ' ' }] } },
    '/fhir/note/0/text',
    /must be a text that FHIR allows/,
  ],
  ['a control character', { fhir: { note: [{ text: 'a\u0007' }] } }, '/fhir/note/0/text', /without control/],
  [
    'a code of LOINC',
    { fhir: { code: [{ system: 'http://loinc.org', code: '1' }] } },
    '/fhir/code/0',
    /another system/,
  ],
  [
    'an extension of Rounds',
    { fhir: { extension: [{ url: 'urn:rounds:other-fields', valueString: '{}' }] } },
    '/fhir/extension/0',
    /must not be one of Rounds/,
  ],
  [
    'an app by its name',
    {
      fhir: {
        extension: [
          {
            url: 'http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice',
            valueReference: { display: 'Diary' },
          },
        ],
      },
    },
    '/fhir/extension/0',
    /must refer to a Device elsewhere/,
  ],
  ['a device by its name', { fhir: { device: { display: 'Cuff' } } }, '/fhir/device', /source has the name/],
  [
    'two devices',
    { fhir: { device: { reference: 'Device/1' } }, source: { kind: 'device', device: { name: 'Cuff' } } },
    '/fhir/device',
    /must be left out where source has a device/,
  ],
  [
    'a code of a quantity without its system',
    { fhir: { extension: [{ url: 'urn:x', valueQuantity: { value: 1, code: 'g' } }] } },
    '/fhir/extension/0/valueQuantity',
    /the system of its code/,
  ],
  ['beyond the depth of a body', { fhir: { extension: [nested(8)] } }, '/fhir', /nest deeper/],
]
for (const [name, fields, pointer, message] of REFUSED) {
  test(`readings/add refuses as fhir: ${name}`, async () => {
    const { answer } = await add(fields)
    assert.equal(answer.status, 400, answer.text)
    const [error] = answer.json.errors
    assert.ok(error?.pointer.startsWith(pointer), answer.text)
    assert.match(error?.message ?? '', message)
  })
}

test('at most twenty faults are named', async () => {
  const { answer } = await add({ fhir: { note: Array.from({ length: 100 }, () => ({ text: 1, x: 2 })) } })
  assert.deepEqual([answer.status, answer.json.errors.length], [400, 20])
})

test('elements that readings/add takes are shown by readings/get, and stand in the Observation', async () => {
  const fhir = {
    identifier: [{ value: '17' }],
    note: [{ text: 'after stairs' }],
    issued: '2025-11-01T12:27:00Z',
  }
  const { answer, token, patientUid } = await add({ fhir })
  assert.equal(answer.status, 200, answer.text)
  const [stored] = (await rounds.call('/casesheet/readings/get', { token })).json.data
  assert.deepEqual(stored?.['fhir'], fhir)
  await rounds.call('/casesheet/readings/withdraw', {
    token,
    body: {
      patientUid,
      readingId: stored?.['readingId'],
      timestamp: stored?.['timestamp'],
      reason: 'a test',
    },
  })
  const [found] = await rounds.search('status=entered-in-error', token)
  const own = { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${String(stored?.['readingId'])}` }
  assert.deepEqual(found?.['identifier'], [{ value: '17' }, own])
  assert.deepEqual(
    ((found?.['note'] ?? []) as { text: string }[]).map(({ text }) => text),
    ['after stairs', 'a test'],
  )
  assert.equal(found?.['issued'], fhir.issued)
})

test('a field fhir that an earlier release stored with another shape is written among the other fields', async () => {
  const { token, patientUid } = await add({ readingType: 'acme.n' })
  for (const [index, fhir] of [
    '{"note":"x"}',
    '"x"',
    'null',
    '[]',
    '{"method":{"text":"Imported"}}',
  ].entries()) {
    await runSql(rounds.ownerUrl, 'update casesheet.readings set details = $2 where patient_uid = $1', [
      patientUid,
      `{"n":${index},"fhir":${fhir}}`,
    ])
    const [found] = await rounds.search('', token)
    const texts = JSON.stringify([found?.['extension'] ?? found?.['component']])
    assert.match(texts, /fhir/, fhir)
    assert.equal('note' in (found ?? {}) || 'method' in (found ?? {}), false)
  }
})

test('the limits of a reading hold for what an Observation brings', async () => {
  const send = async (elements: object) => {
    const patientUid = randomUUID()
    const token = await rounds.token({ patientUid })
    return rounds.fhir('/Observation', {
      token,
      body: {
        resourceType: 'Observation',
        status: 'final',
        code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
        subject: { reference: `Patient/${patientUid}` },
        effectiveDateTime: '2025-11-01T12:26:40Z',
        valueQuantity: { value: 72, system: 'http://unitsofmeasure.org', code: '/min' },
        ...elements,
      },
    })
  }
  const notes = (count: number, text: string) => ({ note: Array.from({ length: count }, () => ({ text })) })
  const all: [elements: object, status: number][] = [
    [notes(900, 'a'), 201],
    [notes(1_000, 'a'), 400],
    [notes(1, 'x'.repeat(65_000)), 201],
    [notes(1, 'x'.repeat(65_600)), 413],
    [{ extension: [nested(6)] }, 201],
    [{ extension: [nested(7)] }, 400],
  ]
  for (const [elements, status] of all) {
    const answer = await send(elements)
    assert.equal(answer.status, status, answer.text.slice(0, 500))
  }
})
