// What is said once a reading was added: that nobody may have seen it, and never that it is fine. After a symptom, and beyond an act
// limit of a doctor who has one for this patient, more is said. The number to call is that of those who run the service.
import { useEffect, useRef } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { beyondLimit } from '../../care/act-limits.ts'
import { authorOf } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { useReader } from '../../care/use-reader.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { nameOf } from '../../format/type-names.ts'
import { keyOf } from '../../outbox/verdicts.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'
import type { SentReadings } from './use-sent.ts'

type Props = {
  reading: Reading
  sent: SentReadings
  catalogue: Catalogue
  patientUid: string
  zone: string
  address: Address
}

export function Answer({ reading, sent, catalogue, patientUid, zone, address }: Props) {
  const { emergencyNumber, hasCare } = useApp()
  const targets = useTargets(patientUid)
  const reader = useReader(targets.data ?? [])
  const heading = useRef<HTMLHeadingElement>(null)
  const key = keyOf(reading)
  useEffect(() => heading.current?.focus(), [key])
  const state = sent.readings.find((one) => one.key === key)?.state
  // Undone, or refused, which is said elsewhere.
  if (state !== 'stored' && state !== 'waiting') return null
  const said = state === 'stored' ? words.add.stored : words.add.keptHere
  const { readingType } = reading
  const entry = catalogue.get(readingType)
  const beyond = beyondLimit(reading, entry, targets.data ?? [])
  const isUnknown = hasCare && targets.data === undefined && !targets.isLoading
  const { value, unit } = readingText(reading, entry, zone)
  const what = `${nameOf(readingType)} ${value} ${unit}`.trim()
  // The targets may come after the answer: what it then says is read aloud, because it is the same element.
  if (!beyond && readingType !== 'symptom' && (!isUnknown || readingType === 'note'))
    return (
      <section class="notice answer" role="status">
        <h2 ref={heading} tabIndex={-1} class="answer-short" dir="auto">
          {said} {words.add.nobodyMayHaveSeenIt}
        </h2>
        <span dir="auto">{what}</span>
      </section>
    )
  return (
    <section class="notice answer is-urgent" role="status">
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {beyond
          ? words.add.beyondLimit({ ...beyond, author: authorOf(beyond.target, reader) })
          : words.add.nobodyMayHaveSeenThis}
      </h2>
      <p dir="auto">
        {what}. {said} {isUnknown && `${words.add.limitUnknown} `}
        {beyond && words.add.nobody((text) => <strong>{text}</strong>)} {words.add.doNotWait}
      </p>
      <p>{words.add.emergency(emergencyNumber)}</p>
      {emergencyNumber !== undefined && (
        <a class="button call" href={`tel:${emergencyNumber.replaceAll(' ', '')}`}>
          {words.add.call(emergencyNumber)}
        </a>
      )}
      <Link class="button" address={address} to={{ path: 'today' }}>
        {words.add.backToToday}
      </Link>
    </section>
  )
}
