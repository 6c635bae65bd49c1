// Three PostgreSQL nodes under Patroni, etcd, and HAProxy in front of the primary: what a production database that fails
// over looks like, on one machine. A commit is acknowledged when it is on two of the three (strict quorum).
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../support/free-port.ts'
import { apart, loopback, type Network } from './network.ts'
import { askNode, configOf, findPrimary, membersAsSeenBy, type Node, type Passwords } from './patroni.ts'
import {
  end,
  isRunning,
  type Program,
  postmasterOf,
  run,
  signalAll,
  start,
  treeOf,
  untilHealed,
} from './processes.ts'

const NODES = [1, 2, 3]
// Debian's, since its package of psycopg2 is for no other Python that may be on the PATH.
const PYTHON = process.env['PYTHON3'] ?? '/usr/bin/python3'
const SMALL_DISK = '640m'

export type Kind = {
  /** Each node in a network namespace of its own. */
  isApart?: boolean
  /** Each node on a disk that can be filled up. */
  hasSmallDisks?: boolean
  /** Settings of PostgreSQL besides those of all clusters. */
  parameters?: Record<string, string>
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

export async function startCluster({ isApart = false, hasSmallDisks = false, parameters = {} }: Kind = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-faults-'))
  const network = isApart ? await apart(NODES) : loopback
  await copyPatroni(dir)
  const nodes = await Promise.all(NODES.map((number) => nodeAt(dir, number, network)))
  for (const { disk } of nodes) {
    await mkdir(disk)
    if (hasSmallDisks) await run('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', disk])
  }
  const passwords: Passwords = { superuser: secret(), replication: secret(), rewind: secret() }
  const [etcdPort, etcdPeerPort] = [await findFreePort(), await findFreePort()]
  const settings = { dir, etcdPort, network, passwords, parameters }
  for (const node of nodes) await writeFile(join(dir, `${node.name}.json`), configOf(node, settings))
  // Below /dev/shm: a disk that others keep busy must not make etcd look dead.
  const etcdDir = await mkdtemp('/dev/shm/rounds-etcd-')
  await run('chown', ['-R', 'postgres:postgres', dir, etcdDir])

  const patronis = new Map<number, Program>()
  let etcd: Program | undefined

  function startEtcd() {
    const [client, peer] = [`http://${network.here}:${etcdPort}`, `http://127.0.0.1:${etcdPeerPort}`]
    const options = {
      'data-dir': etcdDir,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    }
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    etcd = start('etcd', ['etcd', ...args], { dir, asPostgres: true })
  }
  function startPatroni({ number, name }: Node) {
    const command = [PYTHON, join(dir, 'patroni/usr/bin/patroni'), join(dir, `${name}.json`)]
    const environment = { PYTHONPATH: join(dir, 'patroni/usr/lib/python3/dist-packages') }
    patronis.set(
      number,
      start(name, command, { dir, environment, asPostgres: true, inside: network.inside(number) }),
    )
  }
  const primary = async () => {
    const found = await findPrimary(nodes)
    if (!found) throw new Error('There is no primary.')
    return found
  }
  const others = (node: Node) => nodes.filter((other) => other !== node)
  const postgresTree = async ({ dataDir }: Node) => {
    const postmaster = await postmasterOf(dataDir)
    return postmaster === undefined ? [] : treeOf(postmaster)
  }
  const patroniOf = ({ number }: Node) => patronis.get(number)
  const nodeTree = async (node: Node) => {
    const patroni = patroniOf(node)
    const tree = patroni && isRunning(patroni) ? await treeOf(patroni.pid) : []
    return [...new Set([...tree, ...(await postgresTree(node))])]
  }
  /** One leader, and both others follow it and are counted on. */
  const isWhole = async () => {
    const members = await membersAsSeenBy(nodes)
    const leaders = members.filter(({ role, state }) => role === 'leader' && state === 'running')
    const standbys = members.filter(({ role, state }) => role === 'quorum_standby' && state === 'streaming')
    return leaders.length === 1 && standbys.length === nodes.length - 1
  }

  async function stop() {
    await Promise.all([...patronis.values()].map((patroni) => end(patroni)))
    for (const node of nodes) signalAll(await nodeTree(node), 'SIGKILL')
    await end(etcd)
    await network.remove()
    for (const { disk } of nodes) if (hasSmallDisks) await run('umount', ['-l', disk])
    await rm(etcdDir, { recursive: true, force: true, maxRetries: 10 })
  }

  const cluster = {
    dir,
    nodes,
    network,
    passwords,
    primary,
    others,
    postgresTree,
    nodeTree,
    startPatroni,
    startEtcd,
    stopEtcd: () => end(etcd, 'SIGKILL'),
    killNode: async (node: Node) => signalAll(await nodeTree(node), 'SIGKILL'),
    isWhole,
    switchOver: (from: Node) => askNode(from, 'switchover', { body: { leader: from.name } }),
    stop,
  }
  try {
    startEtcd()
    const [first, ...rest] = nodes as [Node, ...Node[]]
    startPatroni(first)
    await untilHealed(async () => (await findPrimary([first])) !== undefined)
    for (const node of rest) startPatroni(node)
    await untilHealed(isWhole)
    return cluster
  } catch (error) {
    await stop()
    throw error
  }
}

async function nodeAt(dir: string, number: number, network: Network): Promise<Node> {
  const disk = join(dir, `disk${number}`)
  return {
    number,
    name: `n${number}`,
    address: network.addressOf(number),
    postgresPort: await findFreePort(),
    restPort: await findFreePort(),
    disk,
    dataDir: join(disk, 'data'),
  }
}

// The clone may stand where the user `postgres` cannot look.
async function copyPatroni(dir: string) {
  const tools = process.env['TOOLS_DIR'] ?? join(import.meta.dirname, '../../.tools')
  const from = join(tools, 'patroni-4')
  if (!existsSync(from)) throw new Error('Patroni is not here: run scripts/get-patroni.sh first.')
  await cp(from, join(dir, 'patroni'), { recursive: true })
}

export function secret(): string {
  return randomBytes(24).toString('hex')
}
