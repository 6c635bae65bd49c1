// What docs/costs.md says of a run, each between two marks.

export type Row = {
  operation: string
  input: string
  loopMs: number
  databaseMs: number
  isStreamed?: boolean
}

const SHOWN = 2
const COSTLIEST = /(<!-- made by npm run test:limits -->\n)([\s\S]*?)(<!-- end -->)/
const OTHERS = /(<!-- others, made by npm run test:limits -->\n)([\s\S]*?)(<!-- end -->)/

/** The document with the costliest of these cases in the place of those before. */
export function withCostliest(document: string, rows: Row[], slowness: number): string {
  if (!COSTLIEST.test(document)) throw new Error('The document has no place for the costliest cases.')
  const text = `The costliest of ${rows.length} cases, on cores ${slowness.toFixed(1)} times slower than the reference:

- Event loop:${costliest(rows, ({ loopMs }) => loopMs)}
- Database:${costliest(rows, ({ databaseMs }) => databaseMs)}`
  return document.replace(COSTLIEST, (_, begin: string, _old, end: string) => `${begin}\n${text}\n\n${end}`)
}

/** How many cases the document speaks of. */
export function casesIn(document: string): number {
  return Number(/^The costliest of (\d+) cases/m.exec(document)?.[1])
}

/** The cases that it names as the costliest. */
export function costliestIn(document: string): string[] {
  return [...document.matchAll(/^ {2}- [\d.]+ ms: (.*)$/gm)].map(([, name = '']) => name)
}

function costliest(rows: Row[], costOf: (row: Row) => number): string {
  const most = rows.toSorted((a, b) => costOf(b) - costOf(a)).slice(0, SHOWN)
  return most.map((row) => `\n  - ${costOf(row).toFixed(1)} ms: ${row.operation}, ${row.input}`).join('')
}

/** The document with what others noticed in the place of what was there before. */
export function withOthers(document: string, name: string, summary: string): string {
  if (!OTHERS.test(document)) throw new Error('The document has no place for what others notice.')
  const sentence = `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${summary}.`
  return document.replace(OTHERS, (_, begin: string, _old, end: string) => `${begin}\n${sentence}\n\n${end}`)
}
