// A podman with storage, state and networks of its own, which plays Kubernetes objects with the image that Docker has built.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { temporaryDirectory } from '../support/dev.ts'
import { programOf } from '../support/needs.ts'
import { docker } from './container.ts'

export type Podman = (...args: string[]) => Promise<string>

export function preparePodman(): Podman {
  const dir = mkdtempSync(join(tmpdir(), 'rounds-podman-'))
  mkdirSync(join(dir, 'networks'))
  // More than a process here may have is refused; how many files a pod may open is the cluster's choice.
  const conf = '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n'
  writeFileSync(join(dir, 'containers.conf'), conf)
  const place = [
    ['--root', join(dir, 'root'), '--runroot', join(dir, 'run'), '--tmpdir', join(dir, 'tmp')],
    ['--network-config-dir', join(dir, 'networks'), '--runtime', programOf('runc')],
    ['--cgroup-manager', 'cgroupfs', '--events-backend', 'file'],
  ].flat()
  // Not the settings of Docker, which it would read too.
  const env = { PATH: process.env['PATH'], CONTAINERS_CONF: join(dir, 'containers.conf') }
  const podman: Podman = async (...args) =>
    (await promisify(execFile)(programOf('podman'), [...place, ...args], { env })).stdout.trim()
  after(async () => {
    await podman('pod', 'rm', '--all', '--force', '--time', '0')
    await podman('rm', '--all', '--force', '--time', '0')
    await podman('network', 'prune', '--force')
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  return podman
}

const SUBNET = '10.89.77.0/24'
/** This machine, as pods see it. */
export const GATEWAY = '10.89.77.1'
const PAUSE = '["node","-e","setInterval(() => {}, 1e6)"]'

/** The image under the name that the manifests have, and a network whose address on this side can be listened at. */
export async function loadImage(podman: Podman, name: string) {
  const file = join(temporaryDirectory(), 'image.tar')
  docker('save', '--output', file, 'rounds')
  const [, loaded = ''] = /^Loaded image.*: (\S+)$/m.exec(await podman('load', '--input', file)) ?? []
  await podman('tag', loaded, name)
  await podman('network', 'create', '--subnet', SUBNET, '--gateway', GATEWAY, 'cluster')
  // The first container makes its bridge.
  await podman('run', '--detach', '--network', 'cluster', '--no-healthcheck', '--entrypoint', PAUSE, name)
}

/** As podman 4 stores what `kubectl create secret generic NAME --from-env-file` makes. */
export async function createSecret(podman: Podman, name: string, [key, value]: [string, string]) {
  const file = join(temporaryDirectory(), name)
  writeFileSync(file, JSON.stringify({ [key]: btoa(value) }), { mode: 0o600 })
  await podman('secret', 'create', name, file)
}

export async function play(podman: Podman, objects: object[]) {
  const file = join(temporaryDirectory(), 'play.yaml')
  writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'))
  await podman('kube', 'play', '--network', 'cluster', file)
}

/** That of the container which holds the pod's network. */
export async function addressOf(podman: Podman, pod: string): Promise<string> {
  const infra = await podman('pod', 'inspect', '--format', '{{.InfraContainerID}}', pod)
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'
  return podman('inspect', '--format', format, infra)
}
