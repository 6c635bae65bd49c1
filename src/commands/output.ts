// Where a command writes what it exports: a new file, which only its maker may read, or standard output. A file that is there
// already is left alone, and one that stays incomplete is removed.
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { codeOf } from '../error-code.ts'
import { CommandError } from '../refusal.ts'

export type Write = (text: string) => Promise<void>

/** Returns what `work` does, once everything that it wrote is in the file of `path`, or handed to `output` where there is none. */
export async function writeOutput<Result>(
  path: string | undefined,
  output: Writable,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  const file = path === undefined ? undefined : await createFile(path)
  // A reader that disconnects, or a full disk, shows in the next write.
  const target = (file ?? output).on('error', () => {})
  try {
    const result = await work((text) => writeTo(target, text))
    if (file) await finished(file.end())
    return result
  } catch (error) {
    if (path !== undefined) await rm(path, { force: true })
    throw error
  }
}

async function createFile(path: string): Promise<Writable> {
  const handle = await open(path, 'wx', 0o600).catch((cause: Error) => {
    const reason = codeOf(cause) === 'EEXIST' ? ': it must not be there yet' : ` (${codeOf(cause)})`
    throw new CommandError(`The file ${path} cannot be made${reason}.`, { cause })
  })
  return handle.createWriteStream()
}

async function writeTo(target: Writable, text: string) {
  if (target.errored) throw notWritten(target.errored)
  if (!target.write(text)) await once(target, 'drain').catch((cause) => Promise.reject(notWritten(cause)))
}

// The pipe was closed, or the disk is full: no fault of the database, for which its code might be taken.
function notWritten(cause: Error): CommandError {
  return new CommandError(`The export is incomplete: it could not be written (${codeOf(cause)}).`, { cause })
}
