// How `rounds token` finds the issuer of a running `rounds dev`: a note with its address and secret, in a temporary
// directory that only this user can look into. It is deleted when `rounds dev` ends; the next one deletes what a killed one left.
import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../src/error-code.ts'
import { CommandError } from '../../src/refusal.ts'
import { makePrivateDirectory } from './private-directory.ts'
import type { TokenSource } from './request-token.ts'

const DIR_PREFIX = 'rounds-dev-'
const NOTE = 'issuer.json'

/** The note: the issuer, and the process and the port of the server that believes it. */
type Note = TokenSource & { pid: number; port: number }

/** Which one is meant has to be said: another exit code than where none is running. */
class SeveralRunning extends CommandError {
  override readonly exitCode = 2
}

/** Leaves the note, and returns how to take it away. */
export async function announceIssuer(issuer: TokenSource, port: number): Promise<() => Promise<void>> {
  await Promise.all((await readNotes()).filter(({ note }) => !isRunning(note)).map(({ dir }) => remove(dir)))
  const dir = await makePrivateDirectory(DIR_PREFIX)
  const { url, clientId, clientSecret } = issuer
  const note: Note = { url, clientId, clientSecret, pid: process.pid, port }
  // Renamed into place, so that no process reads half of it.
  await writeFile(join(dir, 'new'), JSON.stringify(note), { mode: 0o600 })
  await rename(join(dir, 'new'), join(dir, NOTE))
  return () => remove(dir)
}

/** The issuer of the `rounds dev` that serves at this port, or of the only one that runs. */
export async function findRunningIssuer(port: number | undefined): Promise<TokenSource> {
  const running = (await readNotes()).map(({ note }) => note).filter(isRunning)
  const found = port === undefined ? running : running.filter((note) => note.port === port)
  const [issuer] = found
  if (issuer === undefined) {
    const where = port === undefined ? '' : ` at port ${port}`
    throw new CommandError(`No "rounds dev" is running${where}. Start it first: npx rounds dev`)
  }
  if (found.length > 1) {
    const ports = found.map((note) => `--port ${note.port}`).toSorted()
    throw new SeveralRunning(`Several "rounds dev" are running. Choose one: ${ports.join(' or ')}.`)
  }
  return issuer
}

async function readNotes(): Promise<{ dir: string; note: Note }[]> {
  const all = await readdir(tmpdir()).catch(() => []) // a TMPDIR that cannot be read holds no note of ours
  const names = all.filter((name) => name.startsWith(DIR_PREFIX))
  const notes = await Promise.all(
    names.map(async (name) => {
      const dir = join(tmpdir(), name)
      return { dir, note: await readNote(dir) }
    }),
  )
  return notes.flatMap(({ dir, note }) => (note ? [{ dir, note }] : []))
}

/**
 * Nothing where it is no directory of this user's alone, was never finished, or is just being removed. TMPDIR may be shared:
 * a link is not followed, and whatever else another user puts there is ignored.
 */
async function readNote(dir: string): Promise<Note | undefined> {
  try {
    const stats = await lstat(dir)
    const isOurs = stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
    if (!stats.isDirectory() || !isOurs) return undefined
    return JSON.parse(await readFile(join(dir, NOTE), 'utf8')) as Note
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) !== '') return undefined
    throw error
  }
}

function isRunning({ pid }: Note): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // there is no such process
  }
}

async function remove(dir: string) {
  await rm(dir, { recursive: true, force: true })
}
