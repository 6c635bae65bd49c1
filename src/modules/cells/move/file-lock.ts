// A lock that processes share through a file system: a file beside the locked one, made by whoever holds the lock and removed in
// the end. The holder touches it while it works. A holder that was killed cannot remove it, so another process takes the lock
// over when its holder is no process of this machine any more, or has not touched it for `STALE_MS`.
import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../../error-code.ts'
import { CommandError } from '../../../refusal.ts'

const TOUCH_EVERY_MS = 2_000
const STALE_MS = 30_000
const LOOK_EVERY_MS = 50
const WAIT_MS = 120_000

/** Runs `work` while no other process does so for the same path. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  const own = `${hostname()} ${process.pid} ${randomUUID()}`
  await take(lock, own)
  const touching = setInterval(() => void touch(lock), TOUCH_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(touching)
    // Unless another process has taken it over, because this one was suspended.
    if ((await contentOf(lock)) === own) await rm(lock, { force: true })
  }
}

async function take(lock: string, own: string) {
  for (const giveUpAt = Date.now() + WAIT_MS; Date.now() < giveUpAt; await pause(LOOK_EVERY_MS)) {
    if (await create(lock, own)) return
    const holder = await contentOf(lock)
    if (holder !== undefined && (await isStale(lock, holder))) await remove(lock, holder)
  }
  throw new CommandError(`Another command holds ${lock}. Try again when it has ended.`)
}

/** The content is there when the file is: a link is made of a file that was written before. */
async function create(lock: string, own: string): Promise<boolean> {
  const written = `${lock}.${randomUUID()}`
  const file = await open(written, 'wx')
  await file.writeFile(own)
  await file.close()
  try {
    await link(written, lock)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  } finally {
    await rm(written, { force: true })
  }
}

async function isStale(lock: string, holder: string): Promise<boolean> {
  const [host, pid] = holder.split(' ')
  if (host === hostname() && !isRunning(Number(pid))) return true
  const touchedAt = await stat(lock).then(({ mtimeMs }) => mtimeMs, unlessMissing)
  return touchedAt !== undefined && Date.now() - touchedAt > STALE_MS
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Removes the lock of this holder, and puts back one that another process made meanwhile. */
async function remove(lock: string, holder: string) {
  const removed = `${lock}.${randomUUID()}`
  await rename(lock, removed).catch(unlessMissing)
  const content = await contentOf(removed)
  if (content !== undefined && content !== holder) await link(removed, lock).catch(() => {})
  await rm(removed, { force: true })
}

async function touch(lock: string) {
  const now = new Date()
  await utimes(lock, now, now).catch(unlessMissing)
}

const contentOf = (path: string) => readFile(path, 'utf8').catch(unlessMissing)

function unlessMissing(error: Error): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
