// Kubernetes manifests as kubectl renders them, and what the API's own schemas say about each object.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runValidateFunc, type ValidateFunc } from '@kubernetes-models/validate'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { temporaryDirectory } from './dev.ts'
import { programOf } from './needs.ts'

export type KubernetesObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec?: Record<string, unknown>
}

const OVERLAYS = join(import.meta.dirname, '../../deploy/kubernetes/overlays')

export const renderOverlay = (name: string) => render(join(OVERLAYS, name))

/** overlays/production with these lists added to those of its kustomization, and these files beside it. */
export function renderExtended(lists: string, files: Record<string, string>): KubernetesObject[] {
  const root = temporaryDirectory()
  cpSync(join(OVERLAYS, '..'), root, { recursive: true })
  const overlay = join(root, 'overlays/production')
  const kustomization = join(overlay, 'kustomization.yaml')
  const before = parse(readFileSync(kustomization, 'utf8')) as Record<string, unknown[]>
  const added = Object.entries(parse(lists) as Record<string, unknown[]>)
  const extended = added.map(([name, list]) => [name, [...(before[name] ?? []), ...list]] as const)
  writeFileSync(kustomization, stringify({ ...before, ...Object.fromEntries(extended) }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(overlay, name), content)
  return render(overlay)
}

/** Where kubectl is missing, scripts/get-kubectl.sh brings one. */
function render(directory: string): KubernetesObject[] {
  const { status, stdout, stderr } = spawnSync(programOf('kubectl'), ['kustomize', directory], {
    encoding: 'utf8',
  })
  // It warns of fields that a later version will not know.
  if (status !== 0 || stderr !== '') throw new Error(`kubectl does not render ${directory}: ${stderr}`)
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject)
}

/** The module with the compiled schema of a kind. */
function schemaOf(group: string, name: string): string {
  if (group === 'gateway.networking.k8s.io')
    return `@kubernetes-models/gateway-api/_schemas/IoK8sSigsGatewayApiApis${name}`
  if (group !== 'monitoring.coreos.com')
    return `kubernetes-models/_schemas/IoK8sApi${capital(group.split('.')[0])}${name}`
  // This package exports its classes only.
  const file = `_schemas/ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoring${name}.js`
  return new URL(file, import.meta.resolve('@kubernetes-models/prometheus-operator/package.json')).href
}

/** Throws where the object is not as the schema of its kind says, or has a field that the schema does not know. */
export async function mustBeValid(object: KubernetesObject) {
  const [version = '', group = 'core'] = object.apiVersion.split('/').toReversed()
  const schema = schemaOf(group, capital(version) + object.kind)
  const { validate } = (await import(schema)) as {
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
