// A large export of Apple Health in a file, and what it costs to import it. The XML is never on disk: only its zip is.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { runCommand } from '../../../test/support/process.ts'
import { largeExport } from './apple-export.ts'
import { zipOf } from './zip-file.ts'

export type ImportCost = {
  output: string
  readings: number
  batches: [size: number, count: number][]
  /** Of the preview, and of the import. */
  seconds: [number, number]
  maxRssMiB: number
}

/** The work with a zip of so many bytes of XML, then the zip is deleted. */
export async function withLargeExport<T>(
  xmlBytes: number,
  work: (path: string, readings: number) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'rounds-import-'))
  try {
    const path = join(directory, 'export.zip')
    let readings = 0
    function* content() {
      readings = (yield* largeExport(xmlBytes)).readings
    }
    await pipeline(
      zipOf([{ name: 'apple_health_export/export.xml', content: content() }]),
      createWriteStream(path),
    )
    return await work(path, readings)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** What `rounds import` takes, with a service that only counts: so the memory is that of the command alone. */
export async function costOfImport(path: string): Promise<ImportCost> {
  const sizes = new Map<number, number>()
  let firstAt: number | undefined
  async function answer(request: IncomingMessage, response: ServerResponse) {
    // It asks for the time first.
    if (request.method === 'HEAD') return response.end()
    firstAt ??= performance.now()
    const { length } = (await json(request)) as unknown[]
    sizes.set(length, (sizes.get(length) ?? 0) + 1)
    const readingId = '3d1f6c2e-8b0a-8f4e-9c57-2a1b0c9d8e7f'
    const data = Array.from({ length }, () => ({ verdict: 'stored', readingId }))
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ code: 'Ok', message: '', data }))
  }
  const service = createServer((request, response) => void answer(request, response))
  await once(service.listen(0, '127.0.0.1'), 'listening')
  const { port } = service.address() as AddressInfo
  const args = ['import', path, '--patient', 'invented-1', '--yes', '--url', `http://127.0.0.1:${port}`]
  const begun = performance.now()
  const command = runCommand(args, { ROUNDS_TOKEN: 'invented' })
  let maxRssMiB = 0
  const watch = setInterval(() => {
    maxRssMiB = Math.max(maxRssMiB, command.memoryMiB('VmHWM'))
  }, 50)
  const { output } = await command.ended
  const ended = performance.now()
  clearInterval(watch)
  service.close()
  const inSeconds = (ms: number) => Math.round(ms / 1_000)
  const batches = [...sizes]
  const readings = batches.reduce((sum, [size, count]) => sum + size * count, 0)
  return {
    output,
    readings,
    batches,
    seconds: [inSeconds((firstAt ?? ended) - begun), inSeconds(ended - (firstAt ?? ended))],
    maxRssMiB: Math.round(maxRssMiB),
  }
}
