// The queries of the runbooks, run as the role that the guides give the operator: it sees what other roles do, and can end it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { examplesOf, operationsPages, runExamples } from '../support/document-examples.ts'
import { createDatabase, runSql } from '../support/harness.ts'
import { needs } from '../support/needs.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const [, memberships = ''] =
  /create role rounds_owner login password '\$OWNER' in role ([\w, ]+);/.exec(read('docs/one-machine.md')) ??
  []
const scripts = examplesOf(operationsPages('alerts', 'infrastructure-alerts'))
  .flatMap(({ script }) => script.match(/^psql (?:.|\n)*?"$/gm) ?? [])
  .filter((script) => script.includes('$DATABASE_URL'))

const { ownerUrl } = await createDatabase()
const operator = `operator_${process.pid}`
const colleague = `colleague_${process.pid}`
await runSql(ownerUrl, `create role ${operator} login in role ${memberships}`)
await runSql(ownerUrl, `create role ${colleague} login`)

function addressOf(role: string): string {
  const url = new URL(ownerUrl)
  url.username = role
  return url.href
}

/** A session of another role with an open transaction. */
async function openTransaction() {
  const session = new Client({ connectionString: addressOf(colleague), application_name: 'left open' })
  // It is ended by the operator.
  session.on('error', () => {})
  await session.connect()
  after(() => session.end().catch(() => {}))
  await session.query('begin')
  const { rows } = await session.query<{ pid: number }>(
    'select pg_backend_pid() as pid, pg_current_xact_id()',
  )
  return rows[0]?.pid ?? assert.fail()
}

test('both guides give the owner the same memberships', () => {
  assert.ok(operationsPages('install').includes(`\`grant ${memberships} to OWNER\``), memberships)
})

test(
  'every query of the runbooks works as the operator, and shows what other roles do',
  needs('psql'),
  async () => {
    const pid = await openTransaction()
    assert.ok(scripts.length >= 7, `${scripts.length} commands`)
    const outputs = await runExamples(scripts, { environment: { DATABASE_URL: addressOf(operator) } })
    const all = outputs.join('\n')
    assert.doesNotMatch(all, /insufficient privilege|permission denied/)
    const listed = all
      .split('\n')
      .find((line) => line.includes(`| ${colleague} `) && line.includes('left open'))
    assert.match(
      listed ?? '',
      new RegExp(`^ *${pid} .* idle in transaction \\| \\d{4}-`),
      'since when it is open',
    )
    const ended = await runSql(addressOf(operator), `select pg_terminate_backend(${pid}) as is_ended`)
    assert.deepEqual(ended, [{ is_ended: true }])
  },
)
