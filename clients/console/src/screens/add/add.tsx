// Add: choose what was measured, type it in, and read what is answered. What this person types most lately comes first, and nothing is
// chosen in advance.
import { useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { localInput } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useOutbox } from '../../outbox/outbox.ts'
import { useNamedFor } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import './add.css'
import { AddForm } from './add-form.tsx'
import { Answer } from './answer.tsx'
import { ChooseType } from './choose-type.tsx'
import { formOf } from './form-of.ts'
import { typedFrom } from './read-form.ts'
import { Sent } from './sent.tsx'
import { useCorrected } from './use-corrected.ts'
import { useSaidBefore } from './use-said-before.ts'
import { useSent } from './use-sent.ts'

export function Add(props: ScreenProps) {
  const { patientUid, zone, address } = props
  const { catalogue, session, outbox } = useApp()
  const { data, error, reload } = useLoad('catalogue', () => catalogue())
  const sent = useSent(outbox, patientUid)
  const [answered, setAnswered] = useState<Reading>()
  const named = useNamedFor(patientUid)
  if (!session.person.patientUids.includes(patientUid)) {
    return (
      <Empty title={words.add.notYours}>
        <span>{words.add.onlyCarers}</span>
      </Empty>
    )
  }
  if (!data) return <Awaited lines={4} height={64} error={error} reload={reload} />
  const type = address.query.get('type')
  const entry = type === null ? undefined : data.get(type)
  return (
    <div class="add">
      {answered && <Answer {...{ reading: answered, sent, catalogue: data, patientUid, zone, address }} />}
      {entry ? (
        <TypeForm
          key={entry.readingType}
          {...props}
          {...{ entry, isAnswered: answered !== undefined, onAnswered: setAnswered }}
        />
      ) : (
        <ChooseType {...props} catalogue={data} />
      )}
      <Sent {...{ sent, named, catalogue: data, zone, address }} />
    </div>
  )
}

type FormProps = ScreenProps & {
  entry: NonNullable<ReturnType<Catalogue['get']>>
  isAnswered: boolean
  onAnswered: (reading: Reading) => void
}

function TypeForm({ entry, isAnswered, onAnswered, patientUid, zone, address }: FormProps) {
  const { outbox } = useApp()
  const { refused } = useOutbox(outbox)
  const { readingType } = entry
  const form = formOf(entry)
  const known = useSaidBefore(patientUid, readingType)
  const correct = address.query.get('correct')
  const notAccepted = refused.find(
    ({ key, reading }) =>
      String(key) === correct && reading.readingType === readingType && reading.patientUid === patientUid,
  )
  const change = address.query.get('change')
  const { earlier: changed, ...asked } = useCorrected({ patientUid, readingType, at: change })
  const corrected = notAccepted?.reading ?? changed?.reading
  // The form is that of the earlier value from the start.
  if (change !== null && !changed) return <Awaited lines={3} height={64} {...asked} />
  const add = async (typed: Reading) => {
    const reading = corrected ? withTimeOf(corrected, typed, zone) : typed
    if (changed) await outbox.change(changed, reading)
    else await outbox.add(reading)
    onAnswered(reading)
    // Not before the correction is on the device: until then this is the only copy of what was measured.
    if (notAccepted) await outbox.remove(notAccepted)
    if (corrected) address.go({ query: { correct: undefined, change: undefined } }, { replace: true })
  }
  // What was refused is known a moment after a reload: until then nothing is typed in its place.
  const draft = corrected ? `${correct ?? ''} ${change ?? ''}` : ''
  return (
    <section class="panel stack">
      <div class="row add-type">
        <h2>{corrected ? words.add.changing(nameOf(readingType)) : nameOf(readingType)}</h2>
        <Link address={address} to={{ query: { type: undefined, correct: undefined, change: undefined } }}>
          {words.add.somethingElse}
        </Link>
      </div>
      <AddForm
        key={draft}
        {...{ form, patientUid, zone, known, draft }}
        takesFocus={!isAnswered}
        corrected={corrected && typedFrom(form, corrected, zone)}
        onSend={add}
      />
    </section>
  )
}

/** The form shows minutes: what was not changed stays as it was. */
function withTimeOf({ timestamp }: Reading, typed: Reading, zone: string): Reading {
  const isSame = localInput(timestamp, zone) === localInput(typed.timestamp, zone)
  return isSame ? { ...typed, timestamp } : typed
}
