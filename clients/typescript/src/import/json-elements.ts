// The objects of a JSON list that arrives in pieces, one after the other, as texts. Only they are held, never the list.
import { damaged } from './import-error.ts'

const MAX_CHARS = 1_048_576
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The objects that each piece completes, of a list or of lines without one. */
export async function* jsonElementsOf(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string[], void, undefined> {
  const scan = createScan()
  for await (const piece of pieces) yield scan.take(piece)
  scan.end()
}

function createScan() {
  let rest = ''
  let depth = 0
  let isText = false
  let isEscaped = false
  let isListOpen = false
  let count = 0

  function end() {
    if (depth === 0 && !isListOpen) return
    throw damaged(
      `The file ends after ${count} entries, before its list does: it was cut off. Export it again.`,
    )
  }
  /** What stands between two objects. */
  function between(character: string) {
    if (character === '[' && !isListOpen && count === 0) isListOpen = true
    else if (character === ']' && isListOpen) isListOpen = false
    else if (!/[\s,]/.test(character))
      throw damaged(`After entry ${count} stands something that is no entry. Export the file again.`)
  }
  /** Within an object; says whether it ended. */
  function within(code: number): boolean {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (code === BACKSLASH) isEscaped = true
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
    return depth === 0
  }
  function take(piece: string): string[] {
    const found: string[] = []
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (depth === 0) {
        if (code === 0x7b) {
          depth = 1
          from = at
        } else between(piece.charAt(at))
      } else if (within(code)) {
        found.push(rest + piece.slice(from, at + 1))
        rest = ''
        from = at + 1
        count++
      }
    }
    if (depth > 0) rest += piece.slice(from)
    if (rest.length > MAX_CHARS)
      throw damaged(`Entry ${count + 1} is longer than 1 MiB: this is no export that can be brought in.`)
    return found
  }
  return { take, end }
}
