// Reviews: a doctor has looked at a patient, and may say something about it. The timeline has them, with all else that happened.
import type { CallOptions } from './call.ts'
import { mustBeReview } from './check-arguments.ts'
import type {
  AddReviewAnswer,
  ReviewToAdd,
  ReviewToUndo,
  TimelineAnswer,
  TimelineEntry,
  TimelineQuery,
  UndoReviewAnswer,
} from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page.
const PAGE = 100

export type Reviews = {
  /**
   * Says that the doctor of the token has seen what an entry of the list showed: `seenUpTo` and `saw` are `look` of that entry, as it is.
   * `reviewId` is drawn by the caller, so that the call may be repeated. `ReviewExists`: another review has this id.
   */
  add: (review: ReviewToAdd, options?: CallOptions) => Promise<AddReviewAnswer>
  /** Takes it back, within a minute. */
  undo: (review: ReviewToUndo, options?: CallOptions) => Promise<UndoReviewAnswer>
}

export type Timeline = {
  /** What happened to a patient's care, newest first. */
  list: (query?: TimelineQuery, options?: CallOptions) => Promise<TimelineAnswer>
  /** All of it, page after page; `limit` is the size of a page. */
  each: (query?: TimelineQuery, options?: CallOptions) => AsyncGenerator<TimelineEntry, void, undefined>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Read = <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
type Post = <Answer>(path: string, body: ReviewToUndo, options?: CallOptions) => Promise<Answer>

export function createReviews(care: string, { post }: { post: Post }): Reviews {
  return {
    add: async (review, options) => {
      mustBeReview(review)
      return post<AddReviewAnswer>(`${care}/reviews/add`, review, options)
    },
    undo: async (review, options) => {
      mustBeReview(review)
      return post<UndoReviewAnswer>(`${care}/reviews/undo`, review, options)
    },
  }
}

export function createTimeline(care: string, { read }: { read: Read }): Timeline {
  const list = (query: TimelineQuery = {}, options?: CallOptions) =>
    read<TimelineAnswer>(`${care}/timeline`, query, options)
  return { list, each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE) }
}
