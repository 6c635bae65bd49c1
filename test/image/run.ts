// `npm run test:image [FILE…]`: builds the image, brings compose.yaml up and runs test/image/*.test.ts against the containers.
// Where Docker runs, it is used, with the official images. Elsewhere (Linux, root) the engine comes from .tools, base images
// are made of Debian's packages, and oidc-provider stands in for Keycloak.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { revision } from '../../src/config/version.ts'
import { hasDocker, inNetworkOf, prepareEngine } from './engine.ts'

const ROOT = join(import.meta.dirname, '../..')
const NODE_IMAGE = 'localhost/node:24-bookworm-slim'
const BUILD = ['docker', 'build', '--quiet', '--tag', 'rounds', '--build-arg', `COMMIT=${revision()}`]
const named = process.argv.slice(2)
const files = named.length > 0 ? named : ['test/image/*.test.ts']
// A project of its own, so that no container or volume of a Rounds that is being tried is touched.
const project = { COMPOSE_PROJECT_NAME: 'rounds-image-test' }

/** Tells how long a step took, since the whole has little time. */
async function step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
  const began = performance.now()
  const result = await run()
  process.stdout.write(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`)
  return result
}

async function runTool(command: string[], environment: Record<string, string>): Promise<string> {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, ...project, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${command.join(' ')} failed.`)
  return printed.trim()
}

const makeBaseImage = (image: 'node' | 'postgres') =>
  runTool([join(import.meta.dirname, 'base/make.sh'), image], {})

/** The tests, one file after the other; a process of their own because they may run in another network. */
async function runTests(environment: Record<string, string>, prefix: string[] = []): Promise<number> {
  const command = [
    ...prefix,
    process.execPath,
    join(ROOT, 'test/support/run-tests.ts'),
    '--at-once=1',
    ...files,
  ]
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, ...project, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function runOnOwnEngine(): Promise<number> {
  // PostgreSQL's is made while the image is built.
  const postgresImage = step('Base image of PostgreSQL', () => makeBaseImage('postgres'))
  const nodeImage = await step('Base image of Node', () => makeBaseImage('node'))
  const engine = prepareEngine()
  process.once('exit', engine.remove)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const environment = {
    ...engine.environment,
    COMPOSE_FILE: 'compose.yaml:test/image/compose.yaml',
    NODE_IMAGE,
  }
  const builder = await engine.start('machine')
  try {
    const trusting = ['--change', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt']
    await runTool(['docker', 'import', ...trusting, nodeImage, NODE_IMAGE], environment)
    const options = ['--network=host', '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`]
    await step('Build', () => runTool([...BUILD, ...options, '.'], environment))
    const postgres = ['docker', 'import', ...POSTGRES, await postgresImage, 'localhost/postgres:18']
    await runTool(postgres, environment)
  } finally {
    await builder.stop()
  }
  const runner = await engine.start('own')
  try {
    return await runTests(environment, inNetworkOf(runner.pid))
  } finally {
    await runner.stop()
  }
}

/** What the official image says of itself. */
const POSTGRES = [
  'ENV PATH=/usr/lib/postgresql/18/bin:/usr/local/bin:/usr/bin:/bin',
  'ENV PGDATA=/var/lib/postgresql/18/docker',
  'ENV LANG=C.UTF-8',
  'ENTRYPOINT ["docker-entrypoint.sh"]',
  'CMD ["postgres"]',
  'STOPSIGNAL SIGINT',
].flatMap((change) => ['--change', change])

async function runOnDocker(): Promise<number> {
  await step('Build', () => runTool([...BUILD, '.'], {}))
  return runTests({})
}

process.exitCode = await (hasDocker() ? runOnDocker() : runOnOwnEngine())
