// The id of an event names its place in the sequence of changes, so that a stream can go on behind it.
import type { Place } from '../changes/watch-changes.ts'

type Named = Place & { timeline: number }

export function eventIdOf({ timeline, xid, id }: Named): string {
  return `${timeline}.${xid}.${id}`
}

/** The place that the id of an event names; undefined where it is none of ours. */
export function placeOf(eventId: string | undefined): Named | undefined {
  const [, timeline, xid, id] =
    /^(\d{1,9})\.(\d{1,18})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(eventId ?? '') ?? []
  return timeline && xid && id ? { timeline: Number(timeline), xid, id } : undefined
}
