// One report: on screen a panel, on paper a page that says whose readings it shows, of which days, in which zone, and when it was made.
import type { ComponentChildren } from 'preact'
import type { Address } from '../../address.ts'
import { dateTimeText, rangeText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import type { Loaded } from '../../hooks/use-load.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { addressOfMark, addressOfRange, around } from '../charts/time-range.ts'
import type { ReportRange } from './report-range.ts'

/** What a report is made of, in which zone, and when it was. */
export type Made<Figures> = Figures & { range: ReportRange; zone: string; madeMs: number }

type Props = {
  title: string
  made: Made<object>
  patientUid: string
  /** Where its definitions are from. */
  source: ComponentChildren
  children: ComponentChildren
}

export function ReportSheet({ title, made, patientUid, source, children }: Props) {
  const { range, zone, madeMs } = made
  const name = usePatientName(patientUid)
  return (
    <article class="report" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>
          <bdi class="clamp report-patient">{name}</bdi>
          <span>{words.reports.range(rangeText(range.fromMs, range.toMs - 1, zone), range.days)}</span>
          <span>{words.frame.timesIn(zone)}</span>
        </p>
      </header>
      {children}
      <footer>
        {source} {words.reports.made(dateTimeText(madeMs, zone))}
      </footer>
    </article>
  )
}

/** The report, or what there is in its place. What was loaded before stays, paler, until the new has come. */
export function ReportState<Figures extends object>({
  loaded,
  children,
}: {
  loaded: Loaded<Made<Figures>>
  children: (made: Made<Figures>) => ComponentChildren
}) {
  const { data, error, isLoading, reload } = loaded
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  if (data) return <div aria-busy={isLoading}>{children(data)}</div>
  return (
    <div class="report-loading" aria-busy="true">
      <span class="unseen" role="status">
        {words.kit.loading}
      </span>
      <div class="skeleton" />
    </div>
  )
}

export const daysChoices = (days: readonly number[]) => days.map((one) => [one, words.kit.days(one)] as const)

type MomentProps = { address: Address; readingType: string; at: string; zone: string; value: string }

/** A value with its time, which leads to the chart around it, where it is marked. */
export function ValueInChart({ address, readingType, at, zone, value }: MomentProps) {
  const atMs = Date.parse(at)
  const place = { ...addressOfRange(around({ atMs })), ...addressOfMark(readingType, { atMs }) }
  const time = dateTimeText(atMs, zone)
  return (
    <Link
      address={address}
      to={{ path: 'charts', query: { type: readingType, ...place } }}
      label={words.reports.seeInChart(value, time, nameWithin(readingType))}
    >
      <time dateTime={at}>{time}</time>
    </Link>
  )
}
