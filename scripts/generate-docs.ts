// Writes the documents that are made of code: settings, reading types, the mapping to FHIR; and alert rules in the form of the
// Prometheus operator.
//   npm run generate:docs
// With --check it writes nothing and fails when one of them is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SETTINGS, type Setting } from '../src/config/settings.ts'
import { printReadingTypes } from './print-catalogue.ts'
import { printFhirMapping } from './print-fhir-mapping.ts'
import { printPrometheusRule } from './print-prometheus-rule.ts'

const ROOT = join(import.meta.dirname, '..')
const MAX_LINE = 120
const DOCUMENTS = [
  { path: 'docs/settings.md', print: printSettings },
  { path: 'docs/reading-types.md', print: printReadingTypes },
  { path: 'docs/fhir-mapping.md', print: printFhirMapping },
  {
    path: 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml',
    print: () => printPrometheusRule('alerts.yaml', 'rounds'),
  },
  {
    path: 'deploy/kubernetes/components/postgres-alerts/prometheus-rule.yaml',
    print: () => printPrometheusRule('postgres-alerts.yaml', 'rounds-postgres'),
  },
]

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
for (const { path, print } of DOCUMENTS) {
  const [file, generated] = [join(ROOT, path), print()]
  if (!values.check) writeFileSync(file, generated)
  else if (readFileSync(file, 'utf8') !== generated) {
    process.stderr.write(`${path} is stale: run "npm run generate:docs".\n`)
    process.exitCode = 1
  }
}

function printSettings(): string {
  return `<!-- Made from src/config/settings.ts by \`npm run generate:docs\`. Do not edit. -->

# Settings

\`rounds serve\` reads these from the environment at the start, and reports every wrong one in one message. Brackets hold
the default and the bounds. Rate limits and queues are those of one \`rounds serve\`.

${Object.entries<Setting>(SETTINGS).map(printSetting).join('\n')}

## Other commands

- \`migrate\`, \`directory import\`, \`patient\` and \`access-log\` need \`DATABASE_URL\` of the role that owns the tables.
- Others list theirs with \`--help\`.
`
}

function printSetting([name, { meaning, min, max, ...setting }]: [string, Setting]): string {
  const bounds = min === undefined || max === undefined ? [] : [`${min}–${max}`]
  const brackets = [...printDefault(setting), ...bounds].join('; ')
  return wrap(`- \`${name}\`${brackets === '' ? '' : ` (${brackets})`}: ${meaning}`)
}

function printDefault(setting: Pick<Setting, 'default'>): string[] {
  if (setting.default === undefined) return ['**required**']
  if (setting.default === '') return []
  return [typeof setting.default === 'number' ? String(setting.default) : `\`${setting.default}\``]
}

/** An item of a list, in lines that fit a screen. */
function wrap(item: string): string {
  const lines = ['']
  for (const word of item.split(' ')) {
    const line = lines.at(-1) ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= MAX_LINE) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.join('\n')
}
