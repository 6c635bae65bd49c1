// Reviews: a doctor has looked at the readings of a patient, and may say something about them.
import type { CallOptions } from './call.ts'
import { mustBeReview } from './check-arguments.ts'
import type { AddReviewAnswer, Review, ReviewsAnswer, ReviewsQuery, ReviewToAdd } from './contract.ts'
import { eachOf } from './each-of.ts'
import { wasNotBegun } from './retry.ts'

// The largest page.
const PAGE = 100

export type Reviews = {
  /**
   * Says that the doctor of the token has looked, with a note if there is one. The client draws a `reviewId` if none is given, so that
   * it may repeat the call. Where the platform has no `crypto.randomUUID`, it does not repeat a call whose answer was lost.
   * `ReviewExists`: another review has this id.
   */
  add: (review: ReviewToAdd, options?: CallOptions) => Promise<AddReviewAnswer>
  /** Who looked, when and with which note, newest first. */
  list: (query?: ReviewsQuery, options?: CallOptions) => Promise<ReviewsAnswer>
  /** All reviews, page after page; `limit` is the size of a page. */
  each: (query?: ReviewsQuery, options?: CallOptions) => AsyncGenerator<Review, void, undefined>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: ReviewToAdd, options?: CallOptions) => Promise<Answer>
}

export function createReviews(care: string, { read, post }: Calls): Reviews {
  const list = (query: ReviewsQuery = {}, options?: CallOptions) =>
    read<ReviewsAnswer>(`${care}/reviews/list`, query, options)
  return {
    add: async (review, options) => {
      mustBeReview(review)
      const { reviewId = globalThis.crypto?.randomUUID?.() } = review
      const calling = reviewId === undefined ? { mayRepeat: wasNotBegun, ...options } : options
      return post<AddReviewAnswer>(`${care}/reviews/add`, { ...review, reviewId }, calling)
    },
    list,
    each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE),
  }
}
