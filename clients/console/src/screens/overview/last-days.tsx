// The last 3 and 7 days of one type, each reading where it lies, and their means beside those of the two weeks before. Of a sensor, each
// hour from its lowest to its highest value.
import { useState } from 'preact/hooks'
import type { ListedPatient, ReadingTypeEntry, Target } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { whoseText } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { useReader } from '../../care/use-reader.ts'
import { DaysChart, type Dot } from '../../chart/days-chart.tsx'
import { numberText } from '../../format/numbers.ts'
import { readingText } from '../../format/reading-text.ts'
import { agoText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { converted, digitsOf, unitSign } from '../../format/units.ts'
import { startOfDay } from '../../format/zone-calendar.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import {
  loadStatistics,
  mergedSummary,
  type Statistics,
  type Summary,
} from '../../statistics/load-statistics.ts'
import { Choice } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Awaited } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { type Mark, marksIn, marksOf } from '../charts/marks.ts'
import { drawnFields, shapeOf } from '../charts/type-shape.ts'
import { useSeries } from '../charts/use-series.ts'

const [SHORT, LONG, BEFORE] = [3, 7, 14]
const PLOT_PX = 84
const MAX_TYPES = 5

type Props = ScreenProps & { patient: ListedPatient; now: number }

export function LastDays(props: Props) {
  const { patient, now, zone, address } = props
  const { catalogue } = useApp()
  const types = useLoad('catalogue', () => catalogue())
  const targets = useTargets(patient.patientUid)
  const measured = patient.newest.filter(({ readingType }) => types.data?.get(readingType)?.numbers.length)
  const [chosen, setChosen] = useState<string>()
  const decisive = patient.reasons.flatMap((reason) => ('readingType' in reason ? [reason.readingType] : []))
  const names = measured.map(({ readingType }) => readingType)
  const shown = chosen ?? decisive.find((type) => type && names.includes(type)) ?? names[0]
  const entry = types.data?.get(shown ?? '')
  if (!types.data) return <Awaited error={types.error} reload={types.reload} lines={2} height={120} />
  if (!entry) return null
  const target = targets.of(entry.readingType)
  const newest = measured.find(({ readingType }) => readingType === shown)
  const unit = entry.units.length < 2 ? undefined : (target?.unit ?? newest?.unit ?? entry.units[0])
  const beside = patient.newest.filter(({ readingType }) => readingType !== shown)
  return (
    <>
      <section class="panel stack" aria-labelledby="last-days-heading">
        <div class="row last-days-head">
          <h2 id="last-days-heading">
            {nameOf(entry.readingType)}{' '}
            <span class="small muted">{unitSign(unit ?? entry.units[0] ?? '')}</span>
          </h2>
          {names.length > 1 && (
            <Choice
              aria-label={words.overview.whichReadings}
              value={shown}
              set={setChosen}
              options={names.slice(0, MAX_TYPES).map((type) => [type, nameOf(type)] as const)}
            />
          )}
        </div>
        <OfType key={shown} {...props} {...{ entry, target, newest, unit }} />
        <p class="small muted">
          <Link
            address={address}
            to={{ path: 'charts', query: { patient: patient.patientUid, type: shown } }}
          >
            {words.overview.asTable}
          </Link>
        </p>
      </section>
      {beside.length > 0 && (
        <section class="panel" aria-labelledby="other-readings-heading">
          <h2 id="other-readings-heading">{words.overview.otherReadings}</h2>
          <dl class="other-readings">
            {beside.map((one) => (
              <div key={one.readingType}>
                <dt>{nameOf(one.readingType)}</dt>
                <dd>
                  <NewestValue newest={one} {...{ now, zone }} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

type OfTypeProps = Props & {
  entry: ReadingTypeEntry
  target: Target | undefined
  newest: ListedPatient['newest'][number] | undefined
  /** In which values are shown, where there is a choice. */
  unit: string | undefined
}

function OfType(props: OfTypeProps) {
  const { rounds, patientUid, zone, now, entry, target, newest, unit } = props
  const { readingType } = entry
  const shape = shapeOf(readingType, entry)
  const day = (ago: number) => startOfDay(now, zone, 1 - ago)
  const view = { fromMs: day(LONG), toMs: day(0) }
  const range = { fromMs: day(LONG + BEFORE), toMs: day(0) }
  const statistics = useLoad(
    [patientUid, readingType, zone, range.fromMs],
    (signal) => loadStatistics(rounds, { patientUid, readingType, range, bucket: 'day', zone }, signal),
    [newest?.receivedAt],
  )
  const detail = { room: 240, kind: shape.kind } as const
  const { series, error, retry } = useSeries({ rounds, patientUid, readingType, zone, view, detail })
  const reader = useReader(target ? [target] : [])
  const fields = drawnFields(shape)
  const failed = error === undefined ? statistics : { error, reload: retry }
  if (!series || !statistics.data || error !== undefined)
    return <Awaited error={failed.error} reload={failed.reload} lines={2} height={120} />
  const marks = marksOf(series, shape, unit)
  const charts = (days: number) =>
    fields.map((field, index) => (
      <DaysChart
        key={field}
        name={fields.length > 1 ? nameOf(field) : ''}
        unit={unitSign(unit ?? entry.units[0] ?? '')}
        dots={dotsOf(marksIn(marks, { fromMs: day(days), toMs: day(0) }), field)}
        bounds={target?.fields[field] ?? {}}
        fromMs={day(days)}
        toMs={day(0)}
        zone={zone}
        hasAxis={index === fields.length - 1}
        height={PLOT_PX}
      />
    ))
  const figure = (name: string, from: number, to: number) => (
    <Figure {...{ name, fields, unit }} statistics={statistics.data} fromMs={day(from)} toMs={day(to)} />
  )
  return (
    <>
      <dl class="figures">
        {figure(words.overview.lastDays(SHORT), SHORT, 0)}
        {figure(words.overview.lastDays(LONG), LONG, 0)}
        {figure(words.overview.daysBefore(BEFORE), LONG + BEFORE, LONG)}
      </dl>
      <h3>{words.overview.lastDays(SHORT)}</h3>
      {charts(SHORT)}
      <h3>{words.overview.lastDays(LONG)}</h3>
      {charts(LONG)}
      <p class="small muted">
        {target ? words.overview.judgedBy(whoseText(target, reader)) : words.overview.notJudged}
      </p>
    </>
  )
}

const dotsOf = (marks: readonly Mark[], field: string): Dot[] =>
  marks.flatMap(({ atMs, values }) => {
    const value = values[field]
    return value ? [{ atMs, low: value.min, high: value.max }] : []
  })

type FigureProps = {
  name: string
  fields: readonly string[]
  /** In which values are shown, where there is a choice. */
  unit: string | undefined
  statistics: Statistics | undefined
  fromMs: number
  toMs: number
}

/** The mean, and from the lowest to the highest: a mean alone would hide the one value that matters. */
function Figure({ name, fields, unit, statistics, fromMs, toMs }: FigureProps) {
  const { buckets = [], units = {} } = statistics ?? {}
  const summaries = fields.map((field) =>
    buckets
      .filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
      .flatMap(({ fields: { [field]: summary } }) => summary ?? [])
      .reduce<Summary | undefined>((sum, one) => (sum ? mergedSummary(sum, one) : one), undefined),
  )
  const inUnit = (value: number, field: string) => {
    const stored = units[field] ?? ''
    const shown = unit ?? stored
    return Number(converted(value, stored, shown).toFixed(digitsOf(shown)))
  }
  const textOf = (part: 'mean' | 'min' | 'max') =>
    summaries.map((summary, index) => numberText(inUnit(summary?.[part] ?? 0, fields[index] ?? ''))).join('/')
  const [first] = summaries
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {first ? (
          <>
            <span class="small muted">{words.overview.mean}</span>
            {textOf('mean')}
          </>
        ) : (
          '–'
        )}
        <small>
          {first ? words.overview.span(first.count, textOf('min'), textOf('max')) : words.kit.noReadings}
        </small>
      </dd>
    </div>
  )
}

type NewestProps = { newest: ListedPatient['newest'][number] | undefined; now: number; zone: string }

/** "224/126 mmHg 35 min". */
export function NewestValue({ newest, now, zone }: NewestProps) {
  const { catalogue } = useApp()
  const { data: types } = useLoad('catalogue', () => catalogue())
  if (!newest || !types) return null
  const { readingType, values, unit, measuredAt } = newest
  const reading = { readingType, ...values, ...(unit !== null && { unit }) }
  const { value, unit: sign } = readingText(reading, types.get(readingType), zone)
  return (
    <>
      <b>{value.replaceAll(' / ', '/')}</b> <span class="muted">{sign}</span>{' '}
      <span class="muted">{agoText(measuredAt, now)}</span>
    </>
  )
}
