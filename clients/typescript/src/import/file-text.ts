// The bytes of a file, and its text. Pieces are small, whatever the stream gives, so that what is held at a time is bounded.

import type { ImportFile } from './import-contract.ts'
import { damaged } from './import-error.ts'

const PIECE_BYTES = 65_536

type Bytes = Uint8Array<ArrayBuffer>

/** The stream is cancelled when the reader stops early. */
export async function* bytesOf(
  file: ImportFile,
  signal: AbortSignal | undefined,
): AsyncGenerator<Bytes, void, undefined> {
  const reader = file.stream().getReader()
  let read = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) break
      read += value.length
      for (let at = 0; at < value.length; at += PIECE_BYTES) {
        // A piece may stand in memory that is shared between threads; what decodes it does not take that.
        yield value.subarray(at, at + PIECE_BYTES) as Bytes
      }
    }
  } finally {
    // What the caller throws matters more than how the stream ends.
    await reader.cancel().catch(() => {})
  }
  if (read < file.size) throw damaged('The file could not be read to its end. Copy it again and retry.')
}

/** UTF-8, or UTF-16 by its mark or by the zeros that it has in English text. */
function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  if (first === 0 && second !== 0) return 'utf-16be'
  return 'utf-8'
}

/** Text without the byte order mark. Bytes that are no such text end it with a sentence. */
export async function* textOf(bytes: AsyncIterable<Bytes>): AsyncGenerator<string, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const decode = (...given: [piece?: Bytes, options?: { stream: boolean }]) => {
    try {
      return decoder?.decode(...given) ?? ''
    } catch (cause) {
      throw damaged(
        'The file is not UTF-8 text. Export it again, or open it in a text editor and save it as UTF-8.',
        cause,
      )
    }
  }
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true })
    const text = decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}

/** The beginning of a text. */
export async function headOf(pieces: AsyncIterable<string>, characters: number): Promise<string> {
  let head = ''
  for await (const piece of pieces) {
    head += piece
    if (head.length >= characters) break
  }
  return head.slice(0, characters)
}
