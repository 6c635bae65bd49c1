// What a move that has not ended keeps in both databases: for an operator who decides whether it goes on or is aborted.
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { printSlotRange, type SlotRange } from '../slot-range.ts'
import { findMove, isInProgress, listMoves, type Move, peerOf } from './move-record.ts'
import { nameOf, publicationsOf, slotsOfMove } from './replicate.ts'
import { hasSubscription } from './subscribe.ts'

type Asked = { sourceUrl: string; targetUrl: string; range: SlotRange }

/** Sentences, ending with how to go on or to remove all of it; none where nothing is left. */
export async function describeLeft({ sourceUrl, targetUrl, range }: Asked): Promise<string[]> {
  const here = await unlessUnreachable(sourceUrl, (source) => leftInOldCell(source, range))
  if (here === undefined)
    return [`The old cell cannot be asked what is left: "rounds cell status" shows it later.`]
  const { move, left } = here
  if (!move) return []
  const there = await unlessUnreachable(targetUrl, (target) => leftInNewCell(target, move))
  const lines = [
    ...(left.length > 0 ? [`- old cell (${peerOf(sourceUrl)}): ${left.join('; ')}`] : []),
    ...(there === undefined
      ? [`- new cell (${peerOf(targetUrl)}): it cannot be reached`]
      : there.left.length > 0
        ? [`- new cell (${peerOf(targetUrl)}): ${there.left.join('; ')}`]
        : []),
  ]
  if (lines.length === 0) return []
  const hasOpened = there?.hasOpened ?? false
  return ['What is left of this move:', ...lines, hasOpened || move.state === 'moved' ? FINISH : GO_ON]
}

const GO_ON =
  'Run the same command again to go on, or "rounds cell abort" with the same DATABASE_URL and --to to remove all of it.'
const FINISH = 'The new cell serves the slots. Run the same command again to finish the move.'

async function leftInOldCell(source: Client, range: SlotRange) {
  const move = (await listMoves(source)).find(
    (of) =>
      of.direction === 'out' &&
      of.range.first === range.first &&
      of.range.last === range.last &&
      of.state !== 'aborted' &&
      of.state !== 'cleaned',
  )
  if (!move) return { move, left: [] }
  const slots = await slotsOfMove(source, move)
  const { rows: publications } = await source.query<{ pubname: string }>(
    'select pubname from pg_publication where pubname = any ($1) order by pubname',
    [Object.values(publicationsOf(move))],
  )
  const left = [
    ...(move.state === 'closed' ? ['the slots are closed: it does not serve them'] : []),
    ...(move.state === 'copying' ? ['the move is recorded, and the slots are served on'] : []),
    ...slots.map(
      ({ slot_name, kept_bytes }) =>
        `replication slot "${slot_name}", which keeps ${(kept_bytes / 1e6).toFixed(1)} MB of WAL`,
    ),
    ...publications.map(({ pubname }) => `publication "${pubname}"`),
  ]
  return { move, left }
}

async function leftInNewCell(target: Client, move: Move) {
  const recorded = await findMove(target, move.moveId)
  const left = [
    ...(recorded && isInProgress(recorded) ? [`incoming slots ${printSlotRange(recorded.range)}`] : []),
    ...((await hasSubscription(target, nameOf(move)))
      ? [`subscription "${nameOf(move)}", which goes on copying`]
      : []),
  ]
  return { left, hasOpened: recorded?.state === 'opened' }
}

async function unlessUnreachable<T>(
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T | undefined> {
  return withOwnerSession(url, work).catch((error: unknown) => {
    if (error instanceof CommandError) return undefined
    throw error
  })
}
