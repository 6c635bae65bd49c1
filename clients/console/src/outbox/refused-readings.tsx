// Readings that the service did not accept: which, why, and what can be done. They stay until their person has dealt with them.
import { useRef } from 'preact/hooks'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { errorText } from '../format/error-text.ts'
import { countText } from '../format/numbers.ts'
import { readingText } from '../format/reading-text.ts'
import { momentText } from '../format/times.ts'
import { nameOf } from '../format/type-names.ts'
import { useLoad } from '../hooks/use-load.ts'
import { patientFor } from '../session/patient-for.ts'
import { type Refused, useOutbox } from './outbox.ts'

/** A phone's screen holds two; the others follow as these are dealt with. */
const MAX_SHOWN = 3

export function RefusedReadings({ address, zone }: { address: Address; zone: string }) {
  const { outbox, session, catalogue } = useApp()
  const { refused } = useOutbox(outbox)
  const { data: types } = useLoad('catalogue', () => catalogue())
  const list = useRef<HTMLDivElement>(null)
  if (refused.length === 0) return null
  const remove = async (one: Refused) => {
    await outbox.remove(one)
    // The button that was pressed is no longer there.
    const next = list.current?.querySelector('button') ?? document.querySelector('h1')
    next?.focus()
  }
  /** The form takes it from here by its key. */
  const correct = ({ key, reading }: Refused) => {
    const { readingType: type, patientUid: patient } = reading
    address.go({ path: 'add', query: { type, patient, correct: String(key) } })
  }
  const patientUid = patientFor(session.person, address)
  const more = refused.length - MAX_SHOWN
  return (
    <div ref={list} class="stack">
      {refused.slice(0, MAX_SHOWN).map((one) => {
        const { reading, error } = one
        const entry = types?.get(reading.readingType)
        const { value, unit } = readingText(reading, entry, zone)
        const { title, advice } = errorText(error)
        const mayCorrect = entry !== undefined && session.person.patientUids.includes(reading.patientUid)
        return (
          <div key={one.key} class="notice bad refused">
            <strong class="clamp" dir="auto">
              {nameOf(reading.readingType)} {value} {unit} was not accepted.
            </strong>
            <span dir="auto">
              {title} {advice}
            </span>
            <span class="small muted" dir="auto">
              Measured {momentText(reading.timestamp, Date.now(), zone)}
              {reading.patientUid !== patientUid && <>, for {reading.patientUid}</>}
              {error.requestId !== undefined && (
                <>
                  . Request id: <code>{error.requestId}</code>
                </>
              )}
            </span>
            <span class="row">
              {mayCorrect && (
                <button type="button" class="button" onClick={() => correct(one)}>
                  Correct
                </button>
              )}
              <button type="button" class="button" onClick={() => void remove(one)}>
                Remove
              </button>
            </span>
          </div>
        )
      })}
      {more > 0 && (
        <p class="muted">{countText(more, 'more reading was', 'more readings were')} not accepted.</p>
      )}
    </div>
  )
}
