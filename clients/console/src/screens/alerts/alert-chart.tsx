// The readings around an alert: from a day before it on, with the bound of the rule, its span shaded and the readings that opened it
// ringed; and the same in words.
import { useMemo, useState } from 'preact/hooks'
import type { ReadingTypeEntry, RoundsClient } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { boundOf, clearBound, measureName } from '../../care/rule-text.ts'
import { countText, numberText } from '../../format/numbers.ts'
import { readingText } from '../../format/reading-text.ts'
import { occasionText, sinceText } from '../../format/times.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../format/zone-calendar.ts'
import { useAtMostEvery } from '../../hooks/use-at-most-every.ts'
import { useLasting } from '../../hooks/use-lasting.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { LiveContext, useChanges, useOpened, useWatch } from '../../live/live.ts'
import { RuleChart } from '../charts/rule-chart.tsx'
import { readingValueText, ruleOf, spanText, type TextOptions } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'

/** Somebody who goes through many alerts by the arrow keys opens no record: each is a read that the patient sees. */
const RESTED_MS = 300
/** What is drawn ends so far ahead at most, so that it is not asked for anew every moment. */
const STEP_MS = 15 * MINUTE_MS
/** A sensor may send every second. */
const NEWEST_EVERY_MS = 5_000
/** Of readings that opened it, so many are named. */
const MAX_NAMED = 4

type Props = { alert: Alert; rounds: RoundsClient; text: TextOptions }

export function AlertChart(props: Props) {
  const isRested = useLasting(true, RESTED_MS)
  return isRested ? <Watched {...props} /> : <Waiting />
}

const Waiting = () => (
  <div class="alert-chart" aria-busy="true">
    <span class="unseen" role="status">
      Loading the readings
    </span>
    <div class="skeleton alert-chart-waiting" />
  </div>
)

/** Readings that arrive are drawn as they come. */
function Watched(props: Props) {
  const live = useWatch(props.rounds, props.alert.patientUid)
  return (
    <LiveContext.Provider value={live}>
      <Around {...props} />
    </LiveContext.Provider>
  )
}

function Around({ alert, rounds, text }: Props) {
  const { catalogue } = useApp()
  const { data: types } = useLoad('catalogue', () => catalogue())
  const { patientUid, readingType, field } = alert
  const rule = ruleOf(alert)
  const stepMs = Math.ceil(text.now / STEP_MS) * STEP_MS
  const range = useMemo(() => rangeAround(alert, stepMs), [alert, stepMs])
  const isOver = alert.until !== null
  const drawn = useMemo(() => {
    const fromMs = Date.parse(alert.since)
    const toMs = alert.until === null ? stepMs : Date.parse(alert.until)
    const clear = alert.rule.clear
    return {
      bound: boundOf(rule)?.value,
      clear: clear?.below ?? clear?.above ?? undefined,
      spans: [{ fromMs, toMs: Math.max(toMs, fromMs) }],
      opening: alert.readings.flatMap(({ measuredAt, value }) =>
        value === null ? [] : [{ atMs: Date.parse(measuredAt), value }],
      ),
    }
  }, [alert, stepMs])
  return (
    <figure class="alert-chart">
      <figcaption>
        <h3>{capital(measureName(rule))} around the alert</h3>
      </figcaption>
      <Newest alert={alert} rounds={rounds} text={text} entry={types?.get(readingType)} />
      {types ? (
        <RuleChart
          {...{ rounds, patientUid, readingType, range }}
          field={field ?? undefined}
          unit={alert.rule.unit ?? undefined}
          entry={types.get(readingType)}
          zone={text.zone}
          rule={drawn}
        />
      ) : (
        <div class="skeleton alert-chart-waiting" />
      )}
      <p class="small muted">
        {linesText(rule)}
        Shaded: the alert, {spanText(alert, text)}
        {isOver ? '' : ', until now'}.{' '}
        {alert.readings.length > 0 && `${openedText(alert, text)} ${boundOf(rule) ? '(ringed)' : ''}`.trim()}
        {alert.readings.length > 0 && '.'}
      </p>
    </figure>
  )
}

type NewestProps = Props & { entry: ReadingTypeEntry | undefined }

/** The value of now, which may be worse than the one that opened it. */
function Newest({ alert: { patientUid, readingType }, rounds, text, entry }: NewestProps) {
  const [version, setVersion] = useState(0)
  const again = () => setVersion((before) => before + 1)
  useChanges({
    onChange: (change) =>
      (change.state === 'erased' || change.reading.readingType === readingType) && again(),
    onReset: again,
  })
  const opened = useOpened()
  const { data } = useLoad(
    [patientUid, readingType],
    async (signal) => {
      await opened
      return rounds.latestReadings({ patientUid, readingType: [readingType] }, { signal })
    },
    [useAtMostEvery(version, NEWEST_EVERY_MS)],
  )
  const reading = data?.data[0]
  const shown = reading && readingText(reading, entry, text.zone)
  return (
    <p class="small alert-newest">
      {!data ? (
        'Newest: …'
      ) : !reading || !shown ? (
        'No reading of this type is left.'
      ) : (
        <>
          Newest: <strong>{`${shown.value} ${shown.unit}`.trim()}</strong>,{' '}
          {occasionText(reading.measuredAt, text.now, { zone: text.zone })}
        </>
      )}
    </p>
  )
}

/** "Line: above 13.9 mmol/L. Dotted: ends below 12 mmol/L. " Nothing of a rule without a bound. */
function linesText(rule: ReturnType<typeof ruleOf>): string {
  const bound = boundOf(rule)
  if (!bound) return ''
  const amount = (value: number) => `${numberText(value)} ${unitSign(rule.unit ?? '')}`.trim()
  const [words, value] = clearBound(rule)
  const ends = value === undefined || value === bound.value ? '' : `Dotted: ends ${words} ${amount(value)}. `
  return `Line: ${bound.side} ${amount(bound.value)}. ${ends}`
}

/** A day before what opened it, and what came after it. */
function rangeAround({ since, until, readings }: Alert, nowMs: number) {
  const firstMs = Math.min(Date.parse(since), ...readings.map(({ measuredAt }) => Date.parse(measuredAt)))
  const endMs = until === null ? nowMs : Math.min(nowMs, Date.parse(until) + 6 * HOUR_MS)
  return { fromMs: firstMs - DAY_MS, toMs: endMs }
}

/** "Opened by 3 readings: 14.2 mmol/L at 07:12, …". */
function openedText({ readings, rule }: Alert, { zone, now }: TextOptions): string {
  const newest = readings.toSorted((one, other) => Date.parse(other.measuredAt) - Date.parse(one.measuredAt))
  const named = newest
    .slice(0, MAX_NAMED)
    .map((reading) => `${readingValueText(reading)} ${sinceText(reading.measuredAt, now, zone)}`.trim())
  const more = readings.length > MAX_NAMED ? ` and ${readings.length - MAX_NAMED} before` : ''
  const what = rule.missing
    ? 'The last reading before it'
    : `Opened by ${countText(readings.length, 'reading')}`
  return `${what}: ${named.join(', ')}${more}`
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
