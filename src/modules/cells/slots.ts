// What a cell does with each slot, as casesheet.cell has it.
import { SLOT_COUNT } from './slot.ts'
import { printSlotRange, slotRangesOf } from './slot-range.ts'

/**
 * - open: this cell serves it.
 * - closing: another cell is taking it over, and neither serves it for a few seconds.
 * - incoming: this cell is taking it over.
 * - elsewhere: another cell serves it.
 */
export type SlotState = 'open' | 'closing' | 'incoming' | 'elsewhere'

export type CellRow = {
  version: string
  open_slots: string
  closing_slots: string
  incoming_slots: string
}

export type Slots = {
  version: string
  /** Whether all slots are open, as they are where there is one cell. */
  isWhole: boolean
  isAnyClosing: boolean
  stateOf: (slot: number) => SlotState
  /** The slots that other cells serve, as PostgreSQL writes a multirange; null if there are none. */
  elsewhere: string | null
  /** The slots that are not open. */
  notServed: string | null
  /** The open slots, as people write them; null where all are. */
  slots: string | null
}

export function slotsFrom({ version, open_slots, closing_slots, incoming_slots }: CellRow): Slots {
  const states = Array.from({ length: SLOT_COUNT }, (): SlotState => 'elsewhere')
  fill(states, open_slots, 'open')
  fill(states, closing_slots, 'closing')
  fill(states, incoming_slots, 'incoming')
  const isWhole = states.every((state) => state === 'open')
  return {
    version,
    isWhole,
    isAnyClosing: states.includes('closing'),
    stateOf: (slot) => states[slot] ?? 'elsewhere',
    elsewhere: multirangeOf(states.map((state) => state === 'elsewhere')),
    notServed: multirangeOf(states.map((state) => state !== 'open')),
    slots: isWhole ? null : slotRangesOf(open_slots).map(printSlotRange).join(),
  }
}

function fill(states: SlotState[], multirange: string, state: SlotState) {
  for (const { first, last } of slotRangesOf(multirange)) states.fill(state, first, last + 1)
}

function multirangeOf(isWanted: boolean[]): string | null {
  const ranges = isWanted.flatMap((wanted, slot) => {
    if (!wanted || isWanted[slot - 1] === true) return []
    const end = isWanted.indexOf(false, slot)
    return [`[${slot},${end === -1 ? isWanted.length : end})`]
  })
  return ranges.length === 0 ? null : `{${ranges.join()}}`
}
