// A queue that many subjects share, and that none of them can fill: entries leave it in turn, one of each subject, and when it is
// full the subject with the most entries loses one. Within a subject the order is that of arrival.

type Entry = {
  /** The verified caller. */
  readonly subject: string
  /** Whether it continues an answer that has begun, and so keeps its place in a full queue. */
  readonly hasBegun: boolean
}

export class FairQueue<Queued extends Entry> {
  /** Subjects in the order of their turns. Most have one entry, for which an array is cheapest. */
  readonly #bySubject = new Map<string, Queued[]>()
  /** Subjects with more than one entry: few, also where the queue is long. */
  readonly #ofSeveral = new Set<Queued[]>()
  #size = 0
  #begun = 0

  get size(): number {
    return this.#size
  }

  /** How many of the entries are the beginning of an answer. */
  get sizeOfNew(): number {
    return this.#size - this.#begun
  }

  entries(): Queued[] {
    return [...this.#bySubject.values()].flat()
  }

  push(entry: Queued) {
    const others = this.#bySubject.get(entry.subject)
    if (others) {
      others.push(entry)
      this.#ofSeveral.add(others)
    } else this.#bySubject.set(entry.subject, [entry])
    this.#size++
    if (entry.hasBegun) this.#begun++
  }

  remove(entry: Queued) {
    const entries = this.#bySubject.get(entry.subject)
    const index = entries?.indexOf(entry) ?? -1
    if (!entries || index === -1) return
    if (entries.length === 2) this.#ofSeveral.delete(entries)
    if (entries.length > 1) entries.splice(index, 1)
    else {
      entries.pop()
      this.#bySubject.delete(entry.subject)
    }
    this.#size--
    if (entry.hasBegun) this.#begun--
  }

  /** Offers entries in turn, until `take` returns false. An entry that it takes, it must remove. */
  takeInTurn(take: (entry: Queued) => boolean) {
    // A subject that is set again is visited again, behind all others.
    for (const entries of this.#bySubject.values()) {
      const first = entries[0]
      if (!first || !take(first)) return
      if (entries.length === 0) continue
      this.#bySubject.delete(first.subject)
      this.#bySubject.set(first.subject, entries)
    }
  }

  /**
   * The entry that makes room for one more of `subject`: the newest of the subject that has most. None where this subject would
   * have as many afterwards.
   */
  surplusBeside(subject: string): Queued | undefined {
    let most: Queued[] = []
    for (const entries of this.#ofSeveral) if (entries.length > most.length) most = entries
    const own = this.#bySubject.get(subject)?.length ?? 0
    return most.length < own + 2 ? undefined : most.findLast(({ hasBegun }) => !hasBegun)
  }
}
