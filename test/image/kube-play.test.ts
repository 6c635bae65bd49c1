// The pods of deploy/kubernetes, run by `podman kube play` with the image: overlays/production with the lines of the guide, its
// secrets, and a private authority that PostgreSQL and the issuer have their certificates from. Podman knows no Jobs, so the
// migration runs as a pod of the same template; what else it does not cover is said in docs/operations/kubernetes.md.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import type { Deployment } from 'kubernetes-models/apps/v1'
import type { Job } from 'kubernetes-models/batch/v1'
import { temporaryDirectory } from '../support/dev.ts'
import { framesOf, operationsPages } from '../support/document-examples.ts'
import { AUDIENCE, createEmptyDatabase, runSql, startIssuer } from '../support/harness.ts'
import { type KubernetesObject, renderExtended } from '../support/kubernetes-objects.ts'
import { needs, programOf } from '../support/needs.ts'
import { ERASURE_KEY } from '../support/patient-with-history.ts'
import { until } from '../support/until.ts'
import { addressOf, createSecret, GATEWAY, loadImage, play, preparePodman } from './podman.ts'

const machine = needs('root', 'linux', 'podman', 'catatonit', 'runc', 'kubectl', 'openssl')

/** An authority that nobody else trusts, and a certificate of it for the address of the network. */
function makeAuthority() {
  const dir = temporaryDirectory()
  const openssl = (...args: string[]) =>
    execFileSync(programOf('openssl'), args, { cwd: dir, stdio: 'pipe', encoding: 'utf8' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  openssl('req', '-x509', ...key, '-subj', '/CN=A private authority', '-keyout', 'ca.key', '-out', 'ca.crt')
  const name = ['-subj', '/CN=cluster', '-addext', `subjectAltName=IP:${GATEWAY}`]
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key']
  openssl('req', '-x509', ...key, ...name, ...signed, '-keyout', 'tls.key', '-out', 'tls.crt')
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  return { ca: read('ca.crt'), key: read('tls.key'), cert: read('tls.crt') }
}

type Certificate = { key: string; cert: string }

/** PostgreSQL of the tests, which listens at a socket, as it speaks TLS: the client asks for it, and gets it for "S". */
async function serveDatabaseTls(url: string, certificate: Certificate): Promise<number> {
  const directory = decodeURIComponent(new URL(url).host)
  const server = createServer((plain: Socket) => {
    plain.once('data', () => {
      plain.write('S')
      const secure = new TLSSocket(plain, { isServer: true, ...certificate })
      const database = connect(join(directory, '.s.PGSQL.5432'))
      secure.pipe(database).pipe(secure)
      for (const each of [secure, database]) each.on('error', () => secure.destroy())
    })
    plain.on('error', () => plain.destroy())
  })
  return listenInNetwork(server)
}

/** The issuer of the tests at an address with TLS. */
async function serveIssuerTls(keys: object[], certificate: Certificate): Promise<string> {
  const server = createHttps(certificate, ({ url: path }, response) => {
    response.setHeader('content-type', 'application/json')
    const isDiscovery = path === '/.well-known/openid-configuration'
    response.end(JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/jwks` } : { keys }))
  })
  const url = `https://${GATEWAY}:${await listenInNetwork(server)}`
  return url
}

async function listenInNetwork(server: ReturnType<typeof createServer>): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => open.add(socket))
  after(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, GATEWAY, done))
  return (server.address() as AddressInfo).port
}

/** overlays/production as a reader of the guide completes it. */
function renderForIssuer(issuer: string, ca: string): KubernetesObject[] {
  const frames = framesOf(operationsPages('kubernetes'))
  const lines = frames.find(({ language }) => language === 'yaml')?.text ?? assert.fail('no frame')
  const literals = `      - AUTH_ISSUER=${issuer}\n      - AUTH_AUDIENCE=${AUDIENCE}\n`
  return renderExtended(`${lines.trimEnd()}\n${literals}`, { 'ca.crt': ca })
}

test(
  'pods of the manifests migrate and serve, with a private authority, and stop cleanly',
  machine,
  async () => {
    const podman = preparePodman()
    const [ownerUrl, issuer] = await Promise.all([createEmptyDatabase(), startIssuer()])
    const { ca, ...certificate } = makeAuthority()
    await loadImage(podman, podOf('Deployment', renderForIssuer(issuer.url, ca))?.containers[0]?.image ?? '')
    const issuerUrl = await serveIssuerTls(issuer.keys, certificate)
    const objects = renderForIssuer(issuerUrl, ca)
    const port = await serveDatabaseTls(ownerUrl, certificate)
    const database = new URL(ownerUrl).pathname.slice(1)
    const urlOf = (role: string) =>
      `postgres://${role}@${GATEWAY}:${port}/${database}?sslmode=verify-full&sslrootcert=/etc/rounds/ca/ca.crt`
    await createSecret(podman, 'rounds-database-owner', ['DATABASE_URL', urlOf('postgres')])
    await createSecret(podman, 'rounds-database', ['DATABASE_URL', urlOf(`${database}_api`)])
    await createSecret(podman, 'rounds-erasure', ['ERASURE_KEY', ERASURE_KEY])

    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'migrate' }, spec: podOf('Job', objects) }
    await play(podman, [...objects.filter(({ kind }) => kind === 'ConfigMap'), pod])
    const code = await podman('wait', 'migrate-migrate')
    assert.equal(code, '0', await podman('logs', 'migrate-migrate'))
    await runSql(ownerUrl, `create role ${database}_api login in role rounds_server`)

    await play(podman, objects)
    const token = await issuer.token({ iss: issuerUrl, patientUid: 'patient-1' })
    await mustServe(await addressOf(podman, 'rounds-pod-0'), token)
    const container = 'rounds-pod-0-rounds'
    const shown = JSON.parse(await podman('inspect', container)) as Inspected[]
    assert.deepEqual(
      shown.map(({ Config, HostConfig, EffectiveCaps, Mounts }) => ({
        user: Config.User,
        isReadOnly: HostConfig.ReadonlyRootfs,
        options: HostConfig.SecurityOpt,
        memory: HostConfig.Memory,
        capabilities: EffectiveCaps ?? [],
        mounts: Mounts.map(({ Destination, RW }) => [Destination, RW]),
      })),
      [
        {
          user: '1000:1000',
          isReadOnly: true,
          options: ['no-new-privileges'],
          memory: 1_024 ** 3,
          capabilities: [],
          mounts: [['/etc/rounds/ca', false]],
        },
      ],
    )
    await podman('stop', '--time', '45', container)
    const ended = await podman('inspect', '--format', '{{.State.ExitCode}}', container)
    assert.equal(ended, '0', await podman('logs', container))
  },
)

type Inspected = {
  Config: { User: string }
  HostConfig: { ReadonlyRootfs: boolean; SecurityOpt: string[]; Memory: number }
  EffectiveCaps: string[] | null
  Mounts: { Destination: string; RW: boolean }[]
}

function podOf(kind: 'Deployment' | 'Job', objects: KubernetesObject[]) {
  return (objects.find((object) => object.kind === kind) as unknown as Deployment | Job).spec?.template.spec
}

/** Probes answer, and a reading that is added can be read. */
async function mustServe(address: string, token: string) {
  const readiness = async () => (await fetch(`http://${address}:9090/readyz`)).text()
  await until(async () => (await readiness().catch(() => '')).includes('"status":"ok"'), 60_000, {
    everyMs: 200,
    what: () => 'the pod is ready',
  })
  assert.match(await readiness(), /"database":true,"issuer":true,"erasureKey":true/)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reading = { patientUid: 'patient-1', readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 }
  const at = `http://${address}:8080/casesheet/readings`
  const added = await fetch(`${at}/add`, { method: 'POST', headers, body: JSON.stringify(reading) })
  assert.equal(added.status, 200, await added.text())
  const got = await (await fetch(`${at}/get?patientUid=patient-1`, { headers })).text()
  assert.match(got, /"value":72/)
}
