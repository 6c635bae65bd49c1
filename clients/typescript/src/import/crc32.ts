// The checksum of zips. A bit that tipped over in a copy could otherwise change a value and nothing else.

const TABLES = makeTables()

/** Of `bytes` after what gave `before`. Eight bytes at a time. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES
  const at = (table: Uint32Array | undefined, index: number) => table?.[index & 0xff] ?? 0
  let crc = ~before
  let from = 0
  for (const end = bytes.length - 7; from < end; from += 8) {
    crc ^= word(bytes, from)
    const high = word(bytes, from + 4)
    crc =
      at(t7, crc) ^
      at(t6, crc >>> 8) ^
      at(t5, crc >>> 16) ^
      at(t4, crc >>> 24) ^
      at(t3, high) ^
      at(t2, high >>> 8) ^
      at(t1, high >>> 16) ^
      at(t0, high >>> 24)
  }
  for (; from < bytes.length; from++) crc = (crc >>> 8) ^ at(t0, crc ^ (bytes[from] ?? 0))
  return ~crc >>> 0
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  )
}

function makeTables(): Uint32Array[] {
  const first = new Uint32Array(256).map((_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1
    return value
  })
  const tables = [first]
  for (let table = 1; table < 8; table++) {
    const before = tables[table - 1] ?? first
    tables.push(before.map((value) => (value >>> 8) ^ (first[value & 0xff] ?? 0)))
  }
  return tables
}
