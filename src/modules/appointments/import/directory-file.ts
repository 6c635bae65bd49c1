// A directory file as a stream of records, whatever its format: JSON, or CSV where the name ends in .csv. A file of any
// length passes through a bounded piece of memory.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { readCsvRecords } from './csv-records.ts'
import { readJsonRecords } from './json-records.ts'
import { DirectoryError } from './mistakes.ts'
import type { FileRecord, List } from './record.ts'

export type DirectoryFile = {
  /** The records in the file's order, some at a time. */
  records: AsyncIterable<FileRecord[]>
  /** How a person finds a row, or a field of it, in the file. */
  nameOf: (list: List, row: number, pointer?: string) => string
}

const CHUNK_BYTES = 64 * 1_024

export async function openDirectoryFile(
  path: string,
  onRead: (bytes: number, ofBytes: number) => void,
): Promise<DirectoryFile> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })
  const chunks = readChunks(path, (bytes) => onRead(bytes, size))
  return /\.csv$/i.test(path)
    ? {
        records: readCsvRecords(chunks),
        nameOf: (_list, row, pointer = '') => `line ${row}${pointer && `: ${fieldOf(pointer).slice(1)}`}`,
      }
    : {
        records: readJsonRecords(chunks),
        nameOf: (list, row, pointer = '') => `${list}[${row}]${fieldOf(pointer)}`,
      }
}

async function* readChunks(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      yield chunk
      bytes += chunk.length
      onRead(bytes)
    }
  } catch (cause) {
    throw cannotRead(path, cause)
  }
}

function cannotRead(path: string, cause: unknown): DirectoryError {
  return new DirectoryError(`The file ${path} cannot be read.`, { cause })
}

/** `/specialities/0` as `.specialities[0]`. */
function fieldOf(pointer: string): string {
  const [, ...steps] = pointer.split('/')
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
}
