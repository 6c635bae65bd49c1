// The times in which no reading arrived though a rule expects one. While Rounds itself was not running, none could arrive: that time
// does not count, and devices get some more to send what they have stored.
import type { Fold, Folded, Micros, Outage, Seen, Span, Start } from './span.ts'

const TO_CATCH_UP: Micros = 30 * 60 * 1_000_000
/** Where no reading came before the gap. */
const NO_READING = '00000000-0000-0000-0000-000000000000'

export class GapFold implements Fold {
  readonly #duration: Micros
  readonly #outages: readonly Outage[]
  readonly #setAt: Micros
  readonly #spans: Span[] = []
  #last: Seen | undefined

  constructor(duration: Micros, { setAt }: Pick<Start, 'setAt'>, outages: readonly Outage[]) {
    this.#duration = duration
    this.#setAt = setAt
    this.#outages = outages
  }

  lookBack(reading: Seen) {
    this.#last = reading
  }

  push(reading: Seen) {
    const deadline = this.#deadline()
    if (reading.at > deadline)
      this.#spans.push({
        ...this.#gapFrom(deadline),
        // Where nobody saw it while it lasted, it is too late to announce it.
        isFresh: false,
        until: reading.at,
        resolvedAt: Math.max(reading.receivedAt, deadline),
      })
    this.#last = reading
  }

  finish(now: Micros): Folded {
    const deadline = this.#deadline()
    const isMissing = now >= deadline
    if (isMissing) this.#spans.push(this.#gapFrom(deadline))
    return { spans: this.#spans, pending: null, dueAt: isMissing ? null : deadline }
  }

  #deadline(): Micros {
    const since = this.#last?.at ?? this.#setAt
    let deadline = since + this.#duration
    let wasAway = false
    for (const { began, ended } of this.#outages) {
      if (ended <= since || began >= deadline) continue
      deadline += ended - Math.max(began, since)
      wasAway = true
    }
    return wasAway ? deadline + TO_CATCH_UP : deadline
  }

  #gapFrom(deadline: Micros): Span {
    return {
      since: deadline,
      sinceId: this.#last?.id ?? NO_READING,
      until: null,
      openedAt: deadline,
      resolvedAt: null,
      endedWith: null,
      readings: this.#last ? [this.#last] : [],
      isFresh: true,
    }
  }
}
