// Three cells and a directory behind a real HAProxy, each with processes of their own that a test can kill; simulated devices that
// send through it; and moves between the first two cells, each of half of what the old one serves.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { MoveStep } from '../../src/modules/casesheet/cell/move/move-slots.ts'
import { slotOf } from '../../src/modules/casesheet/cell/slot.ts'
import { requestToken, type TokenSource } from '../../tools/dev/request-token.ts'
import { until } from '../event-stream.ts'
import { createDatabase, runSql } from '../harness.ts'
import { runCommand, runProgram, serveForLoad, untilSaid } from '../process.ts'
import { countIn } from '../simulate-stage.ts'
import { CELL_NAMES, startCellsRouter } from './haproxy-of-cells.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import type { AskedMove } from './move-until.ts'
import { onServer } from './two-cells.ts'

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
export const MOVING = { first: 0, last: 1_023 }
const FIRST_SLOTS = [0, 2_048, 3_072] as const
const SLOTS = ['{[0,2048)}', '{[2048,3072)}', '{[3072,4096)}']
const isMoving = (patientUid: string) => slotOf(patientUid) <= MOVING.last

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
    const move = ['move', '--slots', slots, '--to', targetUrl, '--limit', '120']
    return routerMap
      ? [...move, '--map', routerMap.path, '--as', routerMap.backend, '--router', router.socket]
      : move
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
    ...router,
    cells,
    ends,
    command,
    moveArguments,
    untilStored,
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
      const { code, output } = await moving.ended
      return {
        output,
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

const PATIENTS = 8

/**
 * A seed with several patients whose slots move, and several others. The first one is asked for before anything is sent, and without
 * patience: it is of the cell to which nothing happens.
 */
function nextSeed(last: number): number {
  for (let seed = last + 1; ; seed++) {
    const uids = Array.from({ length: PATIENTS }, (_, index) => `simulated-${seed}-000${index + 1}`)
    const moving = uids.filter(isMoving).length
    if (moving >= 3 && moving <= 5 && slotOf(uids[0] ?? '') >= FIRST_SLOTS[2]) return seed
  }
}

/**
 * Simulations through the router, one after the other and each proven at its end, until they are stopped: two at a time, so that
 * readings are sent at every moment.
 */
export function startSimulations({ url }: Stage, issuer: Issuer) {
  const over = new AbortController()
  let seed = 0
  const outputs: string[] = []
  async function simulateOnAndOn() {
    while (!over.signal.aborted) {
      seed = nextSeed(seed)
      const options = `--patients ${PATIENTS} --days 1 --seed ${seed} --rate 40 --duplicates 5% --drop-answers 5% --withdraw 10% --follow --cells ${CELL_NAMES.join()}`
      const { code, output } = await runCommand(['simulate', '--url', url, ...options.split(' ')], {
        AUTH_ISSUER: issuer.url,
        AUTH_CLIENT_SECRET: issuer.clientSecret,
      }).ended
      outputs.push(output)
      assert.equal(code, 0, output)
    }
  }
  const running = Promise.all([simulateOnAndOn(), simulateOnAndOn()])
  // A failure is shown where they are stopped.
  running.catch(() => {})
  return {
    running,
    /** The report of each simulation; all of them are proven. */
    async stop() {
      over.abort()
      await running
      for (const output of outputs) {
        assert.match(output, /^Proven: each reading is there exactly once, as it was sent, and no other\.$/m)
        assert.match(output, /^Proven: the copy that was built from readings\/changes is what/m)
        for (const name of ['errors', 'missing', 'doubled', 'unexpected', 'in a wrong state'])
          assert.equal(countIn(output, name), 0, name)
      }
      return {
        distinct: outputs.reduce((sum, output) => sum + countIn(output, 'distinct readings'), 0),
        runs: outputs.length,
      }
    },
  }
}

/** A device that repeats nothing: what it is answered, apart from 200. */
export function startProbe({ url }: Stage, issuer: Issuer) {
  const patientUid = 'probe-4'
  assert.ok(isMoving(patientUid), 'it must be of a slot that moves')
  const over = new AbortController()
  const others: string[] = []
  const counts = { answered: 0, moving: 0 }
  async function ask() {
    const token = await requestToken(issuer, { patientUids: [patientUid] })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (let timestamp = 1; !over.signal.aborted; timestamp++) {
      const body = JSON.stringify({ patientUid, readingType: 'acme.step', timestamp })
      for (const [path, init] of [
        ['add', { method: 'POST', body, headers }],
        [`get?patientUid=${patientUid}&limit=1`, { headers }],
      ] as const) {
        const response = await fetch(`${url}/casesheet/readings/${path}`, init)
        const answer = await response.text()
        counts.answered++
        if (response.ok) continue
        const isExpected = response.status === 503 && response.headers.get('retry-after') === '1'
        if (isExpected && answer.includes('PatientMoving')) counts.moving++
        else others.push(`${response.status} ${answer}`)
      }
    }
  }
  const asking = ask()
  asking.catch(() => {})
  after(() => over.abort())
  return {
    async stop() {
      over.abort()
      await asking
      return { ...counts, others }
    },
  }
}
