// Charts of the figures, as SVG for the documents.
import { nameOfSize, SIZES } from './growth.ts'
import type { Curve } from './variants.ts'

const COLOURS = ['#2b7a4b', '#7a5c2b', '#2b5c7a', '#7a2b5c', '#5c5c5c']

/** Rates at each size, as a share of the rate at the smallest, on a scale where each step is ten times the last. */
export function drawGrowth(curves: Curve[]): string {
  const [left, right, top, bottom] = [70, 560, 50, 330]
  const x = (size: number) => left + (size / (SIZES.length - 1)) * (right - left)
  const y = (share: number) => bottom - (Math.min(share, 1.4) / 1.4) * (bottom - top)
  const lines = curves.map(({ name, shares }, index) => {
    const points = shares.map((share, size) => `${x(size).toFixed(1)},${y(share).toFixed(1)}`).join(' ')
    const colour = COLOURS[index % COLOURS.length]
    const label = 70 + index * 24
    return (
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2.5"/>` +
      `<rect x="585" y="${label - 10}" width="12" height="12" fill="${colour}"/>` +
      `<text x="603" y="${label}">${name.split(' / ')[0]} (${(shares.at(-1) ?? 0).toFixed(2)})</text>`
    )
  })
  const marks = SIZES.map(
    (size, index) =>
      `<text x="${x(index)}" y="${bottom + 22}" text-anchor="middle">${nameOfSize(size)}</text>`,
  )
  const levels = [0, 0.4, 0.8, 1, 1.2].map(
    (share) =>
      `<line x1="${left}" x2="${right}" y1="${y(share)}" y2="${y(share)}" stroke="${share === 0.8 ? '#b4552d' : '#ddd'}"/>` +
      `<text x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${share}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 380" font-family="sans-serif" font-size="12" fill="#222">
<rect width="860" height="380" fill="#fff"/>
<text x="20" y="28" font-size="15">Rate as readings grow in number, as a share of the rate at one million (bar: 0.8)</text>
${[...levels, ...marks, ...lines].join('\n')}
</svg>
`
}
