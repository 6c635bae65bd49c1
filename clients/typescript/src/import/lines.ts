// Lines and CSV rows of a text that arrives in pieces.
import { damaged } from './import-error.ts'

const MAX_CHARS = 1_048_576

const tooLong = (line: number) =>
  damaged(
    `Line ${line} is longer than 1 MiB: this is no export that can be brought in. Export the file again.`,
  )

export type Line = { text: string; line: number }

/** The lines that each piece completes. Line ends are LF or CRLF. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line[], void, undefined> {
  let rest = ''
  let line = 0
  for await (const piece of pieces) {
    const texts = (rest + piece).split('\n')
    rest = texts.pop() ?? ''
    if (rest.length > MAX_CHARS) throw tooLong(line + texts.length + 1)
    yield texts.map((text) => ({ text: text.endsWith('\r') ? text.slice(0, -1) : text, line: ++line }))
  }
  if (rest !== '') yield [{ text: rest, line: line + 1 }]
}

export type Row = { cells: string[]; line: number }

/**
 * The rows that each piece completes: RFC 4180 with any divider. A quoted cell may hold line ends; `line` is where the row begins.
 * Empty rows are left out.
 */
export async function* rowsOf(
  pieces: AsyncIterable<string>,
  divider: string,
): AsyncGenerator<Row[], void, undefined> {
  let row: OpenRow = { cells: [], line: 1, quoted: undefined, characters: 0 }
  for await (const lines of linesOf(pieces)) {
    const rows: Row[] = []
    for (const { text, line } of lines) {
      if (row.quoted === undefined) row = { cells: [], line, quoted: undefined, characters: 0 }
      row.characters += text.length + 1
      if (row.characters > MAX_CHARS) throw tooLong(row.line)
      takeLine(row, text, divider)
      if (row.quoted === undefined && text !== '') rows.push(row)
    }
    yield rows
  }
  if (row.quoted === undefined) return
  throw damaged(
    `The file ends within the quotes that begin in line ${row.line}: it was cut off. Export it again.`,
  )
}

/** `quoted` holds the lines so far of a cell whose quotes are still open. */
type OpenRow = Row & { quoted: string[] | undefined; characters: number }

function takeLine(row: OpenRow, text: string, divider: string) {
  if (row.quoted === undefined && !text.includes('"')) {
    row.cells = text.split(divider)
    return
  }
  let at = 0
  for (;;) {
    let cell = ''
    const isOpen = row.quoted !== undefined
    if (isOpen || text[at] === '"') {
      const from = isOpen ? 0 : at + 1
      const end = endOfQuoted(text, from)
      row.quoted ??= []
      row.quoted.push(text.slice(from, end === -1 ? text.length : end))
      if (end === -1) return
      cell = row.quoted.join('\n').replaceAll('""', '"')
      row.quoted = undefined
      at = end + 1
    }
    const next = text.indexOf(divider, at)
    row.cells.push(cell + text.slice(at, next === -1 ? text.length : next))
    if (next === -1) return
    at = next + 1
  }
}

/** Where the closing quote of a cell stands that goes on at `from`, or -1. */
function endOfQuoted(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end
  }
  return -1
}
