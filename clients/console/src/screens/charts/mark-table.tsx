// The marks on screen as a table, newest first or by any column, in pages.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { numberText } from '../../format/numbers.ts'
import { secondText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { words } from '../../words/words.ts'
import { computedText, isExact, markTimeText, signOf, unitOf } from './chart-text.ts'
import { type Against, targetWord } from './judged.ts'
import type { Mark } from './marks.ts'
import type { TypeShape } from './type-shape.ts'

const ROWS = 50

export type Column<Row> = {
  name: string
  cell: (row: Row) => string
  /** By what rows are sorted; those without it stand last. */
  key: (row: Row) => number | string | undefined
}

/** The first column names the row. Rows are in order of time. */
type Table<Row> = { columns: readonly Column<Row>[]; rows: readonly Row[] }

/** How tables are sorted while the screen is open, by type. */
export type Sorts = Map<string, Sort>
type Sort = { column: string; isDescending: boolean }

type MarkTableProps = {
  caption: string
  marks: readonly Mark[]
  shape: TypeShape
  unit: string | undefined
  zone: string
  sorts: Sorts
  against: Against
}

export function MarkTable(props: MarkTableProps) {
  const { caption, marks, shape, sorts } = props
  const isStatistics = marks.some(({ bucket }) => bucket !== undefined)
  const columns = isStatistics ? columnsOfBuckets(props) : columnsOfReadings(props)
  if (props.against.targets.length > 0) {
    const { against } = props
    const word = (mark: Mark) => targetWord(mark, against, words.targetWords.aTarget)
    columns.push({
      name: words.targetWords.heading(against.whose),
      cell: (mark) => word(mark) ?? '–',
      key: word,
    })
  }
  return (
    <PagedTable caption={caption} table={{ columns, rows: marks }} sorts={sorts} of={shape.readingType} />
  )
}

function columnsOfReadings({ marks, shape, unit, zone }: MarkTableProps): Column<Mark>[] {
  const columns: Column<Mark>[] = [
    {
      name: words.charts.columns.measured,
      cell: ({ atMs }) => secondText(atMs, zone),
      key: ({ atMs }) => atMs,
    },
  ]
  for (const field of fieldsIn(marks, shape)) {
    const own = unitOf(shape, field, unit)
    const key = ({ values }: Mark) => values[field]?.mean
    const cell = (mark: Mark) => {
      const value = key(mark)
      if (value === undefined) return '–'
      return `${isExact(mark) ? numberText(value) : computedText(value, own)} ${signOf(own)}`.trim()
    }
    columns.push({ name: nameOf(field), cell, key })
  }
  if (marks.some(({ stored }) => stored)) {
    const cell = ({ stored }: Mark) =>
      stored ? `${numberText(stored.value)} ${signOf(stored.unit)}` : words.charts.asShown
    columns.push({ name: words.charts.columns.storedAs, cell, key: ({ stored }) => stored?.value })
  }
  if (marks.some(({ source }) => source))
    columns.push({
      name: words.charts.columns.source,
      cell: ({ source = '–' }) => source,
      key: ({ source }) => source,
    })
  return columns
}

const FIGURES = ['mean', 'min', 'max'] as const

function columnsOfBuckets({ marks, shape, unit, zone }: MarkTableProps): Column<Mark>[] {
  const columns: Column<Mark>[] = [
    { name: words.charts.columns.time, cell: (mark) => markTimeText(mark, zone), key: ({ atMs }) => atMs },
  ]
  for (const field of fieldsIn(marks, shape)) {
    const own = unitOf(shape, field, unit)
    for (const figure of FIGURES) {
      const key = ({ values }: Mark) => values[field]?.[figure]
      const cell = (mark: Mark) => {
        const value = key(mark)
        return value === undefined ? '–' : `${computedText(value, own)} ${signOf(own)}`.trim()
      }
      columns.push({
        name: field === 'value' ? words.charts.figures[figure] : words.charts.figureOf(nameOf(field), figure),
        cell,
        key,
      })
    }
  }
  const readings: Column<Mark> = {
    name: words.charts.columns.readings,
    cell: ({ count }) => words.charts.count(count),
    key: ({ count }) => count,
  }
  return [...columns, readings]
}

function fieldsIn(marks: readonly Mark[], { quantities }: TypeShape): string[] {
  return quantities.map(({ field }) => field).filter((field) => marks.some(({ values }) => values[field]))
}

/** Those that are equal stay newest first. */
function sortedRows<Row>({ columns, rows }: Table<Row>, sort: Sort | undefined): Row[] {
  const newestFirst = rows.toReversed()
  const key = columns.find(({ name }) => name === sort?.column)?.key
  if (!key || !sort) return newestFirst
  const sign = sort.isDescending ? -1 : 1
  return newestFirst.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return sign * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b))
  })
}

type PagedTableProps<Row> = { caption: string; table: Table<Row>; sorts: Sorts; of: string }

export function PagedTable<Row>({ caption, table, sorts, of }: PagedTableProps<Row>) {
  const { columns, rows } = table
  const [page, setPage] = useState(0)
  const [sort, setSort] = useState(sorts.get(of))
  const sorted = useMemo(() => sortedRows(table, sort), [rows, sort, columns.length])
  useEffect(() => setPage(0), [caption])
  const sortBy = (next: Sort) => {
    sorts.set(of, next)
    setSort(next)
    setPage(0)
  }
  const [first] = columns
  const by = columns.find(({ name }) => name === sort?.column) ?? first
  const isDescending = by?.name === sort?.column ? (sort?.isDescending ?? true) : true
  const pages = Math.max(1, Math.ceil(sorted.length / ROWS))
  const current = Math.min(page, pages - 1)
  const shown = sorted.slice(current * ROWS, (current + 1) * ROWS)
  return (
    <div class="chart-table">
      <div class="chart-table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell
                  key={column.name}
                  column={column}
                  rows={rows}
                  sorted={column === by ? { column: column.name, isDescending } : undefined}
                  sortBy={sortBy}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={`${current}-${index}`}>
                {columns.map(({ name, cell }, place) =>
                  place === 0 ? (
                    <th key={name} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={name} dir="auto">
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && <Pages caption={caption} current={current} pages={pages} show={setPage} />}
    </div>
  )
}

/** The first press puts the largest number or the newest first, and a word by the alphabet. */
function HeadCell<Row>(props: {
  column: Column<Row>
  rows: readonly Row[]
  sorted: Sort | undefined
  sortBy: (sort: Sort) => void
}) {
  const { column, rows, sorted, sortBy } = props
  const order = sorted && (sorted.isDescending ? 'descending' : 'ascending')
  const press = () => {
    const isWord = rows.some((row) => typeof column.key(row) === 'string')
    sortBy({ column: column.name, isDescending: sorted ? !sorted.isDescending : !isWord })
  }
  return (
    <th scope="col" {...(order ? { 'aria-sort': order } : {})}>
      <button type="button" class="chart-sort" onClick={press}>
        {column.name}
      </button>
    </th>
  )
}

function Pages(props: { caption: string; current: number; pages: number; show: (page: number) => void }) {
  const { caption, current, pages, show } = props
  return (
    <nav class="chart-pages" aria-label={words.charts.pagesOf(caption)}>
      <button type="button" class="button" disabled={current === 0} onClick={() => show(current - 1)}>
        {words.charts.previous}
      </button>
      <span role="status">{words.charts.page(current + 1, pages)}</span>
      <button type="button" class="button" disabled={current === pages - 1} onClick={() => show(current + 1)}>
        {words.charts.next}
      </button>
    </nav>
  )
}
