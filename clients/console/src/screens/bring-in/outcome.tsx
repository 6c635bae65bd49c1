// What became of a file: all of it sent, stopped, or failed on the way. What was stored stays.
import { useEffect, useRef } from 'preact/hooks'
import { RoundsError } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import type { BringIn, Counts } from '../../bring-in/bring-in.ts'
import { errorText } from '../../format/error-text.ts'
import { countText, numberText } from '../../format/numbers.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import type { ScreenProps } from '../../screen.ts'
import { namedFor } from '../../session/patient-for.ts'
import { Link } from '../../ui/link.tsx'
import { addressOfRange, withinBounds } from '../charts/time-range.ts'
import { MAX_TYPES } from '../charts/type-picker.tsx'
import { countsText, fileText, unreadableText } from './import-text.ts'
import { LeftOut } from './left-out.tsx'
import { FileHeading } from './progress.tsx'
import { WaysOn } from './ways-on.tsx'
import { WithdrawAll } from './withdraw-all.tsx'

type Ended = Extract<BringIn, { state: 'brought' | 'stopped' | 'failed' }>
type Props = ScreenProps & { now: Ended; goOn: () => void; withdraw: () => void; again: () => void }

export function Outcome({ now, patientUid, address, goOn, withdraw, again }: Props) {
  const { person } = useApp().session
  const { file, preview } = now
  const counts = countsOf(now)
  const heading = useRef<HTMLDivElement>(null)
  // The button that was pressed is no longer there.
  useEffect(() => heading.current?.querySelector('h2')?.focus(), [])
  const isMostlyRefused = counts.rejected > counts.stored + counts.duplicates
  const isInRecord = counts.stored + counts.duplicates > 0
  return (
    <section class="panel stack bring-in" aria-labelledby="file-heading">
      <div ref={heading}>
        <FileHeading file={file} text={fileText(file, preview.format)} />
      </div>
      <div class={noticeOf(now, isMostlyRefused)} role={now.state === 'failed' ? 'alert' : 'status'}>
        <strong dir="auto">{titleOf(now, isMostlyRefused, namedFor(person, patientUid))}</strong>
        <span>{countsText(counts)}</span>
        {now.state === 'failed' && <Why error={now.error} file={file} />}
        {now.state !== 'brought' && <span>Bring it in again to go on: nothing is stored twice.</span>}
      </div>
      {now.state === 'brought' && <Refused {...now.result.rejected} />}
      {now.state === 'brought' && <LeftOut preview={now.result} />}
      <WaysOn again={again}>
        {isInRecord && (
          <Link class="button primary" address={address} to={{ path: 'charts', query: chartOf(preview) }}>
            See the charts of that time
          </Link>
        )}
        {now.state !== 'brought' && (
          <button type="button" class={isInRecord ? 'button' : 'button primary'} onClick={goOn}>
            Go on with this file
          </button>
        )}
      </WaysOn>
      {now.storedHere.length > 0 && (
        <WithdrawAll count={now.storedHere.length} patientUid={patientUid} withdraw={withdraw} />
      )}
    </section>
  )
}

function countsOf(now: Ended): Counts {
  if (now.state !== 'brought') return now.counts
  const { stored, duplicates, rejected } = now.result
  return { stored, duplicates, rejected: rejected.count }
}

function noticeOf({ state }: Ended, isMostlyRefused: boolean): string {
  if (isMostlyRefused || state === 'failed') return 'notice bad'
  return state === 'brought' ? 'notice good' : 'notice'
}

function titleOf({ state }: Ended, isMostlyRefused: boolean, named: string): string {
  if (state === 'brought' && isMostlyRefused) return `Most of it was refused${named}.`
  if (state === 'brought') return `Imported${named}.`
  return state === 'stopped' ? `Stopped${named}.` : `Not all was imported${named}.`
}

function Why({ error, file }: { error: unknown; file: File }) {
  const { title, advice } = whyText(error, file)
  const id = error instanceof RoundsError ? error.requestId : undefined
  return (
    <>
      <span dir="auto">
        {title} {advice}
      </span>
      {id !== undefined && (
        <span class="small muted">
          Request id, to quote when you ask for help: <code>{id}</code>
        </span>
      )}
    </>
  )
}

function whyText(error: unknown, file: File): { title: string; advice: string } {
  if (!(error instanceof RoundsError)) return unreadableText(error, file)
  if (error.code === 'RateLimited')
    return { title: 'The service takes no more for this record today.', advice: 'Go on tomorrow.' }
  return errorText(error)
}

type RefusedProps = { count: number; examples: readonly { line?: number; message: string }[] }

function Refused({ count, examples }: RefusedProps) {
  if (count === 0) return null
  return (
    <details class="left-out" open>
      <summary>{countText(count, 'reading was', 'readings were')} refused</summary>
      <ul>
        {examples.map(({ line, message }, index) => (
          <li key={index}>
            {line !== undefined && <span class="muted small">Line {numberText(line)}: </span>}
            <span dir="auto">{message.charAt(0).toUpperCase() + message.slice(1)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The types with the most readings, over the time of the file. */
function chartOf({ types, from, to }: Ended['preview']) {
  const most = types.toSorted((one, other) => other.count - one.count).map(({ readingType }) => readingType)
  const range =
    from === undefined || to === undefined
      ? {}
      : addressOfRange(
          withinBounds({
            fromMs: Date.parse(from),
            toMs: Math.max(Date.parse(to) + 1_000, Date.parse(from) + DAY_MS),
          }),
        )
  return { type: [...new Set(most)].slice(0, MAX_TYPES), ...range }
}
