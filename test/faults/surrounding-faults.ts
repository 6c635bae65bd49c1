// Faults of what the nodes of the database stand on and of what stands before them.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runSql } from '../../tools/dev/run-sql.ts'
import { type Fault, IS_OF_ROUNDS, terminateSessions, untilAnotherLeads } from './fault.ts'
import { end, run, signalAll, untilHealed } from './processes.ts'
import type { Service } from './service.ts'

export const SURROUNDING_FAULTS: Fault[] = [
  {
    name: 'connections-cut',
    title: 'all connections terminated, ten times',
    runs: 5,
    isInShortForm: true,
    maxGapSeconds: 5,
    async play({ service }) {
      for (let time = 0; time < 10; time++) {
        await terminateSessions(service)
        await pause(200)
      }
    },
  },
  {
    name: 'backend-killed',
    title: 'one backend `kill -9` (PostgreSQL restarts itself)',
    runs: 5,
    maxGapSeconds: 30,
    async play({ service }) {
      const [backend] = await runSql<{ pid: number }>(
        service.ownerUrl,
        `select pid from pg_stat_activity where ${IS_OF_ROUNDS} order by state limit 1`,
      )
      signalAll([backend?.pid ?? 0], 'SIGKILL')
      await pause(2_000)
    },
  },
  {
    name: 'etcd-down',
    title: 'etcd `kill -9`, started again later',
    runs: 5,
    seconds: 40,
    maxGapSeconds: 5,
    async play({ cluster, seconds }) {
      await cluster.stopEtcd()
      await pause(seconds * 1_000)
      cluster.startEtcd()
    },
  },
  {
    name: 'network-cut',
    title: 'primary cut off from everybody, joined again later',
    kind: { isApart: true },
    runs: 5,
    seconds: 40,
    maxGapSeconds: 30,
    async play({ cluster, seconds }) {
      const primary = await cluster.primary()
      await cluster.network.cut(primary.number)
      await untilAnotherLeads(cluster, primary)
      await pause(Math.max(0, seconds - 25) * 1_000)
      await cluster.network.mend(primary.number)
    },
  },
  {
    name: 'disk-full',
    title: 'the disk of the primary fills up, and is cleared later',
    kind: { hasSmallDisks: true },
    runs: 5,
    seconds: 20,
    maxGapSeconds: 45,
    async play({ cluster, seconds }) {
      const ballast = join((await cluster.primary()).disk, 'ballast')
      // It ends when there is no room left.
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k', 'status=none']).catch(() => {})
      await pause(seconds * 1_000)
      await rm(ballast)
    },
  },
  {
    name: 'rounds-killed',
    title: 'one of two Rounds processes `kill -9`, started again after 3 s',
    runs: 5,
    isInShortForm: true,
    maxGapSeconds: 5,
    mayCut: true,
    async play({ service }) {
      const [server] = service.servers as [Service['servers'][number]]
      await end(server.program, 'SIGKILL')
      await pause(3_000)
      service.startServer(server)
      await untilHealed(() => service.isReady(server))
    },
  },
  {
    name: 'rolling-restart',
    title: 'both Rounds processes restarted, one after the other',
    runs: 5,
    isInShortForm: true,
    maxGapSeconds: 5,
    async play({ service }) {
      for (const server of service.servers) {
        await end(server.program)
        service.startServer(server)
        await untilHealed(() => service.isReady(server))
        await pause(1_500)
      }
    },
  },
  {
    name: 'issuer-down',
    title: 'the issuer does not answer',
    runs: 5,
    seconds: 30,
    maxGapSeconds: 5,
    async play({ service, traffic, seconds }) {
      signalAll([service.issuer.program.pid], 'SIGSTOP')
      await pause(seconds * 1_000)
      signalAll([service.issuer.program.pid], 'SIGCONT')
      await traffic.add(await traffic.newPatient(), [1])
    },
  },
]
