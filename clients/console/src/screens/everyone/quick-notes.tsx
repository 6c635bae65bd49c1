// What a carer did about a low value, noted by one tap; and the number to call, where there is one.
import { useRef, useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useOutbox } from '../../outbox/outbox.ts'
import { keyOf } from '../../outbox/verdicts.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { Chips } from '../add/chips.tsx'
import { TYPED } from '../add/read-form.ts'
import { UndoButton } from '../add/undo-button.tsx'
import { useSent } from '../add/use-sent.ts'

/** The same again within it is the second of two taps. */
const SAME_TAP_MS = 10_000

export function QuickNotes({ patientUid, name }: { patientUid: string; name: string }) {
  const { outbox, emergencyNumber } = useApp()
  const { refused } = useOutbox(outbox)
  const { readings } = useSent(outbox, patientUid)
  const [noted, setNoted] = useState<Reading>()
  const [failure, setFailure] = useState<unknown>()
  const lastTap = useRef<{ text: string; at: number }>(undefined)
  const status = useRef<HTMLParagraphElement>(null)
  const key = noted && keyOf(noted)
  const sent = readings.find((one) => one.key === key)
  const error = failure ?? refused.find(({ reading }) => keyOf(reading) === key)?.error
  const attempt = async (act: () => Promise<void>) => {
    setFailure(undefined)
    try {
      await act()
    } catch (thrown) {
      lastTap.current = undefined
      setFailure(thrown)
    }
  }
  const note = (text: string) => {
    const at = Date.now()
    const { current: last } = lastTap
    if (last?.text === text && at - last.at < SAME_TAP_MS) return
    lastTap.current = { text, at }
    const reading = { patientUid, readingType: 'note', text, timestamp: at, source: TYPED } as Reading
    void attempt(async () => {
      await outbox.add(reading)
      setNoted(reading)
    })
  }
  const undo = (reading: Reading) =>
    attempt(async () => {
      await outbox.undo(reading)
      lastTap.current = undefined
      // The button goes.
      status.current?.focus()
    })
  const mayUndo = sent?.state === 'waiting' || sent?.state === 'stored'
  return (
    <div class="stack">
      <Chips
        legend={words.parent.noteFor(name)}
        texts={[words.parent.gaveJuice, words.parent.amWith(name)]}
        choose={note}
      />
      <p class="small" role="status" dir="auto" ref={status} tabIndex={-1}>
        {sent &&
          (mayUndo
            ? words.parent.noted({ text: textOf(sent.reading), name, isWaiting: sent.state === 'waiting' })
            : words.add.outcomes[sent.state])}
      </p>
      {sent && mayUndo && (
        <p>
          <UndoButton
            label={words.parent.undoNote(textOf(sent.reading), name)}
            since={sent.state === 'waiting' ? Infinity : (sent.addedAt ?? 0)}
            onUndo={() => undo(sent.reading)}
          />
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <p class="small">
        {emergencyNumber === undefined ? (
          words.add.emergency(undefined)
        ) : (
          <a class="link" href={`tel:${emergencyNumber.replaceAll(' ', '')}`}>
            {words.add.emergency(emergencyNumber)}
          </a>
        )}
      </p>
    </div>
  )
}

const textOf = ({ text }: Readonly<Record<string, unknown>>) => String(text)
