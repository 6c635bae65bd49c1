// Where images are built: Docker where it runs, with the official base images. Elsewhere (Linux, root) the engine from .tools, with
// base images that are made of Debian's packages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { OwnEngine } from './engine.ts'

/** That of this machine. */
export const PLATFORM = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`

const ROOT = join(import.meta.dirname, '../..')
export const OWN_NODE_IMAGE = 'localhost/node:24-bookworm-slim'
/** The same for arm64. It stands for the stage of the Dockerfile that has the Node of the image. */
const OWN_ARM64_IMAGE = `${OWN_NODE_IMAGE}-arm64`
/** Builds there reach what the machine reaches. */
const TRUSTING = ['--change', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt']

/** Runs a command at the project's root, and gives what it prints. */
export async function runTool(command: string[], environment: Record<string, string> = {}): Promise<string> {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${command.join(' ')} failed.`)
  return printed.trim()
}

/** A file with the file system of it. */
export const makeBaseImage = (image: 'node' | 'node-arm64' | 'postgres') =>
  runTool([join(import.meta.dirname, 'base/make.sh'), image])

/** The work, while the engine from .tools runs on the network of the machine and has Node's base image. */
export async function onOwnBuilder<T>(
  engine: OwnEngine,
  work: (environment: Record<string, string>) => Promise<T>,
): Promise<T> {
  const nodeImage = await makeBaseImage('node')
  process.once('exit', engine.remove)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const running = await engine.start('machine')
  try {
    const environment = { ...engine.environment, NODE_IMAGE: OWN_NODE_IMAGE }
    await runTool(['docker', 'import', ...TRUSTING, nodeImage, OWN_NODE_IMAGE], environment)
    return await work(environment)
  } finally {
    await running.stop()
  }
}

/** The options of `docker build`, which depend on the base image that the environment names. */
export async function buildOptions(environment: Record<string, string>, platform: string): Promise<string[]> {
  const { NODE_IMAGE: nodeImage } = environment
  if (nodeImage === undefined) return []
  const options = ['--network=host', '--build-arg', `NODE_IMAGE=${nodeImage}`]
  if (nodeImage !== OWN_NODE_IMAGE || platform !== 'linux/arm64') return options
  const file = await makeBaseImage('node-arm64')
  await runTool(['docker', 'import', '--platform', platform, file, OWN_ARM64_IMAGE], environment)
  return [...options, '--build-context', `node=docker-image://${OWN_ARM64_IMAGE}`]
}
