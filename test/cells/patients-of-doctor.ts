// A doctor whose patients are divided between two cells, each with two processes, behind two real HAProxys.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  type CallOptions,
  createRoundsClient,
  type PatientsQuery,
  type RoundsClient,
  type SharingPatient,
} from '../../clients/typescript/src/client.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { fillDirectory } from '../support/directory.ts'
import { runSql } from '../support/harness.ts'
import { LOWER, setSlots, UPPER } from '../support/slots.ts'
import { startCellsRouter } from './haproxy-of-cells.ts'
import { startCell } from './two-cells.ts'

export const halfOf = (slot: number) => (slot < 2_048 ? 0 : 1)

type Router = Awaited<ReturnType<typeof startCellsRouter>>

export async function startTwoCells(doctorIds: string[], environment: Record<string, string> = {}) {
  const first = await startCell({}, environment, 2)
  const issuer = { ...environment, AUTH_ISSUER: first.rounds.issuer.url }
  const cells = [first, await startCell({}, issuer, 2)] as const
  for (const [index, { ownerUrl }] of cells.entries()) {
    await setSlots(ownerUrl, { open: index === 0 ? LOWER : UPPER })
    const doctors = doctorIds.map((doctorId) => ({
      doctorId,
      name: `Dr. ${doctorId} (invented)`,
      specialities: [],
    }))
    await fillDirectory(ownerUrl, { doctors })
  }
  const others = cells.flatMap((cell) => cell.others ?? [])
  const directory = first.rounds
  const settings = { ROUNDS_CELLS: 'cell_a cell_b' }
  const routerOf = (processes: { url: string; adminUrl: string }[]) =>
    startCellsRouter({ cells: processes, directory, cellOf: halfOf, settings })
  const routers = [await routerOf(cells.map(({ rounds }) => rounds)), await routerOf(others)] as const
  const { token } = first.rounds

  const clientOf = async (claims: Record<string, unknown>, router: Router = routers[0]) => {
    const bearer = await token(claims)
    return createRoundsClient({ url: router.url, token: bearer })
  }
  return {
    cells,
    routers,
    others,
    token,
    clientOf,
    doctorOf: (doctorId: string, router: Router = routers[0]) =>
      clientOf({ sub: 'doctor', doctorId }, router),
    patientOf: (patientUid: string, router: Router = routers[0]) =>
      clientOf({ sub: 'patient', patientUid }, router),
    /** In the order of PostgreSQL: by the bytes of the name and of the id. */
    async expected(doctorId: string): Promise<string[]> {
      const rows: { list_key: string; patient_uid: string }[] = []
      for (const { ownerUrl } of cells) {
        const text = `select list_key, patient_uid
          from casesheet.grants, casesheet.cell
          where doctor_id = $1 and state = 'given' and open_slots @> casesheet.slot_of(patient_uid)`
        rows.push(...(await runSql<(typeof rows)[number]>(ownerUrl, text, [doctorId])))
      }
      const bytesOf = (row: (typeof rows)[number]) => Buffer.from(`${row.list_key}\0${row.patient_uid}`)
      return rows.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b))).map((row) => row.patient_uid)
    },
  }
}

/** As many patients of each cell, one after the other. */
export function patientsOfBoth(count: number): string[] {
  const found: [string[], string[]] = [[], []]
  while (found[0].length < count || found[1].length < count) {
    const patientUid = randomUUID()
    const half = found[halfOf(slotOf(patientUid)) === 0 ? 0 : 1]
    if (half.length < count) half.push(patientUid)
  }
  return found[0].flatMap((patientUid, index) => [patientUid, found[1][index] ?? ''])
}

/** All pages, and that each but the last is full. */
export async function pagesOf(
  { patients }: RoundsClient,
  limit: number,
  { between, ...options }: CallOptions & { between?: (page: number) => Promise<void> } = {},
): Promise<SharingPatient[]> {
  const found: SharingPatient[] = []
  let query: PatientsQuery = { limit }
  for (let page = 1; ; page++) {
    const { data, nextCursor, cells } = await patients.list(query, options)
    assert.deepEqual([cells?.asked, cells?.missing], [['cell_a', 'cell_b'], []])
    found.push(...data)
    if (nextCursor === null) return found
    assert.equal(data.length, limit)
    await between?.(page)
    query = { limit, cursor: nextCursor }
  }
}
