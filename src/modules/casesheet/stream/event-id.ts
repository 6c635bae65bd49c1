// The id of an event names its place in the sequence of changes, so that a stream can go on behind it. Every database has a sequence
// of its own, and a patient may move to another one: the id begins with the first digits of its generation.
import type { History, Place } from '../changes/watch-changes.ts'

type Named = History & Place

const GENERATION_DIGITS = 8

export function eventIdOf({ generation, timeline, xid, id }: Named): string {
  return `${generation.slice(0, GENERATION_DIGITS)}.${timeline}.${xid}.${id}`
}

/** The place that the id of an event names; undefined where it is none of ours. */
export function placeOf(eventId: string | undefined): Named | undefined {
  const [, generation, timeline, xid, id] =
    /^([\da-f]{8})\.(\d{1,9})\.(\d{1,18})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(eventId ?? '') ??
    []
  return generation && timeline && xid && id ? { generation, timeline: Number(timeline), xid, id } : undefined
}
