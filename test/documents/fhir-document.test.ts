// docs/fhir.md names what is served. How types are mapped is docs/fhir-mapping.md, which is made of the code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SERVED } from '../../src/modules/fhir/answers/served.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/fhir.md'), 'utf8')
const lines = document.split('\n')

test('docs/fhir.md names every parameter of every search', () => {
  for (const [type, { parameters }] of Object.entries(SERVED)) {
    const line = lines.find((one) => one.startsWith(`- \`${type}\``))
    for (const { name } of parameters) assert.ok(line?.includes(`\`${name}\``), `${type}: ${name}`)
  }
})
