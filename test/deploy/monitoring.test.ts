// The dashboard and the alerts, asked of a real Prometheus that scrapes a real server under traffic with failures.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import {
  mustCompareNumbers,
  mustFireWhenItShould,
  mustSayWhatToDo,
  readAlerts,
  SELECTORS,
} from '../support/alert-rules.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer, WITH_WEBHOOKS } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { serveInProcess } from '../support/process.ts'
import { MONITORING, type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'

const run = promisify(execFile)
const read = (path: string) => readFileSync(join(MONITORING, path), 'utf8')

type Panel = { type: string; title: string; targets?: { expr: string }[] }
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }
const alerts = readAlerts('alerts.yaml')

const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
const rounds = await serveInProcess({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  ...WITH_WEBHOOKS,
  AUTH_AUDIENCE: AUDIENCE,
  MODULES: 'appointments,casesheet,care,webhooks',
  ALERTS: 'on',
  WEBHOOK_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'silent',
})
const options = needs('prometheus', 'haproxy')
let prometheus: Prometheus
// Not within `before`: what is to stop after the tests would stop after that.
let proxyUrl = rounds.url
if (!options.skip) {
  const ports = { port: Number(new URL(rounds.url).port), adminPort: Number(new URL(rounds.adminUrl).port) }
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  proxyUrl = haproxy.url
  prometheus = await startPrometheus({ rounds: rounds.adminUrl, haproxy: haproxy.metricsUrl })
}

before(async () => {
  if (options.skip) return
  // What is counted by label is there from its first occurrence on, so a rate is known from the second.
  for (const round of [1, 2]) {
    await sendTraffic(round)
    await prometheus.scrapes(3)
  }
})

async function sendTraffic(round: number) {
  const token = await issuer.token({ patientUid: OWN })
  const send = (path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(proxyUrl + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
  const reading = (timestamp: number) => ({ patientUid: OWN, readingType: 'heartRate', value: 72, timestamp })
  const add = '/casesheet/readings/add'
  for (const { path, body, answered = 200, isEndless } of PROTECTED_PATHS) {
    if (!isEndless) assert.equal((await send(path, body)).status, answered, path)
  }
  await Promise.all(Array.from({ length: 50 }, (_, index) => send(add, reading(round * 1_000 + index))))
  await send(add, [reading(1), reading(1), { ...reading(2), timestamp: 'now' }], {
    prefer: 'return=representation',
  })
  assert.equal((await send(add, { nothing: true })).status, 400)
  assert.equal((await send('/nothing')).status, 404)
  assert.equal(
    (await send('/casesheet/readings/get', undefined, { authorization: 'Bearer a.b.c' })).status,
    401,
  )
  await runSql(database.ownerUrl, 'alter table casesheet.readings rename column details to hidden')
  assert.equal((await send(add, reading(round))).status, 503)
  await runSql(database.ownerUrl, 'alter table casesheet.readings rename column hidden to details')
  await runSql(
    database.ownerUrl,
    'alter table casesheet.readings add constraint broken check (false) not valid',
  )
  assert.equal((await send(add, reading(round * 1_000 + 500))).status, 500)
  await runSql(database.ownerUrl, 'alter table casesheet.readings drop constraint broken')
}

/** What Grafana puts in for its variables. */
function asAsked(expression: string): string {
  return expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5m')
}

for (const { title, targets = [] } of panels.filter(({ type }) => type !== 'row')) {
  test(`the panel "${title}" shows something`, options, async () => {
    assert.ok(targets.length > 0)
    for (const { expr } of targets) {
      const asked = asAsked(expr)
      for (const [selector] of asked.matchAll(SELECTORS)) await prometheus.mustKnow(`count(${selector})`)
      await prometheus.mustKnow(asked)
    }
  })
}

for (const alert of alerts) {
  test(`${alert.alert} compares numbers that are there, and says what to do`, options, async () => {
    await mustCompareNumbers(prometheus, alert)
    mustSayWhatToDo(alert)
  })
}

test('Prometheus evaluates every rule without an error', options, async () => {
  await prometheus.scrapes(3)
  const rules = await prometheus.rules()
  assert.ok(rules.length > alerts.length)
  for (const { name, health, lastError } of rules) assert.equal(health, 'ok', `${name}: ${lastError}`)
})

test(
  'promtool finds no fault, and each alert fires when it should and only then',
  needs('promtool'),
  async () => {
    await run(programOf('promtool'), ['check', 'config', 'prometheus.yml'], { cwd: MONITORING })
    await mustFireWhenItShould('alerts.yaml')
  },
)

test('every metric of ours is on the dashboard', async () => {
  const text = await (await fetch(`${rounds.adminUrl}/metrics`)).text()
  const names = [...text.matchAll(/^# TYPE (rounds_\w+)/gm)].map(([, name = '']) => name)
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
  const missing = names.filter((name) => !new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(shown))
  assert.ok(names.length > 15)
  assert.deepEqual(missing, [], 'Add a panel to deploy/monitoring/grafana-dashboard.json.')
})
