// `rounds dev --webhook URL`: what is printed starts the receiver of the samples, and it gets what was stored before.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { STATE, startDev, temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase, runSql } from '../support/harness.ts'
import { runCommand, runProgram } from '../support/process.ts'
import { until } from '../support/until.ts'

const TMPDIR = temporaryDirectory()
const PG_BIN = process.env['PG_BIN'] ?? ''
const receiver = readFileSync(join(import.meta.dirname, '../../samples/receiver.mts'), 'utf8')

const printedSecret = (output: string) =>
  /^WEBHOOK_SECRET=(whsec_\S{44}) node samples\/receiver\.mts$/m.exec(output)?.[1]

test('the line that it prints starts a receiver, which gets the readings of before and those of later', async () => {
  const port = await findFreePort()
  const dev = await startDev({ TMPDIR, PG_BIN }, [
    '--port',
    '0',
    '--curl',
    '--webhook',
    `http://127.0.0.1:${port}/`,
  ])
  assert.ok(dev.printed.length <= 19, dev.output())
  for (const line of dev.printed) assert.ok(line.length <= 100, line)
  const { output: token } = await runCommand(['token', '--patient', 'patient-1'], { TMPDIR }).ended
  const add = async (value: number) => {
    const answer = await fetch(`${dev.casesheetUrl}/readings/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        patientUid: 'patient-1',
        readingType: 'heartRate',
        value,
        timestamp: 1_762_000_000,
      }),
    })
    assert.equal(answer.status, 200)
  }
  await add(71)

  const dir = temporaryDirectory()
  mkdirSync(join(dir, 'samples'))
  writeFileSync(join(dir, 'samples/receiver.mts'), receiver.replace('8000', String(port)))
  const [line = ''] = /^WEBHOOK_SECRET=.*$/m.exec(dev.output()) ?? []
  const receiving = runProgram('sh', ['-c', line.replace('node', `exec "${process.execPath}"`)], {}, dir)
  const what = () => dev.output() + receiving.output()
  await until(() => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false), 60_000, { what })
  const db = new DatabaseSync(join(dir, 'copy.db'), { readOnly: true, timeout: 5_000 })
  after(() => db.close())
  const received = db.prepare("select change -> 'reading' ->> 'value' as value from copy order by 1")
  const values = () => received.all().map(({ value }) => value)
  await until(() => values().length > 0, 60_000, { what })
  assert.deepEqual(values(), [71])
  await add(72)
  await until(() => values().length > 1, 60_000, { what })
  assert.deepEqual(values(), [71, 72])
  dev.child.kill('SIGINT')
  assert.equal((await dev.ended).code, 0)
})

test('with a database of one’s own a second start prints the same secret, by a key that only this user can read', async () => {
  const { ownerUrl } = await createDatabase()
  const port = await findFreePort()
  const args = ['--port', '0', '--database', '--webhook', `http://127.0.0.1:${port}`]
  const secrets: (string | undefined)[] = []
  for (const _run of ['first', 'second']) {
    const dev = await startDev({ TMPDIR, DATABASE_URL: ownerUrl }, args)
    secrets.push(printedSecret(dev.output()))
    dev.child.kill('SIGINT')
    assert.equal((await dev.ended).code, 0, dev.output())
  }
  assert.ok(secrets[0])
  assert.equal(secrets[1], secrets[0])
  assert.deepEqual(await runSql(ownerUrl, 'select url, added_by from webhooks.endpoints'), [
    { url: `http://127.0.0.1:${port}/`, added_by: 'rounds dev' },
  ])
  const kept = readdirSync(join(STATE, 'rounds-dev')).map((name) => join(STATE, 'rounds-dev', name))
  for (const file of kept) {
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const { webhookKey, fhirIdKey } = JSON.parse(readFileSync(file, 'utf8'))
    assert.ok(webhookKey.length >= 43 && fhirIdKey.length >= 43 && webhookKey !== fhirIdKey)
  }

  const { code, output } = await runCommand(['dev', ...args], {
    TMPDIR,
    XDG_STATE_HOME: STATE,
    DATABASE_URL: ownerUrl,
    WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64'),
  }).ended
  assert.equal(code, 1)
  assert.match(
    output,
    /^The endpoint of --webhook was added with another WEBHOOK_KEY\. Set that one, or "rounds webhook remove /m,
  )
})

test('what cannot be called is refused in a sentence', async () => {
  const { ownerUrl } = await createDatabase()
  const refused: [url: string, environment: Record<string, string>, sentence: RegExp][] = [
    ['copy', {}, /^--webhook cannot be read\. It must look like https:/],
    ['http://copy.example/', {}, /^--webhook must begin with https:\/\/\. /],
    ['https://10.1.2.3/', {}, /^--webhook must not name an address that is not public/],
    [
      'http://127.0.0.1:8000/',
      { MODULES: 'casesheet' },
      /^--webhook needs the module "webhooks" in MODULES\.$/m,
    ],
  ]
  for (const [url, environment, sentence] of refused) {
    const { code, output } = await runCommand(['dev', '--port', '0', '--database', '--webhook', url], {
      TMPDIR,
      XDG_STATE_HOME: STATE,
      DATABASE_URL: ownerUrl,
      ...environment,
    }).ended
    assert.equal(code, 1)
    assert.match(output, sentence)
  }
  assert.deepEqual(await runSql(ownerUrl, 'select from webhooks.endpoints'), [])
})
