// The newest review in a quiet line, with its note: the patient sees that somebody looked.
import { useRef } from 'preact/hooks'
import type { ReviewsAnswer } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ReviewNote, useReviewWords } from '../../care/reviews.tsx'
import { Link } from '../../design/link.tsx'
import { occasionText } from '../../format/times.ts'
import { type Loaded, useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'

/** None where the server has no reviews. */
export function useLastReview({ rounds, patientUid }: Pick<ScreenProps, 'rounds' | 'patientUid'>) {
  const { hasCare } = useApp()
  const loaded = useLoad([patientUid, hasCare], async (signal) =>
    hasCare ? rounds.reviews.list({ patientUid, limit: 1 }, { signal }) : undefined,
  )
  const { data, error, isLoading } = loaded
  return { ...loaded, isAwaited: isLoading && data === undefined && error === undefined }
}

/** Above the cards, unless it comes when they are there: they do not move. */
export function useIsAbove({ data }: Pick<Props['loaded'], 'data'>, areCardsShown: boolean): boolean {
  const isAbove = useRef<boolean>(undefined)
  if (areCardsShown) isAbove.current ??= data !== undefined
  return isAbove.current === true
}

type Props = ScreenProps & { loaded: Loaded<ReviewsAnswer | undefined>; now: number; isOnline: boolean }

export function LastReview({ loaded, patientUid, zone, now, address, isOnline }: Props) {
  const reviews = loaded.data?.data ?? []
  const { whose, doctorOf } = useReviewWords(patientUid, reviews)
  const [review] = reviews
  if (!review) {
    if (loaded.error === undefined || loaded.isLoading || !isOnline) return null
    return <p class="last-review muted">Whether a doctor looked cannot be shown now.</p>
  }
  return (
    <section class="last-review" aria-label="Looked at by a doctor">
      <p>
        <bdi>{doctorOf(review).name}</bdi> looked at {whose}{' '}
        <time dateTime={review.at}>{occasionText(review.at, now, { zone, isDayOnly: true })}</time>
        {review.note === null ? '.' : ' and noted:'}{' '}
        {loaded.data?.nextCursor !== null && (
          <Link class="link" address={address} to={{ path: 'access' }}>
            Earlier reviews
          </Link>
        )}
      </p>
      <ReviewNote note={review.note} />
    </section>
  )
}
