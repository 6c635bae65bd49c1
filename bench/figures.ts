// What was measured, and the table of it.
import type { Measured } from './loads.ts'
import type { Row } from './rows.ts'
import { MAX_WINDOWS } from './steady.ts'

type Cpu = NonNullable<Measured['cpuUs']>

export type Round = {
  ours: Measured
  reference: Measured
  /** Ours against the reference by the CPU of a request, where the host withheld much of it: rates then say little. */
  ratioOfCpu?: number
  /** Whether warming up ended because the cost was steady, and not because it took too long. */
  isSteady?: boolean
  /** Why nothing was measured, such as what the first refused request was answered. */
  fault?: string
}

export type Figure = {
  name: string
  ours: number
  reference: number
  ratio: number
  ratioOfCpu: number | null
  bar: number | null
  isRate: boolean
  isSteady: boolean
  fault: string | null
  cpuUs: { ours: Cpu | null; reference: Cpu | null }
  p50Ms: number | null
  p99Ms: number | null
}

/** The medians of the rounds of a row, compared by their rate unless the row says otherwise. */
export function figureOf(
  { name, bar, by, isRate = false }: Pick<Row, 'name' | 'bar' | 'by' | 'isRate'>,
  rounds: Round[],
): Figure {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const [ours, reference] = [
    middle((round) => round.ours.perSecond),
    middle((round) => round.reference.perSecond),
  ]
  const costOf = (measured: Measured) => (by ? measured[by] : 1 / measured.perSecond)
  const ratio = middle((round) => costOf(round.reference) / costOf(round.ours))
  const [p50Ms, p99Ms] = [middle((round) => round.ours.p50Ms), middle((round) => round.ours.p99Ms)]
  const ratioOfCpu = orNull(Math.max(...rounds.map((round) => round.ratioOfCpu ?? Number.NEGATIVE_INFINITY)))
  return {
    name,
    ours,
    reference,
    ratio,
    ratioOfCpu,
    bar,
    isRate,
    isSteady: rounds.every((round) => round.isSteady !== false),
    fault: rounds.find((round) => round.fault !== undefined)?.fault ?? null,
    cpuUs: {
      ours: medianCpu(rounds.map((round) => round.ours)),
      reference: medianCpu(rounds.map((round) => round.reference)),
    },
    p50Ms: orNull(p50Ms),
    p99Ms: orNull(p99Ms),
  }
}

function medianCpu(measured: Measured[]): Cpu | null {
  const known = measured.flatMap(({ cpuUs }) => cpuUs ?? [])
  if (known.length === 0) return null
  return {
    server: median(known.map(({ server }) => server)),
    postgres: median(known.map(({ postgres }) => postgres)),
  }
}

/** A run on a shared machine can only tell a collapse from noise. */
export function hasCollapsed({ bar, isRate, ratio, ratioOfCpu, fault }: Figure): boolean {
  if (bar === null || isRate || fault !== null) return false
  return Math.max(ratio, ratioOfCpu ?? 0) < bar / 2
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const orNull = (value: number) => (Number.isFinite(value) ? value : null)

/** A table in Markdown, which reads as well on a terminal. CPU is that of the server and that of PostgreSQL. */
export function printTable(figures: Figure[], columns = [...HEAD.keys()]): string {
  const rows = figures.map(({ name, ours, reference, ratio, bar, isSteady, fault, cpuUs, p50Ms, p99Ms }) => [
    `${name}${isSteady ? '' : ' *'}`,
    round(ours),
    round(reference),
    fault === null ? ratio.toFixed(2) : 'no figure',
    bar === null ? '' : `${bar.toFixed(2)}${ratio >= bar ? '' : ' missed'}`,
    printCpu(cpuUs.ours),
    printCpu(cpuUs.reference),
    p50Ms?.toFixed(2) ?? '',
    p99Ms?.toFixed(2) ?? '',
  ])
  const [head = [], ...lines] = [HEAD, ...rows].map((row) => columns.map((column) => row[column] ?? ''))
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  const printLine = (line: string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const note = figures.every(({ isSteady }) => isSteady) ? [] : ['', NOT_STEADY]
  return [printLine(head), rule, ...lines.map(printLine), ...note].join('\n')
}

const HEAD = ['', 'ours/s', 'reference/s', 'ratio', 'bar', 'CPU µs', 'of reference', 'p50 ms', 'p99 ms']
/** Without the rate and the CPU of the reference, and the median time. */
const OF_DOCUMENT = [0, 1, 3, 4, 5, 8]

const NOT_STEADY = `\\* Its CPU was not steady after ${MAX_WINDOWS} seconds.`

function printCpu(cpu: Cpu | null): string {
  if (!cpu) return ''
  return cpu.server === 0 ? round(cpu.postgres) : `${round(cpu.server)} + ${round(cpu.postgres)}`
}

/** Which of the figures with a bar reach it, by how much the others miss it, and why some have none. */
export function printTargets(figures: Figure[]): string {
  const judged = figures.filter(({ bar }) => bar !== null)
  const isMet = ({ ratio, bar }: Figure) => bar !== null && ratio >= bar
  const line = ({ name, ratio, bar, fault }: Figure) =>
    fault === null
      ? `- ${name}: ${ratio.toFixed(2)}, should be ${bar?.toFixed(2)}`
      : `- ${name}: no figure. ${fault}`
  const missed = judged.filter((figure) => !isMet(figure))
  return [`Targets met: ${judged.length - missed.length} of ${judged.length}.`]
    .concat(missed.length > 0 ? ['Missed:', ...missed.map(line)] : [])
    .join('\n')
}

/** For docs/scale.md: the rates of many clients at once, of more than one reading. */
export function printForDocument(figures: Figure[]): string {
  return printTable(
    figures.filter(({ name }) => !/lone |get of 1 |get of 20 \/ Express/.test(name)),
    OF_DOCUMENT,
  )
}

/** As text; a reference that is a time and no rate has none. */
const round = (value: number) => (Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '')
