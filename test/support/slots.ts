// Slots of cells for tests: patients of a slot, and which slots a database has.
import { randomUUID } from 'node:crypto'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { runSql } from './harness.ts'

export const ALL = '{[0,4096)}'
export const LOWER = '{[0,2048)}'
export const UPPER = '{[2048,4096)}'

/** Three cells: from which slot on each serves. */
const THIRDS = [0, 1_365, 2_730, 4_096] as const

/** Which of the three serves a slot. */
export const thirdOf = (slot: number) => THIRDS.findLastIndex((lowest) => lowest <= slot)

export async function setSlots(ownerUrl: string, { open = '{}', closing = '{}', incoming = '{}' }) {
  await runSql(
    ownerUrl,
    'update casesheet.cell set open_slots = $1, closing_slots = $2, incoming_slots = $3',
    [open, closing, incoming],
  )
}

export async function setThirds(cells: readonly { ownerUrl: string }[]) {
  for (const [index, { ownerUrl }] of cells.entries())
    await setSlots(ownerUrl, { open: `{[${THIRDS[index]},${THIRDS[index + 1]})}` })
}

export function patientIn(half: 'lower' | 'upper'): string {
  return patientWhere((slot) => slot < 2_048 === (half === 'lower'))
}

export function patientWhere(isWanted: (slot: number) => boolean): string {
  for (;;) {
    const patientUid = randomUUID()
    if (isWanted(slotOf(patientUid))) return patientUid
  }
}
