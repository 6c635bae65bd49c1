// What was added here and was not refused: each reading with where it is.
import type { Reading } from '../../../../typescript/src/client.ts'
import { type Outbox, useOutbox } from '../../outbox/outbox.ts'
import type { Undone } from '../../outbox/undo.ts'
import { keyOf } from '../../outbox/verdicts.ts'

const MAX_EARLIER = 200

export type SentReading = {
  key: string
  reading: Reading
  state: 'waiting' | 'stored' | Undone['state']
  /** When it was added; undefined if that was on an earlier visit. */
  addedAt: number | undefined
  /** What it takes the place of. */
  instead: Reading | undefined
}

export type SentReadings = { readings: SentReading[]; failure: unknown }

export function useSent(outbox: Outbox, patientUid: string): SentReadings {
  const { added, waiting, refused, undone, failure } = useOutbox(outbox)
  const isQueued = new Set(waiting.map(({ reading }) => keyOf(reading)))
  const isRefused = new Set(refused.map(({ reading }) => keyOf(reading)))
  const undoneBy = new Map(undone.map(({ reading, state }) => [keyOf(reading), state]))
  const addedAt = new Map(added.map(({ reading, at }) => [keyOf(reading), at]))
  // Those of an earlier visit wait too, and what Undo has left there is for its person to decide.
  const left = undone.filter(({ state }) => isLeft(state))
  const earlier = [...left, ...waiting]
    .filter(({ reading }) => !addedAt.has(keyOf(reading)))
    .slice(0, MAX_EARLIER)
  const insteadOf = new Map(added.map(({ reading, instead }) => [keyOf(reading), instead]))
  // Told beside what took their place, unless they could not be taken back.
  const isReplaced = new Set(
    [...insteadOf.values()]
      .filter((one) => one !== undefined)
      .map(keyOf)
      .filter((key) => !isLeft(undoneBy.get(key))),
  )
  const readings = [...earlier, ...added]
    .map(({ reading }): SentReading => {
      const key = keyOf(reading)
      const state = undoneBy.get(key) ?? (isQueued.has(key) ? 'waiting' : 'stored')
      return { key, reading, state, addedAt: addedAt.get(key), instead: insteadOf.get(key) }
    })
    .filter(
      ({ key, reading }) => reading.patientUid === patientUid && !isRefused.has(key) && !isReplaced.has(key),
    )
    .toReversed()
  return { readings, failure }
}

const isLeft = (state: Undone['state'] | undefined) => state === 'before' || state === 'kept'
