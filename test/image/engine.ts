// A Docker engine for the tests of the image: the machine's own where it has one, or one from .tools that runs in namespaces of
// its own. Its processes, mounts and, when it runs containers, its network exist nowhere else, so the machine's forwarding
// and firewall rules are untouched, and all of it ends when the process that started it ends, however that happens.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { programOf } from '../support/needs.ts'

const ROOT = join(import.meta.dirname, '../..')
const UNPACKED = join(process.env['TOOLS_DIR'] ?? join(ROOT, '.tools'), 'docker/usr')

/** What a command needs in its environment to reach the engine. */
export type EngineEnvironment = Record<string, string>

/** Whether `docker` here reaches an engine. */
export function hasDocker(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0
}

export type OwnEngine = Awaited<ReturnType<typeof prepareEngine>>

/** The engine from .tools: its directories and how to start it, over and over, on the same data. */
export function prepareEngine() {
  if (!existsSync(UNPACKED)) throw new Error('Docker is not here: run scripts/get-docker.sh first.')
  if (process.getuid?.() !== 0) throw new Error('Only root can start an engine.')
  const dir = mkdtempSync(join(tmpdir(), 'rounds-docker-'))
  const cgroup = `rounds-docker-${process.pid}`
  mkdirSync(join(dir, 'config/cli-plugins'), { recursive: true })
  for (const plugin of ['docker-buildx', 'docker-compose'])
    symlinkSync(join(UNPACKED, 'libexec/docker/cli-plugins', plugin), join(dir, 'config/cli-plugins', plugin))
  writeFileSync(join(dir, 'daemon.json'), '{}')
  const environment: EngineEnvironment = {
    PATH: [join(UNPACKED, 'bin'), join(UNPACKED, 'sbin'), process.env['PATH'], '/usr/sbin', '/sbin'].join(
      delimiter,
    ),
    DOCKER_HOST: `unix://${join(dir, 'docker.sock')}`,
    DOCKER_CONFIG: join(dir, 'config'),
  }
  const options = [
    ['--config-file', join(dir, 'daemon.json')],
    ['--data-root', join(dir, 'data')],
    ['--exec-root', join(dir, 'run')],
    ['--pidfile', join(dir, 'docker.pid')],
    ['--host', environment['DOCKER_HOST'] ?? ''],
    ['--cgroup-parent', `/${cgroup}`],
  ].flat()

  let running: ChildProcess | undefined

  /** `machine`: builds reach what the machine reaches. `own`: containers, whose ports are published in that network only. */
  async function start(network: 'machine' | 'own') {
    const log = join(dir, `${network}.log`)
    const namespaces = [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      ...(network === 'own' ? ['--net'] : []),
    ]
    const unconnected = ['--bridge=none', '--iptables=false', '--ip6tables=false', '--ip-forward=false']
    const dockerd = ['dockerd', ...options, ...(network === 'own' ? [] : unconnected)]
    const child = spawn(
      programOf('unshare'),
      [...namespaces, 'sh', '-c', UNTIL_STDIN_ENDS, log, network, ...dockerd],
      {
        env: { ...process.env, ...environment },
        stdio: ['pipe', 'inherit', 'inherit'],
      },
    )
    running = child
    await untilItAnswers(child, environment, log)
    return { pid: firstChildOf(child.pid ?? 0), stop: () => stop(child) }
  }

  /** Also where it was not stopped, because the run was broken off. */
  function remove() {
    running?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    removeCgroups(cgroup)
  }
  return { environment, start, remove }
}

// Its first process, whose end is the end of them all: the pipe to its standard input is closed when the test's process ends.
const UNTIL_STDIN_ENDS = `
if [ "$1" = own ]; then ip link set lo up; fi
shift
"$@" >"$0" 2>&1 &
daemon=$!
cat >/dev/null
kill "$daemon"
wait "$daemon"
`

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.stdin?.end()
  await ended
}

async function untilItAnswers(child: ChildProcess, environment: EngineEnvironment, log: string) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && child.exitCode === null; ) {
    if (
      spawnSync('docker', ['info'], { env: { ...process.env, ...environment }, stdio: 'ignore' }).status === 0
    )
      return
    await pause(200)
  }
  const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
  await stop(child)
  throw new Error(`The engine does not start:\n${said}`)
}

function firstChildOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

/** Containers leave empty groups behind when their engine is killed. */
function removeCgroups(name: string) {
  const tops = globSync([`/sys/fs/cgroup/${name}`, `/sys/fs/cgroup/*/${name}`])
  const all = tops.flatMap((top) =>
    execFileSync('find', [top, '-depth', '-type', 'd'], { encoding: 'utf8' }).trim().split('\n'),
  )
  for (const group of all) rmdirSync(group)
}

/** Begins a command line that runs in the network of a process. */
export const inNetworkOf = (pid: number) => [programOf('nsenter'), `--net=/proc/${pid}/ns/net`]
