// Taking back what this page has stored of a file: asked for once more, and what became of it.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BringIn } from '../../bring-in/bring-in.ts'
import { errorText } from '../../format/error-text.ts'
import { countText, numberText } from '../../format/numbers.ts'
import { fileText } from './import-text.ts'
import { FileHeading } from './progress.tsx'
import { GoOn, WaysOn } from './ways-on.tsx'

type AskProps = { count: number; patientUid: string; withdraw: () => void }

export function WithdrawAll({ count, patientUid, withdraw }: AskProps) {
  const [isAsking, setAsking] = useState(false)
  const sure = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isAsking) sure.current?.focus()
  }, [isAsking])
  if (!isAsking)
    return (
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Withdraw all of this file
      </button>
    )
  return (
    <div class="notice stack">
      <span dir="auto">
        {countText(count, 'reading')} that this file brought into the record of <strong>{patientUid}</strong>{' '}
        will be withdrawn: they stay in the record, and no longer count. What was there before stays.
      </span>
      <span class="row">
        <button ref={sure} type="button" class="button severe" onClick={withdraw}>
          Withdraw {countText(count, 'reading')}
        </button>
        <button type="button" class="button" onClick={() => setAsking(false)}>
          Keep them
        </button>
      </span>
    </div>
  )
}

type Props = {
  now: Extract<BringIn, { state: 'withdrawn' }>
  goOn: () => void
  again: () => void
}

export function Withdrawn({ now, goOn, again }: Props) {
  const { file, preview, done, storedHere, error } = now
  const heading = useRef<HTMLDivElement>(null)
  // The button that was pressed is no longer there.
  useEffect(() => heading.current?.querySelector('h2')?.focus(), [])
  return (
    <section class="panel stack bring-in" aria-labelledby="file-heading">
      <div ref={heading}>
        <FileHeading file={file} text={fileText(file, preview.format)} />
      </div>
      <div
        class={error === undefined ? 'notice good' : 'notice bad'}
        role={error === undefined ? 'status' : 'alert'}
      >
        <strong>
          {countText(done, 'reading was', 'readings were')} withdrawn
          {error === undefined ? '' : ` of ${numberText(storedHere.length)}`}.
        </strong>
        {error !== undefined && <span>{errorText(error).title} Go on: nothing is withdrawn twice.</span>}
      </div>
      <WaysOn again={again}>{error !== undefined && <GoOn goOn={goOn} />}</WaysOn>
      <p class="muted small">They stay in the record, and no longer count.</p>
    </section>
  )
}
