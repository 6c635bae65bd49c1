// Three cells and a directory behind a real HAProxy, each with processes of their own that a test can kill; and moves between the
// first two cells, each of half of what the old one serves.
import assert from 'node:assert/strict'
import type { MoveStep } from '../../src/modules/cells/move/move-slots.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import type { TokenSource } from '../../tools/dev/request-token.ts'
import { createDatabase, onServer, runSql } from '../support/harness.ts'
import { runCommand, runProgram, serveForLoad, untilSaid } from '../support/process.ts'
import { until } from '../support/until.ts'
import { CELL_NAMES, startCellsRouter } from './haproxy-of-cells.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import type { AskedMove } from './move-until.ts'

/** What a busy machine may take for anything that is waited for. */
const PATIENCE_MS = 240_000

export type Issuer = TokenSource & { audience: string }

export type StageCell = {
  ownerUrl: string
  url: string
  adminUrl: string
  /** Kills the primary outright; returns when there is one again. */
  killPrimary: () => Promise<void>
  /** Kills the process of Rounds outright; returns when there is one again. */
  killRounds: () => Promise<void>
}

async function serveAt(databaseUrl: string, { url, audience }: Issuer, settings = {}) {
  const serve = (ports: Record<string, string>) =>
    serveForLoad({
      DATABASE_URL: databaseUrl,
      AUTH_ISSUER: url,
      AUTH_AUDIENCE: audience,
      ...ports,
      ...settings,
    })
  let server = await serve({})
  return {
    url: server.url,
    adminUrl: server.adminUrl,
    async killRounds() {
      server.child.kill('SIGKILL')
      await server.ended
      server = await serve({ PORT: new URL(server.url).port, ADMIN_PORT: new URL(server.adminUrl).port })
    },
  }
}

/** A cell on a PostgreSQL that can be killed. */
export async function startKillableCell(issuer: Issuer): Promise<StageCell> {
  const postgres = await startKillablePostgres()
  const { ownerUrl, serveUrl } = await onServer(postgres.url, createDatabase)
  const server = await serveAt(serveUrl, issuer)
  postgres.stopAfterTests()
  return { ownerUrl, ...server, killPrimary: () => postgres.killAndRestart() }
}

/** The slots that are moved to and fro: half of those of the cell that has them. */
const MOVING = { first: 0, last: 1_023 }
export const FIRST_SLOTS = [0, 2_048, 3_072] as const
const SLOTS = ['{[0,2048)}', '{[2048,3072)}', '{[3072,4096)}']
export const isMoving = (patientUid: string) => slotOf(patientUid) <= MOVING.last

export async function startStage(issuer: Issuer, [a, b]: [StageCell, StageCell]) {
  const [last, appointments] = [await createDatabase(), await createDatabase()]
  const c = { ownerUrl: last.ownerUrl, ...(await serveAt(last.serveUrl, issuer)) }
  const directory = await serveAt(appointments.serveUrl, issuer, { MODULES: 'appointments' })
  const cells = [a, b, c]
  for (const [index, { ownerUrl }] of cells.entries())
    await runSql(ownerUrl, 'update casesheet.cell set open_slots = $1', [SLOTS[index]])
  const router = await startCellsRouter({
    cells,
    directory,
    cellOf: (slot) => FIRST_SLOTS.findLastIndex((first) => first <= slot),
  })

  const countOf = async ({ ownerUrl }: { ownerUrl: string }, where: string) => {
    const [row] = await runSql<{ count: number }>(
      ownerUrl,
      `select count(*)::integer as count
       from casesheet.readings
       cross join casesheet.cell
       where patient_uid like 'simulated-%'
         and ${where}`,
    )
    return row?.count ?? 0
  }
  const isOfMoving = `casesheet.slot_of(patient_uid) <= ${MOVING.last}`
  const IS_OPEN = 'open_slots @> casesheet.slot_of(patient_uid)'

  /** Devices send readings of slots that are moving, and this cell stores them. */
  async function untilStored(cell: StageCell) {
    const before = await countOf(cell, isOfMoving)
    await until(async () => (await countOf(cell, isOfMoving)) > before, PATIENCE_MS)
  }

  let from: StageCell = a
  let to: StageCell = b
  const ends = () => ({ from, to })

  const askedMove = (): AskedMove => ({
    sourceUrl: from.ownerUrl,
    targetUrl: to.ownerUrl,
    range: MOVING,
    routerMap: {
      path: router.mapPath,
      backend: CELL_NAMES[cells.indexOf(to)] ?? '',
      sockets: [router.socket],
    },
  })

  /** The command, run as an operator runs it. */
  async function command(args: string[], { ownerUrl }: StageCell = from) {
    const { code, output } = await runCommand(['cell', ...args], { DATABASE_URL: ownerUrl }).ended
    assert.equal(code, 0, output)
    return output
  }

  const moveArguments = () => {
    const { targetUrl, range, routerMap } = askedMove()
    const slots = `${range.first}-${range.last}`
    const move = ['move', '--slots', slots, '--to', targetUrl, '--limit', '120', '--yes']
    return routerMap
      ? [...move, '--map', routerMap.path, '--as', routerMap.backend, '--router', router.socket]
      : [...move, '--map-by-hand']
  }

  /** What is left in the old cell is removed; then the cells have changed places. */
  async function finish() {
    await untilStored(to)
    await command(['clean', '--after-hours', '0', '--yes'])
    for (const cell of [from, to])
      assert.equal(await countOf(cell, `not ${IS_OPEN}`), 0, 'none is in the wrong cell')
    ;[from, to] = [to, from]
  }

  return {
    url: router.url,
    ends,
    command,
    /** Moves by the command. */
    async move() {
      await untilStored(from)
      const output = await command(moveArguments())
      await finish()
      return output
    },
    /** Moves, and at a step something is killed; then the command is run again, if it has failed. */
    async moveStruck(step: MoveStep, strike: 'command' | (() => Promise<void>)) {
      await untilStored(from)
      const moving = runProgram(
        process.execPath,
        ['test/cells/move-until.ts', step, JSON.stringify(askedMove())],
        {},
      )
      await untilSaid(moving, new RegExp(`^reached ${step}$`, 'm'), PATIENCE_MS)
      if (strike === 'command') moving.child.kill('SIGKILL')
      else {
        await strike()
        moving.child.kill('SIGUSR2')
      }
      const { code } = await moving.ended
      return {
        isDone: code === 0,
        async finish() {
          if (code !== 0) await command(moveArguments())
          await finish()
        },
      }
    },
    /** Every reading of all simulations is in one cell that serves it. */
    async countServed() {
      const counts = cells.map((cell) => countOf(cell, IS_OPEN))
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    countMisplaced: async () =>
      (await Promise.all(cells.map((cell) => countOf(cell, `not ${IS_OPEN}`)))).reduce(
        (sum, count) => sum + count,
        0,
      ),
  }
}

export type Stage = Awaited<ReturnType<typeof startStage>>
