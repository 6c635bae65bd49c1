// Writes clients/typescript/src/api.ts, the types of the OpenAPI document, from the app as it is wired, without listening
// and without a database.   npm run generate:client            With --check it writes nothing and fails when they differ.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { readServeConfig } from '../src/config/config.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { buildApp } from '../src/server/app.ts'

const ROOT = join(import.meta.dirname, '..')
const TOOL = join(ROOT, 'scripts/openapi-types')
const TYPES = join(ROOT, 'clients/typescript/src/api.ts')
const HEADER = '// Made from the OpenAPI document by `npm run generate:client`. Do not edit.\n'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const generated = printTypes(await readDocument())
if (!values.check) writeFileSync(TYPES, generated)
else if (readFileSync(TYPES, 'utf8') !== generated) {
  process.stderr.write('The API and its client have drifted apart: run "npm run generate:client".\n')
  process.exitCode = 1
}

async function readDocument(): Promise<string> {
  const config = readServeConfig({
    DATABASE_URL: 'postgres://nowhere.invalid/none',
    AUTH_ISSUER: 'https://nowhere.invalid',
    AUTH_AUDIENCE: 'none',
    MODULES: 'appointments,casesheet,care,webhooks',
    ALERTS: 'on',
    WEBHOOK_KEY: Buffer.alloc(32).toString('base64'),
  })
  const notHere = async () => {
    throw new Error('The document is made without a database and without an issuer.')
  }
  const app = await buildApp(config, {
    db: {
      query: notHere,
      attempt: notHere,
      maxWaiting: 0,
      maxWhenBusy: 0,
      deadlineMs: 0,
      metrics: createMetrics(),
      queues: new Set(),
      listen: () => async () => undefined,
      end: async () => undefined,
    },
    tokens: {
      recall: () => undefined,
      isCached: () => false,
      verify: notHere,
      keysAreKnown: () => false,
      refreshKeys: notHere,
      close: () => undefined,
    },
    logger: pino({ level: 'silent' }),
    now: Date.now,
  })
  await app.ready()
  const document = JSON.stringify(app.swagger())
  await app.close()
  return document
}

function printTypes(document: string): string {
  if (!existsSync(join(TOOL, 'node_modules/openapi-typescript'))) {
    execFileSync('npm', ['ci', '--prefix', TOOL, '--ignore-scripts', '--loglevel=error'], {
      stdio: 'inherit',
    })
  }
  const types = execFileSync(process.execPath, [join(TOOL, 'print-types.mjs')], { input: document })
  const biome = ['check', '--write', `--stdin-file-path=${TYPES}`]
  return execFileSync(join(ROOT, 'node_modules/.bin/biome'), biome, {
    cwd: ROOT,
    input: HEADER + types.toString(),
    encoding: 'utf8',
  })
}
