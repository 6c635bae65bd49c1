// A large export of Apple Health in a file, and what it costs to import it. The XML is never on disk: only its zip is.
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { largeExport } from './apple-export.ts'
import { zipOf } from './zip-file.ts'

export type ImportCost = {
  types: { readingType: string; count: number }[]
  stored: number
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

export async function costOfImport(path: string): Promise<ImportCost> {
  const child = join(import.meta.dirname, 'import-child.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [child, path])
  return JSON.parse(stdout) as ImportCost
}
