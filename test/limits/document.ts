// What docs/costs.md says of a run, each between two marks.

export type Row = {
  operation: string
  input: string
  loopMs: number
  databaseMs: number
  /** It has no bounds. */
  isStreamed?: boolean
  maxLoopMs: number
  maxDatabaseMs: number
}

const SHOWN = 2
const COSTLIEST = /(<!-- made by npm run lab limits -->\n)([\s\S]*?)(<!-- end -->)/
const OTHERS = /(<!-- others, made by npm run lab limits -->\n)([\s\S]*?)(<!-- end -->)/

/** The document with the costliest of these cases in the place of those before. */
export function withCostliest(document: string, rows: Row[], slowness: number): string {
  if (!COSTLIEST.test(document)) throw new Error('The document has no place for the costliest cases.')
  const [streamed, bounded] = [rows.filter(isStreamed), rows.filter((row) => !isStreamed(row))]
  const loop = (row: Row) => beside(row.loopMs, row.maxLoopMs)
  const database = (row: Row) => beside(row.databaseMs, row.maxDatabaseMs)
  const both = (row: Row) => `${row.loopMs.toFixed(0)} and ${row.databaseMs.toFixed(0)} ms`
  const text = `The costliest of ${rows.length} cases, with their bounds, on cores ${slowness.toFixed(1)} times slower than the reference:

- Event loop:${costliest(bounded, ({ loopMs }) => loopMs, loop)}
- Database:${costliest(bounded, ({ databaseMs }) => databaseMs, database)}
- Event loop and database of streams:${costliest(streamed, ({ databaseMs }) => databaseMs, both)}`
  return document.replace(COSTLIEST, (_, begin: string, _old, end: string) => `${begin}\n${text}\n\n${end}`)
}

/** How many cases the document speaks of. */
export function casesIn(document: string): number {
  return Number(/^The costliest of (\d+) cases/m.exec(document)?.[1])
}

/** The cases that it names as the costliest. */
export function costliestIn(document: string): string[] {
  return [...document.matchAll(/^ {2}- \d[\w ()]*: (.*)$/gm)].map(([, name = '']) => name)
}

const isStreamed = (row: Row) => row.isStreamed === true

/** Milliseconds and their bound, and whether that is missed. */
export function beside(measured: number, bound: number): string {
  return `${measured.toFixed(0)} of at most ${bound.toFixed(0)} ms${measured > bound ? ' (missed)' : ''}`
}

function costliest(rows: Row[], costOf: (row: Row) => number, print: (row: Row) => string): string {
  const most = rows.toSorted((a, b) => costOf(b) - costOf(a)).slice(0, SHOWN)
  return most.map((row) => `\n  - ${print(row)}: ${row.operation}, ${row.input}`).join('')
}

/** The document with what others noticed in the place of what was there before. */
export function withOthers(document: string, name: string, summary: string): string {
  if (!OTHERS.test(document)) throw new Error('The document has no place for what others notice.')
  const sentence = `${name.charAt(0).toUpperCase()}${name.slice(1)}:\n${summary}.`
  return document.replace(OTHERS, (_, begin: string, _old, end: string) => `${begin}\n${sentence}\n\n${end}`)
}
