// `npm run lab image [FILE…]`: builds the image, brings compose.yaml up and runs test/image/*.test.ts against the containers.
// Where Docker runs, it is used, with the official images. Elsewhere (Linux, root) the engine comes from .tools, base images
// are made of Debian's packages, and oidc-provider stands in for Keycloak.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { revision } from '../../src/config/version.ts'
import { buildOptions, makeBaseImage, OWN_NODE_IMAGE, onOwnBuilder, PLATFORM, runTool } from './builder.ts'
import { hasDocker, inNetworkOf, prepareEngine } from './engine.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUILD = ['docker', 'build', '--quiet', '--tag', 'rounds', '--build-arg', `COMMIT=${revision()}`]
const named = process.argv.slice(2)
const files = named.length > 0 ? named : ['test/image/*.test.ts']
const isReleaseTested = files.some((file) => matchesGlob('test/image/release.test.ts', file))
// Where the tests find it.
const RELEASE = mkdtempSync(join(tmpdir(), 'rounds-release-'))
process.once('exit', () => rmSync(RELEASE, { recursive: true, force: true }))
// A project of its own, so that no container or volume of a Rounds that is being tried is touched.
const project = { COMPOSE_PROJECT_NAME: 'rounds-image-test', TEST_RELEASE: RELEASE }

/** Tells how long a step took, since the whole has little time. */
async function step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
  const began = performance.now()
  const result = await run()
  process.stdout.write(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`)
  return result
}

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
  const engine = prepareEngine()
  await onOwnBuilder(engine, async (environment) => {
    await buildAll(environment)
    const command = ['docker', 'import', ...POSTGRES, await postgresImage, 'localhost/postgres:18']
    await runTool(command, environment)
  })
  const runner = await engine.start('own')
  try {
    const compose = { COMPOSE_FILE: 'compose.yaml:test/image/compose.yaml', NODE_IMAGE: OWN_NODE_IMAGE }
    return await runTests({ ...engine.environment, ...compose }, inNetworkOf(runner.pid))
  } finally {
    await runner.stop()
  }
}

/** The image of this tree, and the release of its commit, which takes most steps of the build from the engine's cache. */
async function buildAll(environment: Record<string, string>) {
  const options = await buildOptions(environment, PLATFORM)
  await step('Build', () => runTool([...BUILD, ...options, '.'], environment))
  const release = ['scripts/release.ts', RELEASE, '--draft', '--platform', PLATFORM]
  if (isReleaseTested)
    process.stdout.write(
      `${await step('Release', () => runTool([process.execPath, ...release], environment))}\n`,
    )
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
  await buildAll({})
  return runTests({})
}

process.exitCode = await (hasDocker() ? runOnDocker() : runOnOwnEngine())
