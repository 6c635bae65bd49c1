// The marks on screen as a table, newest first, in pages.
import { useEffect, useState } from 'preact/hooks'
import type { Mark } from './marks.ts'
import type { TypeShape } from './type-shape.ts'
import { countText, markTimeText, numberText, timeText, unitName, unitOf } from './words.ts'

const ROWS = 50

type Table = { head: string[]; rows: string[][] }

export function MarkTable(props: {
  caption: string
  marks: readonly Mark[]
  shape: TypeShape
  unit: string | undefined
  zone: string
}) {
  return <PagedTable caption={props.caption} table={tableOf(props)} />
}

function tableOf({ marks, shape, unit, zone }: Omit<Parameters<typeof MarkTable>[0], 'caption'>): Table {
  const isStatistics = marks.some(({ bucket }) => bucket !== undefined)
  const fields = shape.quantities
    .map(({ field }) => field)
    .filter((field) => marks.some(({ values }) => values[field]))
  const withUnit = (value: number, field: string, isMean = false) => {
    const own = unitOf(shape, field, unit)
    return `${numberText(value, own, isMean)} ${unitName(own)}`.trim()
  }
  const nameOf = (field: string) =>
    field === 'value' ? 'Value' : `${field.charAt(0).toUpperCase()}${field.slice(1)}`
  const newestFirst = marks.toReversed()
  if (!isStatistics) {
    const hasStored = marks.some(({ stored }) => stored)
    return {
      head: ['Measured', ...fields.map(nameOf), ...(hasStored ? ['Stored as'] : [])],
      rows: newestFirst.map(({ atMs, values, stored }) => [
        timeText(atMs, zone, true),
        ...fields.map((field) => {
          const summary = values[field]
          return summary ? withUnit(summary.mean, field) : '–'
        }),
        ...(hasStored ? [stored ? `${stored.value} ${unitName(stored.unit)}` : 'as shown'] : []),
      ]),
    }
  }
  return {
    head: [
      'Time',
      ...fields.flatMap((field) =>
        fields.length === 1 && field === 'value'
          ? ['Mean', 'Minimum', 'Maximum']
          : ['mean', 'minimum', 'maximum'].map((what) => `${nameOf(field)}, ${what}`),
      ),
      'Readings',
    ],
    rows: newestFirst.map((mark) => [
      markTimeText(mark, zone),
      ...fields.flatMap((field) => {
        const summary = mark.values[field]
        if (!summary) return ['–', '–', '–']
        const { mean, min, max } = summary
        return [withUnit(mean, field, true), withUnit(min, field), withUnit(max, field)]
      }),
      countText(mark.count, 'reading'),
    ]),
  }
}

export function PagedTable({ caption, table: { head, rows } }: { caption: string; table: Table }) {
  const [page, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(rows.length / ROWS))
  useEffect(() => setPage(0), [caption])
  const current = Math.min(page, pages - 1)
  const shown = rows.slice(current * ROWS, (current + 1) * ROWS)
  return (
    <div class="chart-table">
      <div class="chart-table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([first, ...cells], index) => (
              <tr key={`${current}-${index}`}>
                <th scope="row">{first}</th>
                {cells.map((cell, place) => (
                  <td key={head[place + 1]} dir="auto">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <nav class="chart-pages" aria-label={`Pages of ${caption}`}>
          <button
            type="button"
            class="chart-button"
            disabled={current === 0}
            onClick={() => setPage(current - 1)}
          >
            Newer
          </button>
          <span role="status">
            Page {current + 1} of {pages}
          </span>
          <button
            type="button"
            class="chart-button"
            disabled={current === pages - 1}
            onClick={() => setPage(current + 1)}
          >
            Older
          </button>
        </nav>
      )}
    </div>
  )
}
