// The file of --output: a new one, which only its maker may read. One that is there already is left alone.
import { open } from 'node:fs/promises'
import { codeOf } from '../error-code.ts'
import { CommandError } from '../refusal.ts'

export async function createFile(path: string) {
  const handle = await open(path, 'wx', 0o600).catch((cause: Error) => {
    const reason = codeOf(cause) === 'EEXIST' ? ': it must not be there yet' : ` (${codeOf(cause)})`
    throw new CommandError(`The file ${path} cannot be made${reason}.`, { cause })
  })
  return handle.createWriteStream()
}
