// The map by which HAProxy finds the cell of a slot (deploy/haproxy/cells.cfg): a line for each slot, with the name of its backend.
// The file is what HAProxy reads when it starts; a running one is given all lines at once, by its socket. Two moves between four cells
// may change it at the same time, so one of them does so at a time, for the file and all routers: each begins with what the other wrote.
import { open, readFile, rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../../../refusal.ts'
import { SLOT_COUNT } from '../slot.ts'
import type { SlotRange } from '../slot-range.ts'
import { withFileLock } from './file-lock.ts'

/** HAProxy takes as much in one command as fits its smallest buffer. */
const LINES_OF_COMMAND = 200
/** Requests that were led by the old map still come to the old cell: meanwhile it answers them by 503, and by 421 later. */
const SETTLE_MS = 1_000

export type RouterMap = {
  /** The path of the map, here and in HAProxy's configuration. */
  path: string
  /** The backend of the new cell. */
  backend: string
  /** Sockets of running HAProxys, as paths or as host:port. */
  sockets: string[]
}

/**
 * Before a move: whether there is a map, and every running HAProxy can be given it and has the backend. Found out later, neither cell
 * would serve the slots meanwhile.
 */
export async function checkRouters({ path, backend, sockets }: RouterMap) {
  await readMap(path)
  for (const socket of sockets) {
    if (!(await command(socket, `get map ${path} 0`)).includes('found='))
      throw new CommandError(`HAProxy at ${socket} has no map ${path}: give the path of its configuration.`)
    if (!(await command(socket, `show servers state ${backend}`)).includes(` ${backend} `))
      throw new CommandError(`HAProxy at ${socket} has no backend "${backend}", or one without servers.`)
  }
}

/** Gives the map to all HAProxys, also where one of them fails; returns what failed. */
export async function changeRouterMap(map: RouterMap, range: SlotRange): Promise<string[]> {
  const failures = await withFileLock(map.path, () => writeAndGive(map, range))
  if (map.sockets.length > 0) await pause(SETTLE_MS)
  return failures
}

async function writeAndGive(
  { path, backend, sockets }: RouterMap,
  { first, last }: SlotRange,
): Promise<string[]> {
  const backends = await readMap(path)
  for (let slot = first; slot <= last; slot++) backends[slot] = backend
  const lines = backends.map((name, slot) => `${slot} ${name}`)
  await replaceFile(path, `${lines.join('\n')}\n`)
  const failures: string[] = []
  for (const socket of sockets)
    await updateRouter(socket, path, lines).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      failures.push(error.message)
    })
  return failures
}

/** Every slot must have a cell: HAProxy would have nowhere to send its patients. */
export async function readMap(path: string): Promise<string[]> {
  const backends: string[] = []
  const lines = (await readFile(path, 'utf8')).split('\n')
  for (const line of lines) {
    const [, slot, backend = ''] = /^(\d{1,4})\s+(\S+)\s*$/.exec(line) ?? []
    if (slot !== undefined && Number(slot) < SLOT_COUNT) backends[Number(slot)] = backend
    else if (!/^\s*(#.*)?$/.test(line))
      throw new CommandError(`${path} must have lines such as "0 cell_a", one for each slot.`)
  }
  for (let slot = 0; slot < SLOT_COUNT; slot++)
    if (backends[slot] === undefined) throw new CommandError(`${path} has no line for slot ${slot}.`)
  return backends
}

/** A crash leaves the old file or the new one, and nothing between. */
async function replaceFile(path: string, content: string) {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w')
  await file.writeFile(content)
  await file.sync()
  await file.close()
  await rename(temporary, path)
}

async function updateRouter(socket: string, path: string, lines: string[]) {
  const prepared = await command(socket, `prepare map ${path}`)
  const [, version] = /New version created: (\d+)/.exec(prepared) ?? []
  if (version === undefined) throw refused(socket, prepared)
  for (let at = 0; at < lines.length; at += LINES_OF_COMMAND) {
    const some = lines.slice(at, at + LINES_OF_COMMAND).join('\n')
    await mustBeSilent(socket, `add map @${version} ${path} <<\n${some}\n`)
  }
  await mustBeSilent(socket, `commit map @${version} ${path}`)
}

async function mustBeSilent(socket: string, sent: string) {
  const answer = await command(socket, sent)
  if (answer.trim() !== '') throw refused(socket, answer)
}

function refused(socket: string, answer: string): CommandError {
  return new CommandError(`HAProxy at ${socket} did not take the map: ${answer.trim() || 'no answer'}.`)
}

async function command(socket: string, sent: string): Promise<string> {
  const [, host, port] = /^([^/]+):(\d+)$/.exec(socket) ?? []
  const connection = host ? connect(Number(port), host) : connect(socket)
  connection.setTimeout(5_000, () => connection.destroy(new Error('it did not answer within 5 s')))
  connection.write(`${sent}\n`)
  try {
    return await text(connection)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`HAProxy at ${socket} cannot be reached: ${reason}.`, { cause })
  }
}
