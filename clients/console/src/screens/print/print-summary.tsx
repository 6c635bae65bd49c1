// The first page: all types at a glance, each with its newest reading and with the lowest and the highest.
import { countText, meanText, roundedText } from '../../format/numbers.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { dateTimeText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { mainFields, type NumberPage, type PrintPage, summaryOf } from './print-pages.ts'

/** As many as fit on one page, of two lines each. */
const MAX_TYPES = 24

type Props = { pages: PrintPage[]; catalogue: Catalogue; zone: string }

export function PrintSummary({ pages, catalogue, zone }: Props) {
  const shown = pages.slice(0, MAX_TYPES)
  const more = pages.length - shown.length
  return (
    <div class="print-table" role="region" tabIndex={0} aria-label="Summary">
      <table class="print-overview">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Newest</th>
            <th scope="col">Mean</th>
            <th scope="col">Lowest to highest</th>
            <th scope="col">Readings</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((page) => {
            const { readingType, newest } = page
            const { value, unit } = readingText(newest, catalogue.get(readingType), zone)
            return (
              <tr key={readingType}>
                <th scope="row">
                  <span class="clamp two" dir="auto">
                    {nameOf(readingType)}
                  </span>
                </th>
                <td>
                  <span class="clamp one" dir="auto">
                    {value} {unit}
                  </span>
                  <span class="muted">{dateTimeText(newest.measuredAt, zone)}</span>
                </td>
                {page.kind === 'numbers' ? <Figures page={page} /> : <td colSpan={3}>{wordsCount(page)}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
      {more > 0 && <p class="muted small">{countText(more, 'more type')} on the pages that follow.</p>}
    </div>
  )
}

function Figures({ page }: { page: NumberPage }) {
  const fields = mainFields(page)
  const summaries = fields.flatMap((field) => summaryOf(page.buckets, field) ?? [])
  const unit = unitSign(page.units[fields[0] ?? ''] ?? '')
  return (
    <>
      <td>
        {summaries.map(({ mean }) => meanText(mean)).join(' / ')} {unit}
      </td>
      <td>
        {summaries.map(({ min, max }) => `${roundedText(min)} to ${roundedText(max)}`).join(' / ')} {unit}
      </td>
      <td>{roundedText(page.buckets.reduce((sum, { count }) => sum + count, 0))}</td>
    </>
  )
}

function wordsCount({ rows, isCut }: Extract<PrintPage, { kind: 'words' }>): string {
  return isCut ? `more than ${rows.length} readings` : countText(rows.length, 'reading')
}
