// The files of the built console (clients/console), read once at the start. A request is answered from this list alone, so no
// address can lead to another file.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { ConfigError } from '../../config/config.ts'
import { codeOf } from '../../error-code.ts'

/** Where `npm run build:console` puts them, in a clone and in the image. */
const DIRECTORY = join(import.meta.dirname, '../../../dist/console')
/** Ten times what the console has: beyond that something else lies there. */
const MAX_FILES = 500
const MAX_BYTES = 32 * 1_024 * 1_024

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
}

/** By path below /console/, such as `assets/main-1a2b3c.js`. */
export type ConsoleFiles = Map<string, { type: string; body: Buffer }>

export async function readConsoleFiles(directory = DIRECTORY): Promise<ConsoleFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(notBuilt)
  const files: ConsoleFiles = new Map()
  let bytes = 0
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const body = await readFile(path)
    bytes += body.length
    if (files.size === MAX_FILES || bytes > MAX_BYTES)
      throw new ConfigError(`${directory} holds more than a console: run "npm run build:console".`)
    files.set(path.slice(directory.length + 1).replaceAll(sep, '/'), { type, body })
  }
  return files.has('index.html') ? files : notBuilt()
}

function notBuilt(cause?: Error): never {
  if (cause !== undefined && codeOf(cause) !== 'ENOENT') throw cause
  throw new ConfigError(
    'CONSOLE_CLIENT_ID is set, but the console is not built: run "npm run build:console", or leave out CONSOLE_CLIENT_ID.',
    { cause },
  )
}
