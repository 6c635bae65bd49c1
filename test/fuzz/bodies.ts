// Bodies for an operation that takes one: bytes that are JSON as the document describes it, nearly so, or anything.
import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../support/api-document.ts'
import { heavyJson } from './heavy-json.ts'
import { nastyValue, type Schema, valuesOf } from './schema-values.ts'

type Kinds = {
  schemas: Record<string, Schema>
  patients: string[]
  stored: Record<string, unknown>[]
  endpointIds: string[]
}

export const wildBytes: Arbitrary<Buffer | null> = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes))

/** Bodies that fit, bodies with one value put otherwise, JSON with a byte too many or too few, and bytes. */
export function bodiesOf(
  operation: Operation,
  { schemas, patients, stored, endpointIds }: Kinds,
): Arbitrary<Buffer | null> {
  const schema = (operation.requestBody?.content?.['application/json'].schema ?? {}) as Schema
  const invented = fc
    .tuple(valuesOf(schema, schemas), fc.constantFrom(...patients))
    .map(([value, patientUid]) => ([value].flat().length === 0 ? value : forPatient(value, patientUid)))
  // Where a body names a reading, it is mostly one that there is.
  const named = fc
    .tuple(valuesOf(schema, schemas), fc.constantFrom(...stored))
    .map(([value, reading]) => ({ ...Object(value), ...reading, patientUid: patients[0] }))
  // An endpoint is mostly one that there is, or may be called: nothing listens there.
  const ofWebhooks = fc
    .tuple(valuesOf(schema, schemas), fc.constantFrom(...endpointIds), fc.nat())
    .map(([value, endpointId, place]) =>
      schema.properties?.['url']
        ? { ...Object(value), url: `https://127.0.0.1:1/${place}` }
        : { ...Object(value), endpointId, ...(schema.properties?.['since'] && { since: 'beginning' }) },
    )
  const likely = schema.properties?.['readingId'] ? named : ofWebhooks
  const fitting =
    operation.path.startsWith('/webhooks/') || schema.properties?.['readingId']
      ? fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: invented })
      : invented
  const nearly = fc
    .tuple(fitting, fc.nat(), nastyValue)
    .map(([value, which, other]) => withOneChanged(value, which, other))
  const text = fc
    .oneof({ weight: 6, arbitrary: fitting }, { weight: 3, arbitrary: nearly })
    .map((value) => Buffer.from(JSON.stringify(value) ?? ''))
  const broken = fc
    .tuple(text, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 2))
    .map(([bytes, at, byte, kind]) => {
      const place = bytes.length === 0 ? 0 : at % bytes.length
      const [before, after] = [bytes.subarray(0, place), bytes.subarray(place + (kind === 0 ? 0 : 1))]
      return Buffer.concat(kind === 2 ? [before, after] : [before, Buffer.from([byte]), after])
    })
  // In the place of the first field that has one, or as a field more.
  const heavy = fc
    .tuple(text, heavyJson, fc.constantFrom(/"timestamp":[^,}]+/, /"symptoms":\[/, /\{/, /\[/))
    .map(([bytes, json, place]) =>
      Buffer.from(bytes.toString().replace(place, (found) => withHeavy(found, json))),
    )
  return fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 6, arbitrary: heavy },
    { weight: 3, arbitrary: broken },
    { weight: 1, arbitrary: wildBytes },
  )
}

function withHeavy(found: string, json: string): string {
  if (found === '{') return `{"heavy":${json},`
  return found.endsWith('[') ? `${found}${json},` : `"timestamp":${json}`
}

function forPatient(value: unknown, patientUid: string): unknown {
  return Array.isArray(value)
    ? value.map((one) => forPatient(one, patientUid))
    : { ...Object(value), patientUid }
}

/** The same value, but for one place in it, whichever the number picks. */
function withOneChanged(value: unknown, which: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other
  const keys = Object.keys(value)
  const [turn, rest] = [which % (keys.length + 1), Math.floor(which / (keys.length + 1))]
  const key = keys[turn]
  if (key === undefined)
    return Array.isArray(value) ? [...value, other] : { ...value, [String(other)]: other }
  const changed = {
    ...value,
    [key]: rest % 3 === 0 ? withOneChanged(Object(value)[key], rest, other) : other,
  }
  return Array.isArray(value) ? Object.values(changed) : changed
}
