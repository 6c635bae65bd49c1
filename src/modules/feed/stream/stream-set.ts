// The streams of this process and the limits on their number: for each subject, and in all.
//
//   state     what it means
//   admitted  counts towards the limits; the request may still be refused
//   begun     the answer is a stream of events, which may end; changes are not looked for yet
//   open      the client is shown the changes of its patient
//   ended     out of the set; nothing is sent any more
//
//   from      to     when
//   admitted  begun  a grant, if it relies on one, holds
//   begun     open   changes are looked for
//   admitted  ended  the client left, or the request is refused
//   begun     ended  the client left, the server stops or the database is away
//   open      ended  the client left or was cut, or the server ended the stream
//
// Between the look at the limits and the place of a stream nothing is awaited, so that requests that come together cannot
// exceed them. It
// ends on every way out.
import { Refusal } from '../../../refusal.ts'
import type { Reader } from '../../casesheet/reader.ts'

const MAX_OF_SUBJECT = 20

export type StreamState = 'admitted' | 'begun' | 'open' | 'ended'

type Member = { state: StreamState; patientUid: string; reader: Reader }

export function createStreamSet<Stream extends Member>(maxStreams: number) {
  const all = new Set<Stream>()
  const bySubject = createIndex<Stream>(({ reader }) => reader.readBy)
  /** Of open streams. */
  const byPatient = createIndex<Stream>(({ patientUid }) => patientUid)

  return {
    all,
    /** The open streams of a patient. */
    openOf: byPatient.get,
    admit(stream: Stream) {
      if (all.size >= maxStreams)
        throw new Refusal('Overloaded', 'Too many streams are open already. Try again shortly.')
      if (bySubject.get(stream.reader.readBy).size >= MAX_OF_SUBJECT)
        throw new Refusal(
          'RateLimited',
          `At most ${MAX_OF_SUBJECT} streams of one subject are served. Close others first.`,
          { headers: { 'retry-after': '10' } },
        )
      all.add(stream)
      bySubject.add(stream)
    },
    begin(stream: Stream) {
      mustBe('admitted', stream)
      stream.state = 'begun'
    },
    open(stream: Stream) {
      mustBe('begun', stream)
      stream.state = 'open'
      byPatient.add(stream)
    },
    /** Whether it had not ended before. */
    end(stream: Stream): boolean {
      if (stream.state === 'ended') return false
      stream.state = 'ended'
      byPatient.delete(stream)
      bySubject.delete(stream)
      return all.delete(stream)
    },
  }
}

function mustBe(expected: StreamState, { state }: Member) {
  if (state !== expected) throw new Error(`A stream is ${state}, and not ${expected}.`)
}

function createIndex<Item>(keyOf: (item: Item) => string) {
  const sets = new Map<string, Set<Item>>()
  const none: ReadonlySet<Item> = new Set()
  return {
    get: (key: string): ReadonlySet<Item> => sets.get(key) ?? none,
    add(item: Item) {
      const key = keyOf(item)
      sets.set(key, (sets.get(key) ?? new Set()).add(item))
    },
    delete(item: Item) {
      const key = keyOf(item)
      const set = sets.get(key)
      set?.delete(item)
      if (set?.size === 0) sets.delete(key)
    },
  }
}
