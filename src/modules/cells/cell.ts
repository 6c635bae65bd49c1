// Which patients this process serves: those whose slots the database has open. A request for another patient is refused before
// anything is read or stored.
//
// Slots are read once and cached, with their version. Every statement that reads or writes a patient's data compares that version
// with the one in the database, in the same statement (`isStillServed`): where they differ it fails, and nothing is read or stored. Then the
// slots are read again and the request is decided again. So no process can act on slots that have changed, however long ago it
// read them; and a refusal, which has no statement, is given only after the slots were read for it.
//
// With one cell all slots are open and stay so: no slot is computed, and a statement compares one value.
import { isOutdated } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import { databaseUnavailable, Refusal } from '../../refusal.ts'
import type { OfPatient, ServedHere, ServedOfAll } from '../casesheet/served-here.ts'
import { slotOf } from './slot.ts'
import { type CellRow, type SlotState, type Slots, slotsFrom } from './slots.ts'

const SLOT_HEADER = 'rounds-slot'
/** Slots change a few times in a move; a request that meets more changes than this is refused as if the database were away. */
const MAX_ATTEMPTS = 8

export function createCell(db: Db) {
  let slots: Slots | undefined
  /** The slots as they are now. */
  const read = startingAfterCall(async () => {
    const [row] = await db.query<CellRow>({ name: 'read-cell', text: READ_CELL, values: [] })
    if (!row) throw new Error('casesheet.cell has no row. Restore it before anything is served.')
    slots = slotsFrom(row)
    return slots
  })

  function stateOf({ patientUid }: OfPatient): SlotState | undefined {
    return slots?.isWhole ? 'open' : slots?.stateOf(slotOf(patientUid))
  }
  const isOpen = (of: OfPatient) => stateOf(of) === 'open'

  /** Whether all of these are served here, as far as this process knows. */
  function areServed(all: readonly OfPatient[]): boolean {
    return slots?.isWhole === true || all.every(isOpen)
  }

  /** Does the work, whose statements compare the version, once all these patients are known to be served here. */
  async function serve<T>(all: readonly OfPatient[], work: () => Promise<T>): Promise<T> {
    return decide(async () => {
      if (!areServed(all)) {
        await read()
        mustBeOpen(all)
      }
      return work()
    })
  }

  /** Does the work again, from the start, whenever the slots were found to have changed. */
  async function decide<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!isOutdated(error)) throw error
        if (attempt === MAX_ATTEMPTS) throw databaseUnavailable()
        await read()
      }
    }
  }

  function mustBeOpen(all: readonly OfPatient[]) {
    const states = all.map(stateOf)
    if (states.every((state) => state === 'open')) return
    const isElsewhere = (state: SlotState | undefined) => state !== 'open' && state !== 'closing'
    if (!states.some(isElsewhere)) throw patientMoving()
    // A client can divide a list of which a part belongs here.
    throw states.every(isElsewhere)
      ? wrongCell(all[0])
      : spansCells(states.flatMap((state, at) => (isElsewhere(state) ? [at] : [])))
  }

  function refusalOf(of: OfPatient): Refusal | undefined {
    const state = stateOf(of)
    if (state === 'open') return undefined
    return state === 'closing' ? patientMoving() : wrongCell(of)
  }

  /** If a move were aborted, what was left out while slots were closing would be missing. */
  async function ofAll(): Promise<ServedOfAll> {
    let known = slots ?? (await read())
    if (known.isAnyClosing) known = await read()
    if (known.isAnyClosing) throw patientMoving()
    return known
  }

  return {
    refresh: read,
    version: () => slots?.version ?? null,
    serve,
    decide,
    areServed,
    refusalOf,
    isElsewhere: (of: OfPatient) => slots !== undefined && stateOf(of) === 'elsewhere',
    ofAll,
  } satisfies ServedHere
}

/** One read at a time. A read that had begun before the call is not enough; the one after it serves all who come meanwhile. */
function startingAfterCall<T>(readOnce: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  let next: Promise<T> | undefined
  function begin(): Promise<T> {
    reading = readOnce().finally(() => {
      reading = undefined
    })
    return reading
  }
  return () => {
    if (!reading) return begin()
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}

const READ_CELL = `
  select version, open_slots::text, closing_slots::text, incoming_slots::text
  from casesheet.cell`

function patientMoving(): Refusal {
  return new Refusal('PatientMoving', 'Patients are being moved to another cell. Try again shortly.')
}

/** A router that took the patient for another one, as it does where JSON has it in escapes, is led by the header of the next request. */
function wrongCell(of: OfPatient | undefined): Refusal {
  const headers = of ? { [SLOT_HEADER]: String(slotOf(of.patientUid)) } : {}
  return new Refusal('WrongCell', 'Another cell serves this patient.', { headers })
}

/** `indexes` are those of all readings of a list that belong to another cell, where some belong to this one: a client can divide it. */
function spansCells(indexes: number[]): Refusal {
  const errors = indexes.map((index) => ({ pointer: `/${index}`, message: 'belongs to another cell' }))
  return new Refusal('WrongCell', 'Another cell serves some of these patients.', { errors })
}
