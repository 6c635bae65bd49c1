// Two PostgreSQL clusters with a Rounds in front of each, behind HAProxy with the configuration of deploy/shards. The first cluster
// serves all partitions, and may have a synchronous standby that takes over; the second, that of all tests, serves those that are moved.
import { appendFileSync, copyFileSync, renameSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { findPostgres } from '../../tools/dev/find-postgres.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { temporaryDirectory } from './dev.ts'
import { runExamples } from './document-examples.ts'
import { findFreePort } from './free-port.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from './harness.ts'
import { programOf } from './needs.ts'
import { runProgram, serveForLoad } from './process.ts'
import { until } from './until.ts'

const SHARDS = 'deploy/shards'

const addressIn = (socketDirectory: string, user = 'postgres') =>
  `postgres://${user}@${encodeURIComponent(socketDirectory)}/rounds`

/** A cluster with a migrated database. Servers connect by `directory`, where the socket of the present primary is. */
async function startCluster() {
  const postgres = await startThrowawayPostgres({ synchronous_commit: 'on', wal_level: 'logical' })
  const socketDirectory = decodeURIComponent(new URL(postgres.url).host)
  await runSql(postgres.url, 'create database rounds')
  await migrate(addressIn(socketDirectory), { modules: ['fhir'] })
  await runSql(addressIn(socketDirectory), 'create role api login in role rounds_server')
  const directory = join(temporaryDirectory(), 'primary')
  symlinkSync(socketDirectory, directory)
  const cluster = { ownerUrl: addressIn(socketDirectory), serveUrl: addressIn(directory, 'api') }

  /** A standby for which each commit waits; returns how it takes over. */
  async function addStandby() {
    const { binDir } = await findPostgres()
    const dir = temporaryDirectory()
    await runExamples([`chown postgres: ${dir}`], { environment: {}, cwd: '/' })
    const environment = { PATH: `${binDir}:${process.env['PATH']}` }
    const run = (script: string) => runExamples([script], { environment, as: 'postgres', cwd: dir })
    await run(`pg_basebackup -h ${socketDirectory} -U postgres -D data -R -c fast`)
    appendFileSync(
      join(dir, 'data/postgresql.conf'),
      `\nlisten_addresses = ''\nfsync = off\nwal_level = logical\nmax_connections = 300\nunix_socket_directories = '${dir}'\n`,
    )
    await run('pg_ctl start -w -D data -l log > /dev/null')
    await runSql(postgres.url, "alter system set synchronous_standby_names = '*'")
    await runSql(postgres.url, 'select pg_reload_conf()')
    return {
      async takeOver() {
        process.kill(postgres.pid, 'SIGQUIT')
        await run('pg_ctl promote -w -D data > /dev/null')
        symlinkSync(dir, `${directory}.next`)
        renameSync(`${directory}.next`, directory)
        cluster.ownerUrl = addressIn(dir)
      },
      stop: () => run('pg_ctl stop -w -m immediate -D data > /dev/null'),
    }
  }
  return Object.assign(cluster, { addStandby, stop: postgres.stop })
}

export type ShardedClusters = Awaited<ReturnType<typeof startShardedClusters>>

export async function startShardedClusters() {
  const issuer = await startIssuer()
  const [first, second] = await Promise.all([startCluster(), createDatabase()])
  const serve = ({ serveUrl }: { serveUrl: string }) =>
    serveForLoad({
      DATABASE_URL: serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      MODULES: 'casesheet,care',
    })
  const [one, two] = await Promise.all([serve(first), serve(second)])
  const dir = temporaryDirectory()
  const map = join(dir, 'partitions.map')
  copyFileSync(`${SHARDS}/partitions.map`, map)
  const [listen, socket] = [`127.0.0.1:${await findFreePort()}`, join(dir, 'haproxy.sock')]
  const haproxy = runProgram(programOf('haproxy'), ['-db', '-f', `${SHARDS}/rounds-shards.cfg`], {
    ROUNDS_CONNECTIONS: '1000',
    ROUNDS_HAPROXY_SOCKET: socket,
    ROUNDS_SHARDS_LUA: `${SHARDS}/patient-partition.lua`,
    ROUNDS_SHARDS_MAP: map,
    ROUNDS_SHARDS_LISTEN: listen,
    ROUNDS_FIRST_LISTEN: `127.0.0.1:${await findFreePort()}`,
    ROUNDS_SECOND_LISTEN: `127.0.0.1:${await findFreePort()}`,
    ROUNDS_FIRST: new URL(one.url).host,
    ROUNDS_FIRST_ADMIN: new URL(one.adminUrl).port,
    ROUNDS_SECOND: new URL(two.url).host,
    ROUNDS_SECOND_ADMIN: new URL(two.adminUrl).port,
  })
  await until(async () => /^first,one,.*\nsecond,one,.*,UP,/ms.test(await ask('show stat').catch(() => '')))

  function ask(command: string): Promise<string> {
    const connection = connect(socket)
    connection.end(`${command}\n`)
    return text(connection)
  }

  /** What the script is started with, for a partition or to prepare. */
  const move = (what: string) =>
    runProgram(`${SHARDS}/move-partition.sh`, [what], {
      HOME: dir,
      OLD: first.ownerUrl,
      NEW: second.ownerUrl,
      FROM: 'first',
      TO: 'second',
      MAP: map,
      SETTLE: '1',
      HAPROXY: `perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new("${socket}"); print $s <STDIN>; $s->shutdown(1); print <$s>'`,
    })
  return {
    issuer,
    first,
    second,
    url: `http://${listen}`,
    firstUrl: one.url,
    secondUrl: two.url,
    move,
    output: () => [haproxy, one, two].map(({ output }) => output()).join('\n'),
    async stop() {
      for (const { child, ended } of [haproxy, one, two]) {
        child.kill('SIGKILL')
        await ended
      }
      await first.stop()
    },
  }
}
