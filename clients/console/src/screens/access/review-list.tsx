// The reviews of doctors with their notes, newest first.
import type { Review } from '../../../../typescript/src/client.ts'
import { ReviewNote, useReviewWords } from '../../care/reviews.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { ShowOlder } from '../../design/show-older.tsx'
import { momentText } from '../../format/times.ts'
import type { usePages } from '../../hooks/use-pages.ts'

type Props = {
  pages: ReturnType<typeof usePages<Review>>
  patientUid: string
  zone: string
  now: number
}

/** Nothing where there is none. */
export function ReviewList({ pages: { items, error, reload, older }, patientUid, zone, now }: Props) {
  const { whose, doctorOf } = useReviewWords(patientUid, items ?? [])
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  if (!items || items.length === 0) return null
  return (
    <section class="access-reviews" aria-labelledby="reviews-heading">
      <h2 id="reviews-heading">Looked at by doctors</h2>
      <ul class="panel moments">
        {items.map((review) => {
          const { name, speciality } = doctorOf(review)
          return (
            <li key={review.reviewId}>
              <time dateTime={review.at}>{momentText(review.at, now, zone)}</time>
              <div>
                <bdi class="subject">{name}</bdi>
                {speciality === undefined ? '' : `, ${speciality},`} looked at {whose}
                {review.note === null ? '.' : ' and noted:'}
                <ReviewNote note={review.note} />
              </div>
            </li>
          )
        })}
      </ul>
      <ShowOlder {...older} />
    </section>
  )
}
