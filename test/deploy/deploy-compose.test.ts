// What of compose.yaml a run of its containers (test/image) does not show: a setting that nothing reads, a name that .env.example
// lacks, too short a time to stop, and Keycloak's entry point, whose image is not at hand everywhere.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readServeConfig } from '../../src/config/config.ts'
import { stopGraceMs } from '../../src/server/stop-limits.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { needs } from '../support/needs.ts'
import { runProgram } from '../support/process.ts'

type ServiceOfCompose = {
  image: string
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  stop_grace_period?: string
}

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const { services } = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, ServiceOfCompose>
}
const dir = temporaryDirectory()
writeFileSync(join(dir, 'database-url'), 'postgres://rounds_api:secret@postgres:5432/rounds')
writeFileSync(join(dir, 'erasure-key'), 'a'.repeat(64))

/** The settings of a service, with its secrets in another place. */
const environmentOf = (name: string) =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
      key,
      value.replace('/run/secrets/rounds', dir),
    ]),
  )

test('no secret has a default, and .env.example names each that can be chosen, without a value', () => {
  const named = [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => ({
    name,
    value,
  }))
  assert.deepEqual(
    Object.entries(services['secrets']?.environment ?? {}),
    named.map(({ name }) => [name, `\${${name}:-}`]),
  )
  assert.ok(named.every(({ value }) => value === ''))
  assert.doesNotMatch(read('compose.yaml'), /(PASSWORD|SECRET)\w*: (?!\$\{\w+:-\}|\/run\/secrets\/)/)
})

test('each setting of the server is one that it reads, and a stop fits into the time that it has', () => {
  const known = new Set<string>()
  const watched = new Proxy(environmentOf('rounds'), {
    get: (target, key) => (known.add(String(key)), target[String(key)]),
  })
  const { auth, requestDeadlineMs } = readServeConfig(watched)
  assert.deepEqual(
    Object.keys(environmentOf('rounds')).filter((name) => !known.has(name)),
    [],
  )
  assert.ok(auth.staffNeedsReason)
  // Tokens carry the address that people use; keys are fetched from the one that containers use.
  assert.deepEqual(auth.issuers, [`${environmentOf('keycloak')['KC_HOSTNAME']}/realms/rounds`])
  const grace = Number(/^(\d+)s$/.exec(services['rounds']?.stop_grace_period ?? '')?.[1])
  assert.ok(grace * 1000 > stopGraceMs(requestDeadlineMs))
})

test('Keycloak gets its passwords and its arguments', needs('bash'), async () => {
  mkdirSync(join(dir, 'bin'))
  writeFileSync(join(dir, 'admin-password'), 'one')
  writeFileSync(join(dir, 'users-password'), 'two')
  const program = join(dir, 'bin/kc.sh')
  writeFileSync(program, '#!/bin/sh\necho "$KC_BOOTSTRAP_ADMIN_PASSWORD $KEYCLOAK_USERS_PASSWORD $*"\n')
  chmodSync(program, 0o755)
  const { entrypoint = [], command = [] } = services['keycloak'] ?? {}
  // As Compose does: two dollars are one.
  const words = [...entrypoint, ...command].map((word) =>
    word.replaceAll('$$', '$').replaceAll('/run/secrets/rounds', dir).replaceAll('/opt/keycloak', dir),
  )
  const [file = '', ...args] = words
  assert.deepEqual(await runProgram(file, args, {}).ended, {
    code: 0,
    output: 'one two start-dev --import-realm\n',
  })
})
