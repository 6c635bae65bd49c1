// The dashboard and the alerts, asked of a real Prometheus that scrapes a real server under traffic with failures.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { AUDIENCE, createDatabase, runSql, startIssuer } from './harness.ts'
import { needs, programOf } from './needs.ts'
import { serveInProcess } from './process.ts'
import { MONITORING, startPrometheus } from './prometheus.ts'
import { OWN, PROTECTED_PATHS } from './protected-paths.ts'

const run = promisify(execFile)
const read = (path: string) => readFileSync(join(MONITORING, path), 'utf8')

type Panel = { type: string; title: string; targets?: { expr: string }[] }
type Alert = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook: string }
}
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }
const { groups } = parse(read('alerts.yaml')) as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)

const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
const rounds = await serveInProcess({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  LOG_LEVEL: 'silent',
})
const options = needs('prometheus')
let prometheus: Awaited<ReturnType<typeof startPrometheus>>
// Not within `before`: what is to stop after the tests would stop after that.
if (!options.skip) prometheus = await startPrometheus(rounds.adminUrl)

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
    fetch(rounds.url + path, {
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
  assert.equal((await send(add, reading(round))).status, 500)
  await runSql(database.ownerUrl, 'alter table casesheet.readings rename column hidden to details')
}

/** What Grafana puts in for its variables. */
function asAsked(expression: string): string {
  return expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5m')
}

async function assertGivesNumbers(expression: string) {
  const result = await prometheus.query(asAsked(expression))
  assert.ok(result.length > 0, `empty: ${expression}`)
  assert.ok(
    result.some(({ value: [, number] }) => Number.isFinite(Number(number))),
    `no number: ${expression}`,
  )
}

const SELECTORS = /\b(?:up|rounds_\w+|process_\w+|nodejs_\w+)(?:\{[^}]*\})?/g

for (const { title, targets = [] } of panels.filter(({ type }) => type !== 'row')) {
  test(`the panel "${title}" shows something`, options, async () => {
    assert.ok(targets.length > 0)
    for (const { expr } of targets) {
      for (const [selector] of expr.matchAll(SELECTORS)) await assertGivesNumbers(`count(${selector})`)
      await assertGivesNumbers(expr)
    }
  })
}

for (const { alert, expr, labels, annotations } of alerts) {
  test(`${alert} compares numbers that are there, and says what to do`, options, async () => {
    const [, compared = '', threshold] = /^([^]+) (?:==|>) ([\d.]+)$/.exec(expr) ?? []
    assert.ok(Number.isFinite(Number(threshold)), 'an expression, an operator and a threshold')
    for (const [selector] of compared.matchAll(SELECTORS)) await assertGivesNumbers(`count(${selector})`)
    await assertGivesNumbers(compared)
    assert.match(labels.severity, /^(critical|warning)$/)
    assert.match(annotations.summary, /\.$/)
    assert.match(annotations.description, /\.$/)
    assert.equal(annotations.runbook, `docs/operations.md#${alert.toLowerCase()}`)
    assert.match(
      readFileSync(join(MONITORING, '../../docs/operations.md'), 'utf8'),
      new RegExp(`^#### ${alert}$`, 'm'),
    )
  })
}

test('Prometheus evaluates every rule without an error', options, async () => {
  await prometheus.scrapes(3)
  const rules = await prometheus.rules()
  assert.deepEqual(
    rules.map(({ name, health, lastError = '' }) => ({ name, health, lastError })),
    alerts.map(({ alert }) => ({ name: alert, health: 'ok', lastError: '' })),
  )
})

test(
  'promtool finds no fault, and each alert fires when it should and only then',
  needs('promtool'),
  async () => {
    await run(programOf('promtool'), ['check', 'config', 'prometheus.yml'], { cwd: MONITORING })
    await run(programOf('promtool'), ['check', 'rules', 'alerts.yaml'], { cwd: MONITORING })
    await run(programOf('promtool'), ['test', 'rules', 'alerts.test.yaml'], { cwd: MONITORING })
    const { tests } = parse(read('alerts.test.yaml')) as { tests: { name: string }[] }
    assert.deepEqual(
      tests.map(({ name }) => name),
      alerts.map(({ alert }) => alert),
    )
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

test('the alert on memory knows the limit of the manifests', () => {
  const [, mebibytes] = /limits: \{ memory: (\d+)Mi \}/.exec(read('../kubernetes/base/deployment.yaml')) ?? []
  const threshold = Math.floor((Number(mebibytes) * 1_024 * 1_024 * 4) / 5)
  assert.ok(alerts.find(({ alert }) => alert === 'RoundsMemory')?.expr.endsWith(` > ${threshold}`))
})
