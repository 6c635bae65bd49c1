// A temporary directory that only its maker can enter. `mkdtemp` makes it with mode 0700 and follows no link; its random
// name cannot have been taken by another user.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../../src/config/config.ts'
import { codeOf } from '../../src/error-code.ts'

export async function makePrivateDirectory(prefix: string): Promise<string> {
  return mkdtemp(join(tmpdir(), prefix)).catch((cause: Error) => {
    const reason = `A directory cannot be made in ${tmpdir()} (${codeOf(cause)}).`
    throw new ConfigError(`${reason} Name another place in TMPDIR.`, { cause })
  })
}
