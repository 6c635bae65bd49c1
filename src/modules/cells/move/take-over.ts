// What the new cell does in a move: it makes room for the slots, takes over what is not in the replicated tables, and opens the
// slots at the end.
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { untilWritesHaveEnded, WRITES_WITHIN_MS, WRITTEN } from '../../casesheet/owner/writes-in-flight.ts'
import { int4rangeOf, isInRange, printSlotRange, type SlotRange } from '../slot-range.ts'
import { failIfInProgress, findMove, lockCommands, type Move } from './move-record.ts'
import { isAnyHeld } from './moved-tables.ts'
import type { TwoCells } from './replicate.ts'
import { markUnevaluated, type Unevaluated } from './unevaluated-rules.ts'

/** Whether the new cell can take the slots, before anything is recorded: it must neither serve nor hold anything of them. */
export async function mustHaveRoom(target: Client, range: SlotRange) {
  await mustHoldNothing(target, range)
  const { rows } = await target.query(
    `select
     from casesheet.cell
     where not (open_slots + closing_slots + incoming_slots) && $1::int4range
       or ${IS_NEW_CELL}`,
    [int4rangeOf(range)],
  )
  if (rows.length === 0) throw hasSlots(range)
  const { rows: used } = await target.query(
    `select from casesheet.cell where ${NEVER_HAD_A_MOVE} and not (${HOLDS_NOTHING})`,
  )
  if (used.length > 0) throw isInUse()
}

const isInUse = () => new CommandError('The new cell holds patients already. Use an empty database.')

function hasSlots(range: SlotRange): CommandError {
  return new CommandError(
    `The new cell has some of the slots ${printSlotRange(range)} already: "rounds cell status" there shows them.`,
  )
}

/** Records the move in the new cell. */
export async function prepareTarget(target: Client, move: Move, source: string) {
  if (await findMove(target, move.moveId)) return
  await emptyNewCell(target)
  await mustHoldNothing(target, move.range)
  const { rowCount } = await target
    .query(
      `with recorded as (
         insert into casesheet.cell_moves (move_id, direction, slots, peer, state)
         select $1, 'in', $2::int4range, $3, 'copying'
         from casesheet.cell
         where not (open_slots + closing_slots + incoming_slots) && $2::int4range
         returning slots
       )
       update casesheet.cell
       set incoming_slots = incoming_slots + int4multirange(recorded.slots)
       from recorded`,
      [move.moveId, int4rangeOf(move.range), source],
    )
    .catch(failIfInProgress)
  if (rowCount !== 1) throw hasSlots(move.range)
}

/** `rounds cell join`: makes a new database a cell without slots, before a router can lead a request to it. May be repeated. */
export async function joinCells(databaseUrl: string) {
  return withOwnerSession(databaseUrl, async (client) => {
    await lockCommands(client)
    await emptyNewCell(client)
    const { rows } = await client.query(
      "select from casesheet.cell where open_slots = '{}' and closing_slots = '{}'",
    )
    if (rows.length === 0)
      throw new CommandError(
        'This database serves patients already: "rounds cell status" shows its slots. A new cell is an empty database.',
      )
  })
}

/**
 * A new database has all slots open, as the only cell has. One that holds no patient gives them up. Writes that began before are waited
 * for, also where a run that gave them up was killed while it waited: what they stored is served again, and the cell cannot be used.
 */
async function emptyNewCell(target: Client) {
  await target.query(`update casesheet.cell set open_slots = '{}' where ${IS_NEW_CELL}`)
  const { rows } = await target.query(`select from casesheet.cell where ${NEVER_HAD_A_MOVE}`)
  if (rows.length === 0) return
  await untilWritesHaveEnded(target, WRITTEN, { withinMs: WRITES_WITHIN_MS })
  const { rowCount: reopened } = await target.query(
    `update casesheet.cell set open_slots = '{[0,4096)}' where not (${HOLDS_NOTHING})`,
  )
  if (reopened === 1) throw isInUse()
}

const HOLDS_NOTHING = `not ${isAnyHeld()}`
const NEVER_HAD_A_MOVE = `open_slots = '{}' and closing_slots = '{}' and not exists (select from casesheet.cell_moves)`
const IS_NEW_CELL = `(
    open_slots = '{[0,4096)}'
    and not exists (select from casesheet.cell_moves)
    and ${HOLDS_NOTHING}
  )`

async function mustHoldNothing(target: Client, range: SlotRange) {
  const { rows } = await target.query<{ is_any: boolean }>(`select ${isAnyHeld(isInRange(range))} as is_any`)
  if (!rows[0]?.is_any) return
  throw new CommandError(
    `The new cell still holds data of the slots ${printSlotRange(range)}, from an earlier move. Run "rounds cell clean" there, or "rounds cell abort" for that move.`,
  )
}

/**
 * Notices of erasures come before all readings: those who follow the changes remove what stands before a notice. No patient of the
 * slots is erased from now on until the move has ended.
 */
export async function copyNotices({ source, target, move }: TwoCells) {
  const { rows } = await source.query<{ notices: string }>(
    `select coalesce(json_agg(notice), '[]')::text as notices
     from (
       select erasure_id, at, patient_uid, announced_until
       from casesheet.erasure_notices
       where ${isInRange(move.range)}
     ) as notice`,
  )
  await target.query(
    `insert into casesheet.erasure_notices (erasure_id, at, patient_uid, announced_until)
     select erasure_id, at, patient_uid, announced_until
     from json_to_recordset($1) as notice (erasure_id uuid, at timestamptz, patient_uid text, announced_until timestamptz)
     on conflict do nothing`,
    [rows[0]?.notices],
  )
}

/**
 * Records of erasures and the patients whose adds are refused. They hold digests, which do not tell the slot, so all are copied: a
 * patient who is refused and not here does no harm. No patient of the old cell is erased until the move has ended.
 */
export async function copyErasures({ source, target, move }: TwoCells) {
  const { rows } = await source.query<{ erasures: string; refused: string }>(
    `select
       (select coalesce(json_agg(erasures), '[]') from casesheet.erasures)::text as erasures,
       (
         select coalesce(json_agg(refused_patients), '[]')
         from casesheet.refused_patients
         where refused_until > now()
       )::text as refused`,
  )
  const { erasures, refused } = rows[0] ?? {}
  await target.query(
    `insert into casesheet.erasures
     select *
     from json_populate_recordset(null::casesheet.erasures, $1)
     on conflict do nothing`,
    [erasures],
  )
  await target.query(
    `with copied as (
       select key_id, patient_digest, refused_until
       from json_populate_recordset(null::casesheet.refused_patients, $1)
     ), noted as (
       insert into casesheet.cell_move_refusals (move_id, key_id, patient_digest)
       select $2, key_id, patient_digest
       from copied
       where not exists (
         select
         from casesheet.refused_patients
         where refused_patients.key_id = copied.key_id
           and refused_patients.patient_digest = copied.patient_digest
       )
     )
     insert into casesheet.refused_patients (key_id, patient_digest, refused_until)
     select key_id, patient_digest, refused_until
     from copied
     on conflict (key_id, patient_digest) do update
     set refused_until = greatest(refused_patients.refused_until, excluded.refused_until)`,
    [refused, move.moveId],
  )
}

/** Those that an aborted move has brought. A server without the key would go on refusing every add. */
export async function removeRefusals(target: Client, { moveId }: Move) {
  await target.query(
    `delete from casesheet.refused_patients
     using casesheet.cell_move_refusals as brought
     where brought.move_id = $1
       and brought.key_id = refused_patients.key_id
       and brought.patient_digest = refused_patients.patient_digest`,
    [moveId],
  )
}

/**
 * Opens the slots, unless the move was aborted. May be repeated. The commit waits for the standby, if there is one, and so for all
 * that was replicated before it: the message makes it wait also where nothing is left to change. With the slots, the new cell takes over
 * the evaluation of rules.
 */
export async function openSlots(target: Client, { moveId, range }: Move, unevaluated: Unevaluated[] = []) {
  let isOnPrimaryOnly = false
  const note = () => void (isOnPrimaryOnly = true)
  target.on('notice', note)
  const { rows } = await target.query<{ state: string }>(
    `with durable as materialized (
       select pg_logical_emit_message(true, 'rounds', '')
     ), opened as (
       update casesheet.cell_moves
       set state = 'opened', changed_at = now()
       where move_id = $1
         and state = 'copying'
       returning slots
     ), served as (
       update casesheet.cell
       set open_slots = open_slots + int4multirange(opened.slots),
         incoming_slots = incoming_slots - int4multirange(opened.slots)
       from opened
     ), marked as (${markUnevaluated('$2')}
     )
     select state
     from casesheet.cell_moves
     cross join durable
     where move_id = $1`,
    [moveId, JSON.stringify(unevaluated)],
  )
  target.off('notice', note)
  if (isOnPrimaryOnly)
    throw new CommandError(
      'The new cell may have opened the slots on its primary only. Run the command again to make sure.',
    )
  const [move] = rows
  if (move?.state === 'copying' || move?.state === 'opened') return
  throw new CommandError(`The new cell knows this move of the slots ${printSlotRange(range)} as aborted.`)
}
