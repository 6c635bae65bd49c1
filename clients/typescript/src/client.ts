// @rounds/client: the operations of Rounds, typed, with retries, iterators over pages, and an offline queue.
import {
  type CallOptions,
  callOperation,
  type Fetch,
  queryText,
  type Request,
  type Settings,
} from './call.ts'
import type {
  Access,
  AccessLogAnswer,
  AccessLogQuery,
  AddAnswer,
  AddVerdicts,
  Doctor,
  DoctorsAnswer,
  DoctorsQuery,
  LatestAnswer,
  LatestQuery,
  ReadingsAnswer,
  ReadingsQuery,
  ReadingsToAdd,
  ReadingTypesAnswer,
  SpecialitiesAnswer,
  StatisticsAnswer,
  StatisticsQuery,
  StoredReading,
  StoredReadingOf,
} from './contract.ts'
import { RoundsError } from './rounds-error.ts'
import { shareTokens, type TokenProvider } from './tokens.ts'

export type { CallOptions, Fetch } from './call.ts'
export type * from './contract.ts'
export { memoryStorage, type QueuedReading, type QueueStorage } from './queue-storage.ts'
export {
  createReadingQueue,
  type Flushed,
  type ReadingQueue,
  type ReadingQueueOptions,
} from './reading-queue.ts'
export { RoundsError, type RoundsErrorCode } from './rounds-error.ts'
export type { TokenProvider } from './tokens.ts'

// As many readings as one page of an iterator holds; about 128 KiB when readings are small.
const PAGE = 500

/** Where Rounds answers: one address for both modules, or one for each when they run apart. */
type Addresses = { url: string } | { appointmentsUrl: string; casesheetUrl: string }

export type RoundsClientOptions = Addresses & {
  token: TokenProvider
  /** How often a request is sent at most, the first time included. */
  attempts?: number
  /** How long one attempt may take. The service itself may hold a request for 30 s while its database fails over. */
  attemptTimeoutMs?: number
  /** How long a call may take as a whole. */
  timeoutMs?: number
  /** In place of the global fetch. */
  fetch?: Fetch
}

export type RoundsClient = {
  listDoctors: (query?: DoctorsQuery, options?: CallOptions) => Promise<DoctorsAnswer>
  /** All doctors that the query finds, page after page; `limit` is the size of a page. */
  eachDoctor: (query?: DoctorsQuery, options?: CallOptions) => AsyncGenerator<Doctor, void, undefined>
  listSpecialities: (options?: CallOptions) => Promise<SpecialitiesAnswer>
  /** Stores one reading, or all or none of up to 1,000. It may be repeated: the same reading is stored once. */
  addReadings: <Type extends string>(
    readings: ReadingsToAdd<Type>,
    options?: CallOptions,
  ) => Promise<AddAnswer>
  /**
   * Stores what can be stored of one or up to 1,000 readings, and says of each, in the order sent, whether it was stored
   * now, was there already, or was rejected, and why.
   */
  addReadingsEach: <Type extends string>(
    readings: ReadingsToAdd<Type>,
    options?: CallOptions,
  ) => Promise<AddVerdicts>
  /** A page when `limit` is given, else the whole range in one answer. */
  getReadings: (query?: ReadingsQuery, options?: CallOptions) => Promise<ReadingsAnswer>
  /** All readings of the range, page after page, in little memory; `limit` is the size of a page. */
  eachReading: (
    query?: ReadingsQuery,
    options?: CallOptions,
  ) => AsyncGenerator<StoredReading, void, undefined>
  /** The newest reading of each type, or of the types asked for. */
  latestReadings: (query?: LatestQuery, options?: CallOptions) => Promise<LatestAnswer>
  /** Count, least, most, mean, median and so on of each field, by hour, day, week or month of a local calendar. */
  readingStatistics: (query: StatisticsQuery, options?: CallOptions) => Promise<StatisticsAnswer>
  /**
   * The readings as a file, for a spreadsheet (`csv`) or a program (`ndjson`): the response, its body not yet read. Reading
   * a body that was cut off on its way fails. With `limit`, the header x-next-cursor says where to go on.
   */
  exportReadings: (format: ExportFormat, query?: ReadingsQuery, options?: CallOptions) => Promise<Response>
  /** Who has read the readings of a patient, newest first. */
  accessLog: (query?: AccessLogQuery, options?: CallOptions) => Promise<AccessLogAnswer>
  /** All of the access log, page after page; `limit` is the size of a page. */
  eachAccess: (query?: AccessLogQuery, options?: CallOptions) => AsyncGenerator<Access, void, undefined>
  /** The catalogue: the types that the service checks, with their units, codes, ranges and JSON Schemas. */
  listReadingTypes: (options?: CallOptions) => Promise<ReadingTypesAnswer>
}

/** Whether a reading that came back is of this type, so that its fields are known. */
export function isOfType<Type extends string>(
  reading: StoredReading,
  readingType: Type,
): reading is StoredReadingOf<Type> {
  return reading.readingType === readingType
}

export type ExportFormat = 'csv' | 'ndjson'

const MEDIA_TYPE_OF = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export function createRoundsClient(options: RoundsClientOptions): RoundsClient {
  const { appointments, casesheet } = addressesOf(options)
  const settings: Settings = {
    tokens: shareTokens(options.token),
    attempts: options.attempts ?? 5,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 40_000,
    timeoutMs: options.timeoutMs ?? 120_000,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
  // What comes back is of the operation's type by the contract; readAnswer has seen that it is an answer of Rounds.
  const call = <Answer>(request: Request, callOptions?: CallOptions) =>
    callOperation(settings, request, callOptions) as Promise<Answer>

  const listDoctors = (query: DoctorsQuery = {}, callOptions?: CallOptions) =>
    call<DoctorsAnswer>({ url: `${appointments}/doctors/list${queryText(query)}` }, callOptions)
  const getReadings = (query: ReadingsQuery = {}, callOptions?: CallOptions) =>
    call<ReadingsAnswer>({ url: `${casesheet}/readings/get${queryText(query)}` }, callOptions)
  const accessLog = (query: AccessLogQuery = {}, callOptions?: CallOptions) =>
    call<AccessLogAnswer>({ url: `${casesheet}/readings/access-log${queryText(query)}` }, callOptions)
  return {
    listDoctors,
    eachDoctor: (query = {}, callOptions) => eachOf((page) => listDoctors(page, callOptions), query),
    listSpecialities: (callOptions) =>
      call<SpecialitiesAnswer>({ url: `${appointments}/doctors/specialities/list` }, callOptions),
    addReadings: (readings, callOptions) =>
      call<AddAnswer>({ url: `${casesheet}/readings/add`, body: readings }, callOptions),
    addReadingsEach: async (readings, callOptions) => {
      const headers = { prefer: 'return=representation' }
      const url = `${casesheet}/readings/add`
      const answer = await call<AddVerdicts>({ url, body: readings, headers }, callOptions)
      if (Array.isArray(answer.data)) return answer
      // A proxy that drops the header, or an older service.
      const message = 'The readings are stored, but the service gave no verdict on each.'
      throw new RoundsError({ code: 'UnexpectedAnswer', message, retryable: false, status: 200 })
    },
    getReadings,
    eachReading: (query = {}, callOptions) => eachOf((page) => getReadings(page, callOptions), query),
    latestReadings: (query = {}, callOptions) =>
      call<LatestAnswer>({ url: `${casesheet}/readings/latest${queryText(query)}` }, callOptions),
    readingStatistics: (query, callOptions) =>
      call<StatisticsAnswer>({ url: `${casesheet}/readings/statistics${queryText(query)}` }, callOptions),
    listReadingTypes: (callOptions) =>
      call<ReadingTypesAnswer>({ url: `${casesheet}/readings/types` }, callOptions),
    exportReadings: (format, query = {}, callOptions) => {
      const accept = MEDIA_TYPE_OF[format]
      const url = `${casesheet}/readings/get${queryText(query)}`
      return call<Response>({ url, headers: { accept }, streamed: accept }, callOptions)
    },
    accessLog,
    eachAccess: (query = {}, callOptions) => eachOf((page) => accessLog(page, callOptions), query),
  }
}

type Page<Item> = { data: Item[]; nextCursor: string | null }

async function* eachOf<Item, Query extends { cursor?: string; limit?: number }>(
  fetchPage: (query: Query) => Promise<Page<Item>>,
  query: Query,
): AsyncGenerator<Item, void, undefined> {
  let next: Query | undefined = { ...query, limit: query.limit ?? PAGE }
  while (next !== undefined) {
    const { data, nextCursor }: Page<Item> = await fetchPage(next)
    yield* data
    next = nextCursor === null ? undefined : { ...next, cursor: nextCursor }
  }
}

function addressesOf(options: Addresses) {
  const [appointments, casesheet] =
    'url' in options
      ? [`${trimmed(options.url)}/appointments`, `${trimmed(options.url)}/casesheet`]
      : [trimmed(options.appointmentsUrl), trimmed(options.casesheetUrl)]
  return { appointments, casesheet }
}

function trimmed(url: string): string {
  if (!/^https?:\/\//i.test(url)) throw new TypeError('An address must begin with https:// or http://.')
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
