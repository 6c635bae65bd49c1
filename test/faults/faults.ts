// The faults: how each strikes, how it is healed, and what must hold besides that nothing is lost or doubled.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runSql } from '../../src/dev/run-sql.ts'
import type { Cluster, Kind } from './cluster.ts'
import { findPrimary, type Node } from './patroni.ts'
import { end, run, signalAll, until } from './processes.ts'
import type { Service } from './service.ts'
import type { Traffic } from './traffic.ts'

export type Stage = { cluster: Cluster; service: Service; traffic: Traffic; seconds: number }

export type Fault = {
  name: string
  /** As the table of docs/reliability.md calls it. */
  title: string
  kind?: Kind
  /** Strikes and heals; the runner then waits until the cluster is whole. */
  play: (stage: Stage) => Promise<void>
  /** How long a fault lasts that lasts, in seconds. */
  seconds?: number
  runs: number
  isInShortForm?: boolean
  maxGapSeconds: number
  /** Whether some requests may be refused, since nothing could be promised meanwhile. */
  mayRefuse?: boolean
}

const ANOTHER_LEADS_SECONDS = 60

async function untilAnotherLeads({ nodes }: Cluster, than: Node) {
  const leads = async () => {
    const primary = await findPrimary(nodes.filter((node) => node !== than))
    return primary !== undefined
  }
  await until('another node leads', leads, ANOTHER_LEADS_SECONDS)
}

const ROUNDS_SESSIONS = "application_name = 'rounds' and pid <> pg_backend_pid()"

export const FAULTS: Fault[] = [
  {
    name: 'primary-killed',
    title: 'primary: PostgreSQL `kill -9`',
    runs: 20,
    isInShortForm: true,
    maxGapSeconds: 30,
    async play({ cluster }) {
      const primary = await cluster.primary()
      signalAll(await cluster.postgresTree(primary), 'SIGKILL')
      await untilAnotherLeads(cluster, primary)
    },
  },
  {
    name: 'primary-lost',
    title: 'primary: PostgreSQL and Patroni `kill -9`',
    runs: 20,
    maxGapSeconds: 30,
    async play({ cluster }) {
      const primary = await cluster.primary()
      await cluster.killNode(primary)
      await untilAnotherLeads(cluster, primary)
      await pause(3_000)
      cluster.startPatroni(primary)
    },
  },
  {
    name: 'primary-frozen',
    title: 'primary: frozen, thawed when another leads',
    runs: 5,
    seconds: 45,
    maxGapSeconds: 30,
    async play({ cluster, seconds }) {
      const primary = await cluster.primary()
      const frozen = await cluster.nodeTree(primary)
      signalAll(frozen, 'SIGSTOP')
      await pause(seconds * 1_000)
      signalAll(frozen, 'SIGCONT')
      await untilAnotherLeads(cluster, primary)
    },
  },
  {
    name: 'switchover',
    title: 'planned switchover',
    runs: 5,
    isInShortForm: true,
    maxGapSeconds: 5,
    async play({ cluster }) {
      const primary = await cluster.primary()
      await cluster.switchOver(primary)
      await untilAnotherLeads(cluster, primary)
    },
  },
  {
    name: 'standby-lost',
    title: 'a synchronous standby: PostgreSQL and Patroni `kill -9`',
    runs: 5,
    seconds: 15,
    maxGapSeconds: 5,
    async play({ cluster, seconds }) {
      const [standby] = cluster.others(await cluster.primary()) as [Node]
      await cluster.killNode(standby)
      await pause(seconds * 1_000)
      cluster.startPatroni(standby)
    },
  },
  {
    name: 'all-crashed',
    title: 'all three nodes `kill -9`, started again after 3 s',
    runs: 5,
    maxGapSeconds: 45,
    mayRefuse: true,
    async play({ cluster }) {
      for (const node of cluster.nodes) await cluster.killNode(node)
      await pause(3_000)
      cluster.nodes.forEach(cluster.startPatroni)
      await until('a node leads', async () => (await findPrimary(cluster.nodes)) !== undefined)
    },
  },
  {
    name: 'connections-cut',
    title: 'all connections terminated, ten times',
    runs: 5,
    isInShortForm: true,
    maxGapSeconds: 5,
    async play({ service }) {
      for (let time = 0; time < 10; time++) {
        await runSql(
          service.ownerUrl,
          `select pg_terminate_backend(pid) from pg_stat_activity where ${ROUNDS_SESSIONS}`,
        )
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
        `select pid from pg_stat_activity where ${ROUNDS_SESSIONS} order by state limit 1`,
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
    mayRefuse: true,
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
    async play({ service }) {
      const [server] = service.servers as [Service['servers'][number]]
      await end(server.program, 'SIGKILL')
      await pause(3_000)
      service.startServer(server)
      await until('it is ready', () => service.isReady(server))
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
        await until('it is ready', () => service.isReady(server))
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
