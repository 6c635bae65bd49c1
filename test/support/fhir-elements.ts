// Random elements of an Observation that are kept as they are. For tests of FHIR.
import fc from 'fast-check'

const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 2 })
const record = (elements: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc
    .record(elements, { requiredKeys: required, noNullPrototype: true })
    .filter((value) => Object.keys(value).length > 0) as fc.Arbitrary<Record<string, unknown>>

const text = fc.constantFrom('a', 'after stairs', 'two\nlines', ' a blank before', 'ümlaut 🩺', 'Imported')
const uri = fc.constantFrom('urn:oid:1.2.3', 'http://example.org/a?b=c', 'urn:iso:std:iso:11073:10101')
const code = fc.constantFrom('a', '150364', 'two words')
const time = fc.constantFrom(
  '2025-11-01T08:30:00Z',
  '2024-02-29T23:59:59.123456+14:00',
  '2025-12-31T00:00:00.5-03:30',
)
const dateTime = fc.oneof(time, fc.constantFrom('2025', '2025-11', '2025-11-01'))

const coding = record({
  system: uri,
  version: text,
  code,
  display: text,
  userSelected: fc.boolean(),
})
const concept = record({ coding: some(coding), text })
const period = record({ start: dateTime }).chain((one) =>
  fc.constantFrom(one, { ...one, end: '2026-01-01T00:00:00Z' }),
)
const referenceTo = (...types: string[]) => {
  const literal = fc.oneof(
    fc.constantFrom(...types).map((type) => `${type}/a-1`),
    fc.constantFrom(...types).map((type) => `https://example.org/fhir/${type}/1/_history/2`),
    fc.uuid().map((uuid) => `urn:uuid:${uuid}`),
  )
  return record({
    reference: literal,
    type: fc.constantFrom(...types),
    display: text,
    identifier: record({ system: uri, value: text }),
  })
}
const identifier = fc.oneof(
  record({
    use: fc.constantFrom('usual', 'official', 'temp', 'secondary', 'old'),
    type: concept,
    system: uri,
    value: text,
    period,
    assigner: referenceTo('Organization'),
  }),
  // As Rounds writes its own.
  fc.uuid().map((uuid) => ({ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${uuid}` })),
)
const author = fc.oneof(
  fc.constant({}),
  referenceTo('Practitioner', 'Patient').map((authorReference) => ({ authorReference })),
  text.map((authorString) => ({ authorString })),
)
const annotation = fc
  .tuple(record({ time: dateTime, text }, ['text']), author)
  .map(([note, by]) => ({ ...by, ...note }))

const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  valueBoolean: fc.boolean(),
  valueCode: code,
  valueDate: fc.constantFrom('2025', '2024-02-29'),
  valueDateTime: dateTime,
  valueDecimal: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((number) => number + 0),
  valueId: fc.constantFrom('a-1.b'),
  valueInstant: time,
  valueInteger: fc.integer(),
  valueMarkdown: text,
  valuePositiveInt: fc.integer({ min: 1 }),
  valueString: text,
  valueTime: fc.constantFrom('08:30:00'),
  valueUnsignedInt: fc.nat(),
  valueUri: uri,
  valueUrl: uri,
  valueCanonical: uri,
  valueAnnotation: annotation,
  valueCodeableConcept: concept,
  valueCoding: coding,
  valueIdentifier: identifier,
  valuePeriod: period,
  valueQuantity: record({
    value: fc.integer(),
    comparator: fc.constantFrom('<', '>='),
    unit: text,
    system: uri,
  }),
  valueReference: referenceTo('Device', 'Patient', 'Group'),
}
const url = fc.constantFrom('urn:x', 'http://example.org/fhir/StructureDefinition/a')
const leaf = fc
  .constantFrom(...Object.keys(VALUES))
  .chain((name) => record({ url, [name]: VALUES[name] as fc.Arbitrary<unknown> }, ['url', name]))
const nested = (inner: fc.Arbitrary<unknown>) => record({ url, extension: some(inner) }, ['url', 'extension'])
const extension = fc.oneof(
  leaf,
  nested(fc.oneof(leaf, nested(leaf))),
  fc.constant({
    url: 'http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice',
    valueReference: { reference: 'Device/hub-1', display: 'Hub' },
  }),
)

/** `fhir` of a reading; with a device only where `source` has none. */
export const FHIR_ELEMENTS = record({
  extension: some(extension),
  identifier: some(identifier),
  basedOn: some(referenceTo('CarePlan', 'ServiceRequest')),
  category: some(
    fc.oneof(
      concept,
      fc.constantFrom('vital-signs', 'laboratory', 'survey').map((known) => ({
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: known }],
      })),
    ),
  ),
  code: some(coding),
  encounter: referenceTo('Encounter'),
  issued: time,
  performer: some(referenceTo('Practitioner', 'PractitionerRole', 'Patient', 'RelatedPerson')),
  note: some(annotation),
  // Words of Rounds without its code would not come back as they are, and are refused.
  method: concept.filter((one) => 'coding' in one || one['text'] !== 'Imported'),
  device: fc.oneof(
    fc.constantFrom<object>(
      { reference: 'Device/1', display: 'Cuff' },
      { reference: `urn:uuid:${'0'.repeat(8)}` },
    ),
    record({ identifier: record({ system: uri, value: text }) }, ['identifier']),
  ),
})
