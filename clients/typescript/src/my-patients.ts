// The list of a doctor's patients: who needs attention, and by which rule.
import type { CallOptions } from './call.ts'
import type { ListedPatient, MyPatientsAnswer, MyPatientsQuery } from './contract.ts'
import { eachOf } from './each-of.ts'
import { listAllCells, type Merged, mustBeWhole } from './list-of-cells.ts'
import { RoundsError } from './rounds-error.ts'

// The largest page, and the one without a limit.
const PAGE = 100
const DEFAULT_PAGE = 50

export type MyPatients = {
  /**
   * Who shares with the doctor, with a status and its rule. Each of them sees once a day that the doctor looked. Where patients are
   * divided between cells, each cell is asked; `cells.missing` then says whose patients are not in the answer, nor in its counts.
   */
  list: (query?: MyPatientsQuery, options?: CallOptions) => Promise<Merged<MyPatientsAnswer>>
  /** All of them, page after page; `limit` is the size of a page. It fails where the patients of a cell are missing or moved. */
  each: (query?: MyPatientsQuery, options?: CallOptions) => AsyncGenerator<ListedPatient, void, undefined>
}

/** How the client sends a query. */
type Read = <Answer>(path: string, query: MyPatientsQuery, options?: CallOptions) => Promise<Answer>

/** By cell: up to where its answer speaks, and for whom. */
type Since = Record<string, { asOf: string; slots: string | undefined }>

export function createMyPatients(
  addressIn: (cell: string | undefined) => string,
  { read }: { read: Read },
): MyPatients {
  function ask(query: MyPatientsQuery, since: Since, options?: CallOptions) {
    return listAllCells<MyPatientsQuery, MyPatientsAnswer>(
      {
        limit: DEFAULT_PAGE,
        ask: (cell, asked, callOptions) =>
          read(
            `${addressIn(cell)}/patients/list`,
            cell === undefined ? asked : { ...asked, changedSince: since[cell]?.asOf },
            callOptions,
          ),
        combine: (answers) => ({
          counts: countsOf(answers),
          asOf: JSON.stringify(sinceOf(answers, since)),
          behindSince: earliest([...answers.values()].map(({ behindSince }) => behindSince)),
        }),
      },
      query,
      options,
    )
  }
  async function list(query: MyPatientsQuery = {}, options?: CallOptions) {
    const since = sinceIn(query.changedSince)
    const answer = await ask(query, since, options)
    if (!answer.cells || !hasOtherSlots(since, sinceIn(answer.asOf))) return answer
    // Who has moved was copied to the new cell before it answered for them, and so has not changed there since.
    return ask(query, {}, options)
  }
  async function page(query: MyPatientsQuery, options?: CallOptions) {
    const answer = mustBeWhole(await list(query, options))
    if (answer.cells?.haveMoved && query.sort !== 'name') throw moved()
    return answer
  }
  return { list, each: (query = {}, options) => eachOf((one) => page(one, options), query, PAGE) }
}

function countsOf(answers: ReadonlyMap<string, MyPatientsAnswer>): MyPatientsAnswer['counts'] {
  const [first, ...others] = [...answers.values()].map(({ counts }) => counts)
  const sum = { ...first } as MyPatientsAnswer['counts']
  for (const counts of others)
    for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof sum] += count
  return sum
}

/** The list is as old as its oldest part. */
function earliest(instants: (string | null)[]): string | null {
  const known = instants.filter((instant) => instant !== null)
  return known.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

/** A cell that is missing now is asked for what has changed since it answered. */
function sinceOf(answers: ReadonlyMap<string, MyPatientsAnswer>, before: Since): Since {
  const since = { ...before }
  for (const [name, { asOf, cell }] of answers) since[name] = { asOf, slots: cell?.slots }
  return since
}

/** Of one service, `asOf` is its own, and says nothing of cells. */
function sinceIn(asOf: string | undefined): Since {
  return asOf?.startsWith('{') ? (JSON.parse(asOf) as Since) : {}
}

function hasOtherSlots(before: Since, now: Since): boolean {
  return Object.entries(before).some(([name, { slots }]) => now[name]?.slots !== slots)
}

function moved(): RoundsError {
  const message = 'Patients were moved to another cell while the list was read. Read it again from its start.'
  return new RoundsError({ code: 'PatientMoving', message, retryable: true })
}
