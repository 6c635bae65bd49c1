// The switch: from one cell that serves the slots to the other, without a gap. The order is all there is to it:
//
// 1. The old cell closes the slots. Every statement of a server compares the version of the cell's slots in itself.
// 2. Every transaction that holds a lock for writing readings, grants, targets, reviews, rules, alerts or the access log ends. A statement
//    locks its table before it takes its snapshot: so one that locks it later sees the closed slots, and one that did not see them has ended. Then the position
//    in the WAL is taken, and all that was stored lies before it.
// 3. The new cell confirms that it has stored all before that position. What changed since the comparison before the switch is
//    compared (compare-cells.ts).
// 4. The new cell opens the slots and takes over the evaluation of rules, which is on its standby too when the commit returns.
// 5. The router's map changes.
// 6. The old cell answers 421 from then on.
//
// Until (4) a failure opens the slots in the old cell again. From (4) on there is no way back; whatever fails is done by the next run.
import type { Client } from 'pg'
import { isCancelled } from '../../../db/database-errors.ts'
import { CommandError } from '../../../refusal.ts'
import { untilWritesHaveEnded, WRITTEN } from '../../casesheet/owner/writes-in-flight.ts'
import { evenIfCancelled, type Watch } from './both-cells.ts'
import { compareChanged } from './compare-cells.ts'
import type { Move } from './move-record.ts'
import { type TwoCells, untilConfirmed } from './replicate.ts'
import { openSlots } from './take-over.ts'
import { findUnevaluated } from './unevaluated-rules.ts'

export type Switch = {
  /** The transaction of the old cell since which changes were not compared. */
  since: string
  /** How long neither cell may serve the slots. */
  limitMs: number
  /** Tells the router, once the new cell serves the slots. */
  changeMap: () => Promise<void>
  onStep: (step: SwitchStep) => Promise<void> | void
  watch: Watch
}

export type SwitchStep = 'closed' | 'ended' | 'confirmed' | 'checked' | 'opened' | 'mapped' | 'moved'

export async function switchSlots(cells: TwoCells, { since, limitMs, changeMap, onStep, watch }: Switch) {
  const { source, target, move } = cells
  const mustBeInTime = timeLimit(limitMs)
  const mustGoOn = () => {
    watch.mustGoOn()
    mustBeInTime()
  }
  const inTime = <T>(client: Client, work: () => Promise<T>) => withTimeout(client, { limitMs, watch }, work)
  let mayBeOpen = false
  try {
    await closeSlots(source, move)
    await onStep('closed')
    await inTime(source, () => untilWritersHaveEnded(source, limitMs, watch))
    await onStep('ended')
    await untilConfirmed(cells, await endOfWal(source), mustGoOn)
    await onStep('confirmed')
    await inTime(source, () => inTime(target, () => compareChanged(source, target, move.range, since)))
    const unevaluated = await inTime(source, () => findUnevaluated(source, move.range))
    mustGoOn()
    await onStep('checked')
    watch.mustGoOn()
    await watch.release()
    mayBeOpen = true
    await evenIfCancelled(() => openSlots(target, move, unevaluated))
  } catch (error) {
    await watch.release()
    if (!mayBeOpen) await evenIfCancelled(() => reopenSlots(source, move))
    throw error
  }
  await onStep('opened')
  await changeMap()
  await onStep('mapped')
  await giveUpSlots(source, move)
  await onStep('moved')
}

/** Most writes end at once; one that does not is named. */
const NAMED_AFTER_MS = 1_000

async function untilWritersHaveEnded(source: Client, limitMs: number, { mustGoOn, onWaiting }: Watch) {
  const startedAt = performance.now()
  function onPoll(sessions: string[]) {
    mustGoOn()
    const waitedMs = performance.now() - startedAt
    if (waitedMs > NAMED_AFTER_MS) onWaiting(sessions)
    if (waitedMs > limitMs) throw tookTooLong(limitMs, sessions)
  }
  await untilWritesHaveEnded(source, WRITTEN, { onPoll })
}

/**
 * What is left where the new cell has opened the slots already. An old cell that was restored to a time within the move has them open
 * too, and closes them first.
 */
export async function finishSwitch(
  { source, move }: TwoCells,
  { changeMap, onStep }: Pick<Switch, 'changeMap' | 'onStep'>,
) {
  await closeSlots(source, move)
  await changeMap()
  await onStep('mapped')
  await giveUpSlots(source, move)
  await onStep('moved')
}

/** The server ends a statement that takes too long: the next one, which opens the slots again, must not wait for it. */
async function withTimeout<T>(
  client: Client,
  { limitMs, watch }: { limitMs: number; watch: Watch },
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`set statement_timeout = ${Math.ceil(limitMs)}`)
  try {
    return await work()
  } catch (error) {
    // A statement that was cancelled looks like one that took too long.
    watch.mustGoOn()
    throw isCancelled(error) ? tookTooLong(limitMs) : error
  } finally {
    await client.query('set statement_timeout = 0').catch(() => {})
  }
}

function timeLimit(limitMs: number): () => void {
  const endsAt = performance.now() + limitMs
  return () => {
    if (performance.now() > endsAt) throw tookTooLong(limitMs)
  }
}

function tookTooLong(limitMs: number, sessions: string[] = []): CommandError {
  const waitedFor = sessions.length === 0 ? '' : ` It waited for ${sessions.join('; ')}.`
  return new CommandError(
    `The switch took longer than ${limitMs / 1_000} s, so the old cell serves the slots again; what changes is still copied.${waitedFor} Run the command again, with a larger --limit or fewer slots, or abort.`,
  )
}

const closeSlots = (source: Client, move: Move) =>
  change(source, move, {
    from: 'copying',
    to: 'closed',
    slots: `open_slots = open_slots - int4multirange(changed.slots), closing_slots = closing_slots + int4multirange(changed.slots)`,
  })

export const reopenSlots = (source: Client, move: Move, to: 'copying' | 'aborted' = 'copying') =>
  change(source, move, {
    from: 'closed',
    to,
    slots: `open_slots = open_slots + int4multirange(changed.slots), closing_slots = closing_slots - int4multirange(changed.slots)`,
  })

const giveUpSlots = (source: Client, move: Move) =>
  change(source, move, {
    from: 'closed',
    to: 'moved',
    slots: 'closing_slots = closing_slots - int4multirange(changed.slots)',
  })

/** Does nothing where the move is in another state already. */
async function change(
  source: Client,
  { moveId }: Move,
  { from, to, slots }: { from: string; to: string; slots: string },
) {
  await source.query(
    `with changed as (
       update casesheet.cell_moves
       set state = $3, changed_at = now()
       where move_id = $1
         and state = $2
       returning slots
     )
     update casesheet.cell
     set ${slots}
     from changed`,
    [moveId, from, to],
  )
}

/** Behind a commit of our own, so that it is flushed: only what is flushed is sent. */
export async function endOfWal(source: Client): Promise<string> {
  await source.query("select pg_logical_emit_message(true, 'rounds', '')")
  const { rows } = await source.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
  const [end] = rows
  if (!end) throw new Error('PostgreSQL did not say where its WAL ends.')
  return end.lsn
}
