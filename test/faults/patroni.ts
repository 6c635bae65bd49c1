// A node of the cluster as Patroni is told of it, and as Patroni tells of it.
import { findInstalledPostgres } from '../../tools/dev/find-postgres.ts'
import type { Network } from './network.ts'

const PG_BIN = await findInstalledPostgres([15])
if (!PG_BIN) throw new Error('PostgreSQL 15 is not installed.')

export type Node = {
  number: number
  name: string
  address: string
  postgresPort: number
  restPort: number
  /** Its own disk, in a way: the data directory is below it. */
  disk: string
  dataDir: string
}

export type Passwords = { superuser: string; replication: string; rewind: string }

type Settings = {
  dir: string
  etcdPort: number
  network: Network
  passwords: Passwords
  parameters: Record<string, string>
}

/** Its configuration; JSON is YAML. */
export function configOf(node: Node, { dir, etcdPort, network, passwords, parameters }: Settings) {
  const rest = `${node.address}:${node.restPort}`
  const postgres = `${node.address}:${node.postgresPort}`
  return JSON.stringify({
    scope: 'rounds',
    namespace: '/rounds/',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: [`${network.here}:${etcdPort}`] },
    bootstrap: {
      dcs: {
        // A lost primary is replaced after at most `ttl` and a loop; a node that cannot reach etcd keeps its role as long as
        // all others agree (failsafe_mode); one whose PostgreSQL crashed hands over at once.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        failsafe_mode: true,
        primary_start_timeout: 0,
        primary_stop_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: 'quorum',
        synchronous_mode_strict: true,
        synchronous_node_count: 1,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { ...PARAMETERS, ...parameters } },
      },
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C.UTF-8' },
        { 'auth-host': 'scram-sha-256' },
        { 'auth-local': 'peer' },
        'data-checksums',
      ],
    },
    postgresql: {
      listen: postgres,
      connect_address: postgres,
      data_dir: node.dataDir,
      bin_dir: PG_BIN,
      pgpass: `${dir}/${node.name}.pgpass`,
      // Below `bootstrap` these would only be appended to the lines of initdb.
      pg_hba: [
        'local all all peer',
        `host replication replicator ${network.peers} scram-sha-256`,
        `host all all ${network.peers} scram-sha-256`,
      ],
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
        rewind: { username: 'rewinder', password: passwords.rewind },
      },
      parameters: { unix_socket_directories: dir },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    // In production: required.
    watchdog: { mode: 'off' },
  })
}

const PARAMETERS = {
  max_connections: 200,
  shared_buffers: '64MB',
  synchronous_commit: 'on',
  wal_keep_size: '128MB',
  max_wal_size: '256MB',
  wal_log_hints: 'on',
  wal_receiver_timeout: '10s',
  wal_sender_timeout: '10s',
  // The usual 5 s would be added to every failover.
  wal_retrieve_retry_interval: '500ms',
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 11_000,
  client_connection_check_interval: '5s',
}

export type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

/** All members as one of the nodes sees them; none where no node answers. */
export async function membersAsSeenBy(nodes: Node[]): Promise<Member[]> {
  for (const node of nodes) {
    const answer = await askNode(node, 'cluster')
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
  }
  return []
}

/** The node that holds the leader's lock and takes writes. */
export async function findPrimary(nodes: Node[]): Promise<Node | undefined> {
  for (const node of nodes) {
    const answer = await askNode(node, 'primary')
    if (answer?.ok) return node
  }
  return undefined
}

export function askNode(
  { address, restPort }: Node,
  path: string,
  { body }: { body?: object } = {},
): Promise<Response | undefined> {
  return fetch(`http://${address}:${restPort}/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(body ? 30_000 : 1_500),
  }).catch(() => undefined)
}
