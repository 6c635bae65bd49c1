// The list of a doctor's patients: in which queue each is, and why.
import type { CallOptions } from './call.ts'
import type { ListedPatient, MyPatientsAnswer, MyPatientsQuery } from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page.
const PAGE = 100

export type MyPatients = {
  /** Who shares with the doctor, each in one queue with its reasons. Each of them sees once a day that the doctor opened the list. */
  list: (query?: MyPatientsQuery, options?: CallOptions) => Promise<MyPatientsAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  each: (query?: MyPatientsQuery, options?: CallOptions) => AsyncGenerator<ListedPatient, void, undefined>
}

/** How the client sends a query. */
type Read = <Answer>(path: string, query: MyPatientsQuery, options?: CallOptions) => Promise<Answer>

export function createMyPatients(care: string, { read }: { read: Read }): MyPatients {
  const list = (query: MyPatientsQuery = {}, options?: CallOptions) =>
    read<MyPatientsAnswer>(`${care}/patients/list`, query, options)
  return { list, each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE) }
}
