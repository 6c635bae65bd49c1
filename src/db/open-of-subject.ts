// How many requests of one kind each subject (the verified caller) has open at a time, and no more than `max`.
import { Refusal } from '../refusal.ts'

/** As many as streams and requests for changes, and more than a screen of the console asks for at once. */
export const MAX_OF_SUBJECT = 20

export class OpenOfSubject {
  readonly #countOf = new Map<string, number>()
  /** What is counted, in the plural. */
  readonly #what: string
  readonly #max: number

  constructor(what: string, max = MAX_OF_SUBJECT) {
    this.#what = what
    this.#max = max
  }

  /** How many subjects have any open. */
  get size(): number {
    return this.#countOf.size
  }

  /** Refuses `RateLimited` where the subject has as many open as it may. */
  mustHaveRoom(subject: string) {
    if ((this.#countOf.get(subject) ?? 0) < this.#max) return
    throw new Refusal(
      'RateLimited',
      `At most ${this.#max} ${this.#what} of one subject are served at a time. Let others end first.`,
      { headers: { 'retry-after': '1' } },
    )
  }

  enter(subject: string) {
    this.#countOf.set(subject, (this.#countOf.get(subject) ?? 0) + 1)
  }

  leave(subject: string) {
    const left = (this.#countOf.get(subject) ?? 1) - 1
    if (left > 0) this.#countOf.set(subject, left)
    else this.#countOf.delete(subject)
  }

  /** Does the work while it counts, or refuses. */
  async during<T>(subject: string, work: () => Promise<T>): Promise<T> {
    this.mustHaveRoom(subject)
    this.enter(subject)
    try {
      return await work()
    } finally {
      this.leave(subject)
    }
  }
}
