// What stands beside the value, in a component or at another depth is refused where the reading would not keep it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertOutcome, startFhir } from '../../../../test/support/fhir.ts'

const rounds = await startFhir()

const loinc = (code: string, display?: string) => ({ system: 'http://loinc.org', code, display })
const ownType = (code: string) => ({ system: 'urn:rounds:reading-type', code })
const inUcum = (value: number, code: string) => ({ value, system: 'http://unitsofmeasure.org', code })
const field = (code: string) => ({ coding: [{ system: 'urn:rounds:field', code }] })
const VITAL_SIGNS = {
  system: 'http://terminology.hl7.org/CodeSystem/observation-category',
  code: 'vital-signs',
}
const SEVERE = { coding: [{ system: 'http://snomed.info/sct', code: '24484000' }] }
const OTHER_FIELDS = [{ url: 'urn:rounds:other-fields', valueString: '{"a":1}' }]

const instant = { effectiveDateTime: '2025-11-01T12:26:40Z' }
const period = { effectivePeriod: { start: '2025-11-01T12:00:00Z', end: '2025-11-01T12:26:40Z' } }

const heartRate = { ...instant, code: { coding: [loinc('8867-4')] }, valueQuantity: inUcum(72, '/min') }
const steps = { ...period, code: { coding: [loinc('55423-8')] }, valueQuantity: inUcum(420, '{steps}') }
const saturation = (...coding: object[]) => ({
  ...instant,
  code: { coding },
  valueQuantity: inUcum(97, '%'),
})
const pressure = (systolic: object, diastolic: object) => ({
  ...instant,
  code: { coding: [loinc('85354-9')] },
  component: [
    { code: { coding: [loinc('8480-6')] }, valueQuantity: systolic },
    { code: { coding: [loinc('8462-4')] }, valueQuantity: diastolic },
  ],
})
const sleep = (deep: object) => ({
  ...instant,
  code: { coding: [loinc('93832-4')] },
  valueQuantity: inUcum(432, 'min'),
  component: [{ code: field('deep'), valueQuantity: deep }],
})
const grip = (...component: object[]) => ({ ...instant, code: { coding: [ownType('acme.grip')] }, component })
const symptom = (changes: object) => ({ ...instant, code: { coding: [loinc('75325-1')] }, ...changes })
const note = (changes: object) => ({ ...instant, code: { coding: [ownType('note')] }, ...changes })
const severity = { code: { coding: [loinc('64750-3')] }, valueCodeableConcept: SEVERE }
const cuff = {
  resourceType: 'Device',
  id: 'c',
  deviceName: [{ name: 'Cuff', type: 'model-name' }],
  serialNumber: '1',
}
const ofCuff = (device: object, reference: object = { reference: '#c' }) => ({
  ...heartRate,
  contained: [{ ...cuff, ...device }],
  device: reference,
})
const kind = (code: string) => ({ coding: [{ system: 'urn:rounds:source-kind', code }] })
const GATEWAY = 'http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice'
const byApp = (valueReference: object) => ({
  method: kind('manual'),
  extension: [{ url: GATEWAY, valueReference }],
})
const SERIAL = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'SNO' }] }
const IN_CONTAINED = /must refer to a Device in contained, or have its name as a display and no reference/
const manyFields = (count: number) =>
  grip(...Array.from({ length: count }, (_, index) => ({ code: field(`f${index}`), valueBoolean: true })))

/** Sends it for a patient of its own. */
async function post({ subject, ...elements }: { subject?: object }) {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  const body = {
    resourceType: 'Observation',
    status: 'final',
    subject: { reference: `Patient/${patientUid}`, ...subject },
    ...elements,
  }
  const answer = await rounds.fhir('/Observation', { token, body })
  const stored = (await rounds.call('/casesheet/readings/get', { token })).json.data
  return { answer, stored }
}

const LOST = /cannot be kept here: leave it out/
// Without it a value below 120 would be stored as 120.
const LOST_MODIFIER = /cannot be kept here, and the rest means something else without it/
const REFUSED: [name: string, observation: object, expression: string, message: RegExp][] = [
  [
    'a pressure whose unit is only named',
    pressure({ value: 25, unit: 'kPa' }, { value: 12, unit: 'kPa' }),
    'Observation.component[0].value',
    /must have a unit as its code: mm\[Hg\]/,
  ],
  [
    'a pressure that is only below a value',
    pressure({ ...inUcum(120, 'mm[Hg]'), comparator: '<' }, inUcum(80, 'mm[Hg]')),
    'Observation.component[0].valueQuantity.comparator',
    LOST_MODIFIER,
  ],
  [
    'an extension that modifies',
    { ...heartRate, modifierExtension: [{ url: 'https://example.test/not', valueBoolean: true }] },
    'Observation.modifierExtension[0]',
    LOST_MODIFIER,
  ],
  [
    'a pressure without a unit',
    pressure(inUcum(120, 'mm[Hg]'), { value: 80 }),
    'Observation.component[1].value',
    /must have a unit as its code: mm\[Hg\]/,
  ],
  [
    'a pressure whose unit is only a system',
    pressure({ value: 120, system: 'http://unitsofmeasure.org' }, inUcum(80, 'mm[Hg]')),
    'Observation.component[0].value',
    /must have a unit as its code/,
  ],
  [
    'a pressure in another unit',
    pressure(inUcum(25, 'kPa'), inUcum(12, 'kPa')),
    'Observation.component[0].valueQuantity.code',
    /must be mm\[Hg\]/,
  ],
  [
    'minutes of sleep in hours',
    sleep({ value: 1.5, unit: 'h' }),
    'Observation.component[0].value',
    /must have a unit as its code: min/,
  ],
  [
    'the name of a unit for which there is no code',
    grip({ code: field('newtons'), valueQuantity: { value: 310, unit: 'N' } }),
    'Observation.component[0].valueQuantity.unit',
    LOST,
  ],
  [
    'the unit of a field that is no number of the type',
    { ...heartRate, component: [{ code: field('context'), valueQuantity: { value: 2, unit: 'floors' } }] },
    'Observation.component[0].valueQuantity.unit',
    LOST,
  ],
  ['a date beside a period', { ...steps, ...instant }, 'Observation.effectiveDateTime', LOST],
  [
    'a date that is none beside a period',
    { ...steps, effectiveDateTime: 'yesterday' },
    'Observation.effectiveDateTime',
    LOST,
  ],
  [
    'other fields of the patient',
    { ...heartRate, subject: { extension: OTHER_FIELDS } },
    'Observation.subject.extension[0]',
    LOST,
  ],
  [
    'other fields of a code',
    { ...heartRate, code: { coding: [loinc('8867-4')], extension: OTHER_FIELDS } },
    'Observation.code.extension[0]',
    LOST,
  ],
  [
    'other fields of a component that is no symptom',
    grip({ code: field('hand'), valueString: 'left', extension: OTHER_FIELDS }),
    'Observation.component[0].extension[0]',
    LOST,
  ],
  [
    'a category in words beside a code that is empty',
    { ...heartRate, category: [{ coding: [{}], text: 'at home' }] },
    'Observation.category[0].coding[0]',
    /must be an object that is not empty/,
  ],
  [
    'a code in words of a system',
    {
      ...heartRate,
      code: { coding: [loinc('8867-4'), { system: 'http://loinc.org', display: 'after stairs' }] },
    },
    'Observation.code.coding[1]',
    LOST,
  ],
  ['a number for meta', { ...heartRate, meta: 5 }, 'Observation.meta', LOST],
  ['a list for meta', { ...heartRate, meta: [] }, 'Observation.meta', LOST],
  ['an object for the id', { ...heartRate, id: { note: 'after stairs' } }, 'Observation.id', LOST],
  [
    'a display that is no text',
    { ...heartRate, code: { coding: [{ ...loinc('8867-4'), display: { note: 'after stairs' } }] } },
    'Observation.code.coding[0]',
    LOST,
  ],
  [
    'a profile that is no text',
    { ...heartRate, meta: { profile: [{ note: 'after stairs' }] } },
    'Observation.meta.profile',
    LOST,
  ],
  [
    'a severity without its symptom',
    symptom({ component: [severity] }),
    'Observation.value',
    /is required: the symptom as the text of valueCodeableConcept/,
  ],
  [
    'a severity whose label is no symptom',
    symptom({ component: [{ ...severity, code: { ...severity.code, text: 'Severity' } }] }),
    'Observation.value',
    /is required: the symptom as the text of valueCodeableConcept/,
  ],
  [
    'a severity that names another symptom in its other fields',
    symptom({
      valueCodeableConcept: { text: 'Headache' },
      component: [
        {
          ...severity,
          extension: [{ url: 'urn:rounds:other-fields', valueString: '{"symptom":"Nausea"}' }],
        },
      ],
    }),
    'Observation.component[0]',
    /must not give a field again/,
  ],
  [
    'an oxygen saturation of arterial blood',
    saturation(loinc('2708-6')),
    'Observation.code',
    /must not be 2708-6 alone, which may be a blood gas: for pulse oximetry send 59408-5 too/,
  ],
  [
    'a pressure without one of its two numbers',
    {
      ...pressure(inUcum(120, 'mm[Hg]'), {}),
      component: pressure(inUcum(120, 'mm[Hg]'), {}).component.slice(0, 1),
    },
    'Observation.component',
    /is required: diastolic, with the code 8462-4 of http:\/\/loinc\.org/,
  ],
  [
    'a pressure that says why it has no numbers',
    { ...pressure({}, {}), component: undefined, dataAbsentReason: { text: 'asleep' } },
    'Observation.component',
    /is required: systolic, with the code 8480-6/,
  ],
  ['no text of a note', note({}), 'Observation.value', /is required: valueString/],
  ['no symptom', symptom({}), 'Observation.value', /is required: the symptom as the text/],
  [
    'a whole number that is no quantity',
    { ...heartRate, valueQuantity: undefined, valueInteger: 72 },
    'Observation.value',
    /is required: valueQuantity/,
  ],
  [
    'an instant beside a date',
    { ...heartRate, effectiveInstant: '2025-11-01T12:26:40Z' },
    'Observation.effectiveInstant',
    LOST,
  ],
  [
    'an extension of an instant',
    {
      ...heartRate,
      effectiveDateTime: undefined,
      effectiveInstant: '2025-11-01T12:26:40Z',
      _effectiveInstant: { id: 'x' },
    },
    'Observation._effectiveInstant',
    LOST,
  ],
  [
    'a part of an Observation, by its tag',
    {
      ...heartRate,
      meta: {
        source: 'https://hub.example#1',
        tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }],
      },
    },
    'Observation.meta.tag',
    LOST,
  ],
  ['a tag that is a text', { ...heartRate, meta: { tag: ['x'] } }, 'Observation.meta.tag', LOST],
  [
    'a security label beside a tag',
    { ...heartRate, meta: { tag: [{ code: 'x' }], security: [{ code: 'R' }] } },
    'Observation.meta.security',
    LOST,
  ],
  [
    'a method in the words of Rounds, without its code',
    { ...heartRate, method: { text: 'Imported' } },
    'Observation.method',
    /must not be the words of a source/,
  ],
  [
    'a kind of source that there is not',
    { ...heartRate, method: kind('guess') },
    'Observation.method',
    /must have a code of urn:rounds:source-kind: device, manual, import/,
  ],
  [
    'a second kind of source',
    { ...heartRate, method: { coding: [...kind('manual').coding, ...kind('import').coding] } },
    'Observation.method',
    /must not have a code of Rounds/,
  ],
  ['a device without a name', { ...heartRate, device: {} }, 'Observation.device', IN_CONTAINED],
  ['a device that is a text', { ...heartRate, device: 'Cuff' }, 'Observation.device', IN_CONTAINED],
  [
    'a device elsewhere, and one that nothing refers to',
    ofCuff({}, { reference: 'Device/c' }),
    'Observation.contained[0]',
    LOST,
  ],
  ['a device that is not there', ofCuff({}, { reference: '#d' }), 'Observation.device', IN_CONTAINED],
  ['a device that is none', ofCuff({ resourceType: 'Patient' }), 'Observation.device', IN_CONTAINED],
  [
    'an identifier of another system',
    { ...heartRate, device: { display: 'Cuff', identifier: { system: 'urn:x', value: '1' } } },
    'Observation.device.identifier.system',
    LOST,
  ],
  ['a device that nothing refers to', { ...heartRate, contained: [cuff] }, 'Observation.contained[0]', LOST],
  [
    'a second contained resource',
    { ...ofCuff({}), contained: [cuff, { resourceType: 'Patient', id: 'p' }] },
    'Observation.contained[1]',
    LOST,
  ],
  ['a lot number', ofCuff({ lotNumber: '7' }), 'Observation.contained[0].lotNumber', LOST],
  ['firmware', ofCuff({ version: [{ value: '2' }] }), 'Observation.contained[0].version[0]', LOST],
  [
    'a second name of a device',
    ofCuff({
      deviceName: [
        { name: 'Cuff', type: 'other' },
        { name: 'Manschette', type: 'other' },
      ],
    }),
    'Observation.contained[0].deviceName[1]',
    LOST,
  ],
  [
    'a device that is not in use',
    ofCuff({ status: 'inactive' }),
    'Observation.contained[0].status',
    /must be active/,
  ],
  [
    'the device of another patient',
    ofCuff({ patient: { reference: 'Patient/other' } }),
    'Observation.contained[0].patient.reference',
    LOST,
  ],
  [
    'a serial number that is too long',
    ofCuff({ serialNumber: 'x'.repeat(201) }),
    'Observation.contained[0]',
    /must be a text of 1 to 200 characters/,
  ],
  [
    'a name of two lines',
    { ...heartRate, device: { display: 'a\nb' } },
    'Observation.device.display',
    /must be a text of 1 to 200 characters/,
  ],
  [
    'an unnamed device in contained',
    ofCuff({ deviceName: undefined }),
    'Observation.contained[0]',
    /is required/,
  ],
  [
    'an app without a kind of source',
    { ...heartRate, ...byApp({ display: 'Diary' }), method: undefined },
    'Observation.method',
    /device, manual, import/,
  ],
  [
    'a source that is given twice',
    {
      ...heartRate,
      method: kind('manual'),
      extension: [{ url: 'urn:rounds:other-fields', valueString: '{"source":{"kind":"manual"}}' }],
    },
    'Observation.method',
    /must not give a field again/,
  ],
  [
    'the 51st component of other fields',
    manyFields(51),
    'Observation.component[50]',
    /must be sent in the extension urn:rounds:other-fields/,
  ],
  [
    'a text in a component that FHIR does not allow',
    grip({ code: field('hand'), valueString: ' left' }),
    'Observation.component[0]',
    /must be sent in the extension urn:rounds:other-fields/,
  ],
]

for (const [name, observation, expression, message] of REFUSED) {
  test(`refused, with its place: ${name}`, async () => {
    const { answer, stored } = await post(observation)
    const [issue] = assertOutcome(answer, 400, 'ValidationFailed')
    assert.deepEqual(issue?.expression, [expression], answer.text)
    assert.match(issue?.details.text ?? '', message)
    assert.deepEqual(stored, [])
  })
}

const KEPT: [name: string, observation: object, fields: object][] = [
  [
    'a pressure with the names of its units beside their codes',
    pressure({ ...inUcum(120, 'mm[Hg]'), unit: 'mmHg' }, { ...inUcum(80, 'mm[Hg]'), unit: 'mmHg' }),
    { systolic: 120, diastolic: 80 },
  ],
  ['minutes of sleep', sleep(inUcum(90, 'min')), { value: 432, deep: 90 }],
  [
    'a number of an unknown type, which has no unit',
    grip({ code: field('newtons'), valueQuantity: { value: 310 } }),
    { newtons: 310 },
  ],
  ['steps in a period', steps, { value: 420, startedAt: 1_761_998_400 }],
  [
    'words beside codes',
    {
      ...heartRate,
      category: [{ coding: [{ ...VITAL_SIGNS, display: 'Vital Signs' }], text: 'Vital Signs' }],
      code: { coding: [loinc('8867-4', 'Heart rate')], text: 'Heart rate' },
    },
    { value: 72 },
  ],
  [
    'what the server gives',
    { ...heartRate, id: 'a', meta: { versionId: '1', lastUpdated: '2025-11-01T12:27:00Z' } },
    { value: 72 },
  ],
  [
    'what a server on the way gave',
    {
      ...heartRate,
      meta: { source: 'https://hub.example#8fJ', tag: [{ system: 'urn:hub', code: 'forwarded' }] },
    },
    { value: 72, fhir: undefined },
  ],
  [
    'a time that is an instant',
    { ...heartRate, effectiveDateTime: undefined, effectiveInstant: '2025-11-01T17:56:40.250+05:30' },
    { timestamp: 1_762_000_000_250, utcOffset: '+05:30' },
  ],
  ['other fields of the Observation', { ...heartRate, extension: OTHER_FIELDS }, { value: 72, a: 1 }],
  [
    'a symptom whose severity has a label, and other fields of it',
    symptom({
      valueCodeableConcept: { text: 'Headache' },
      component: [{ ...severity, code: { ...severity.code, text: 'Severity' }, extension: OTHER_FIELDS }],
    }),
    { symptoms: [{ symptom: 'Headache', severity: 'SEVERE', a: 1 }] },
  ],
  ['a note', note({ valueString: 'Gave juice.' }), { text: 'Gave juice.' }],
  ['a kind of source', { ...heartRate, method: kind('import') }, { source: { kind: 'import' } }],
  [
    'a kind of source with other words beside its own',
    {
      ...heartRate,
      method: {
        coding: [{ ...kind('manual').coding[0], display: 'Typed in by a person' }],
        text: 'by hand',
      },
    },
    { source: { kind: 'manual' }, fhir: { method: { text: 'by hand' } } },
  ],
  [
    'a method that is a technique, which says nothing of the source',
    { ...heartRate, method: SEVERE },
    { source: undefined, fhir: { method: SEVERE } },
  ],
  [
    'a technique beside the kind of a source',
    { ...heartRate, method: { coding: [...kind('manual').coding, ...SEVERE.coding] } },
    { source: { kind: 'manual' }, fhir: { method: SEVERE } },
  ],
  [
    'a device by name, and a technique',
    { ...heartRate, device: { display: 'Watch' }, method: { text: 'oscillometric' } },
    { source: { kind: 'device', device: { name: 'Watch' } }, fhir: { method: { text: 'oscillometric' } } },
  ],
  [
    'a device elsewhere, which says nothing of the source',
    { ...heartRate, device: { reference: 'Device/c', display: 'Cuff' } },
    { source: undefined, fhir: { device: { reference: 'Device/c', display: 'Cuff' } } },
  ],
  [
    'the identifier of a device',
    { ...heartRate, device: { identifier: { value: '1' } } },
    { fhir: { device: { identifier: { value: '1' } } } },
  ],
  [
    'a hub elsewhere, beside an app',
    {
      ...heartRate,
      method: kind('manual'),
      extension: [
        ...byApp({ reference: 'Device/1' }).extension,
        ...byApp({ display: 'Diary' }).extension,
        ...OTHER_FIELDS,
      ],
    },
    {
      a: 1,
      source: { kind: 'manual', app: { name: 'Diary' } },
      fhir: { extension: byApp({ reference: 'Device/1' }).extension },
    },
  ],
  [
    'codes and categories of others',
    {
      ...heartRate,
      category: [{ text: 'at home' }, { coding: [VITAL_SIGNS] }, { coding: [VITAL_SIGNS, { code: 'x' }] }],
      code: {
        coding: [
          { system: 'urn:iso:std:iso:11073:10101', code: '149530' },
          { ...loinc('8867-4'), version: '2.80', userSelected: true },
          { display: 'after stairs' },
        ],
      },
    },
    {
      fhir: {
        category: [{ text: 'at home' }, { coding: [VITAL_SIGNS, { code: 'x' }] }],
        code: [{ system: 'urn:iso:std:iso:11073:10101', code: '149530' }, { display: 'after stairs' }],
      },
    },
  ],
  [
    'the name of a device alone, which says that it is of a device',
    { ...heartRate, device: { display: 'Watch' } },
    { source: { kind: 'device', device: { name: 'Watch' } } },
  ],
  [
    'a device by name and serial number',
    { ...heartRate, device: { type: 'Device', display: 'Cuff', identifier: { type: SERIAL, value: '1' } } },
    { source: { kind: 'device', device: { name: 'Cuff', serial: '1' } } },
  ],
  [
    'a contained device under any id, with all that is kept of it and what says no more',
    {
      ...ofCuff(
        { id: 'x.1', manufacturer: 'Example', modelNumber: 'M', status: 'active' },
        { reference: '#x.1', display: 'the cuff' },
      ),
      method: kind('device'),
    },
    {
      source: {
        kind: 'device',
        device: { name: 'Cuff', manufacturer: 'Example', model: 'M', serial: '1' },
      },
    },
  ],
  [
    'the name of a contained device in the reference',
    ofCuff({ deviceName: undefined }, { reference: '#c', display: 'Cuff' }),
    { source: { kind: 'device', device: { name: 'Cuff', serial: '1' } } },
  ],
  [
    'an app with its version, and a device, which have changed ids',
    {
      ...heartRate,
      ...byApp({ reference: '#device' }),
      device: { reference: '#app' },
      contained: [
        { ...cuff, id: 'app' },
        {
          resourceType: 'Device',
          id: 'device',
          deviceName: [{ name: 'Diary', type: 'other' }],
          version: [{ value: '4' }],
        },
      ],
    },
    {
      source: { kind: 'manual', device: { name: 'Cuff', serial: '1' }, app: { name: 'Diary', version: '4' } },
    },
  ],
  [
    'the name of an app alone',
    { ...heartRate, ...byApp({ display: 'Diary' }) },
    { source: { kind: 'manual', app: { name: 'Diary' } } },
  ],
  ['a pulse oximetry', saturation(loinc('59408-5')), { readingType: 'oxygenSaturation', value: 97 }],
  [
    'a pulse oximetry with the code of its profile first',
    saturation(loinc('2708-6'), loinc('59408-5')),
    { readingType: 'oxygenSaturation', value: 97 },
  ],
  [
    'a pulse oximetry by the code of Rounds',
    saturation(loinc('2708-6'), ownType('oxygenSaturation')),
    { readingType: 'oxygenSaturation', value: 97 },
  ],
  ['fifty components of other fields', manyFields(50), { f0: true, f49: true }],
  [
    'the 51st in the extension',
    { ...manyFields(50), extension: [{ url: 'urn:rounds:other-fields', valueString: '{"f50":true}' }] },
    { f0: true, f49: true, f50: true },
  ],
]

for (const [name, observation, fields] of KEPT) {
  test(`stored: ${name}`, async () => {
    const { answer, stored } = await post(observation)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(stored.length, 1)
    const { source, fhir, ...others } = fields as { source?: object; fhir?: object }
    assert.partialDeepStrictEqual(stored[0], others)
    if ('source' in fields) assert.deepEqual(stored[0]?.['source'], source)
    if ('fhir' in fields) assert.deepEqual(stored[0]?.['fhir'], fhir)
  })
}

const [VITAL, MANUAL] = [{ coding: [VITAL_SIGNS] }, kind('manual')]
const NOTHING_NEW: [name: string, elements: object][] = [
  ['empty lists', { performer: [], note: [], basedOn: [], issued: [], encounter: [], extension: [] }],
  ['empty elements', { identifier: [{}, { system: 'urn:ietf:rfc:3986' }], category: [{}] }],
  ['an empty code', { code: { coding: [loinc('8867-4'), {}] } }],
  ['a code without its system', { code: { coding: [loinc('8867-4'), { code: '8867-4' }] } }],
  ['a category twice', { category: [VITAL, { ...VITAL, text: 'Vital Signs' }] }],
  ['a category whose code stands twice', { category: [{ coding: [VITAL_SIGNS, VITAL_SIGNS] }] }],
  ['a category without its system', { category: [{ coding: [{ code: 'vital-signs' }] }] }],
  ['other words beside the kind of the source', { method: { ...MANUAL, text: 'by hand' } }],
  ['a display of the kind', { method: { coding: [{ ...MANUAL.coding[0], display: 'by hand' }] } }],
  ['no words beside the kind', { method: { ...MANUAL, text: '', extension: [] } }],
  ['the kind twice', { method: { coding: [...MANUAL.coding, ...MANUAL.coding, {}] } }],
]
test('what says nothing new is no part of a reading: senders of earlier releases may send it again', async () => {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  const plain = { patientUid, readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 }
  const readings = [plain, { ...plain, source: { kind: 'manual' } }]
  await rounds.call('/casesheet/readings/add', { token, body: readings })
  for (const [name, elements] of NOTHING_NEW) {
    const subject = { reference: `Patient/${patientUid}` }
    const body = { resourceType: 'Observation', status: 'final', subject, ...heartRate, ...elements }
    const answer = await rounds.fhir('/Observation', { token, body })
    assert.equal(answer.status, 200, `${name}: ${answer.text}`)
  }
  const stored = (await rounds.call('/casesheet/readings/get', { token })).json.data
  assert.equal(stored.length, readings.length)
})

test('words that were kept beside the kind of a source are the same reading when its Observation comes back', async () => {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  const body = {
    resourceType: 'Observation',
    status: 'final',
    subject: { reference: `Patient/${patientUid}` },
    ...heartRate,
    device: { display: 'Watch' },
    method: { text: 'oscillometric' },
  }
  assert.equal((await rounds.fhir('/Observation', { token, body })).status, 201)
  const [written] = await rounds.search('', token)
  assert.deepEqual(written?.['method'], {
    coding: [{ system: 'urn:rounds:source-kind', code: 'device', display: 'Sent by a device' }],
    text: 'oscillometric',
  })
  for (const identifier of [written?.['identifier'], undefined]) {
    const again = await rounds.fhir('/Observation', { token, body: { ...written, identifier } })
    assert.equal(again.status, 200, again.text)
  }
})
