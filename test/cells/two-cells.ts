// Two cells, each with a PostgreSQL cluster and a Rounds of its own, and callers that find their way as a router leads them: by the
// slot, and again after a 503 or a 421.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { type Answer, onServer, type Rounds, runSql, startRounds } from '../support/harness.ts'

/** `others` are more processes of the cell. */
export type CellOfTest = { rounds: Rounds; ownerUrl: string; others?: Rounds[] }

/** A cell on a PostgreSQL of its own. */
export async function startCell(
  settings: Record<string, string> = {},
  environment: Record<string, string> = {},
  processes = 1,
): Promise<CellOfTest> {
  const postgres = await startThrowawayPostgres({
    wal_level: 'logical',
    // The default would try again 5 s after an error.
    wal_retrieve_retry_interval: '200ms',
    ...settings,
  })
  const cell = await startCellOn(postgres.url, environment)
  const others: Rounds[] = []
  for (let count = 1; count < processes; count++)
    others.push(
      await startRounds({
        ...environment,
        DATABASE_URL: cell.rounds.serveUrl,
        AUTH_ISSUER: environment['AUTH_ISSUER'] ?? cell.rounds.issuer.url,
      }),
    )
  // After Rounds, which waits for its database.
  after(() => postgres.stop())
  return { ...cell, others }
}

/** A cell on this PostgreSQL. */
export async function startCellOn(
  url: string,
  environment: Record<string, string> = {},
): Promise<CellOfTest> {
  const rounds = await onServer(url, () => startRounds(environment))
  return { rounds, ownerUrl: rounds.ownerUrl }
}

/** The map of a router, which a move changes, for two cells. */
export function createRouter(cells: CellOfTest[]) {
  const cellOf = Array.from({ length: 4_096 }, () => 0)
  const statuses = new Map<number, number>()
  const startedAt = performance.now()
  const failures: { code: string; atMs: number }[] = []

  /** Sends until it is answered by the cell that serves the patient. */
  async function call(patientUid: string, path: string, body?: unknown): Promise<Answer> {
    const giveUpAt = Date.now() + 60_000
    for (;;) {
      const cell = cells[cellOf[slotOf(patientUid)] ?? 0]
      assert.ok(cell)
      const token = await tokenOf(cell, patientUid)
      const answer = await cell.rounds.call(path, body === undefined ? { token } : { token, body })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status !== 503 && answer.status !== 421) return answer
      failures.push({ code: answer.json.code, atMs: performance.now() - startedAt })
      assert.ok(Date.now() < giveUpAt, answer.text)
      await new Promise((resume) => setTimeout(resume, 20))
    }
  }
  const tokens = new Map<string, Promise<string>>()
  function tokenOf(cell: CellOfTest, patientUid: string) {
    const key = `${cells.indexOf(cell)} ${patientUid}`
    const token = tokens.get(key) ?? cell.rounds.token({ patientUid })
    tokens.set(key, token)
    return token
  }
  return {
    call,
    statuses,
    failures,
    /** What the map of the router says. */
    async route(first: number, last: number, cell: number) {
      cellOf.fill(cell, first, last + 1)
    },
  }
}

export type Router = ReturnType<typeof createRouter>

export function patients(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID())
}

export const readingOf = (patientUid: string, timestamp: number) => ({
  patientUid,
  readingType: 'acme.step',
  timestamp,
  steps: 5,
})

/** Adds, withdraws and reads for these patients until it is stopped; then says which readings were acknowledged. */
export function startTraffic(router: Router, patientUids: string[], { clients = 2, from = 1 } = {}) {
  const over = new AbortController()
  const acknowledged = new Map<string, Set<number>>()
  const withdrawn = new Map<string, Set<string>>()
  let next = from
  async function client() {
    while (!over.signal.aborted) {
      const patientUid = patientUids[next % patientUids.length] ?? ''
      const timestamp = next++
      const { status, text } = await router.call(
        patientUid,
        '/casesheet/readings/add',
        readingOf(patientUid, timestamp),
      )
      assert.equal(status, 200, text)
      acknowledged.set(patientUid, (acknowledged.get(patientUid) ?? new Set()).add(timestamp))
      const found = await router.call(
        patientUid,
        `/casesheet/readings/get?patientUid=${patientUid}&order=desc&limit=1&from=${timestamp}&to=${timestamp}`,
      )
      const [reading] = found.json.data
      assert.equal(reading?.['timestamp'], timestamp, 'what was acknowledged is read at once')
      if (timestamp % 3 !== 0) continue
      const readingId = String(reading['readingId'])
      const corrected = await router.call(patientUid, '/casesheet/readings/withdraw', {
        patientUid,
        readingId,
        timestamp,
      })
      assert.equal(corrected.status, 200, corrected.text)
      withdrawn.set(patientUid, (withdrawn.get(patientUid) ?? new Set()).add(readingId))
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    async stop() {
      over.abort()
      await running
      return { acknowledged, withdrawn }
    },
    failed: running,
  }
}

type Held = { patient_uid: string; timestamps: number[]; withdrawn: string[] }

export async function heldIn(
  { ownerUrl }: CellOfTest,
  first: number,
  last: number,
): Promise<Map<string, Held>> {
  const rows = await runSql<Held>(
    ownerUrl,
    `select patient_uid, array_agg(sent_timestamp::integer order by sent_timestamp) as timestamps,
       coalesce(array_agg(reading_id::text) filter (where withdrawn_by is not null), '{}') as withdrawn
     from casesheet.readings
     where casesheet.slot_of(patient_uid) between $1 and $2
     group by patient_uid`,
    [first, last],
  )
  return new Map(rows.map((row) => [row.patient_uid, row]))
}

/** Everything acknowledged is held once, by the cell of the slot, with its withdrawals. */
export async function assertNothingLost(
  { acknowledged, withdrawn }: Awaited<ReturnType<ReturnType<typeof startTraffic>['stop']>>,
  cells: [cell: CellOfTest, first: number, last: number][],
) {
  const held = new Map<string, Held>()
  for (const [cell, first, last] of cells)
    for (const [patientUid, of] of await heldIn(cell, first, last)) held.set(patientUid, of)
  for (const [patientUid, timestamps] of acknowledged) {
    const of = held.get(patientUid)
    assert.deepEqual(
      of?.timestamps,
      [...timestamps].toSorted((a, b) => a - b),
      `slot ${slotOf(patientUid)}`,
    )
    assert.deepEqual(of.withdrawn.toSorted(), [...(withdrawn.get(patientUid) ?? [])].toSorted())
  }
}
