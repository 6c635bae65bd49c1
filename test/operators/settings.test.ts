// One table of settings: what the server reads, what help and the document say, and the bounds are the same.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDatabaseUrl, readServeConfig } from '../../src/config/config.ts'
import { SETTINGS, type Setting } from '../../src/config/settings.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runCommand } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')
const settings = Object.entries<Setting>(SETTINGS)
const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/rounds',
  AUTH_ISSUER: 'https://id.example',
  AUTH_AUDIENCE: 'rounds',
}

test('the server reads the settings of the table, and no other', () => {
  const read = new Set<string>()
  const key = 'a2V5'.repeat(11)
  const withKeys = { ...REQUIRED, MODULES: 'webhooks,fhir', WEBHOOK_KEY: key, FHIR_ID_KEY: key }
  const environment = new Proxy<Record<string, string>>(withKeys, {
    get: (target, name) => {
      read.add(String(name))
      return target[String(name)]
    },
  })
  readServeConfig(environment)
  assert.deepEqual([...read].toSorted(), Object.keys(SETTINGS).toSorted())
})

test('the address of the database may stand in a file, as engines mount secrets', () => {
  const { DATABASE_URL: address, ...others } = REQUIRED
  const file = join(temporaryDirectory(), 'address')
  const read = (environment: Record<string, string>) => readServeConfig({ ...others, ...environment })
  assert.throws(() => read({ DATABASE_URL_FILE: file }), /DATABASE_URL_FILE names a file that cannot be read/)
  writeFileSync(file, 'a-secret')
  // A value is never echoed.
  assert.throws(
    () => read({ DATABASE_URL_FILE: file }),
    /^(?!.*a-secret)[^]*holds a postgres:\/\/ address\.$/,
  )
  writeFileSync(file, `${address}\n`)
  assert.equal(read({ DATABASE_URL_FILE: file }).databaseUrl, address)
  assert.equal(readDatabaseUrl({ DATABASE_URL_FILE: file }), address)
  assert.throws(() => read({ DATABASE_URL_FILE: file, DATABASE_URL: address }), /set one of them/)
})

test('the settings without a default are the required ones, and they alone are missed', () => {
  assert.deepEqual(
    settings.filter(([, setting]) => setting.default === undefined).map(([name]) => name),
    Object.keys(REQUIRED),
  )
  assert.throws(() => readServeConfig({}), {
    message: /^[^\n]*\n( +(DATABASE_URL|AUTH_ISSUER|AUTH_AUDIENCE) is missing[^\n]*\n?){3}$/,
  })
})

test('alerts are off unless they are switched on, and need the module care', () => {
  const read = (environment: Record<string, string>) => readServeConfig({ ...REQUIRED, ...environment })
  assert.equal(read({}).alerts, false)
  assert.equal(read({ ALERTS: 'off', MODULES: 'casesheet' }).alerts, false)
  assert.equal(read({ ALERTS: 'on' }).alerts, true)
  assert.throws(() => read({ ALERTS: 'true' }), /ALERTS must be on or off\./)
  assert.throws(
    () => read({ ALERTS: 'on', MODULES: 'appointments,casesheet' }),
    /ALERTS=on needs the module care: add it to MODULES, or leave ALERTS out\./,
  )
})

test('a setting left out and one set to its default are the same', () => {
  const defaults = Object.fromEntries(
    settings.flatMap(([name, setting]) =>
      setting.default === undefined ? [] : [[name, `${setting.default}`]],
    ),
  )
  assert.deepEqual(readServeConfig({ ...REQUIRED, ...defaults }), readServeConfig(REQUIRED))
})

for (const [name, { min, max }] of settings) {
  if (min === undefined || max === undefined) continue
  test(`${name} may be from ${min} to ${max}`, () => {
    // The admin port must differ from the port; no other two numbers depend on each other.
    const read = (value: number) => () => readServeConfig({ ...REQUIRED, [name]: String(value) })
    assert.doesNotThrow(read(min))
    assert.doesNotThrow(read(max))
    assert.throws(read(max + 1), new RegExp(`${name} must be a whole number from ${min} to ${max}\\.`))
    assert.throws(read(min - 1), new RegExp(`${name} must be`))
  })
}

test('help and docs/settings.md name every setting with its default and meaning', async () => {
  const { output } = await runCommand(['serve', '--help']).ended
  const items = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8')
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2))
  for (const [name, { meaning, ...setting }] of settings) {
    const byDefault =
      setting.default === undefined
        ? ''
        : ` (${setting.default || setting.default === 0 ? setting.default : 'none'})`
    assert.match(output, new RegExp(`^  ${name}\\s`, 'm'))
    assert.ok(output.includes(`${meaning}${byDefault}\n`), name)
    const item = items.find((each) => each.startsWith(`\`${name}\``)) ?? ''
    assert.ok(item.endsWith(`: ${meaning}`), name)
    if (setting.default)
      assert.ok(item.includes(`(${setting.default}`) || item.includes(`(\`${setting.default}\`)`), name)
  }
  for (const line of output.split('\n')) assert.ok(line.length <= 120, line)
  execFileSync(process.execPath, [join(ROOT, 'scripts/generate-docs.ts'), '--check'])
})

test('a document that gives a default in brackets gives the one that is true', () => {
  const documents = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  const given = ['README.md', 'SECURITY.md', ...documents.map((name) => `docs/${name}`)].flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/`([A-Z_]{4,})`\s\(([\d,]+)\)/g)].map(
      ([, name = '', value = '']) => ({ file, name, value: Number(value.replaceAll(',', '')) }),
    ),
  )
  assert.ok(given.length > 0)
  assert.deepEqual(
    given.filter(({ name, value }) => new Map(settings).get(name)?.default !== value),
    [],
  )
})
