// A zip as phones make one: written as a stream, so that the length of a file stands behind it and not before.
import { crc32, createDeflateRaw } from 'node:zlib'

export type ZippedFile = { name: string; content: Iterable<string> | AsyncIterable<string> }
type Options = { is64?: boolean; method?: 0 | 8; level?: number; flags?: number }
type Written = { name: Buffer; offset: number; crc: number; bytes: number; compressed: number }

/** `is64` writes the numbers of the directory with 64 bits each, as zips beyond 4 GiB have them. */
export async function* zipOf(
  files: ZippedFile[],
  { is64 = false, method = 8, level = 1, flags = 0 }: Options = {},
): AsyncGenerator<Buffer, void, undefined> {
  let at = 0
  const written: Written[] = []
  const out = (bytes: Buffer) => {
    at += bytes.length
    return bytes
  }
  for (const { name, content } of files) {
    const file: Written = { name: Buffer.from(name), offset: at, crc: 0, bytes: 0, compressed: 0 }
    yield out(
      Buffer.concat([
        header(0x0403_4b50, [20, 8 | flags, method, 0, 0]),
        uint32(0, 0, 0),
        uint16(file.name.length, 0),
        file.name,
      ]),
    )
    for await (const piece of deflated(content, { method, level, file })) {
      file.compressed += piece.length
      yield out(piece)
    }
    yield out(
      Buffer.concat([
        uint32(0x0807_4b50, file.crc),
        is64 ? uint64(file.compressed, file.bytes) : uint32(file.compressed, file.bytes),
      ]),
    )
    written.push(file)
  }
  const from = at
  for (const file of written) yield out(entryOf(file, { is64, method, flags }))
  const size = at - from
  if (is64) {
    const end = Buffer.concat([
      uint32(0x0606_4b50),
      uint64(44),
      uint16(45, 45),
      uint32(0, 0),
      uint64(written.length, written.length, size, from),
    ])
    yield Buffer.concat([end, uint32(0x0706_4b50, 0), uint64(from + size), uint32(1)])
  }
  const counts = is64 ? [0xffff, 0xffff] : [written.length, written.length]
  yield Buffer.concat([
    uint32(0x0605_4b50),
    uint16(0, 0, ...counts),
    is64 ? uint32(0xffff_ffff, 0xffff_ffff) : uint32(size, from),
    uint16(0),
  ])
}

function entryOf(
  { name, offset, crc, bytes, compressed }: Written,
  { is64, method, flags }: Required<Omit<Options, 'level'>>,
) {
  const extra = is64 ? Buffer.concat([uint16(1, 24), uint64(bytes, compressed, offset)]) : Buffer.alloc(0)
  const max = 0xffff_ffff
  return Buffer.concat([
    header(0x0201_4b50, [20, 20, 8 | flags, method, 0, 0]),
    uint32(crc, is64 ? max : compressed, is64 ? max : bytes),
    uint16(name.length, extra.length, 0, 0, 0),
    uint32(0, is64 ? max : offset),
    name,
    extra,
  ])
}

type Deflating = { method: 0 | 8; level: number; file: Written }

async function* deflated(
  content: ZippedFile['content'],
  { method, level, file }: Deflating,
): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      file.crc = crc32(bytes, file.crc)
      file.bytes += bytes.length
      yield bytes
    }
  }
  if (method === 0) {
    yield* counted()
    return
  }
  const deflate = createDeflateRaw({ level })
  void (async () => {
    for await (const bytes of counted())
      if (!deflate.write(bytes)) await new Promise((drained) => deflate.once('drain', drained))
    deflate.end()
  })()
  yield* deflate as AsyncIterable<Buffer>
}

const header = (signature: number, numbers: number[]) =>
  Buffer.concat([uint32(signature), uint16(...numbers)])
const uint16 = (...numbers: number[]) => Buffer.from(new Uint16Array(numbers).buffer)
const uint32 = (...numbers: number[]) => Buffer.from(new Uint32Array(numbers).buffer)
const uint64 = (...numbers: number[]) => Buffer.from(new BigUint64Array(numbers.map(BigInt)).buffer)

export async function zipped(files: ZippedFile[], options?: Options): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of zipOf(files, options)) pieces.push(piece)
  return Buffer.concat(pieces)
}
