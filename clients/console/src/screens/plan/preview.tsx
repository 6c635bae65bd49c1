// What the rule in the form would have done over the last 90 days: how often, when, for whom, and drawn among the values of one patient.
import { useEffect, useState } from 'preact/hooks'
import type { ReadingTypeEntry, RulePreview } from '../../../../typescript/src/client.ts'
import { DaysChart } from '../../chart/days-chart.tsx'
import { dayText, momentText } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { converted, unitSign } from '../../format/units.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import type { ScreenProps } from '../../screen.ts'
import { loadStatistics } from '../../statistics/load-statistics.ts'
import { ErrorNotice, Loading } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import type { Terms } from './read-rule-form.ts'

const DAYS = 90
const LISTED = 5
const PLOT_PX = 96
const RESTS_AFTER_MS = 500

type Props = ScreenProps & {
  entry: ReadingTypeEntry | undefined
  /** Undefined while the form is not complete. */
  terms: Terms | undefined
  isForAll: boolean
}

export function PreviewPanel(props: Props) {
  const { rounds, patientUid, terms, isForAll } = props
  const whose = isForAll ? {} : { patientUid }
  // How urgent it is, and what it is called, changes nothing.
  const asked = terms && JSON.stringify({ ...whose, ...terms, severity: 'warning', label: undefined })
  const rests = useRested(asked)
  const { data, error, reload } = useLoad(['preview', rests], async (signal) =>
    rests === undefined ? undefined : (await rounds.rules.preview(JSON.parse(rests), { signal })).data,
  )
  const isWorking = asked !== undefined && (asked !== rests || (!data && error === undefined))
  return (
    <section class="rule-preview" aria-labelledby="preview-heading" aria-busy={isWorking}>
      <h2 id="preview-heading">{words.ruleForm.lastDays(DAYS)}</h2>
      {asked === undefined && <p class="muted">{words.ruleForm.fillGaps}</p>}
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {isWorking && !data && <Loading lines={1} height={60} />}
      {asked !== undefined && data && terms && <Answer {...props} terms={terms} preview={data} />}
    </section>
  )
}

/** What has not changed for a moment. */
function useRested(asked: string | undefined): string | undefined {
  const [rested, setRested] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setRested(asked), RESTS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [asked])
  return rested
}

type AnswerProps = Props & { terms: Terms; preview: RulePreview }

function Answer(props: AnswerProps) {
  const { zone, terms, preview, isForAll } = props
  const { alerts, count, perWeek, readings, patients, isCut, from } = preview
  const now = useNow()
  const { ruleForm } = words
  const ofPatients = isForAll ? patients : undefined
  return (
    <>
      <p role="status">
        <strong>
          {count === 0
            ? ruleForm.notTold
            : ruleForm.told(count, perWeek >= 1 ? Math.round(perWeek) : undefined)}
        </strong>{' '}
        <span class="muted">
          {readings === 0
            ? ruleForm.noReadings(nameWithin(terms.readingType), ofPatients)
            : ruleForm.tried(readings, { day: dayText(from, now, zone), isCut, ofPatients })}
        </span>
      </p>
      {!isForAll && readings > 0 && terms.field !== undefined && <Drawn {...props} />}
      <ul class="rule-alerts">
        {alerts.slice(0, LISTED).map(({ patientUid, sharedAs, openedAt, until, why }) => (
          <li key={`${patientUid} ${openedAt}`}>
            <time dateTime={openedAt}>{momentText(openedAt, now, zone)}</time>{' '}
            {isForAll && <bdi>{sharedAs ?? patientUid}: </bdi>}
            <span class="muted">
              {why} {until === null ? ruleForm.openNow : ''}
            </span>
          </li>
        ))}
      </ul>
      {count > LISTED && <p class="small muted">{ruleForm.andBefore(count - LISTED)}</p>}
    </>
  )
}

/** Each day from its lowest to its highest value, the bound, and when it would have told. */
function Drawn({ rounds, patientUid, zone, entry, terms, preview }: AnswerProps) {
  const { readingType, field = '', unit = '', value } = terms
  const toMs = Math.ceil(Date.parse(preview.to) / DAY_MS) * DAY_MS
  const fromMs = toMs - DAYS * DAY_MS
  const { data } = useLoad([patientUid, readingType, zone, fromMs], (signal) =>
    loadStatistics(rounds, { patientUid, readingType, range: { fromMs, toMs }, bucket: 'day', zone }, signal),
  )
  if (!data || !entry) return <Loading lines={1} height={PLOT_PX} />
  const inUnit = (amount: number) => converted(amount, data.units[field] ?? unit, unit)
  const dots = data.buckets.flatMap(({ startMs, endMs, fields: { [field]: summary } }) =>
    summary ? [{ atMs: (startMs + endMs) / 2, low: inUnit(summary.min), high: inUnit(summary.max) }] : [],
  )
  return (
    <DaysChart
      name={field === 'value' ? '' : nameOf(field)}
      unit={unitSign(unit)}
      dots={dots}
      bounds={{ high: value?.above, low: value?.below }}
      told={preview.alerts.map(({ openedAt }) => Date.parse(openedAt))}
      {...{ fromMs, toMs, zone }}
      hasAxis
      height={PLOT_PX}
    />
  )
}
