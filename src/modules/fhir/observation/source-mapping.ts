// `source` of a reading ↔ method, device and the gateway of an Observation.
//
// - kind is the method: no published code system says "a device sent it", "a person typed it in" and "imported". The example
//   binding of R4 has techniques of SNOMED CT, and the provenance codes of HL7 v3 are security labels. So it is a code of our
//   own, with words that any viewer shows.
// - device is Observation.device, a contained Device; its name is also the display of the reference.
// - app is a contained Device too, behind the extension of R4 for "which app passed the data on".
//
// A source with a text that FHIR does not allow, or one that was stored before sources were checked, stays among the other
// fields.
import { GATEWAY_DEVICE, SOURCE_WORDS } from '../../casesheet/fhir-elements/fhir-elements.ts'
import { SOURCE_KINDS, type Source } from '../../casesheet/reading.ts'
import { refuseAt } from '../refuse-at.ts'
import type { Device, Observation } from '../resources.ts'
import { IDENTIFIER_TYPE, SOURCE_KIND } from '../systems.ts'
import { codeIn } from './codings.ts'
import type { FieldsRead } from './fields-read.ts'
import { isFhirText } from './other-fields.ts'

type Json = Readonly<Record<string, unknown>>
type Written = Pick<Observation, 'contained' | 'device' | 'method' | 'extension'>

/** Ids of the contained Devices that are written here. */
const [DEVICE_ID, APP_ID] = ['device', 'app']

/** Undefined where a source cannot be written so. */
export function writeSource(source: unknown): Written | undefined {
  if (!isWritable(source)) return undefined
  const { kind, device, app } = source
  const contained = [
    ...(device ? [deviceResource(device)] : []),
    ...(app
      ? [{ ...namedDevice(APP_ID, app.name), ...(app.version ? { version: [{ value: app.version }] } : {}) }]
      : []),
  ]
  return {
    ...(contained.length > 0 ? { contained } : {}),
    ...(app
      ? {
          extension: [
            { url: GATEWAY_DEVICE, valueReference: { reference: `#${APP_ID}`, display: app.name } },
          ],
        }
      : {}),
    method: { coding: [{ system: SOURCE_KIND, code: kind }], text: SOURCE_WORDS[kind] },
    ...(device ? { device: { reference: `#${DEVICE_ID}`, display: device.name } } : {}),
  }
}

function deviceResource({ name, manufacturer, model, serial }: NonNullable<Source['device']>): Device {
  const { deviceName, ...resource } = namedDevice(DEVICE_ID, name)
  return {
    ...resource,
    ...(manufacturer === undefined ? {} : { manufacturer }),
    ...(serial === undefined ? {} : { serialNumber: serial }),
    deviceName,
    ...(model === undefined ? {} : { modelNumber: model }),
  }
}

function namedDevice(id: string, name: string): Device {
  return { resourceType: 'Device', id, deviceName: [{ name, type: 'user-friendly-name' }] }
}

const TEXTS = { device: ['name', 'manufacturer', 'model', 'serial'], app: ['name', 'version'] } as const

function isWritable(source: unknown): source is Source {
  if (typeof source !== 'object' || source === null) return false
  const { kind, device, app, ...others }: Json = { ...source }
  return (
    SOURCE_KINDS.some((known) => known === kind) &&
    areTexts(device, TEXTS.device) &&
    areTexts(app, TEXTS.app) &&
    Object.keys(others).length === 0
  )
}

/** Whether a part of a source is left out, or has a name and nothing but texts that FHIR allows. */
function areTexts(part: unknown, names: readonly string[]): boolean {
  if (part === undefined) return true
  if (typeof part !== 'object' || part === null || Array.isArray(part) || !('name' in part)) return false
  return Object.entries(part).every(([name, text]) => names.includes(name) && isFhirText(text))
}

/** Reads what an Observation says of its source into the field, if it says anything. */
export function readSource(sent: Json, { set, pathOf }: FieldsRead) {
  const { device, method } = sent
  const gateway = gatewayIn(sent['extension'])
  if (device === undefined && method === undefined && gateway === undefined) return
  const source: { kind: unknown; device?: object; app?: object } = { kind: kindOf(method, device) }
  if (device !== undefined) {
    const { resource, path } = namedBy(device, 'Observation.device', sent['contained'])
    source.device = withoutUndefined({
      name: nameIn(resource) ?? Object(device).display,
      manufacturer: resource['manufacturer'],
      model: resource['modelNumber'],
      serial: resource['serialNumber'] ?? serialIn(device),
    })
    pathOf.set('/source/device', path)
  }
  if (gateway !== undefined) {
    const { resource, path } = namedBy(gateway, 'Observation.extension', sent['contained'])
    const [version]: Json[] = listOf(resource['version'])
    source.app = withoutUndefined({
      name: nameIn(resource) ?? Object(gateway).display,
      version: version?.['value'],
    })
    pathOf.set('/source/app', path)
  }
  set('source', source, device === undefined ? 'Observation.method' : 'Observation.device')
  pathOf.set('/source/kind', 'Observation.method')
}

/** What is measured by a device need not say so twice. */
function kindOf(method: unknown, device: unknown): unknown {
  if (method === undefined && device !== undefined) return 'device'
  const kind = codeIn(method, SOURCE_KIND)
  if (SOURCE_KINDS.some((known) => known === kind)) return kind
  throw refuseAt('Observation.method', `must have a code of ${SOURCE_KIND}: ${SOURCE_KINDS.join(', ')}`)
}

/** The contained Device that a reference names, and where it is. A reference with nothing but a display names none. */
function namedBy(reference: unknown, path: string, contained: unknown): { resource: Json; path: string } {
  const { reference: literal, display }: Json = Object(reference)
  if (literal === undefined && typeof display === 'string') return { resource: {}, path: `${path}.display` }
  const list = listOf(contained)
  const index = list.findIndex((one) => `#${String(one['id'])}` === literal)
  const resource = list[index]
  if (resource?.['resourceType'] !== 'Device') {
    throw refuseAt(
      path,
      'must refer to a Device in contained, or have its name as a display and no reference',
    )
  }
  return { resource, path: `Observation.contained[${index}]` }
}

function nameIn({ deviceName }: Json): unknown {
  return listOf(deviceName)[0]?.['name']
}

function serialIn(device: unknown): unknown {
  return Object(Object(device).identifier).value
}

function gatewayIn(extension: unknown): unknown {
  const found = listOf(extension).find(({ url }) => url === GATEWAY_DEVICE)
  return found && (found['valueReference'] ?? null)
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((one) => Object(one) as Json) : []
}

function withoutUndefined(fields: Json): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/**
 * What was sent, with our ids of contained Devices in place of the sender's, which only lead from one element to the other:
 * so it can be compared with what is written.
 */
export function withOurIds(sent: Json): Json {
  const { contained, device, extension } = sent
  const gateway = gatewayIn(extension)
  const ourId = new Map<unknown, string>([
    [Object(gateway).reference, APP_ID],
    [Object(device).reference, DEVICE_ID],
  ])
  const referring = (reference: unknown): unknown => {
    const { reference: literal } = Object(reference) as Json
    return typeof literal === 'string' && ourId.has(literal)
      ? { ...Object(reference), reference: `#${ourId.get(literal)}` }
      : reference
  }
  return {
    ...sent,
    ...(Array.isArray(contained)
      ? {
          contained: contained.map((one: unknown) => {
            const id = ourId.get(`#${String(Object(one).id)}`)
            return id === undefined ? one : { ...Object(one), id }
          }),
        }
      : {}),
    ...(device === undefined ? {} : { device: referring(device) }),
    ...(gateway === undefined
      ? {}
      : {
          extension: listOf(extension).map((one) =>
            one['url'] === GATEWAY_DEVICE
              ? { ...one, valueReference: referring(one['valueReference']) }
              : one,
          ),
        }),
  }
}

/**
 * What is written, with what else may be sent of a Device and says no more: that it is in use, whose it is, and its serial
 * number as an identifier of the reference.
 */
export function withImplied(written: Observation): Observation {
  const { contained, device, subject } = written
  const serial = contained?.find(({ id }) => id === DEVICE_ID)?.serialNumber
  return {
    ...written,
    ...(contained
      ? { contained: contained.map((one) => ({ ...one, status: 'active' as const, patient: subject })) }
      : {}),
    ...(device && serial !== undefined
      ? { device: { ...device, type: 'Device', identifier: { type: SERIAL_NUMBER, value: serial } } }
      : {}),
  }
}

const SERIAL_NUMBER = { coding: [{ system: IDENTIFIER_TYPE, code: 'SNO' }] }
