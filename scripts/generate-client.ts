// Writes clients/typescript/src/api.ts, the types of the OpenAPI document.   npm run generate:client
// With --check it writes nothing and fails when they differ.
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
const generated = printTypes(await printApi())
if (!values.check) writeFileSync(TYPES, generated)
else if (readFileSync(TYPES, 'utf8') !== generated) {
  process.stderr.write('The API and its client have drifted apart: run "npm run generate:client".\n')
  process.exitCode = 1
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
