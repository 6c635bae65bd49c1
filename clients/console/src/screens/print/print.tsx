// The pages that a patient takes to the doctor: a summary, then one for each type, with whose
// readings they are, the range, the zone and the units.
import type { ComponentChildren } from 'preact'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { countText, meanText, numberText, roundedText } from '../../format/numbers.ts'
import { dateText, dateTimeText, rangeText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import type { StatisticsBucket } from '../../statistics/load-statistics.ts'
import { instantsOf, rangeIn } from '../export/chosen-range.ts'
import { PrintChart } from './print-chart.tsx'
import {
  type Bucket,
  MAX_ROWS,
  type NumberPage,
  readPages,
  type SingleReading,
  summaryOf,
  type WordsPage,
} from './print-pages.ts'
import { PrintSummary } from './print-summary.tsx'
import './print.css'

export function Print({ rounds, patientUid, zone, address }: ScreenProps) {
  const { catalogue } = useApp()
  const query = address.query.toString()
  const range = instantsOf(rangeIn(address.query, Date.now(), zone), zone)
  const type = address.query.get('type')
  const { data, error, reload } = useLoad([patientUid, query, zone], async (signal) => {
    const types = await catalogue()
    return { types, pages: await readPages(rounds, types, { patientUid, range, type, zone }, signal) }
  })
  if (!data) {
    return error === undefined ? (
      <Loading lines={2} height={320} />
    ) : (
      <ErrorNotice error={error} onRetry={reload} />
    )
  }
  const { types, pages } = data
  if (pages.length === 0) {
    return (
      <Empty title="No readings in this range.">
        <span>Go back and choose other days.</span>
      </Empty>
    )
  }
  const hasSummary = pages.length > 1
  const to = Math.min(range.to ?? Date.now(), Date.now())
  const span = range.from === undefined ? `until ${dateText(to, zone)}` : rangeText(range.from, to, zone)
  const about = (
    <>
      <bdi>{patientUid}</bdi> · {span} · times in {zone}
    </>
  )
  return (
    <>
      <div class="row print-actions">
        <button type="button" class="button primary" onClick={() => print()}>
          Print
        </button>
        <span class="muted">
          {countText(pages.length + (hasSummary ? 1 : 0), 'page')}. In the print dialog you can also save them
          as PDF.
        </span>
      </div>
      {hasSummary && (
        <Sheet title="Summary" about={about} zone={zone}>
          <PrintSummary pages={pages} catalogue={types} zone={zone} />
        </Sheet>
      )}
      {pages.map((page) => (
        <Sheet key={page.readingType} title={nameOf(page.readingType)} about={about} zone={zone}>
          {page.kind === 'numbers' ? <Numbers page={page} zone={zone} /> : <Words page={page} zone={zone} />}
        </Sheet>
      ))}
    </>
  )
}

type SheetProps = { title: string; about: ComponentChildren; zone: string; children: ComponentChildren }

function Sheet({ title, about, zone, children }: SheetProps) {
  return (
    <article class="print-page">
      <header>
        <h2>{title}</h2>
        <p>{about}</p>
      </header>
      {children}
      <footer>Printed {dateTimeText(Date.now(), zone)} from Rounds. No clinical advice.</footer>
    </article>
  )
}

const EACH: Record<Bucket, string> = { day: 'Day', week: 'Week', month: 'Month' }

function Numbers({ page, zone }: { page: NumberPage; zone: string }) {
  const { buckets, fields, units, bucket } = page
  const unit = (field: string) => unitSign(units[field] ?? '')
  const empty = buckets.filter(({ count }) => count === 0).length
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
      {page.singles ? (
        <SinglesTable page={page} singles={page.singles} zone={zone} />
      ) : (
        <BucketsTable page={page} zone={zone} />
      )}
    </>
  )
}

/** A narrow window scrolls it; paper is wide enough. */
function Scrolled({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="print-table" role="region" tabIndex={0} aria-label={name}>
      {children}
    </div>
  )
}

function SinglesTable({ page, singles, zone }: { page: NumberPage; singles: SingleReading[]; zone: string }) {
  const { fields, units } = page
  const hasOtherUnits = singles.some(({ stored }) => stored !== '')
  const hasSources = singles.some(({ source }) => source !== '')
  return (
    <Scrolled name={`${nameOf(page.readingType)}, each reading`}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {nameOf(field)}, {unitSign(units[field] ?? '')}
              </th>
            ))}
            {hasOtherUnits && <th scope="col">In another unit</th>}
            {hasSources && <th scope="col">Source</th>}
          </tr>
        </thead>
        <tbody>
          {singles.map(({ id, atMs, values, stored, source }) => (
            <tr key={id}>
              <th scope="row">{dateTimeText(atMs, zone)}</th>
              {fields.map((field) => {
                const value = values[field]
                const text = stored === '' ? numberText : roundedText
                return <td key={field}>{value !== undefined && text(value)}</td>
              })}
              {hasOtherUnits && <td class="muted">{stored}</td>}
              {hasSources && (
                <td class="muted">
                  {/* One line, so that the readings stay on their page. */}
                  <span class="clamp one" dir="auto">
                    {source}
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function BucketsTable({ page, zone }: { page: NumberPage; zone: string }) {
  const { buckets, fields, units, bucket } = page
  const filled = buckets.filter(({ count }) => count > 0).toReversed()
  const unit = (field: string) => unitSign(units[field] ?? '')
  const rows = filled.slice(0, MAX_ROWS)
  return (
    <>
      {rows.length < filled.length && (
        <p class="muted small">
          The table has the newest {rows.length} of {countText(filled.length, bucket)} with readings.
        </p>
      )}
      <Scrolled name={`${nameOf(page.readingType)} by ${bucket}`}>
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
      </Scrolled>
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
