// The alerts on PostgreSQL, asked of a real Prometheus that scrapes the real exporters beside a real PostgreSQL.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  mustCompareNumbers,
  mustFireWhenItShould,
  mustSayWhatToDo,
  readAlerts,
} from '../support/alert-rules.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase, runSql } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { runProgram } from '../support/process.ts'
import { MONITORING, type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { until } from '../support/until.ts'

const FILE = 'postgres-alerts.yaml'
const SLOT = `monitored_${process.pid}`
const ROLE = `exporter_${process.pid}`

/** As pgBackRest prints two backups. */
const INFO = `[{"backup":[{"lsn":{"start":"0/9","stop":"0/A"},"timestamp":{"start":1794800000,"stop":1794800100}},\
{"lsn":{"start":"0/B","stop":"0/C"},"timestamp":{"start":1794860000,"stop":1794860042}}],"name":"rounds"}]`

const options = needs('prometheus', 'prometheus-postgres-exporter', 'prometheus-node-exporter')
let prometheus: Prometheus
if (!options.skip) {
  const { ownerUrl } = await createDatabase()
  await runSql(ownerUrl, `create role ${ROLE} login in role pg_monitor`)
  await runSql(ownerUrl, `select pg_create_physical_replication_slot('${SLOT}', true)`)
  after(() => runSql(ownerUrl, `select pg_drop_replication_slot('${SLOT}')`))
  const dir = temporaryDirectory()
  writeFileSync(join(dir, 'backup.prom'), backupAge(INFO))
  const { hostname, port, pathname } = new URL(ownerUrl)
  // As the guide connects it: by the socket.
  const source = `user=${ROLE} host=${decodeURIComponent(hostname)} port=${port || '5432'} dbname=${pathname.slice(1)} sslmode=disable`
  const postgres = await startExporter(
    'prometheus-postgres-exporter',
    [
      `--extend.query-path=${join(MONITORING, 'postgres-queries.yaml')}`,
      // What it exports of each database takes long in a cluster with hundreds.
      '--disable-default-metrics',
      '--disable-settings-metrics',
      '--no-collector.database',
    ],
    { DATA_SOURCE_NAME: source },
  )
  const node = await startExporter('prometheus-node-exporter', [
    '--collector.disable-defaults',
    '--collector.filesystem',
    '--collector.textfile',
    `--collector.textfile.directory=${dir}`,
  ])
  // Of the job rounds these alerts only ask whether a cluster has it.
  prometheus = await startPrometheus({ rounds: node, postgres, node })
}

before(async () => {
  if (!options.skip) await prometheus.scrapes(3)
})

async function startExporter(program: string, args: string[], environment: Record<string, string> = {}) {
  const url = `http://127.0.0.1:${await findFreePort()}`
  const { child, ended } = runProgram(
    programOf(program),
    [...args, `--web.listen-address=${new URL(url).host}`],
    environment,
  )
  after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await until(() =>
    fetch(`${url}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return url
}

/** What the script prints; test/deploy/backup.lab.ts gives it what pgBackRest itself prints. */
function backupAge(info: string): string {
  const args = [join(MONITORING, 'backup-age.sh'), 'rounds']
  const { status, stdout, stderr } = spawnSync('sh', args, { input: info, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}

for (const alert of readAlerts(FILE)) {
  test(`${alert.alert} compares numbers that are there`, options, () => mustCompareNumbers(prometheus, alert))
  test(`${alert.alert} says what to do`, () => mustSayWhatToDo(alert))
}

test('each alert on PostgreSQL fires when it should and only then', needs('promtool'), () =>
  mustFireWhenItShould(FILE),
)

test('the age is that of the last backup, and without a backup there is none', () => {
  assert.match(backupAge(INFO), /^pgbackrest_last_backup_timestamp_seconds\{stanza="rounds"\} 1794860042$/m)
  for (const none of ['[{"backup":[],"name":"rounds"}]', ''])
    assert.throws(() => backupAge(none), /pgBackRest knows no backup/)
})
