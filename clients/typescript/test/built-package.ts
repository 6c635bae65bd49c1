// The package, built into the node_modules of an app of its own, and a web server whose empty page can import it.
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { closeServer, listen } from '../../../test/support/harness.ts'

const PACKAGE = join(import.meta.dirname, '..')
const TSC = join(PACKAGE, '../../node_modules/.bin/tsc')
// The icon is given, or a browser would ask for one.
const EMPTY_PAGE = '<!doctype html><link rel="icon" href="data:,">'

export async function buildPackage() {
  const app = await mkdtemp(join(tmpdir(), 'rounds-app-'))
  const installed = join(app, 'node_modules/@rounds/client')
  await promisify(execFile)(TSC, ['-p', PACKAGE, '--outDir', join(installed, 'dist')])
  await copyFile(join(PACKAGE, 'package.json'), join(installed, 'package.json'))
  const pages = createServer(({ url = '' }, response) => {
    if (url === '/') return response.setHeader('content-type', 'text/html').end(EMPTY_PAGE)
    response.setHeader('content-type', 'text/javascript')
    return createReadStream(join(installed, 'dist', basename(url))).pipe(response)
  })
  const origin = await listen(pages)
  after(async () => {
    await closeServer(pages)
    await rm(app, { recursive: true })
  })
  return { app, installed, origin }
}
