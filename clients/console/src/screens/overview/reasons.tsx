// Every reason in full: what was found, whose limit it is, and whether it was seen.
import type { ListedPatient } from '../../../../typescript/src/client.ts'
import { QueueMark } from '../../care/queues.tsx'
import { besideOf, queueOfReason, restOf, textOf, type WordOptions } from '../../care/reason-text.ts'
import { words } from '../../words/words.ts'

export function Reasons({ patient, options }: { patient: ListedPatient; options: WordOptions }) {
  const { reasons } = patient
  return (
    <ul class="reasons" dir="auto">
      {reasons.map((reason, index) => (
        <li key={index} class={reason.isSeen ? 'muted' : `is-${reason.code}`}>
          <QueueMark queue={queueOfReason(reason)} />
          <span>
            <b>{textOf(reason, options)}</b>
            {restOf(reason, options)}
          </span>
        </li>
      ))}
      {reasons.length === 0 && (
        <li>
          <span>{words.reasons.none}</span>
        </li>
      )}
      {besideOf(patient).map((text, index) => (
        <li key={`beside ${index}`} class="muted">
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
