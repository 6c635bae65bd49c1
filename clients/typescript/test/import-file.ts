// Files to import, made of texts and bytes. All of their content is invented.
import type { ImportFile } from '../src/import/import-readings.ts'

/** In pieces of `pieceBytes`, so that whatever can be cut in two is. */
export function fileOf(
  content: string | Uint8Array,
  { name = 'export', pieceBytes = 65_536 } = {},
): ImportFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    stream() {
      let at = 0
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at >= bytes.length) return controller.close()
          controller.enqueue(bytes.slice(at, at + pieceBytes))
          at += pieceBytes
        },
      })
    },
  }
}
