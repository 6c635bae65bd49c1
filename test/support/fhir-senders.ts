// Observations in the shapes that real senders use: a synthetic record (Synthea), a phone, a scale's gateway, a hub of personal
// health devices, a hospital system, and US Core's own examples. The people and numbers are invented.
import assert from 'node:assert/strict'
import type { Resource } from './fhir.ts'

const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category'
const LOINC = 'http://loinc.org'
const UCUM = 'http://unitsofmeasure.org'
const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-'

const vitalSign = {
  category: [
    { coding: [{ system: CATEGORY, code: 'vital-signs', display: 'Vital Signs' }], text: 'Vital Signs' },
  ],
}

const loinc = (code: string, display: string) => ({
  code: { coding: [{ system: LOINC, code, display }], text: display },
})

const quantity = (value: number, code: string, unit = code) => ({ value, unit, system: UCUM, code })

/** What a sender sends of a patient; `of` makes each sender's identifiers its own. */
export type FhirSender = (patientUid: string, of?: string) => Resource

const subject = (patientUid: string, display?: string) => ({
  subject: { reference: `Patient/${patientUid}`, ...(display ? { display } : {}) },
})

export const FHIR_SENDERS = {
  'Synthea, heart rate': (patientUid, of = '1') => ({
    resourceType: 'Observation',
    id: `5e3e3a44-0f0c-4b0e-9a55-00000000000${of}`,
    meta: { profile: [`${US_CORE}heart-rate`] },
    status: 'final',
    ...vitalSign,
    ...loinc('8867-4', 'Heart rate'),
    ...subject(patientUid),
    encounter: { reference: 'urn:uuid:0d5be3a4-28a8-4b8b-a3a5-8f2c0c8a1a01' },
    effectiveDateTime: '2025-10-05T04:14:18-04:00',
    issued: '2025-10-05T04:14:18.034-04:00',
    valueQuantity: quantity(84, '/min'),
  }),
  'Synthea, blood pressure': (patientUid) => ({
    resourceType: 'Observation',
    meta: { profile: [`${US_CORE}blood-pressure`] },
    status: 'final',
    ...vitalSign,
    ...loinc('85354-9', 'Blood pressure panel with all children optional'),
    ...subject(patientUid),
    encounter: { reference: 'Encounter/0d5be3a4-28a8-4b8b-a3a5-8f2c0c8a1a01', display: 'Check-up' },
    effectiveDateTime: '2025-10-05T04:14:18-04:00',
    issued: '2025-10-05T04:14:18.034-04:00',
    component: [
      { ...loinc('8462-4', 'Diastolic Blood Pressure'), valueQuantity: quantity(77, 'mm[Hg]') },
      { ...loinc('8480-6', 'Systolic Blood Pressure'), valueQuantity: quantity(122, 'mm[Hg]', 'mmHg') },
    ],
  }),
  'Synthea, oxygen saturation': (patientUid) => ({
    resourceType: 'Observation',
    meta: { profile: [`${US_CORE}pulse-oximetry`] },
    status: 'final',
    ...vitalSign,
    code: {
      coding: [
        { system: LOINC, code: '2708-6', display: 'Oxygen saturation in Arterial blood' },
        {
          system: LOINC,
          code: '59408-5',
          display: 'Oxygen saturation in Arterial blood by Pulse oximetry',
        },
      ],
      text: 'Oxygen saturation in Arterial blood',
    },
    ...subject(patientUid),
    effectiveDateTime: '2025-10-05T04:14:18-04:00',
    issued: '2025-10-05T04:14:18.034-04:00',
    valueQuantity: quantity(97, '%'),
  }),
  'a phone, heart rate': (patientUid, of = '1') => ({
    resourceType: 'Observation',
    identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:uuid:8f1c1c8e-0000-4000-8000-00000000000${of}` }],
    extension: [
      {
        url: 'http://bdh.stanford.edu/fhir/defs/sourceRevision',
        extension: [
          {
            url: 'http://bdh.stanford.edu/fhir/defs/sourceRevision/source',
            extension: [
              { url: 'name', valueString: 'An invented watch' },
              { url: 'bundleIdentifier', valueString: 'com.example.health' },
            ],
          },
          { url: 'http://bdh.stanford.edu/fhir/defs/sourceRevision/version', valueString: '10.2' },
        ],
      },
      {
        url: 'http://bdh.stanford.edu/fhir/defs/metadata',
        extension: [{ url: 'motionContext', valueDecimal: 1 }],
      },
    ],
    status: 'final',
    ...loinc('8867-4', 'Heart rate'),
    ...subject(patientUid),
    effectiveDateTime: '2025-10-05T11:20:07.512+02:00',
    issued: '2025-10-05T09:20:31Z',
    valueQuantity: quantity(63, '/min', 'beats/minute'),
  }),
  'a phone, steps': (patientUid) => ({
    resourceType: 'Observation',
    identifier: [{ value: '0C3F9A0E-7D4B-4D0C-8A0E-1F0E7B1A9C11' }],
    status: 'final',
    category: [{ coding: [{ system: CATEGORY, code: 'activity' }] }],
    ...loinc('55423-8', 'Number of steps in unspecified time Pedometer'),
    ...subject(patientUid),
    effectivePeriod: { start: '2025-10-05T10:00:00+02:00', end: '2025-10-05T11:00:00+02:00' },
    valueQuantity: quantity(1_204, '{steps}', 'steps'),
  }),
  "a scale's gateway, body weight": (patientUid, of = '1') => ({
    resourceType: 'Observation',
    meta: { profile: ['http://hl7.org/fhir/StructureDefinition/bodyweight'] },
    identifier: [
      { use: 'official', system: 'https://gateway.example.org/measures', value: `4711-${of}` },
      { system: 'https://gateway.example.org/groups', value: '99' },
    ],
    status: 'final',
    ...vitalSign,
    ...loinc('29463-7', 'Body weight'),
    ...subject(patientUid, 'Invented Person'),
    effectiveDateTime: '2025-10-05T06:58:11Z',
    issued: '2025-10-05T06:58:40.120Z',
    performer: [{ reference: `Patient/${patientUid}`, display: 'Invented Person' }],
    valueQuantity: quantity(71.45, 'kg'),
    note: [{ time: '2025-10-05T06:59:00Z', text: 'Before breakfast.' }],
    method: { coding: [{ system: 'http://snomed.info/sct', code: '258104002', display: 'Measured' }] },
    device: { reference: 'Device/scale-17', display: 'Body Scale (invented)' },
  }),
  'a hub of health devices, body temperature': (patientUid) => ({
    resourceType: 'Observation',
    meta: { profile: ['http://hl7.org/fhir/uv/phd/StructureDefinition/PhdNumericObservation'] },
    extension: [
      {
        url: 'http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice',
        valueReference: { reference: 'Device/hub-1' },
      },
    ],
    identifier: [{ system: 'urn:ietf:rfc:3986', value: 'urn:uuid:0f5f9d7e-3f63-4f1c-9f7e-8c1f0a2b3c4d' }],
    status: 'final',
    ...vitalSign,
    code: {
      coding: [
        { system: 'urn:iso:std:iso:11073:10101', code: '150364', display: 'MDC_TEMP_BODY' },
        { system: LOINC, code: '8310-5', display: 'Body temperature' },
      ],
      text: 'Body temperature',
    },
    ...subject(patientUid),
    effectiveDateTime: '2025-10-05T06:58:11+00:00',
    performer: [{ reference: `Patient/${patientUid}` }],
    valueQuantity: quantity(36.9, 'Cel', '°C'),
    device: { reference: 'Device/thermometer-1' },
  }),
  'a hospital, heart rate': (patientUid, of = '1') => ({
    resourceType: 'Observation',
    meta: { profile: [`${US_CORE}vital-signs|6.1.0`, `${US_CORE}heart-rate|6.1.0`] },
    text: {
      status: 'generated',
      div: '<div xmlns="http://www.w3.org/1999/xhtml">Pulse 78 per minute</div>',
    },
    identifier: [
      {
        use: 'usual',
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'FILL' }] },
        system: 'urn:oid:1.2.840.114350.1.13.0.1.7.2.6.798268',
        value: `271-${of}`,
        assigner: { display: 'Invented Hospital' },
      },
    ],
    basedOn: [{ reference: 'ServiceRequest/vitals-4', display: 'Vital signs every 4 hours' }],
    status: 'final',
    category: [
      {
        coding: [
          { system: CATEGORY, code: 'vital-signs', display: 'Vital Signs' },
          { system: 'urn:oid:1.2.840.114350.1.13.0.1.7.10.798268', code: 'Flowsheet' },
        ],
        text: 'Vital Signs',
      },
      { text: 'Nursing' },
    ],
    code: {
      coding: [
        { system: LOINC, code: '8867-4', display: 'Heart rate' },
        { system: 'urn:oid:1.2.840.114350.1.13.0.1.7.2.707679', code: '8', display: 'Pulse' },
      ],
      text: 'Pulse',
    },
    ...subject(patientUid, 'Person, Invented'),
    encounter: { reference: 'Encounter/visit-3', identifier: { system: 'urn:example:visits', value: '3' } },
    effectiveDateTime: '2025-10-05T08:15:00-05:00',
    issued: '2025-10-05T08:16:12-05:00',
    performer: [
      { reference: 'Practitioner/nurse-9', type: 'Practitioner', display: 'Invented Nurse' },
      { reference: 'Organization/ward-2' },
    ],
    valueQuantity: quantity(78, '/min', 'beats/min'),
    note: [
      {
        authorReference: { reference: 'Practitioner/nurse-9' },
        time: '2025-10-05T08:16:00-05:00',
        text: 'At rest.',
      },
      { authorString: 'Night shift', text: 'Line one.\nLine two.' },
    ],
  }),
  'US Core, blood pressure': (patientUid) => ({
    resourceType: 'Observation',
    meta: { profile: [`${US_CORE}blood-pressure`] },
    identifier: [{ system: 'urn:ietf:rfc:3986', value: 'urn:uuid:187e0c12-8dd2-67e2-99b2-bf273c878281' }],
    status: 'final',
    ...vitalSign,
    ...loinc('85354-9', 'Blood pressure systolic and diastolic'),
    ...subject(patientUid),
    encounter: { display: 'GP Visit' },
    effectiveDateTime: '2025-10-02T09:30:10+01:00',
    performer: [{ reference: 'Practitioner/example' }],
    device: { display: 'Upper arm cuff (invented)' },
    component: [
      { ...loinc('8480-6', 'Systolic blood pressure'), valueQuantity: quantity(107, 'mm[Hg]', 'mmHg') },
      { ...loinc('8462-4', 'Diastolic blood pressure'), valueQuantity: quantity(60, 'mm[Hg]', 'mmHg') },
      { ...loinc('8867-4', 'Heart rate'), valueQuantity: quantity(66, '/min') },
    ],
  }),
  'a monitor, heart rate with its Device inside': (patientUid) => ({
    resourceType: 'Observation',
    contained: [
      {
        resourceType: 'Device',
        id: 'monitor',
        status: 'active',
        manufacturer: 'Example Instruments',
        serialNumber: 'SN-0042',
        deviceName: [{ name: 'Bedside monitor (invented)', type: 'user-friendly-name' }],
        modelNumber: 'M1',
      },
    ],
    status: 'final',
    ...vitalSign,
    ...loinc('8867-4', 'Heart rate'),
    ...subject(patientUid),
    effectiveDateTime: '2025-10-05T08:20:00Z',
    performer: [{ display: 'Ward 2' }],
    valueQuantity: quantity(80, '/min'),
    device: { reference: '#monitor' },
  }),
} as const satisfies Record<string, FhirSender>

const KEPT_LISTS = ['identifier', 'extension', 'basedOn', 'performer', 'note'] as const
const KEPT = ['issued', 'encounter'] as const

type Coded = {
  code: { coding: { system: string; code: string }[] }
  valueQuantity?: { value: number; code: string }
}

/** Asserts that nothing of what was sent is missing or changed in what came back, but texts that repeat a code. */
export function mustComeBack(sent: Resource, stored: Resource) {
  const lists = [sent, stored] as Record<string, unknown[] | undefined>[]
  for (const name of KEPT_LISTS) {
    const [own = [], back = []] = lists.map((one) => one[name])
    assert.deepEqual(back.slice(0, own.length), own, name)
  }
  for (const name of KEPT) assert.deepEqual(stored[name], sent[name], name)
  mustBeSameCoded(sent, stored)
  const [own = [], back = []] = [sent, stored].map(({ component }) => (component ?? []) as Coded[])
  for (const component of own) {
    const { code } = component.code.coding[0] ?? {}
    const found = back.find((one) => one.code.coding.some((coding) => coding.code === code))
    assert.ok(found, `component ${code}`)
    mustBeSameCoded(component, found)
  }
  for (const coding of codingsOf(sent['category']))
    assert.ok(codingsOf(stored['category']).includes(coding), coding)
  mustBeSameTime(sent, stored)
  mustBeSameDevice(sent, stored)
  assert.match(JSON.stringify(stored['subject']), RegExp(String(Object(sent['subject']).reference)))
}

function codingsOf(concepts: unknown): string[] {
  return ((concepts ?? []) as Partial<Coded['code']>[]).flatMap(({ coding = [] }) =>
    coding.map(({ system, code }) => `${system}|${code}`),
  )
}

function mustBeSameCoded(sent: unknown, stored: unknown) {
  const [own, back] = [sent, stored] as Coded[]
  const codesIn = ({ code }: Coded) => code.coding.map((coding) => `${coding.system}|${coding.code}`)
  for (const code of codesIn(own as Coded)) assert.ok(codesIn(back as Coded).includes(code), code)
  assert.equal(back?.valueQuantity?.value, own?.valueQuantity?.value)
  assert.equal(back?.valueQuantity?.code, own?.valueQuantity?.code)
}

/** The same moments, at the same offset from UTC. */
function mustBeSameTime(sent: Resource, stored: Resource) {
  const timesIn = ({ effectiveDateTime, effectivePeriod }: Resource) =>
    [effectiveDateTime, Object(effectivePeriod).start, Object(effectivePeriod).end].map(
      (time) => time && String(time).replace('+00:00', 'Z'),
    )
  assert.deepEqual(timesIn(stored), timesIn(sent))
}

function mustBeSameDevice(sent: Resource, stored: Resource) {
  const { reference, display }: { reference?: string; display?: string } = Object(sent['device'])
  if (reference !== undefined && !reference.startsWith('#')) {
    assert.deepEqual(stored['device'], sent['device'])
    assert.deepEqual(stored['method'], sent['method'])
  } else if (reference !== undefined) {
    const [[own], [back]] = [sent, stored].map(({ contained }) => contained as Resource[]) as [
      [Resource],
      [Resource],
    ]
    assert.deepEqual({ ...back, id: own.id, status: own['status'] }, own)
  } else if (display !== undefined) {
    assert.equal(Object(stored['device']).display, display)
  }
}
