// Where the nodes of the cluster are: all on loopback, or each behind a cable of its own that can be pulled.
import { run } from './processes.ts'

export type Network = {
  /** Where this process is to the nodes. */
  here: string
  addressOf: (node: number) => string
  /** The addresses that may ask for a connection to PostgreSQL. */
  peers: string
  /** What a command must begin with to run at that node. */
  inside: (node: number) => string[]
  cut: (node: number) => Promise<void>
  mend: (node: number) => Promise<void>
  remove: () => Promise<void>
}

const nothing = async () => {}
const onlyApart = async () => {
  throw new Error('On loopback there is no cable to pull.')
}

export const loopback: Network = {
  here: '127.0.0.1',
  addressOf: () => '127.0.0.1',
  peers: '127.0.0.1/32',
  inside: () => [],
  cut: onlyApart,
  mend: onlyApart,
  remove: nothing,
}

/** A network namespace for each node and a bridge between them. The runner, etcd and the proxy stand at the bridge. */
export async function apart(nodes: number[]): Promise<Network> {
  const { bridge, subnet } = await makeBridge()
  const name = (node: number) => `${bridge}n${node}`
  for (const node of nodes) {
    await run('ip', ['netns', 'add', name(node)])
    await ip('link', 'add', name(node), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name(node))
    await ip('link', 'set', name(node), 'master', bridge, 'up')
    await ip('-n', name(node), 'addr', 'add', `${subnet}.1${node}/24`, 'dev', 'eth0')
    await ip('-n', name(node), 'link', 'set', 'eth0', 'up')
    await ip('-n', name(node), 'link', 'set', 'lo', 'up')
  }
  return {
    here: `${subnet}.1`,
    addressOf: (node) => `${subnet}.1${node}`,
    peers: `${subnet}.0/24`,
    inside: (node) => ['ip', 'netns', 'exec', name(node)],
    cut: (node) => ip('link', 'set', name(node), 'down'),
    mend: (node) => ip('link', 'set', name(node), 'up'),
    async remove() {
      for (const node of nodes) await ip('netns', 'del', name(node))
      await ip('link', 'del', bridge)
    },
  }
}

/** A bridge whose name and network nobody else has taken, so that two runs at a time do not meet. */
async function makeBridge() {
  for (let number = 1; number < 250; number++) {
    const bridge = `rf${number}`
    const subnet = `10.77.${number}`
    const isTaken = await ip('link', 'add', bridge, 'type', 'bridge').then(
      () => false,
      () => true,
    )
    if (isTaken) continue
    await ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    return { bridge, subnet }
  }
  throw new Error('No bridge could be made: this needs root, and "ip" of the package iproute2.')
}

async function ip(...args: string[]) {
  await run('ip', args)
}
