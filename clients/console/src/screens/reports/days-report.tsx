// Days with data: on which of the last 30 days there are readings of a type, and on which from a device.
import { useId } from 'preact/hooks'
import type { DaysWithDataReport } from '../../../../typescript/src/client.ts'
import { nameOf } from '../../format/type-names.ts'
import { DAY_MS, localMs } from '../../format/zone-calendar.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { dateFormat, LOCALE } from '../../words/language.ts'
import { words } from '../../words/words.ts'
import type { ReportProps } from './newest-by-type.ts'
import { asQuery, lastDays } from './report-range.ts'
import { ReportSheet, ReportState } from './report-sheet.tsx'

const DAYS = 30

export function DaysWithData({ rounds, patientUid, zone, address, newest }: ReportProps) {
  const now = useNow()
  const id = useId()
  const type = address.query.get('type') ?? undefined
  const range = lastDays(DAYS, now, zone)
  const loaded = useLoad(
    [patientUid],
    async (signal) => {
      const query = { patientUid, ...asQuery(range), timeZone: zone }
      const { data: figures } = await rounds.reports.daysWithData(
        type === undefined ? query : { ...query, readingType: type },
        { signal },
      )
      return { figures, type, range, zone, madeMs: Date.now() }
    },
    [range.fromMs, range.toMs, type, zone],
  )
  const types = [...newest.keys()].toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
  return (
    <>
      <div class="row report-bar">
        <label for={id}>{words.reports.readingsOf}</label>
        <select
          id={id}
          class="input report-type"
          value={type ?? ''}
          onChange={({ currentTarget: { value } }) =>
            address.go({ query: { type: value === '' ? undefined : value } }, { replace: true })
          }
        >
          <option value="">{words.reports.allTypes}</option>
          {[...new Set([...types, ...(type === undefined ? [] : [type])])].map((one) => (
            <option key={one} value={one}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </div>
      <ReportState loaded={loaded}>
        {(made) => (
          <ReportSheet
            title={words.reports.daysTitle(
              made.type === undefined ? words.reports.allTypes : nameOf(made.type),
            )}
            made={made}
            patientUid={patientUid}
            source={words.reports.stated}
          >
            <Sentence figures={made.figures} />
            <Calendar figures={made.figures} lastMs={made.range.toMs - 1} zone={made.zone} />
          </ReportSheet>
        )}
      </ReportState>
    </>
  )
}

function Sentence({ figures: { days, daysWithData, daysWithDeviceData } }: { figures: DaysWithDataReport }) {
  return (
    <p class="report-sentence">
      {words.reports.onDays(
        (text) => (
          <strong>{text}</strong>
        ),
        daysWithData,
        days,
        daysWithDeviceData,
      )}
    </p>
  )
}

type Day = { date: string; readings: number; fromDevices: number }
type CalendarProps = { figures: DaysWithDataReport; lastMs: number; zone: string }

const MONDAY = 1

function Calendar({ figures, lastMs, zone }: CalendarProps) {
  const last = Math.floor(localMs(lastMs, zone) / DAY_MS) * DAY_MS
  const first = last - (figures.days - 1) * DAY_MS
  const known = new Map(figures.dates.map((day) => [day.date, day]))
  const before = (new Date(first).getUTCDay() - MONDAY + 7) % 7
  const cells = Array.from({ length: before + figures.days }, (_, index): Day | undefined => {
    if (index < before) return undefined
    const date = new Date(first + (index - before) * DAY_MS).toISOString().slice(0, 10)
    return known.get(date) ?? { date, readings: 0, fromDevices: 0 }
  })
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    cells.slice(week * 7, week * 7 + 7),
  )
  const weekday = dateFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' })
  // 5 January 1970 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, index) => weekday.format((4 + index) * DAY_MS))
  return (
    <>
      <p class="legend">
        {(['device', 'other', 'none'] as const).map((kind) => (
          <span key={kind}>
            <DayMark kind={kind} />
            {words.reports.dayKinds[kind]}
          </span>
        ))}
      </p>
      <table class="calendar">
        <caption class="unseen">{words.reports.ofEachDay}</caption>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, index) => (
            <tr key={index}>
              {week.map((day, place) =>
                day ? <DayCell key={day.date} day={day} /> : <td key={place} class="outside" />,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

type Kind = 'device' | 'other' | 'none'

function DayCell({ day: { date, readings, fromDevices } }: { day: Day }) {
  const kind: Kind = readings === 0 ? 'none' : fromDevices > 0 ? 'device' : 'other'
  const name = dateFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(date),
  )
  return (
    <td>
      <span class="date">{name}</span>
      <DayMark kind={kind} />
      <span class="count">
        {readings === 0 ? words.reports.noneOfDay : readings}
        {readings > 0 && <span class="word"> {words.reports.word(readings)}</span>}
      </span>
      {fromDevices > 0 && <span class="unseen">{words.reports.fromDevices(fromDevices)}</span>}
    </td>
  )
}

function DayMark({ kind }: { kind: Kind }) {
  return (
    <svg class="day-mark" viewBox="0 0 16 16" aria-hidden="true">
      <circle class={kind} cx="8" cy="8" r="6" />
      {kind === 'other' && <path class="half-filled" d="M8 2a6 6 0 0 1 0 12Z" />}
    </svg>
  )
}
