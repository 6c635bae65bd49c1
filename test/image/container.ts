// `docker` as the tests of the image use it: commands, and containers that run on the network of the test, locked down as
// compose.yaml and deploy/kubernetes do.
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { type Command, memoryMiB, runProgram } from '../support/process.ts'

export const IMAGE = 'rounds'
/** The limit of a pod in deploy/kubernetes/base. */
export const MEMORY_MIB = 512

/** The logs of all services, of which Keycloak's are long. */
const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024

export const LOCKED_DOWN = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges:true']

export function docker(...args: string[]): string {
  return execFileSync('docker', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: MAX_OUTPUT_BYTES,
  }).trim()
}

/** The same while this process goes on with other things. */
export async function dockerAside(...args: string[]): Promise<string> {
  return (await promisify(execFile)('docker', args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout.trim()
}

/** The arguments of `docker run` for the image, on the test's own network. PostgreSQL's socket is mounted where it is one. */
export function runArguments(name: string, environment: Record<string, string>): string[] {
  const socket = decodeURIComponent(URL.parse(environment['DATABASE_URL'] ?? '')?.host ?? '')
  // The server's user is another one than that of the test.
  if (existsSync(socket)) chmodSync(socket, 0o755)
  return [
    'run',
    '--name',
    name,
    '--network=host',
    ...LOCKED_DOWN,
    ...(existsSync(socket) ? ['--volume', `${socket}:${socket}`] : []),
    ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
  ]
}

/** `rounds serve` in a container that has the memory of a pod, as `runCommand` would start it. */
export function serveInContainer(settings: Record<string, string>): Command {
  const name = nameContainer()
  // The heap is as large as the image says.
  const environment = Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'NODE_OPTIONS'))
  const args = [...runArguments(name, environment), '--memory', `${MEMORY_MIB}m`, IMAGE, 'serve']
  const command = runProgram('docker', args, enginesEnvironment())
  let pid: number | undefined
  return { ...command, memoryMiB: (field) => memoryMiB((pid ??= pidOf(name)), field) }
}

/** A name for a container, which is removed with its test or file. */
export function nameContainer(): string {
  const name = `rounds-test-${randomBytes(6).toString('hex')}`
  after(() => docker('rm', '--force', name))
  return name
}

export const enginesEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['DOCKER_HOST', 'DOCKER_CONFIG', 'HOME'].flatMap((key) =>
      process.env[key] ? [[key, process.env[key]]] : [],
    ),
  )

/** The first process of a container, as this machine numbers it, whatever namespace its engine runs in. */
export function pidOf(name: string): number {
  const id = docker('inspect', '--format={{.Id}}', name)
  const isInIt = (pid: string) => readIfThere(`/proc/${pid}/cgroup`).includes(id)
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && isInIt(entry))
  return pids.map(Number).find((pid) => readIfThere(`/proc/${pid}/cmdline`).includes('src/cli.js')) ?? 0
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // that process has ended meanwhile
  }
}
