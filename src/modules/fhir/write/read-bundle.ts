// The Bundle of a batch or a transaction: what it is to do, entry by entry. Only new Observations can be sent in one.
import { Refusal } from '../../../refusal.ts'
import { printable } from '../answers/printable.ts'
import { refuseAt } from '../refuse-at.ts'

type Json = Readonly<Record<string, unknown>>

export type BundleSent = { type: 'batch' | 'transaction'; resources: unknown[] }

/** An entry that cannot be done stands among the resources as the refusal that it deserves. */
export function readBundle(body: unknown): BundleSent {
  const { resourceType, type, entry = [], ...others }: Json = Object(body)
  if (resourceType !== 'Bundle') throw refuseAt('resourceType', 'must be Bundle')
  if (type !== 'batch' && type !== 'transaction')
    throw refuseAt('Bundle.type', 'must be batch or transaction')
  if (!Array.isArray(entry)) throw refuseAt('Bundle.entry', 'must be a list')
  const unknown = Object.keys(others).find((name) => !['id', 'meta', 'timestamp'].includes(name))
  if (unknown !== undefined) throw refuseAt('Bundle', `must not have the element ${printable(unknown)}`)
  return { type, resources: entry.map(resourceIn) }
}

function resourceIn(entry: unknown, index: number): unknown {
  if (entry instanceof Refusal) return entry
  const path = `Bundle.entry[${index}]`
  const { resource, request, fullUrl, ...others }: Json = Object(entry)
  const { method, url, ...conditions }: Json = Object(request)
  if (method !== 'POST' || url !== 'Observation') {
    return refuseAt(`${path}.request`, 'must be POST Observation: nothing else can be sent in a Bundle')
  }
  if (Object.keys(conditions).length > 0)
    return refuseAt(`${path}.request`, 'must not have conditions: what is sent again is stored once')
  if (fullUrl !== undefined && typeof fullUrl !== 'string')
    return refuseAt(`${path}.fullUrl`, 'must be a text')
  if (Object.keys(others).length > 0)
    return refuseAt(path, 'must have a resource and a request, and nothing else')
  return resource
}
