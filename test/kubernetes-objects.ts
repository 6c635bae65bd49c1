// Kubernetes manifests as kubectl renders them, and what the API's own schemas say about each object.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { runValidateFunc, type ValidateFunc } from '@kubernetes-models/validate'
import { parseAllDocuments } from 'yaml'
import { programOf } from './needs.ts'

export type KubernetesObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec?: Record<string, unknown>
}

/** Where it is missing, scripts/get-kubectl.sh brings one. */
export function renderOverlay(name: string): KubernetesObject[] {
  const directory = join(import.meta.dirname, '../deploy/kubernetes/overlays', name)
  const { status, stdout, stderr } = spawnSync(programOf('kubectl'), ['kustomize', directory], {
    encoding: 'utf8',
  })
  // It warns of fields that a later version will not know.
  if (status !== 0 || stderr !== '') throw new Error(`kubectl does not render ${name}: ${stderr}`)
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject)
}

/** Throws where the object is not as the schema of its kind says, or has a field that the schema does not know. */
export async function mustBeValid(object: KubernetesObject) {
  const [group, version] = object.apiVersion.includes('/')
    ? object.apiVersion.split('/')
    : ['core', object.apiVersion]
  const schema = `IoK8sApi${capital(group?.split('.')[0])}${capital(version)}${object.kind}`
  const { validate } = (await import(`kubernetes-models/_schemas/${schema}`)) as {
    validate: ValidateFunc<unknown>
  }
  // The compiled schema does not refuse fields that it does not know: it never looks at them. So we watch what it reads.
  const unread = new Set<string>()
  runValidateFunc(validate, watchReads(object, '', unread))
  if (unread.size > 0) throw new Error(`${object.kind} has no field ${[...unread].join(', ')}.`)
}

const capital = (word = '') => word.charAt(0).toUpperCase() + word.slice(1)

/** The same value, which takes the path of each field out of `unread` when that field is read. */
function watchReads(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = new Map(
    Object.entries(value).map(([name, field]) => {
      if (!Array.isArray(value)) unread.add(`${path}/${name}`)
      return [name, watchReads(field, `${path}/${name}`, unread)]
    }),
  )
  return new Proxy(value, {
    get: (target, name) => {
      unread.delete(`${path}/${String(name)}`)
      return fields.get(String(name)) ?? Reflect.get(target, name)
    },
  })
}
