// The table of costs in SECURITY.md, between two marks.

export type Row = {
  operation: string
  input: string
  status: number
  loopMs: number
  databaseMs: number
  bytes: number
  isStreamed?: boolean
}

const TABLE = /(<!-- made by npm run test:limits -->\n)([\s\S]*?)(<!-- end -->)/

/** The document with this table in the place of the one before. */
export function withTable(document: string, rows: Row[], slowness: number): string {
  if (!TABLE.test(document)) throw new Error('The document has no place for the table.')
  return document.replace(
    TABLE,
    (_, begin: string, _old, end: string) =>
      `${begin}\nCores ${slowness.toFixed(1)} times slower than the reference:\n\n${printRows(rows)}\n\n${end}`,
  )
}

/** What the rows of the table are about. */
export function casesIn(document: string): string[] {
  const lines = (TABLE.exec(document)?.[2] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => {
    const [, operation = '', input = ''] = line.split('|').map((cell) => cell.trim())
    return `${operation}: ${input}`
  })
}

function printRows(rows: Row[]): string {
  const cells = rows.map(({ operation, input, status, loopMs, databaseMs, bytes, isStreamed }) => [
    operation,
    input,
    String(status),
    loopMs.toFixed(1),
    databaseMs.toFixed(1),
    `${sizeOf(bytes)}${isStreamed ? ', streamed' : ''}`,
  ])
  const head = ['operation', 'input', 'answer', 'event loop ms', 'database ms', 'size']
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...cells.map(line)].join('\n')
}

function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  return bytes < 1_024 * 1_024
    ? `${Math.round(bytes / 1_024)} KiB`
    : `${(bytes / 1_024 / 1_024).toFixed(1)} MiB`
}
