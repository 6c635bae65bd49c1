// What the rule in the form would have done over the last 90 days: how often, when, for how long, and drawn into the chart.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReadingTypeEntry, RulePreview } from '../../../../typescript/src/client.ts'
import { boundOf, clearBound } from '../../care/rule-text.ts'
import { ErrorNotice, Loading } from '../../design/notice.tsx'
import { lengthText } from '../../format/iso-duration.ts'
import { countText } from '../../format/numbers.ts'
import { momentText } from '../../format/times.ts'
import { DAY_MS, startOfDay } from '../../format/zone-calendar.ts'
import { useNow } from '../../hooks/use-now.ts'
import type { ScreenProps } from '../../screen.ts'
import { RuleChart } from '../charts/rule-chart.tsx'
import { type TimeRange, withinBounds } from '../charts/time-range.ts'
import { ADVICE, basisSentence, countSentence, isMany, lengthOf, lengthSentence } from './preview-text.ts'
import { KINDS, type Terms } from './read-rule-form.ts'
import { PREVIEW_DAYS, type Preview } from './use-preview.ts'

const FIRST_LISTED = 5

type Props = ScreenProps & {
  entry: ReadingTypeEntry
  preview: Preview
  /** Makes a rule of one reading one of several. */
  takeSeveral: () => void
}

export function PreviewPanel(props: Props) {
  const { preview } = props
  const { state, shown, error, retry } = preview
  return (
    <section class="panel rule-preview" aria-labelledby="preview-heading" aria-busy={state === 'working'}>
      <h2 id="preview-heading">What it would have done in the last {PREVIEW_DAYS} days</h2>
      {state === 'nothing' && (
        <p class="muted">Fill in the rule, and you see here when it would have alerted.</p>
      )}
      {state === 'working' && !shown && <Loading lines={2} height={60} />}
      {state === 'failed' && <ErrorNotice error={error} onRetry={retry} />}
      {shown && state !== 'failed' && <Answer {...props} {...shown} isOld={state === 'working'} />}
    </section>
  )
}

type AnswerProps = Omit<Props, 'preview'> & {
  terms: Terms
  preview: RulePreview
  /** The form has changed since. */
  isOld: boolean
}

function Answer(props: AnswerProps) {
  const { zone, terms, preview, isOld, takeSeveral } = props
  const now = useNow()
  const [chosen, setChosen] = useState<string>()
  useEffect(() => setChosen(undefined), [preview])
  const chart = useRef<HTMLDivElement>(null)
  const choose = (openedAt: string) => {
    setChosen(openedAt)
    // On a phone it may be out of sight.
    chart.current?.scrollIntoView({ block: 'nearest' })
  }
  const kind = KINDS.find((name) => terms[name] !== undefined)
  const sentence = countSentence(preview)
  return (
    <div class={isOld ? 'stack rule-old' : 'stack'}>
      <p role="status">
        <strong class="rule-count-said">
          {isOld ? `${sentence}, before the last change…` : `${sentence}.`}
        </strong>{' '}
        <span class="muted">
          {basisSentence(preview, terms, { zone, now })} {lengthSentence(preview, { zone, now })}
        </span>
      </p>
      {isMany(preview) && kind && (
        <p class="notice">
          <span>{ADVICE[kind]}</span>
          {kind === 'threshold' && (
            <button type="button" class="link" onClick={takeSeveral}>
              Try it with 3 of the last 4 readings
            </button>
          )}
        </p>
      )}
      <div ref={chart}>{preview.readings > 0 && <Drawn {...props} chosen={chosen} />}</div>
      {chosen !== undefined && (
        <button type="button" class="link" onClick={() => setChosen(undefined)}>
          Show all {PREVIEW_DAYS} days
        </button>
      )}
      <AlertList {...props} now={now} chosen={chosen} choose={choose} />
    </div>
  )
}

/** The same range throughout a day, so that what is loaded stays. */
function Drawn({
  rounds,
  patientUid,
  zone,
  entry,
  terms,
  preview,
  chosen,
}: AnswerProps & { chosen: string | undefined }) {
  const now = useNow()
  const [fromMs, toMs] = [startOfDay(now, zone, -PREVIEW_DAYS), startOfDay(now, zone, 1)]
  const rule = useMemo(() => {
    const bound = boundOf(terms)?.value
    const [, clear] = clearBound(terms)
    return {
      bound,
      clear: clear === bound ? undefined : clear,
      spans: preview.alerts.map(({ openedAt, until }) => ({
        fromMs: Date.parse(openedAt),
        toMs: Date.parse(until ?? preview.to),
      })),
    }
  }, [terms, preview])
  const alert = preview.alerts.find(({ openedAt }) => openedAt === chosen)
  const range = alert ? aroundAlert(alert, preview.to) : { fromMs, toMs }
  const { readingType, field, unit } = terms
  return <RuleChart {...{ rounds, patientUid, readingType, field, unit, entry, zone, range, rule }} />
}

/** With what came before and after it. */
function aroundAlert(alert: RulePreview['alerts'][number], to: string): TimeRange {
  const fromMs = Date.parse(alert.openedAt)
  const lengthMs = lengthOf(alert, to)
  const air = Math.max(DAY_MS / 2, lengthMs / 2)
  return withinBounds({ fromMs: fromMs - air, toMs: fromMs + lengthMs + air })
}

type ListProps = AnswerProps & { now: number; chosen: string | undefined; choose: (openedAt: string) => void }

function AlertList({ zone, preview, now, chosen, choose }: ListProps) {
  const [isWhole, setWhole] = useState(false)
  const { alerts, count, to } = preview
  if (alerts.length === 0) return null
  const listed = isWhole ? alerts : alerts.slice(0, FIRST_LISTED)
  return (
    <>
      <ul class="rule-alerts">
        {listed.map((alert) => {
          const { openedAt, until, why } = alert
          const when = momentText(openedAt, now, zone)
          const length = lengthText(lengthOf(alert, to))
          return (
            <li key={openedAt}>
              <span>
                <time dateTime={openedAt}>{when}</time>
                {until === null ? `, still open after ${length}` : `, for ${length}`}
              </span>
              <span class="small muted">{why}</span>
              <button
                type="button"
                class="link small"
                aria-pressed={openedAt === chosen}
                aria-label={`Show in the chart: ${when}`}
                onClick={() => choose(openedAt)}
              >
                Show in the chart
              </button>
            </li>
          )
        })}
      </ul>
      {!isWhole && alerts.length > FIRST_LISTED && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show all {countText(alerts.length, 'alert')}
        </button>
      )}
      {isWhole && count > alerts.length && (
        <p class="small muted">The newest {countText(alerts.length, 'alert')} are drawn and listed.</p>
      )}
    </>
  )
}
