// The Bundle of a batch or a transaction: what it is to do, entry by entry. New Observations can be sent in both, and a batch can
// ask for anything that GET serves.
import { relativeTo } from '../../../http/base-address.ts'
import { Refusal } from '../../../refusal.ts'
import { printable } from '../answers/printable.ts'
import { refuseAt } from '../refuse-at.ts'
import { STORED_ONCE } from './must-be-plain-add.ts'

type Json = Readonly<Record<string, unknown>>

const MAX_GETS = 50
/** As long as an address may be. */
const MAX_ADDRESS_CHARS = 8_192

const ONLY_OBSERVATIONS =
  'must be POST Observation: nothing else is created here. Leave the entry out, and name the patient as Patient/ID'
const ONLY_NEW =
  'must be POST Observation: nothing is updated or deleted here. Send a new Observation, and withdraw the old one with readings/withdraw'
const ONLY_THESE = 'must be POST Observation, or in a batch GET of an address without conditions'
const NOT_DONE = new Map<unknown, string>(['PUT', 'PATCH', 'DELETE'].map((method) => [method, ONLY_NEW]))

export type BundleSent = {
  type: 'batch' | 'transaction'
  /** Of each entry; one that cannot be done stands among them as the refusal that it deserves. */
  resources: unknown[]
  /** The entries that are a GET, and the address of each, relative to the base. */
  asked: ReadonlyMap<number, string>
}

export function readBundle(body: unknown, base: string): BundleSent {
  const { resourceType, type, entry = [], ...others }: Json = Object(body)
  if (resourceType !== 'Bundle') throw refuseAt('resourceType', 'must be Bundle')
  if (type !== 'batch' && type !== 'transaction')
    throw refuseAt('Bundle.type', 'must be batch or transaction')
  if (!Array.isArray(entry)) throw refuseAt('Bundle.entry', 'must be a list')
  const unknown = Object.keys(others).find((name) => !['id', 'meta', 'timestamp'].includes(name))
  if (unknown !== undefined) throw refuseAt('Bundle', `must not have the element ${printable(unknown)}`)
  const asked = new Map<number, string>()
  if (type === 'batch') {
    for (const [index, one] of entry.entries()) {
      const address = addressIn(one, base)
      if (address !== undefined) asked.set(index, address)
    }
  }
  if (asked.size > MAX_GETS) throw refuseAt('Bundle.entry', `must not have more than ${MAX_GETS} GETs`)
  return { type, resources: entry.map((one, index) => resourceIn(one, index, base)), asked }
}

/** The address of an entry that is a GET and nothing else. */
function addressIn(entry: unknown, base: string): string | undefined {
  const { request, fullUrl, ...others }: Json = Object(entry)
  const { method, url, ...conditions }: Json = Object(request)
  const isPlain = Object.keys(others).length === 0 && Object.keys(conditions).length === 0
  const isAddress = typeof url === 'string' && url.length <= MAX_ADDRESS_CHARS
  if (method !== 'GET' || !isPlain || !isAddress) return undefined
  return fullUrl === undefined || typeof fullUrl === 'string' ? localAddress(url, base) : undefined
}

/** `Observation`, `/Observation` and the absolute address are the same. */
function localAddress(url: string, base: string): string {
  return relativeTo(base, url).replace(/^\//, '')
}

function resourceIn(entry: unknown, index: number, base: string): unknown {
  if (entry instanceof Refusal) return entry
  const path = `Bundle.entry[${index}]`
  const { resource, request, fullUrl, ...others }: Json = Object(entry)
  const { method, url, ...conditions }: Json = Object(request)
  const isCreate = method === 'POST'
  if (!isCreate || typeof url !== 'string' || localAddress(url, base) !== 'Observation')
    return refuseAt(`${path}.request`, isCreate ? ONLY_OBSERVATIONS : (NOT_DONE.get(method) ?? ONLY_THESE))
  if (Object.keys(conditions).length > 0)
    return refuseAt(`${path}.request`, `must not have conditions: leave them out. ${STORED_ONCE}`)
  if (fullUrl !== undefined && typeof fullUrl !== 'string')
    return refuseAt(`${path}.fullUrl`, 'must be a text')
  if (Object.keys(others).length > 0)
    return refuseAt(path, 'must have a resource and a request, and nothing else')
  return resource
}
