// The last looks of doctors in quiet lines, with their notes: the patient sees that somebody looked.
import { useRef } from 'preact/hooks'
import type { TimelineAnswer, TimelineEntry } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { occasionText } from '../../format/times.ts'
import { type Loaded, useLoad } from '../../hooks/use-load.ts'
import { useWhoseReadings } from '../../patients/whose-readings.ts'
import type { ScreenProps } from '../../screen.ts'

/** Of what happened, so much is looked through. */
const NEWEST = 100
const MAX_EARLIER = 5

/** None where the server has none. */
export function useLooks({ rounds, patientUid }: Pick<ScreenProps, 'rounds' | 'patientUid'>) {
  const { hasCare } = useApp()
  const loaded = useLoad([patientUid, hasCare], async (signal) =>
    hasCare ? rounds.timeline.list({ patientUid, limit: NEWEST }, { signal }) : undefined,
  )
  const { data, error, isLoading } = loaded
  return { ...loaded, isAwaited: isLoading && data === undefined && error === undefined }
}

/** Above the cards, unless they come when the cards are there: those do not move. */
export function useIsAbove({ data }: Pick<Props['loaded'], 'data'>, areCardsShown: boolean): boolean {
  const isAbove = useRef<boolean>(undefined)
  if (areCardsShown) isAbove.current ??= data !== undefined
  return isAbove.current === true
}

type Look = Extract<TimelineEntry, { kind: 'look' }>
type Props = ScreenProps & { loaded: Loaded<TimelineAnswer | undefined>; now: number; isOnline: boolean }

export function Looks({ loaded, patientUid, zone, now, isOnline }: Props) {
  const [last, ...earlier] = (loaded.data?.data ?? []).filter((entry) => entry.kind === 'look')
  const { doctorId } = useApp().session.person
  const whose = useWhoseReadings(patientUid)
  if (!last) {
    if (loaded.error === undefined || loaded.isLoading || !isOnline) return null
    return <p class="last-review muted">Whether a doctor looked cannot be shown now.</p>
  }
  const lineOf = (look: Look) => (
    <div key={look.reviewId}>
      <p>
        <bdi>{look.doctorId !== null && look.doctorId === doctorId ? 'You' : look.by}</bdi> looked at {whose}{' '}
        <time dateTime={look.at}>{occasionText(look.at, now, { zone })}</time>
        {look.undoneAt !== null && ', and took it back'}
        {look.note === null
          ? '.'
          : look.visibleTo === 'doctors'
            ? ' and noted for doctors only:'
            : ' and noted:'}
      </p>
      <ReviewNote note={look.note} />
    </div>
  )
  return (
    <section class="last-review" aria-label="Looked at by a doctor">
      {lineOf(last)}
      {earlier.length > 0 && (
        <details>
          <summary>Earlier</summary>
          {earlier.slice(0, MAX_EARLIER).map(lineOf)}
        </details>
      )}
    </section>
  )
}
