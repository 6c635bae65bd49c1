// What the bench says: a table, a JSON list and a chart.
import type { Row } from './rows.ts'

export type Figure = {
  name: string
  ours: number
  reference: number
  ratio: number
  bar: number | null
  p50Ms: number | null
  p99Ms: number | null
}

/** The medians of the rounds of a row. Lone requests are compared by their p50, all others by their rate. */
export function figureOf(
  { name, bar }: Row,
  rounds: { ours: Measurement; reference: Measurement }[],
): Figure {
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const isLone = name.startsWith('a lone')
  const [ours, reference] = [
    middle((round) => round.ours.perSecond),
    middle((round) => round.reference.perSecond),
  ]
  const ratio = isLone
    ? middle((round) => round.reference.p50Ms / round.ours.p50Ms)
    : middle((round) => round.ours.perSecond / round.reference.perSecond)
  const [p50Ms, p99Ms] = [middle((round) => round.ours.p50Ms), middle((round) => round.ours.p99Ms)]
  return { name, ours, reference, ratio, bar, p50Ms: orNull(p50Ms), p99Ms: orNull(p99Ms) }
}

type Measurement = { perSecond: number; p50Ms: number; p99Ms: number }

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const orNull = (value: number) => (Number.isFinite(value) ? value : null)

export function printTable(figures: Figure[]): string {
  const lines = figures.map(({ name, ours, reference, ratio, bar, p50Ms, p99Ms }) => [
    name,
    round(ours),
    round(reference),
    ratio.toFixed(2),
    bar === null ? '' : `${bar.toFixed(1)}${ratio >= bar ? '' : '  missed'}`,
    p50Ms?.toFixed(2) ?? '',
    p99Ms?.toFixed(2) ?? '',
  ])
  const head = ['', 'ours/s', 'reference/s', 'ratio', 'bar', 'p50 ms', 'p99 ms']
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  const printLine = (line: string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return [head, ...lines].map(printLine).join('\n')
}

const round = (value: number) => Math.round(value).toLocaleString('en')

/** Bars of the ratios, each with the mark that it should reach. */
export function drawChart(figures: Figure[]): string {
  const shown = figures.filter(({ bar }) => bar !== null)
  const width = 760
  const lines = shown.map(({ name, ratio, bar }, index) => {
    const y = 50 + index * 34
    const scale = 300 / Math.max(1.5, ratio / (bar ?? 1), 1)
    const length = (ratio / (bar ?? 1)) * scale
    const colour = ratio >= (bar ?? 0) ? '#2b7a4b' : '#b4552d'
    return (
      `<text x="300" y="${y + 14}" text-anchor="end">${name.replaceAll('&', '&amp;')}</text>` +
      `<rect x="310" y="${y}" width="${length.toFixed(1)}" height="20" fill="${colour}"/>` +
      `<line x1="${310 + scale}" x2="${310 + scale}" y1="${y - 3}" y2="${y + 23}" stroke="#222"/>` +
      `<text x="${316 + Math.max(length, scale)}" y="${y + 14}">${ratio.toFixed(2)} (bar ${bar})</text>`
    )
  })
  const height = 70 + shown.length * 34
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="20" y="28" font-size="15">Rounds against its references: ratio, and the bar it should reach (line)</text>
${lines.join('\n')}
</svg>
`
}
