// Writes clients/typescript/src/api.ts, the types of the OpenAPI document.   npm run generate:client
// With --check it writes nothing and fails when they differ. Examples are left out, and so are error answers: each is the schema Error.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printApi } from '../tools/dev/print-api.ts'

const ROOT = join(import.meta.dirname, '..')
const TOOL = join(ROOT, 'scripts/openapi-types')
const TYPES = join(ROOT, 'clients/typescript/src/api.ts')
const HEADER = '// Made from the OpenAPI document by `npm run generate:client`. Do not edit.\n'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const generated = printTypes(withoutExamples(withoutErrors(JSON.parse(await printApi()) as Document)))
if (!values.check) writeFileSync(TYPES, generated)
else if (readFileSync(TYPES, 'utf8') !== generated) {
  process.stderr.write('The API and its client have drifted apart: run "npm run generate:client".\n')
  process.exitCode = 1
}

type Operation = { responses: Record<string, unknown> }
type Document = { paths: Record<string, Record<string, Operation>> }

function withoutErrors(document: Document): Document {
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>))
    for (const status of Object.keys(operation.responses))
      if (!status.startsWith('2')) delete operation.responses[status]
  return document
}

/** `isNames`: the keys of this object are names of fields, and `example` is one too. */
function withoutExamples(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isNames || (key !== 'example' && key !== 'examples'))
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutExamples(inner, !isNames && key === 'properties')]),
  )
}

function printTypes(document: unknown): string {
  if (!existsSync(join(TOOL, 'node_modules/openapi-typescript'))) {
    execFileSync('npm', ['ci', '--prefix', TOOL, '--ignore-scripts', '--loglevel=error'], {
      stdio: 'inherit',
    })
  }
  const types = execFileSync(process.execPath, [join(TOOL, 'print-types.mjs')], {
    input: JSON.stringify(document),
  })
  const biome = ['check', '--write', `--stdin-file-path=${TYPES}`]
  return execFileSync(join(ROOT, 'node_modules/.bin/biome'), biome, {
    cwd: ROOT,
    input: HEADER + types.toString(),
    encoding: 'utf8',
  })
}
