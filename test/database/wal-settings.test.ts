// The settings of PostgreSQL that keep the WAL small: every way to install Rounds has the same. The guides'
// tests run their commands on a PostgreSQL.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const NAMES = ['wal_compression', 'checkpoint_timeout', 'max_wal_size', 'max_slot_wal_keep_size']

const guideSettings = (file: string) =>
  [...read(file).matchAll(/alter system set (\w+) = '(\w+)'/g)]
    .map(([, name = '', value]) => [name, value] as const)
    .filter(([name]) => NAMES.includes(name))

test('Compose and both guides set the same', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: { postgres: { command: string[] } }
  }
  const ofCompose = services.postgres.command
    .map((word) => word.replace(/^-c/, '').split('='))
    .filter(([name = '']) => NAMES.includes(name))
  const ofGuide = guideSettings('docs/operations/install.md')
  assert.deepEqual(
    ofGuide.map(([name]) => name),
    NAMES,
  )
  assert.deepEqual(ofCompose, ofGuide)
  assert.deepEqual(guideSettings('docs/one-machine.md'), ofGuide)
})
