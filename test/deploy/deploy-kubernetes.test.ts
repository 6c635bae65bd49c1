// The manifests of deploy/kubernetes: rendered by kubectl, checked against the schemas of the Kubernetes API and against what
// the server itself needs. There is no cluster here.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Gateway, HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1'
import type { Deployment } from 'kubernetes-models/apps/v1'
import type { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import type { Job } from 'kubernetes-models/batch/v1'
import type { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import type { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import type { Service } from 'kubernetes-models/v1'
import { parse } from 'yaml'
import { readServeConfig } from '../../src/config/config.ts'
import { stopGraceMs } from '../../src/server/stop-limits.ts'
import { framesOf, operationsPages, sectionOf } from '../support/document-examples.ts'
import { mustBeValid, renderExtended, renderOverlay } from '../support/kubernetes-objects.ts'
import { needs } from '../support/needs.ts'

const kubectl = needs('kubectl')
if (kubectl.skip) test('the manifests are as Kubernetes and the server need them', kubectl, () => {})

for (const overlay of kubectl.skip ? [] : ['production', 'trial']) {
  const objects = renderOverlay(overlay)
  const find = (kind: string): unknown => objects.find((object) => object.kind === kind)
  const deployment = find('Deployment') as Deployment
  const job = find('Job') as Job
  const service = find('Service') as Service
  const scaler = (find('HorizontalPodAutoscaler') as HorizontalPodAutoscaler).spec
  const budget = (find('PodDisruptionBudget') as PodDisruptionBudget).spec
  const serve = deployment.spec?.template.spec
  const migrate = job.spec?.template.spec
  const server = serve?.containers[0]
  const settings = objects.find(({ kind }) => kind === 'ConfigMap')

  test(`${overlay}: every object is valid, has no unknown field, and stands in one namespace`, async () => {
    for (const object of objects) {
      await mustBeValid(object)
      if (object.kind !== 'Namespace') assert.equal(object.metadata.namespace, 'rounds', object.kind)
    }
    assert.deepEqual(objects.map(({ kind }) => kind).toSorted(), [
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Job',
      'Namespace',
      'NetworkPolicy',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
  })

  test(`${overlay}: every container is locked down and bounded`, () => {
    for (const pod of [serve, migrate]) {
      assert.deepEqual(pod?.securityContext, {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      assert.equal(pod?.automountServiceAccountToken, false)
      for (const { securityContext, resources } of pod?.containers ?? []) {
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.ok(
          resources?.requests?.['cpu'] && resources.requests['memory'] && resources.limits?.['memory'],
        )
      }
    }
  })

  test(`${overlay}: secrets are named and never written, and the owner's is not given to the server`, () => {
    assert.equal(JSON.stringify(objects).includes('postgres://'), false)
    assert.equal(
      objects.some(({ kind }) => kind === 'Secret'),
      false,
    )
    const secretOf = (pod: typeof serve) =>
      pod?.containers[0]?.env?.map(({ name, valueFrom, value }) => [
        name,
        valueFrom?.secretKeyRef?.name,
        value,
      ])
    assert.deepEqual(secretOf(serve), [
      ['DATABASE_URL', 'rounds-database', undefined],
      ['ERASURE_KEY', 'rounds-erasure', undefined],
    ])
    assert.deepEqual(secretOf(migrate), [['DATABASE_URL', 'rounds-database-owner', undefined]])
  })

  test(`${overlay}: the server can start with its settings, and its ports are those that are probed and routed`, () => {
    assert.equal(server?.envFrom?.[0]?.configMapRef?.name, settings?.metadata.name)
    const read = new Set<string>()
    const environment = new Proxy<Record<string, string>>(
      { ...settings?.data, DATABASE_URL: 'postgres://api@database/rounds' },
      { get: (target, name) => (read.add(String(name)), target[String(name)]) },
    )
    const config = readServeConfig(environment)
    assert.deepEqual(
      Object.keys(settings?.data ?? {}).filter((name) => !read.has(name)),
      [],
      'no such setting',
    )
    const ports = Object.fromEntries(
      server?.ports?.map(({ name, containerPort }) => [name, containerPort]) ?? [],
    )
    assert.deepEqual(ports, { http: config.port, admin: config.adminPort })
    assert.equal(config.adminHost, '0.0.0.0')
    assert.ok(config.auth.staffNeedsReason)
    const probes = [server?.startupProbe, server?.livenessProbe, server?.readinessProbe]
    assert.deepEqual(
      probes.map((probe) => [probe?.httpGet?.port, probe?.httpGet?.path]),
      [
        ['admin', '/livez'],
        ['admin', '/livez'],
        ['admin', '/readyz'],
      ],
    )
    assert.deepEqual(
      service.spec?.ports?.map(({ targetPort }) => targetPort),
      ['http'],
    )
  })

  test(`${overlay}: a pod is given the time that stopping takes`, () => {
    // Routers hear of a stop some seconds later; the server itself serves on meanwhile, so no hook is needed.
    const delay = Number(settings?.data?.['STOP_DELAY_SECONDS'])
    const { requestDeadlineMs } = readServeConfig({
      ...settings?.data,
      DATABASE_URL: 'postgres://api@database/rounds',
    })
    const needed = delay + stopGraceMs(requestDeadlineMs) / 1000 + 5
    assert.ok(delay > 0 && (serve?.terminationGracePeriodSeconds ?? 0) >= needed)
    assert.equal(server?.lifecycle, undefined)
  })

  test(`${overlay}: the migration ends by itself, and a later one can take its place`, () => {
    assert.ok((job.spec?.activeDeadlineSeconds ?? 0) > 0 && (job.spec?.ttlSecondsAfterFinished ?? 0) > 0)
    assert.deepEqual(job.metadata?.annotations, {
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
    })
    const tag = migrate?.containers[0]?.image?.split(':')[1] ?? ''
    // `kubectl apply` cannot change a Job, so a version must not find that of another under its name.
    if (overlay === 'production')
      assert.equal(job.metadata?.name, `rounds-migrate-${tag.replaceAll('.', '-')}`)
  })

  test(`${overlay}: two or more pods, never all at once, on nodes apart`, () => {
    const labels = deployment.spec?.template.metadata?.labels
    assert.ok((scaler?.minReplicas ?? 0) >= 2 && (scaler?.maxReplicas ?? 0) >= (scaler?.minReplicas ?? 0))
    assert.deepEqual([scaler?.scaleTargetRef.kind, scaler?.scaleTargetRef.name], ['Deployment', 'rounds'])
    // The scaler's number must not be undone by an apply.
    assert.equal(deployment.spec?.replicas, undefined)
    assert.equal(budget?.maxUnavailable, 1)
    assert.deepEqual(
      serve?.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    )
    const selectors = [
      deployment.spec?.selector.matchLabels,
      budget?.selector?.matchLabels,
      service.spec?.selector,
      ...(serve?.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector?.matchLabels),
    ]
    for (const selector of selectors) assert.deepEqual(selector, labels)
  })

  test(`${overlay}: a network policy covers each pod, and lets in requests and scrapes by label only`, () => {
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as NetworkPolicy[]
    const podLabels = [deployment, job].map((object) => object.spec?.template.metadata?.labels)
    for (const labels of podLabels)
      assert.equal(
        policies.filter(({ spec }) => isDeepEqual(spec?.podSelector?.matchLabels, labels)).length,
        1,
      )
    for (const { spec } of policies) {
      assert.deepEqual(spec?.policyTypes, ['Ingress', 'Egress'])
      for (const { from } of spec?.ingress ?? [])
        assert.ok(from?.every(({ namespaceSelector }) => namespaceSelector))
    }
  })
}

test(
  "the guide's lines add a private authority to both pods, and lead HTTPS to the Service",
  kubectl,
  async () => {
    const guide = operationsPages('kubernetes')
    const lines = framesOf(guide).find(({ language }) => language === 'yaml')?.text ?? assert.fail('no frame')
    const objects = renderExtended(lines, { 'ca.crt': 'a certificate\n' })
    for (const object of objects) await mustBeValid(object)
    const named = (kind: string, name = 'rounds') =>
      objects.filter((object) => object.kind === kind && object.metadata.name.startsWith(name))
    const [authority] = named('ConfigMap', 'rounds-ca-')
    assert.deepEqual(authority?.data, { 'ca.crt': 'a certificate\n' })
    for (const object of [...named('Deployment'), ...named('Job')]) {
      const pod = (object as unknown as Deployment).spec?.template.spec
      assert.deepEqual(pod?.volumes, [
        { name: 'authorities', configMap: { name: authority.metadata.name, optional: true } },
      ])
      assert.deepEqual(pod?.containers[0]?.volumeMounts, [
        { name: 'authorities', mountPath: '/etc/rounds/ca', readOnly: true },
      ])
    }
    const [settings] = named('ConfigMap', 'rounds-settings-')
    assert.equal(settings?.data?.['NODE_EXTRA_CA_CERTS'], '/etc/rounds/ca/ca.crt')

    const [service] = named('Service') as unknown as Service[]
    const [gateway] = named('Gateway') as unknown as Gateway[]
    const [route] = named('HTTPRoute') as unknown as HTTPRoute[]
    const [rule] = route?.spec?.rules ?? []
    assert.deepEqual(rule?.backendRefs, [
      { name: service?.metadata?.name, port: service?.spec?.ports?.[0]?.port },
    ])
    assert.equal(rule?.timeouts?.request, '0s', 'streams and long answers are not cut')
    assert.deepEqual(
      gateway?.spec?.listeners.map(({ protocol, port, name, hostname }) => [protocol, port, name, hostname]),
      [['HTTPS', 443, route?.spec?.parentRefs?.[0]?.sectionName, route?.spec?.hostnames?.[0]]],
    )
  },
)

test(
  'the objects of the Prometheus operator scrape the pods as the job and the cluster that the alerts look for',
  kubectl,
  async () => {
    const lists = framesOf(sectionOf(operationsPages('kubernetes'), 'Monitoring')).find(
      ({ language }) => language === 'yaml',
    )?.text
    const objects = renderExtended(lists ?? assert.fail('no frame'), {})
    for (const object of objects) await mustBeValid(object)
    const pods = (objects.find(({ kind }) => kind === 'Deployment') as unknown as Deployment).spec?.template
    const monitor = objects.find(({ kind }) => kind === 'PodMonitor')?.spec as unknown as PodMonitorSpec
    const labels = pods?.metadata?.labels ?? {}
    for (const [name, value] of Object.entries(monitor.selector.matchLabels))
      assert.equal(labels[name], value)
    assert.equal(labels[monitor.jobLabel], 'rounds')
    const [endpoint] = monitor.podMetricsEndpoints
    assert.ok(pods?.spec?.containers[0]?.ports?.some(({ name }) => name === endpoint?.port))
    assert.deepEqual(endpoint?.relabelings, [
      { sourceLabels: ['__meta_kubernetes_pod_label_rounds_cluster'], targetLabel: 'cluster' },
    ])
    assert.equal(labels['rounds/cluster'], 'main')
    const rules = objects.filter(({ kind }) => kind === 'PrometheusRule').map(({ spec }) => spec)
    const files = ['alerts.yaml', 'postgres-alerts.yaml'].map((file) =>
      parse(readFileSync(join(import.meta.dirname, '../../deploy/monitoring', file), 'utf8')),
    )
    assert.deepEqual(rules, files)
  },
)

type PodMonitorSpec = {
  jobLabel: string
  selector: { matchLabels: Record<string, string> }
  podMetricsEndpoints: { port: string; relabelings: object[] }[]
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
