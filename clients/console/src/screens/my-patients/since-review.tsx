// What changed since the doctor's last review: only what the reports and the history of targets say.
import { useState } from 'preact/hooks'
import type { TimeInTargetReport } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { capital, deedText, togetherOf } from '../../care/target-changes.ts'
import { authorOf } from '../../care/target-text.ts'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { countText } from '../../format/numbers.ts'
import { occasionText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import type { ListedPatient, ListedType } from './listed-patient.ts'
import { partText } from './listed-text.ts'
import type { SinceReview } from './load-record.ts'

type Props = {
  patient: ListedPatient
  type: ListedType | undefined
  /** Nothing while it is loading. */
  found: SinceReview | undefined
  zone: string
  now: number
}

export function SinceLastReview({ patient, type, found, zone, now }: Props) {
  const { lastReview } = patient
  const [shownAt] = useState(lastReview?.at)
  return (
    <section class="panel-since" aria-labelledby="since-heading">
      <h3 id="since-heading">
        {lastReview ? `Since your review ${occasionText(lastReview.at, now, { zone })}` : 'Your reviews'}
      </h3>
      <p class="unseen" role="status">
        {lastReview && lastReview.at !== shownAt && 'Marked as reviewed.'}
      </p>
      {lastReview && <ReviewNote note={lastReview.note} />}
      {lastReview ? (
        found && type ? (
          <Changes {...{ patient, type, found, zone, now }} />
        ) : (
          type && <div class="skeleton panel-since-loading" />
        )
      ) : (
        <p class="muted">You have not marked this record as reviewed yet.</p>
      )}
    </section>
  )
}

type ChangesProps = Props & { type: ListedType; found: SinceReview }

function Changes({ patient, type, found, zone, now }: ChangesProps) {
  const { subject } = useApp().session.person
  const { changes } = found
  const nameOfDoctor = useDoctorNames(changes.flatMap(({ doctorId }) => doctorId ?? []))
  return (
    <ul>
      {readingsWords(patient, type, found).map((words) => (
        <li key={words}>{words}</li>
      ))}
      {togetherOf(changes).map((group) => {
        const [{ at, by, doctorId, readingType }] = group
        const author = authorOf({ setBy: by, doctorId }, { subject, isOwn: false, nameOfDoctor })
        return (
          <li key={`${at} ${readingType}`}>
            <bdi>{capital(author)}</bdi> {deedText(group)}{' '}
            <span class="muted">({occasionText(at, now, { zone })})</span>
          </li>
        )
      })}
      {changes.length === 0 && <li>No target was changed.</li>}
    </ul>
  )
}

function readingsWords(
  patient: ListedPatient,
  type: ListedType,
  { since, before, changes }: SinceReview,
): string[] {
  const name = nameWithin(type.readingType)
  if (!since)
    return type.targets.length === 0
      ? [patient.isNew ? 'New readings have arrived.' : 'No new readings have arrived.']
      : ['That is too long ago to count the readings since.']
  const words: string[] = []
  if (since.readings === 0) {
    words.push(`No ${name} was measured.`)
    if (patient.isNew) words.push('Other new readings have arrived.')
  } else {
    const outside = since.inTarget === null ? undefined : since.judged - since.inTarget
    words.push(
      `${countText(since.readings, 'reading')} of ${name} measured${
        outside === undefined ? '' : outside === 0 ? ', none outside target' : `, ${outside} outside target`
      }.`,
    )
  }
  const [now, earlier] = [shareOf(since), before && shareOf(before)]
  if (now !== undefined && earlier !== undefined) {
    const isOther = changes.some(({ readingType }) => readingType === type.readingType)
    words.push(
      `${now} in target, ${earlier} in the 14 days before the review${isOther ? ', both against the target of now' : ''}.`,
    )
  }
  return words
}

/** "61 %"; of few readings how many. */
function shareOf({ judged, inTarget }: TimeInTargetReport): string | undefined {
  if (inTarget === null || judged === 0) return undefined
  return judged < 10 ? `${inTarget} of ${judged}` : partText({ judged, inTarget })
}
