// A range of slots, both ends included, as people write it and as PostgreSQL needs it.
import { SLOT_COUNT } from './slot.ts'

export type SlotRange = { first: number; last: number }

/** From `2048-4095`, or one slot; undefined where it is no range of slots. */
export function slotRangeFrom(text: string): SlotRange | undefined {
  const [, start = '', end = start] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text) ?? []
  const range = { first: Number(start), last: Number(end) }
  return start !== '' && range.first <= range.last && range.last < SLOT_COUNT ? range : undefined
}

export function printSlotRange({ first, last }: SlotRange): string {
  return first === last ? String(first) : `${first}-${last}`
}

/** As a value of the type int4range. */
export function int4rangeOf({ first, last }: SlotRange): string {
  return `[${first},${last + 1})`
}

/** From PostgreSQL's int4range, whose end is not in it. */
export function slotRangeOf(int4range: string): SlotRange {
  const [range] = slotRangesOf(int4range)
  if (!range) throw new Error(`No range of slots: ${int4range}`)
  return range
}

/** From PostgreSQL's int4multirange, such as `{[0,10),[20,30)}`. */
export function slotRangesOf(multirange: string): SlotRange[] {
  return [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]) => ({
    first: Number(first),
    last: Number(end) - 1,
  }))
}

/**
 * SQL: whether the slot of patient_uid is in the range. The row filter of a publication accepts only built-in immutable functions,
 * and these must be without casts through text; so it compares the digits.
 */
export function isInRange({ first, last }: SlotRange): string {
  const digitsOf = (slot: number) => slot.toString(16).padStart(3, '0')
  return `substr(md5(patient_uid), 1, 3) between '${digitsOf(first)}' and '${digitsOf(last)}'`
}
