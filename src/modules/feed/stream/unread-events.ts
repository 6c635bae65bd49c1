// Events that were written and that their readers have not taken: bounded for each stream, and for all of them together. Counted
// is what this process holds. The kernel holds more for each socket, which no program can see or bound: up to tcp_wmem (4 MiB
// by default) here, and tcp_rmem (6 MiB) at the reader.
import type { ServerResponse } from 'node:http'

const MAX_UNREAD_BYTES = 256 * 1_024
/** Of all streams together, beside one batch. Beyond it, those that have more unread than an even share are cut. */
const MAX_UNREAD_BYTES_IN_ALL = 64 * 1_024 * 1_024

type Written = { response: ServerResponse }

export function createUnreadEvents<Stream extends Written>(cut: (stream: Stream) => void) {
  /** Streams to which something was written that may not have been taken yet: few, where readers keep up. */
  const written = new Set<Stream>()

  function countBytes(): number {
    let bytes = 0
    for (const stream of written) {
      const { writableLength } = stream.response
      if (writableLength === 0) written.delete(stream)
      bytes += writableLength
    }
    return bytes
  }

  return {
    countBytes,
    note: (stream: Stream) => void written.add(stream),
    forget: (stream: Stream) => void written.delete(stream),
    /** Whether a stream has more unread than it may. */
    isSlow: ({ response }: Stream) => response.writableLength > MAX_UNREAD_BYTES,
    bound() {
      if (countBytes() <= MAX_UNREAD_BYTES_IN_ALL) return
      const share = MAX_UNREAD_BYTES_IN_ALL / written.size
      for (const stream of written) if (stream.response.writableLength > share) cut(stream)
    },
  }
}
