// What a fault is, and what several of them do.
import { runSql } from '../../tools/dev/run-sql.ts'
import type { Cluster, Kind } from './cluster.ts'
import { findPrimary, type Node } from './patroni.ts'
import { untilHealed } from './processes.ts'
import type { Service } from './service.ts'
import type { Traffic } from './traffic.ts'

export type Stage = { cluster: Cluster; service: Service; traffic: Traffic; seconds: number }

export type Fault = {
  name: string
  /** As docs/faults.md calls it. */
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
  /** Whether answers may be cut that were on their way, since nobody is left who could finish them. */
  mayCut?: boolean
}

export async function untilAnotherLeads({ nodes }: Cluster, than: Node) {
  const others = nodes.filter((node) => node !== than)
  await untilHealed(async () => (await findPrimary(others)) !== undefined)
}

export async function untilSomeoneLeads({ nodes }: Cluster) {
  await untilHealed(async () => (await findPrimary(nodes)) !== undefined)
}

/** In the view of PostgreSQL's sessions. */
export const IS_OF_ROUNDS = "application_name = 'rounds' and pid <> pg_backend_pid()"

export async function terminateSessions({ ownerUrl }: Service) {
  await runSql(ownerUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${IS_OF_ROUNDS}`)
}
