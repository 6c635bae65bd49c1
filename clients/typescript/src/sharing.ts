// Grants: what a patient shares with doctors, and for a doctor, who shares.
import type { CallOptions } from './call.ts'
import { mustBeGrant } from './check-arguments.ts'
import type {
  AddGrantAnswer,
  Grant,
  GrantChange,
  GrantHistoryAnswer,
  GrantHistoryQuery,
  GrantsAnswer,
  GrantsQuery,
  GrantToAdd,
  GrantToRevoke,
  PatientsAnswer,
  PatientsQuery,
  RevokeGrantAnswer,
  SharingPatient,
} from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page of these lists.
const PAGE = 100

type Items<Item> = AsyncGenerator<Item, void, undefined>

/** For patients and carers. */
export type Grants = {
  /** Shares readings with a doctor. It may be repeated; another grant for the same doctor replaces the one before. */
  add: (grant: GrantToAdd, options?: CallOptions) => Promise<AddGrantAnswer>
  /** No read of the doctor that begins after the answer succeeds. It may be repeated. */
  revoke: (grant: GrantToRevoke, options?: CallOptions) => Promise<RevokeGrantAnswer>
  /** One grant per doctor, as it is now, also those that were revoked or have expired. */
  list: (query?: GrantsQuery, options?: CallOptions) => Promise<GrantsAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  each: (query?: GrantsQuery, options?: CallOptions) => Items<Grant>
  /** Who gave, changed or revoked grants, newest first. */
  history: (query?: GrantHistoryQuery, options?: CallOptions) => Promise<GrantHistoryAnswer>
  /** All of the history, page after page. */
  eachChange: (query?: GrantHistoryQuery, options?: CallOptions) => Items<GrantChange>
}

/** For doctors. */
export type Patients = {
  /** Who shares readings with the doctor that the token names, ordered by name. */
  list: (query?: PatientsQuery, options?: CallOptions) => Promise<PatientsAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  each: (query?: PatientsQuery, options?: CallOptions) => Items<SharingPatient>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: { patientUid: string }, options?: CallOptions) => Promise<Answer>
}

export function createGrants(casesheet: string, { read, post }: Calls): Grants {
  const send = async <Answer>(path: string, grant: GrantToRevoke, options?: CallOptions) => {
    mustBeGrant(grant)
    return post<Answer>(path, grant, options)
  }
  const list = (query: GrantsQuery = {}, options?: CallOptions) =>
    read<GrantsAnswer>(`${casesheet}/grants/list`, query, options)
  const history = (query: GrantHistoryQuery = {}, options?: CallOptions) =>
    read<GrantHistoryAnswer>(`${casesheet}/grants/history`, query, options)
  return {
    add: (grant, options) => send<AddGrantAnswer>(`${casesheet}/grants/add`, grant, options),
    revoke: (grant, options) => send<RevokeGrantAnswer>(`${casesheet}/grants/revoke`, grant, options),
    list,
    each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE),
    history,
    eachChange: (query = {}, options) => eachOf((page) => history(page, options), query, PAGE),
  }
}

export function createPatients(casesheet: string, { read }: Pick<Calls, 'read'>): Patients {
  const list = (query: PatientsQuery = {}, options?: CallOptions) =>
    read<PatientsAnswer>(`${casesheet}/patients/list`, query, options)
  return { list, each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE) }
}
