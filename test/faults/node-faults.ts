// Faults of the nodes of the database.
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { type Fault, terminateSessions, untilAnotherLeads, untilSomeoneLeads } from './fault.ts'
import type { Node } from './patroni.ts'
import { signalAll } from './processes.ts'

export const NODE_FAULTS: Fault[] = [
  {
    name: 'primary-killed',
    title: 'primary: PostgreSQL `kill -9`',
    runs: 10,
    isInShortForm: true,
    maxGapSeconds: 30,
    async play({ cluster }) {
      const primary = await cluster.primary()
      signalAll(await cluster.postgresTree(primary), 'SIGKILL')
      await untilAnotherLeads(cluster, primary)
    },
  },
  {
    // What was acknowledged a moment before must be known to the next primary.
    name: 'revoked-and-killed',
    title: 'primary: PostgreSQL `kill -9` when a revocation is answered',
    runs: 10,
    isInShortForm: true,
    maxGapSeconds: 30,
    async play({ cluster, traffic }) {
      const primary = await cluster.primary()
      const tree = await cluster.postgresTree(primary)
      const before = traffic.sharing.revocations()
      await until(() => traffic.sharing.revocations() > before, 30_000, { everyMs: 1 })
      signalAll(tree, 'SIGKILL')
      await untilAnotherLeads(cluster, primary)
    },
  },
  {
    name: 'primary-lost',
    title: 'primary: PostgreSQL and Patroni `kill -9`',
    runs: 10,
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
      await untilSomeoneLeads(cluster)
    },
  },
  {
    name: 'standbys-lost',
    title: 'both standbys `kill -9`, started again later',
    runs: 5,
    seconds: 40,
    maxGapSeconds: 75,
    mayRefuse: true,
    async play({ cluster, seconds }) {
      const standbys = cluster.others(await cluster.primary())
      for (const standby of standbys) await cluster.killNode(standby)
      await pause(seconds * 1_000)
      standbys.forEach(cluster.startPatroni)
    },
  },
  {
    name: 'majority-lost',
    title: 'the primary and a standby `kill -9`, started again later',
    runs: 5,
    seconds: 40,
    maxGapSeconds: 90,
    mayRefuse: true,
    async play({ cluster, seconds }) {
      const primary = await cluster.primary()
      const [standby] = cluster.others(primary) as [Node]
      const lost = [primary, standby]
      for (const node of lost) await cluster.killNode(node)
      await pause(seconds * 1_000)
      lost.forEach(cluster.startPatroni)
      await untilSomeoneLeads(cluster)
    },
  },
  {
    // Commits that wait for a standby when their session is cut are there for the primary alone. Whoever sends such a
    // reading again must not be told Ok, since the next primary does not have it.
    name: 'commits-left-behind',
    title: 'both standbys lost, waiting sessions cut, then the primary lost',
    runs: 5,
    maxGapSeconds: 75,
    mayRefuse: true,
    async play({ cluster, service }) {
      const primary = await cluster.primary()
      const standbys = cluster.others(primary)
      // All within less than a loop of Patroni: a little later it would know that no standby may lead any more.
      signalAll((await Promise.all(standbys.map(cluster.nodeTree))).flat(), 'SIGKILL')
      await pause(150)
      await terminateSessions(service)
      await pause(150)
      await cluster.killNode(primary)
      standbys.forEach(cluster.startPatroni)
      await pause(30_000)
      cluster.startPatroni(primary)
      await untilSomeoneLeads(cluster)
    },
  },
]
