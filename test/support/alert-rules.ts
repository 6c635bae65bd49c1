// What every file of alert rules must keep: the form of a rule, its runbook, its case for promtool, and numbers to compare.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { programOf } from './needs.ts'
import { MONITORING, type Prometheus } from './prometheus.ts'

const run = promisify(execFile)
const read = (path: string) => readFileSync(join(MONITORING, path), 'utf8')
/** Alerts link to it below whatever address the operator's external label `runbooks` holds. */
const runbookOf = (alert: string) =>
  `docs/operations/${alert.startsWith('Rounds') ? 'alerts' : 'infrastructure-alerts'}.md`

export type Alert = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook_url: string }
}
type AlertTest = { name: string; promql_expr_test: { exp_samples?: { labels: string }[] }[] }

export const SELECTORS =
  /\b(?:up|(?:rounds|haproxy|process|nodejs|pg|postgres|node|pgbackrest)_\w+)(?:\{[^}]*\})?/g

export function readAlerts(file: string): Alert[] {
  const { groups } = parse(read(file)) as { groups: { rules: Alert[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** What the expression of an alert compares with its threshold. */
function comparedBy({ expr }: Alert): string {
  const [, compared = '', threshold] = /^([^]+) (?:==|>) ([\d.]+)$/.exec(expr) ?? []
  assert.ok(Number.isFinite(Number(threshold)), 'an expression, an operator and a threshold')
  return compared
}

export async function mustCompareNumbers(prometheus: Prometheus, alert: Alert) {
  // The Prometheus of a test is seconds old.
  const compared = comparedBy(alert).replaceAll(/ offset \w+/g, '')
  for (const [selector] of compared.matchAll(SELECTORS)) await prometheus.mustKnow(`count(${selector})`)
  await prometheus.mustKnow(compared)
}

export function mustSayWhatToDo({ alert, labels, annotations }: Alert) {
  assert.match(labels.severity, /^(critical|warning)$/)
  assert.match(annotations.summary, /\.$/)
  assert.match(annotations.description, /\.$/)
  const runbook = runbookOf(alert)
  assert.equal(annotations.runbook_url, `{{ $externalLabels.runbooks }}${runbook}#${alert.toLowerCase()}`)
  assert.ok(read(`../../${runbook}`).includes(`\n### ${alert}\n`), `${runbook} has no heading ${alert}`)
}

/** As the cases beside the file say; every alert must have one in which it fires. */
export async function mustFireWhenItShould(file: string) {
  const cases = file.replace('.yaml', '.test.yaml')
  await run(programOf('promtool'), ['check', 'rules', file], { cwd: MONITORING })
  await run(programOf('promtool'), ['test', 'rules', cases], { cwd: MONITORING })
  const { tests } = parse(read(cases)) as { tests: AlertTest[] }
  const neverFire = readAlerts(file).filter(
    ({ alert }) => !tests.some((each) => each.name.split(',')[0] === alert && letsFire(alert, each)),
  )
  assert.deepEqual(
    neverFire.map(({ alert }) => alert),
    [],
    `no case of ${cases} lets it fire`,
  )
}

function letsFire(alert: string, { promql_expr_test: evaluated }: AlertTest): boolean {
  const expected = evaluated.flatMap(({ exp_samples = [] }) => exp_samples)
  return expected.some(({ labels }) => labels.includes(`alertname="${alert}"`))
}
