// The marks on screen as a table, newest first, in pages.
import { useEffect, useState } from 'preact/hooks'
import { countText, numberText } from '../../format/numbers.ts'
import { secondText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { computedText, isExact, markTimeText, signOf, unitOf } from './chart-text.ts'
import type { Mark } from './marks.ts'
import type { TypeShape } from './type-shape.ts'

const ROWS = 50

/** Cells are made for the rows of one page only. */
export type Table = { head: string[]; count: number; row: (index: number) => string[] }

type MarkTableProps = {
  caption: string
  marks: readonly Mark[]
  shape: TypeShape
  unit: string | undefined
  zone: string
}

export function MarkTable(props: MarkTableProps) {
  const { caption, marks } = props
  const isStatistics = marks.some(({ bucket }) => bucket !== undefined)
  return (
    <PagedTable caption={caption} table={isStatistics ? tableOfBuckets(props) : tableOfReadings(props)} />
  )
}

function tableOfReadings({ marks, shape, unit, zone }: MarkTableProps): Table {
  const fields = fieldsIn(marks, shape)
  const hasStored = marks.some(({ stored }) => stored)
  return {
    head: ['Measured', ...fields.map(nameOf), ...(hasStored ? ['Stored as'] : [])],
    count: marks.length,
    row(index) {
      const mark = marks.at(-1 - index)
      if (!mark) return []
      const { atMs, values, stored } = mark
      const cells = fields.map((field) => {
        const own = unitOf(shape, field, unit)
        const value = values[field]?.mean
        if (value === undefined) return '–'
        return `${isExact(mark) ? numberText(value) : computedText(value, own)} ${signOf(own)}`.trim()
      })
      const asStored = stored ? `${numberText(stored.value)} ${signOf(stored.unit)}` : 'as shown'
      return [secondText(atMs, zone), ...cells, ...(hasStored ? [asStored] : [])]
    },
  }
}

function tableOfBuckets({ marks, shape, unit, zone }: MarkTableProps): Table {
  const fields = fieldsIn(marks, shape)
  const heads = fields.flatMap((field) =>
    field === 'value'
      ? ['Mean', 'Minimum', 'Maximum']
      : ['mean', 'minimum', 'maximum'].map((what) => `${nameOf(field)}, ${what}`),
  )
  return {
    head: ['Time', ...heads, 'Readings'],
    count: marks.length,
    row(index) {
      const mark = marks.at(-1 - index)
      if (!mark) return []
      const cells = fields.flatMap((field) => {
        const own = unitOf(shape, field, unit)
        const { mean, min, max } = mark.values[field] ?? {}
        return [mean, min, max].map((value) =>
          value === undefined ? '–' : `${computedText(value, own)} ${signOf(own)}`.trim(),
        )
      })
      return [markTimeText(mark, zone), ...cells, countText(mark.count, 'reading')]
    },
  }
}

function fieldsIn(marks: readonly Mark[], { quantities }: TypeShape): string[] {
  return quantities.map(({ field }) => field).filter((field) => marks.some(({ values }) => values[field]))
}

export function PagedTable({ caption, table: { head, count, row } }: { caption: string; table: Table }) {
  const [page, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(count / ROWS))
  useEffect(() => setPage(0), [caption])
  const current = Math.min(page, pages - 1)
  const first = current * ROWS
  const shown = Array.from({ length: Math.min(ROWS, count - first) }, (_, index) => row(first + index))
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
            {shown.map(([name, ...cells], index) => (
              <tr key={`${current}-${index}`}>
                <th scope="row">{name}</th>
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
          <button type="button" class="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Newer
          </button>
          <span role="status">
            Page {current + 1} of {pages}
          </span>
          <button
            type="button"
            class="button"
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
