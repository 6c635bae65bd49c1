// The files in a zip, one of them read as a stream. Where they are, and how long, stands at the end of a zip, in its directory; so it is
// read twice: once for the directory, once for the file. What stands before a file's bytes may not say how long they are. Zips beyond
// 4 GiB (zip64) are read too. The platform inflates (DecompressionStream), in memory that does not depend on the file.
import { crc32 } from './crc32.ts'
import type { Input } from './import-contract.ts'
import { damaged, ImportError } from './import-error.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Pieces = AsyncGenerator<Bytes, void, undefined>

export type ZipEntry = {
  name: string
  offset: number
  compressedBytes: number
  bytes: number
  crc: number
  method: number
  isEncrypted: boolean
}

// A directory of tens of thousands of files.
const TAIL_BYTES = 8 * 1_048_576
const END_BYTES = 22
const END_64_LOCATOR_BYTES = 20
const LONGEST_COMMENT = 65_535
const ENTRY_BYTES = 46
const LOCAL_HEADER_BYTES = 30
const IN_64 = 0xffff_ffff
/** Twenty times what a phone has ever exported. */
const MAX_INFLATED_BYTES = 64 * 2 ** 30

const cutOff = (cause?: unknown) =>
  damaged('The zip is damaged, or was not copied whole. Export it again, and copy it again.', cause)

export const isZip = (head: Uint8Array) =>
  head[0] === 0x50 &&
  head[1] === 0x4b &&
  ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))

export async function readZipDirectory({ bytes, file }: Input): Promise<ZipEntry[]> {
  const tail = await tailOf(bytes(), Math.min(file.size, TAIL_BYTES))
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
  const { count, size, at } = endOf(view)
  const start = tail.length - (file.size - at)
  if (start < 0)
    throw damaged(
      'The zip holds more files than any export of Apple Health. Unzip it, and bring in export.xml.',
    )
  const entries: ZipEntry[] = []
  for (let from = start; entries.length < count; ) {
    if (
      from + ENTRY_BYTES > Math.min(start + size, tail.length) ||
      view.getUint32(from, true) !== 0x0201_4b50
    )
      throw cutOff()
    const { entry, next } = entryAt(tail, view, from)
    entries.push(entry)
    from = next
  }
  return entries
}

async function tailOf(pieces: Pieces, bytes: number): Promise<Bytes> {
  const kept: Bytes[] = []
  let held = 0
  for await (const piece of pieces) {
    kept.push(piece)
    held += piece.length
    for (let [first] = kept; first && held - first.length >= bytes; [first] = kept) {
      held -= first.length
      kept.shift()
    }
  }
  const all = new Uint8Array(held)
  let at = 0
  for (const piece of kept) {
    all.set(piece, at)
    at += piece.length
  }
  return all.subarray(Math.max(0, held - bytes))
}

/** How many files there are, and where their directory begins. */
function endOf(view: DataView): { count: number; size: number; at: number } {
  const last = view.byteLength - END_BYTES
  for (let from = last; from >= Math.max(0, last - LONGEST_COMMENT); from--) {
    if (view.getUint32(from, true) !== 0x0605_4b50) continue
    const end = {
      count: view.getUint16(from + 10, true),
      size: view.getUint32(from + 12, true),
      at: view.getUint32(from + 16, true),
    }
    const is64 = end.count === 0xffff || end.size === IN_64 || end.at === IN_64
    return is64 ? endOf64(view, from - END_64_LOCATOR_BYTES) : end
  }
  throw cutOff()
}

function endOf64(view: DataView, locator: number) {
  if (locator < 0 || view.getUint32(locator, true) !== 0x0706_4b50) throw cutOff()
  // It stands right before its locator, unless something was put between.
  const from = locator - 56
  if (from < 0 || view.getUint32(from, true) !== 0x0606_4b50) throw cutOff()
  return {
    count: numberAt(view, from + 32),
    size: numberAt(view, from + 40),
    at: numberAt(view, from + 48),
  }
}

const numberAt = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

function entryAt(tail: Bytes, view: DataView, from: number): { entry: ZipEntry; next: number } {
  const nameEnd = from + ENTRY_BYTES + view.getUint16(from + 28, true)
  const extraEnd = nameEnd + view.getUint16(from + 30, true)
  const next = extraEnd + view.getUint16(from + 32, true)
  if (next > tail.length) throw cutOff()
  const given = [24, 20, 42].map((at) => view.getUint32(from + at, true))
  const [bytes = 0, compressedBytes = 0, offset = 0] = given.includes(IN_64)
    ? in64(view, { from: nameEnd, to: extraEnd }, given)
    : given
  const entry = {
    name: new TextDecoder().decode(tail.subarray(from + ENTRY_BYTES, nameEnd)),
    offset,
    compressedBytes,
    bytes,
    crc: view.getUint32(from + 16, true),
    method: view.getUint16(from + 10, true),
    isEncrypted: (view.getUint16(from + 8, true) & 1) === 1,
  }
  return { entry, next }
}

/** Those numbers that 32 bits cannot hold stand in a field of their own, in this order. */
function in64(view: DataView, { from, to }: { from: number; to: number }, given: number[]): number[] {
  let at = from
  while (at + 4 <= to) {
    const [id, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    let field = at + 4
    if (id === 1) {
      return given.map((number) => {
        if (number !== IN_64) return number
        if (field + 8 > Math.min(at + 4 + size, to)) throw cutOff()
        field += 8
        return numberAt(view, field - 8)
      })
    }
    at += 4 + size
  }
  throw cutOff()
}

/** The content of a file; it fails at the end where that is not what the zip says it is. */
export async function* contentOf(input: Input, entry: ZipEntry): Pieces {
  if (entry.isEncrypted)
    throw damaged('The zip is protected by a password. Unzip it, and bring in the file that is in it.')
  if (entry.bytes > MAX_INFLATED_BYTES)
    throw damaged('The zip holds more than 64 GiB: this is no export of Apple Health.')
  const stored = slice(input.bytes(), entry)
  if (entry.method !== 0 && entry.method !== 8)
    throw damaged('The zip is compressed in an unusual way. Unzip it, and bring in the file that is in it.')
  let bytes = 0
  let crc = 0
  for await (const piece of entry.method === 0 ? stored : inflate(stored)) {
    bytes += piece.length
    if (bytes > entry.bytes) throw cutOff()
    crc = crc32(piece, crc)
    yield piece
  }
  if (bytes !== entry.bytes || crc !== entry.crc) throw cutOff()
}

/** The bytes of a file as they are stored: behind the header that repeats its name. */
async function* slice(pieces: Pieces, { offset, compressedBytes }: ZipEntry): Pieces {
  let header: Bytes = new Uint8Array(0)
  let at = 0
  let [from, to] = [Infinity, Infinity]
  for await (const piece of pieces) {
    if (header.length < LOCAL_HEADER_BYTES && at + piece.length > offset) {
      const missing = piece.subarray(
        Math.max(0, offset - at),
        Math.max(0, offset - at) + LOCAL_HEADER_BYTES - header.length,
      )
      header = joined(header, missing)
      if (header.length === LOCAL_HEADER_BYTES) {
        const view = new DataView(header.buffer)
        if (view.getUint32(0, true) !== 0x0403_4b50) throw cutOff()
        from = offset + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
        to = from + compressedBytes
      }
    }
    const part = piece.subarray(clamp(from - at, piece.length), clamp(to - at, piece.length))
    at += piece.length
    if (part.length > 0) yield part
    if (at >= to) return
  }
  throw cutOff()
}

const clamp = (at: number, length: number) => Math.min(Math.max(at, 0), length)

function joined(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

async function* inflate(pieces: Pieces): Pieces {
  const source = new ReadableStream<Bytes>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      // Copied: some platforms take the memory of what they are given.
      else controller.enqueue(value.slice())
    },
    cancel: async () => void (await pieces.return()),
  })
  const reader = source.pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value as Bytes
    }
  } catch (error) {
    // What the reading of the file itself threw, such as that it was stopped, is said as it is.
    if (error instanceof TypeError || isOfZlib(error)) throw cutOff(error)
    throw error
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function isOfZlib(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown }
  return !(error instanceof ImportError) && typeof code === 'string' && code.startsWith('Z_')
}
