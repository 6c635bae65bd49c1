// Alert rules of deploy/monitoring as an object of the Prometheus operator.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

const MONITORING = join(import.meta.dirname, '../deploy/monitoring')

export function printPrometheusRule(file: string, name: string): string {
  const object = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, labels: { 'app.kubernetes.io/name': 'rounds' } },
    spec: parse(readFileSync(join(MONITORING, file), 'utf8')) as object,
  }
  return `# Made from deploy/monitoring/${file} by \`npm run generate:docs\`. Do not edit.\n${stringify(object, { lineWidth: 0 })}`
}
