// The pages that a patient takes to the doctor: one for each type, with whose readings they are, the range, the zone and the units.
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { useLoad } from '../../design/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import type { StatisticsBucket } from '../../statistics/load-statistics.ts'
import { countText, meanText, roundedText } from '../../words/numbers.ts'
import { dateText, dateTimeText, rangeText } from '../../words/times.ts'
import { nameOf } from '../../words/type-names.ts'
import { unitSign } from '../../words/units.ts'
import { instantsOf, rangeIn } from './chosen-range.ts'
import { PrintChart } from './print-chart.tsx'
import {
  type Bucket,
  MAX_ROWS,
  type NumberPage,
  readPages,
  summaryOf,
  type WordsPage,
} from './print-pages.ts'
import './print.css'

export function Print({ rounds, patientUid, zone, address }: ScreenProps) {
  const { catalogue } = useApp()
  const query = address.query.toString()
  const range = instantsOf(rangeIn(address.query, Date.now(), zone), zone)
  const type = address.query.get('type')
  const { data, error, reload } = useLoad(
    async (signal) => {
      const types = await catalogue()
      return readPages(rounds, types, { patientUid, range, type, zone }, signal)
    },
    [patientUid, query, zone],
  )
  if (!data) {
    return error === undefined ? (
      <Loading lines={2} height={320} />
    ) : (
      <ErrorNotice error={error} onRetry={reload} />
    )
  }
  const pages = data
  if (pages.length === 0) {
    return (
      <Empty title="No readings in this range.">
        <span>Go back and choose other days.</span>
      </Empty>
    )
  }
  const to = Math.min(range.to ?? Date.now(), Date.now())
  const span = range.from === undefined ? `until ${dateText(to, zone)}` : rangeText(range.from, to, zone)
  return (
    <>
      <div class="row print-actions">
        <button type="button" class="button primary" onClick={() => print()}>
          Print
        </button>
        <span class="muted">
          {countText(pages.length, 'page')}. In the print dialog you can also save them as PDF.
        </span>
      </div>
      {pages.map((page) => (
        <article key={page.readingType} class="print-page">
          <header>
            <h2>{nameOf(page.readingType)}</h2>
            <p>
              <bdi>{patientUid}</bdi> · {span} · times in {zone}
            </p>
          </header>
          {page.kind === 'numbers' ? <Numbers page={page} zone={zone} /> : <Words page={page} zone={zone} />}
          <footer>Printed {dateTimeText(Date.now(), zone)} from Rounds. No clinical advice.</footer>
        </article>
      ))}
    </>
  )
}

const EACH: Record<Bucket, string> = { day: 'Day', week: 'Week', month: 'Month' }

function Numbers({ page, zone }: { page: NumberPage; zone: string }) {
  const { buckets, fields, units, bucket } = page
  const filled = buckets.filter(({ count }) => count > 0).toReversed()
  const unit = (field: string) => unitSign(units[field] ?? '')
  const empty = buckets.length - filled.length
  const rows = filled.slice(0, MAX_ROWS)
  return (
    <>
      <dl class="print-summary">
        {fields.map((field) => {
          const summary = summaryOf(buckets, field)
          if (!summary) return null
          const { mean, min, max } = summary
          return (
            <div key={field}>
              <dt>{fields.length > 1 ? nameOf(field) : 'Mean'}</dt>
              <dd>
                <strong>{meanText(mean)}</strong> {unit(field)}{' '}
                <span class="muted">
                  {roundedText(min)} to {roundedText(max)}
                </span>
              </dd>
            </div>
          )
        })}
        <div>
          <dt>Readings</dt>
          <dd>
            <strong>{roundedText(buckets.reduce((sum, { count }) => sum + count, 0))}</strong>{' '}
            {empty > 0 && <span class="muted">{countText(empty, bucket)} without</span>}
          </dd>
        </div>
      </dl>
      <PrintChart page={page} zone={zone} />
      {rows.length < filled.length && (
        <p class="muted small">
          The table has the newest {rows.length} of {countText(filled.length, bucket)} with readings.
        </p>
      )}
      {/* A narrow window scrolls it; paper is wide enough. */}
      <div
        class="print-table"
        role="region"
        tabIndex={0}
        aria-label={`${nameOf(page.readingType)} by ${bucket}`}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{EACH[bucket]}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {fields.length > 1 ? nameOf(field) : 'Mean'}, {unit(field)}
                  <span class="muted"> (lowest to highest)</span>
                </th>
              ))}
              <th scope="col">Readings</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.startMs}>
                <th scope="row">{bucketText(one, bucket, zone)}</th>
                {fields.map((field) => {
                  const summary = one.fields[field]
                  return (
                    <td key={field}>
                      {summary && (
                        <>
                          {meanText(summary.mean)}{' '}
                          {summary.count > 1 && (
                            <span class="muted">
                              ({roundedText(summary.min)} to {roundedText(summary.max)})
                            </span>
                          )}
                        </>
                      )}
                    </td>
                  )
                })}
                <td>{one.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function bucketText({ startMs, endMs }: StatisticsBucket, bucket: Bucket, zone: string): string {
  if (bucket === 'day') return dateText(startMs, zone)
  return rangeText(startMs, endMs - 1, zone)
}

function Words({ page, zone }: { page: WordsPage; zone: string }) {
  return (
    <>
      {page.isCut && <p class="muted small">The newest {page.rows.length}.</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {page.rows.map(({ id, at, text }) => (
            <tr key={id}>
              <th scope="row">{dateTimeText(at, zone)}</th>
              <td dir="auto">
                <span class="clamp">{text}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
