// How large the body of a request would be: the service takes lists of up to 4 MiB.
import type { QueuedReading } from './queue-storage.ts'

const MAX_BODY_BYTES = 4 * 1_048_576

/** The first of the readings, as many as fit into one request; at least one. */
export function fitting(batch: QueuedReading[]): QueuedReading[] {
  // The brackets, then each reading with the comma after it.
  let bytes = 1
  const end = batch.findIndex(({ reading }) => {
    bytes += utf8Bytes(JSON.stringify(reading)) + 1
    return bytes > MAX_BODY_BYTES
  })
  return end === -1 ? batch : batch.slice(0, Math.max(1, end))
}

/** Without TextEncoder, which React Native long had not. Half a surrogate pair counts as much as it takes: JSON escapes it. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // Two units of a pair make four bytes, two each; of the others each makes two or three.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
