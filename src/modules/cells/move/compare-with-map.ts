// Whether every slot is served by exactly one cell, and the router's map leads to that one.
import { SLOT_COUNT } from '../slot.ts'
import { printSlotRange, type SlotRange, slotRangesOf } from '../slot-range.ts'

export type NamedCell = {
  /** The name of its backend in the router. */
  name: string
  /** As PostgreSQL writes a multirange; undefined where the cell cannot be reached. */
  slots: { open: string; closing: string } | undefined
}

/** Sentences, each about a range of slots; none where all is well. */
export function compareWithMap(cells: NamedCell[], map: string[] | undefined): string[] {
  const openIn = Array.from({ length: SLOT_COUNT }, (): string[] => [])
  const closingIn = Array.from({ length: SLOT_COUNT }, (): string[] => [])
  for (const { name, slots } of cells) {
    if (!slots) continue
    for (const range of slotRangesOf(slots.open)) note(openIn, range, name)
    for (const range of slotRangesOf(slots.closing)) note(closingIn, range, name)
  }
  const isAnyUnreached = cells.some(({ slots }) => slots === undefined)
  const faults = openIn.map((names, slot) => {
    const [name, ...others] = names
    if (others.length > 0) return `${names.join(' and ')} serve them at once`
    const led = map?.[slot]
    if (name !== undefined)
      return led === undefined || led === name ? '' : `${name} serves them, and the map leads to ${led}`
    const [closing] = closingIn[slot] ?? []
    if (closing !== undefined) return `${closing} has closed them, and no cell serves them`
    return isAnyUnreached ? 'no cell that was reached serves them' : 'no cell serves them'
  })
  return rangesOf(faults).map(([range, fault]) => `Slots ${printSlotRange(range)}: ${fault}.`)
}

function note(namesOf: string[][], { first, last }: SlotRange, name: string) {
  for (let slot = first; slot <= last; slot++) namesOf[slot]?.push(name)
}

/** Neighbours with the same text are one range; slots without a text are left out. */
export function rangesOf(texts: string[]): [SlotRange, string][] {
  const ranges: [SlotRange, string][] = []
  for (const [slot, text] of texts.entries()) {
    if (text === '') continue
    const latest = ranges.at(-1)
    if (latest && latest[1] === text && latest[0].last === slot - 1) latest[0].last = slot
    else ranges.push([{ first: slot, last: slot }, text])
  }
  return ranges
}
