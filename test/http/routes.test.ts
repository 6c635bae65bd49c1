// No route escapes the tests of access: each one that the server has stands among those that they go through
// (test/support/protected-paths.ts), or here, as one that anybody may call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readServeConfig } from '../../src/config/config.ts'
import { connectDb } from '../../src/db/db.ts'
import { createTokens } from '../../src/http/tokens/tokens.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { buildApp } from '../../src/server/app.ts'
import { AUDIENCE, createDatabase, FHIR_ID_KEY, startIssuer, WITH_WEBHOOKS } from '../support/harness.ts'
import { PROTECTED_FHIR_PATHS, PROTECTED_PATHS } from '../support/protected-paths.ts'

/** What stands at /, the document and its pages, and the files of the console: they are the same for every caller. */
const PUBLIC = [
  'GET /',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/',
  'GET /docs/js/scalar.js',
  'GET /console',
  'GET /console/',
  'GET /console/config.json',
  'GET /console/*',
]

const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])

const ADVICE =
  'Add the new route to test/support/protected-paths.ts, or, if it needs no token, to the public ones in this test.'

test('every route of the server is public on purpose, or in the tests of access', async () => {
  const routes = await routesWith({ CONSOLE_CLIENT_ID: 'rounds-console', ...WITH_WEBHOOKS })
  const tried = PROTECTED_PATHS.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  assert.deepEqual(routes, [...PUBLIC, ...tried].toSorted(), ADVICE)
})

test('so is every route of FHIR', async () => {
  const routes = await routesWith({
    MODULES: 'appointments,casesheet,fhir',
    FHIR_ID_KEY,
  })
  const served = routes
    .filter((route) => route.includes(' /fhir'))
    .map((route) => route.replace(/:\w+/g, 'x').replace(/\/$/, ''))
  const tried = PROTECTED_FHIR_PATHS.map(([method, path]) => `${method} /fhir${path}`)
  const open = ['GET /fhir/metadata', 'GET /fhir/.well-known/smart-configuration']
  assert.deepEqual([...new Set(served)].toSorted(), [...open, ...tried].toSorted(), ADVICE)
})

async function routesWith(settings: Record<string, string>): Promise<string[]> {
  const config = readServeConfig({
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    ...settings,
  })
  const metrics = createMetrics()
  const surroundings = { warn: assert.fail, now: Date.now, metrics }
  const db = connectDb({ ...surroundings, ...config, url: serveUrl, deadlineMs: config.requestDeadlineMs })
  const tokens = createTokens(config.auth, surroundings)
  const app = await buildApp(config, {
    db,
    tokens,
    logger: pino({ level: 'silent' }),
    now: Date.now,
    consoleFiles: new Map(),
  })
  await app.ready()
  const routes = routesIn(app.printRoutes({ commonPrefix: false }))
  await app.close()
  tokens.close()
  await db.end()
  return routes.toSorted()
}

/** The routes of Fastify's tree, in which each line is four characters deeper than the one that it goes on with. */
function routesIn(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+) ?(?:\((.*)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    above[depth] = `${above[depth - 1] ?? ''}${part}`
    // A HEAD is the GET beside it, without its body.
    const own = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return own.map((method) => `${method} ${above[depth]}`)
  })
}
