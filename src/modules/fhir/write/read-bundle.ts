// The Bundle of a batch: new Observations, entry by entry.
import { relativeTo } from '../../../http/base-address.ts'
import { Refusal } from '../../../refusal.ts'
import { printable } from '../answers/printable.ts'
import { refuseAt } from '../refuse-at.ts'
import { STORED_ONCE } from './must-be-plain-add.ts'

type Json = Readonly<Record<string, unknown>>

const ONLY_OBSERVATIONS =
  'must be POST Observation: nothing else is created here. Leave the entry out, and name the patient as Patient/ID'
const ONLY_NEW =
  'must be POST Observation: nothing is updated or deleted here. Send a new Observation, and withdraw the old one with readings/withdraw'
const ONLY_POST = 'must be POST Observation: nothing is read here. Send a GET by itself'

const MESSAGE_OF = new Map<unknown, string>([
  ['POST', ONLY_OBSERVATIONS],
  ...['PUT', 'PATCH', 'DELETE'].map((method) => [method, ONLY_NEW] as const),
])

/** What is to be added; an entry that cannot be is the refusal that it deserves. */
export function readBundle(body: unknown, base: string): unknown[] {
  const { resourceType, type, entry = [], ...others }: Json = Object(body)
  if (resourceType !== 'Bundle') throw refuseAt('resourceType', 'must be Bundle')
  if (type !== 'batch') throw refuseAt('Bundle.type', 'must be batch: each entry is stored by itself')
  if (!Array.isArray(entry)) throw refuseAt('Bundle.entry', 'must be a list')
  const unknown = Object.keys(others).find((name) => !['id', 'meta', 'timestamp'].includes(name))
  if (unknown !== undefined) throw refuseAt('Bundle', `must not have the element ${printable(unknown)}`)
  return entry.map((one, index) => resourceIn(one, index, base))
}

function resourceIn(entry: unknown, index: number, base: string): unknown {
  if (entry instanceof Refusal) return entry
  const path = `Bundle.entry[${index}]`
  const { resource, request, fullUrl, ...others }: Json = Object(entry)
  const { method, url, ...conditions }: Json = Object(request)
  if (method !== 'POST' || typeof url !== 'string' || !isObservation(url, base))
    return refuseAt(`${path}.request`, MESSAGE_OF.get(method) ?? ONLY_POST)
  if (Object.keys(conditions).length > 0)
    return refuseAt(`${path}.request`, `must not have conditions: leave them out. ${STORED_ONCE}`)
  if (fullUrl !== undefined && typeof fullUrl !== 'string')
    return refuseAt(`${path}.fullUrl`, 'must be a text')
  if (Object.keys(others).length > 0)
    return refuseAt(path, 'must have a resource and a request, and nothing else')
  return resource
}

/** `Observation`, `/Observation` and the absolute address are the same. */
function isObservation(url: string, base: string): boolean {
  return relativeTo(base, url).replace(/^\//, '') === 'Observation'
}
