// @rounds/client: the operations of Rounds, typed, with retries, iterators over pages, and an offline queue.
import { type Alerts, createAlerts } from './alerts.ts'
import { type CallOptions, callOperation, queryText, type Request, type Settings } from './call.ts'
import { mustBeReadings } from './check-arguments.ts'
import { addressesOf, mustBeClientOptions, type RoundsClientOptions, tokensOf } from './client-options.ts'
import type {
  Access,
  AccessLogAnswer,
  AccessLogQuery,
  AddAnswer,
  AddVerdicts,
  ChangesQuery,
  Doctor,
  DoctorsAnswer,
  DoctorsQuery,
  LatestAnswer,
  LatestQuery,
  Reading,
  ReadingsAnswer,
  ReadingsQuery,
  ReadingsToAdd,
  ReadingToRestore,
  ReadingToWithdraw,
  ReadingTypesAnswer,
  RestoreAnswer,
  SpecialitiesAnswer,
  StatisticsAnswer,
  StatisticsQuery,
  StoredReading,
  StoredReadingOf,
  WithdrawAnswer,
} from './contract.ts'
import { eachOf } from './each-of.ts'
import { type ChangesPage, followChanges } from './follow-changes.ts'
import { createMyPatients, type MyPatients } from './my-patients.ts'
import { createReports, type Reports } from './reports.ts'
import { createReviews, createTimeline, type Reviews, type Timeline } from './reviews.ts'
import { RoundsError } from './rounds-error.ts'
import { createRules, type Rules } from './rules.ts'
import { createGrants, createPatients, type Grants, type Patients } from './sharing.ts'
import { createTargets, type Targets } from './targets.ts'
import type { Tokens } from './tokens.ts'
import { type WatchOptions, watchReadings } from './watch-readings.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export type { Alerts } from './alerts.ts'
export type { CallOptions, Fetch } from './call.ts'
export type { RoundsClientOptions } from './client-options.ts'
export type * from './contract.ts'
export { type FlushWhenOnlineOptions, flushWhenOnline } from './flush-when-online.ts'
export type { ChangesPage } from './follow-changes.ts'
export type { MyPatients } from './my-patients.ts'
export {
  type IssuedToken,
  type PatientTokenOptions,
  type PatientTokenProvider,
  tokenByPatient,
} from './patient-tokens.ts'
export { memoryStorage, type QueuedReading, type QueueStorage } from './queue-storage.ts'
export {
  createReadingQueue,
  type Flushed,
  type ReadingQueue,
  type ReadingQueueOptions,
} from './reading-queue.ts'
export type { Reports } from './reports.ts'
export type { Reviews, Timeline } from './reviews.ts'
export { RoundsError, type RoundsErrorCode } from './rounds-error.ts'
export type { Rules } from './rules.ts'
export type { Grants, Patients } from './sharing.ts'
export type { Targets } from './targets.ts'
export type { TokenProvider, Tokens } from './tokens.ts'
export type { WatchOptions } from './watch-readings.ts'
export type { Webhooks } from './webhooks.ts'

// The number of readings on one page of an iterator; about 128 KiB when readings are small.
const PAGE = 500

export type RoundsClient = {
  /** Whether each patient has a token of their own; then one call may add readings of one patient only. */
  readonly byPatient: boolean
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
  /** Count, minimum, maximum, mean, median and so on of each field, by hour, day, week or month of a local calendar. */
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
  /** Marks a reading as entered in error. It may be repeated: the first reason stays, unless staff follows a patient. */
  withdrawReading: (reading: ReadingToWithdraw, options?: CallOptions) => Promise<WithdrawAnswer>
  /** Undoes that. */
  restoreReading: (reading: ReadingToRestore, options?: CallOptions) => Promise<RestoreAnswer>
  /**
   * Every change of every patient's readings, page after page, without end; with `wait: 0` up to now. For services. It goes on
   * through failures of the network and of the service. `CursorExpired`: begin again without a cursor.
   */
  changes: (query?: ChangesQuery, options?: CallOptions) => AsyncGenerator<ChangesPage, void, undefined>
  /** The changes of one patient as they are committed. It reconnects by itself; returns how to stop it. */
  watch: (options: WatchOptions) => () => void
  /** The catalogue: the types that the service checks, with their units, codes, ranges and JSON Schemas. */
  listReadingTypes: (options?: CallOptions) => Promise<ReadingTypesAnswer>
  /** What a patient shares with doctors. */
  grants: Grants
  /** Who shares with a doctor. */
  patients: Patients
  /** Which of them need somebody first, and why. */
  myPatients: MyPatients
  /** What a patient's readings are compared with. */
  targets: Targets
  /** What doctors have seen. */
  reviews: Reviews
  /** What happened to a patient's care. */
  timeline: Timeline
  /** What doctors want to be notified of. */
  rules: Rules
  /** What rules of doctors found in a patient's readings. */
  alerts: Alerts
  /** What the readings of a range amount to. */
  reports: Reports
  /** Other systems that the service calls with changes. */
  webhooks: Webhooks
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

/** Callers without types may pass anything. */
function mediaTypeOf(format: ExportFormat): string {
  const mediaType: string | undefined = MEDIA_TYPE_OF[format]
  if (mediaType === undefined) throw new TypeError("The format of an export must be 'csv' or 'ndjson'.")
  return mediaType
}

export function createRoundsClient(options: RoundsClientOptions): RoundsClient {
  mustBeClientOptions(options)
  const { appointments, casesheet, care, webhooks } = addressesOf(options)
  const tokens = tokensOf(options.token)
  const settings = settingsOf(options, tokens)
  // What comes back is of the operation's type by the contract; readAnswer has seen that it is an answer of Rounds.
  const call = <Answer>(request: Request, callOptions?: CallOptions) =>
    callOperation(settings, request, callOptions) as Promise<Answer>
  // Async, so that a wrong argument is a rejection like every other failure.
  const read = async <Answer>(path: string, query: AnyQuery, callOptions?: CallOptions) =>
    call<Answer>({ url: `${path}${queryText(query)}`, patientUid: query.patientUid }, callOptions)
  async function add<Answer>(
    readings: Reading | readonly Reading[],
    headers: Record<string, string>,
    callOptions?: CallOptions,
  ) {
    mustBeReadings(readings)
    const patientUid = tokens.byPatient ? onePatientIn(readings) : undefined
    return call<Answer>(
      { url: `${casesheet}/readings/add`, body: readings, headers, patientUid },
      callOptions,
    )
  }

  const post = <Answer>(path: string, body: { patientUid?: string | undefined }, callOptions?: CallOptions) =>
    call<Answer>({ url: path, body, patientUid: body.patientUid }, callOptions)
  const correct = async <Answer>(path: string, body: ReadingToRestore, callOptions?: CallOptions) => {
    mustBeReadings(body)
    return post<Answer>(`${casesheet}/readings/${path}`, body, callOptions)
  }

  const listDoctors = (query: DoctorsQuery = {}, callOptions?: CallOptions) =>
    read<DoctorsAnswer>(`${appointments}/doctors/list`, query, callOptions)
  const getReadings = (query: ReadingsQuery = {}, callOptions?: CallOptions) =>
    read<ReadingsAnswer>(`${casesheet}/readings/get`, query, callOptions)
  const accessLog = (query: AccessLogQuery = {}, callOptions?: CallOptions) =>
    read<AccessLogAnswer>(`${casesheet}/readings/access-log`, query, callOptions)
  return {
    byPatient: tokens.byPatient,
    listDoctors,
    eachDoctor: (query = {}, callOptions) => eachOf((page) => listDoctors(page, callOptions), query, PAGE),
    listSpecialities: (callOptions) =>
      read<SpecialitiesAnswer>(`${appointments}/doctors/specialities/list`, {}, callOptions),
    addReadings: (readings, callOptions) => add<AddAnswer>(readings, {}, callOptions),
    addReadingsEach: async (readings, callOptions) =>
      mustHaveVerdicts(await add<AddVerdicts>(readings, { prefer: 'return=representation' }, callOptions)),
    getReadings,
    eachReading: (query = {}, callOptions) => eachOf((page) => getReadings(page, callOptions), query, PAGE),
    latestReadings: (query = {}, callOptions) =>
      read<LatestAnswer>(`${casesheet}/readings/latest`, query, callOptions),
    readingStatistics: (query, callOptions) =>
      read<StatisticsAnswer>(`${casesheet}/readings/statistics`, query, callOptions),
    listReadingTypes: (callOptions) =>
      read<ReadingTypesAnswer>(`${casesheet}/readings/types`, {}, callOptions),
    exportReadings: async (format, query = {}, callOptions) => {
      const accept = mediaTypeOf(format)
      const url = `${casesheet}/readings/get${queryText(query)}`
      const { patientUid } = query
      return call<Response>({ url, headers: { accept }, streamed: accept, patientUid }, callOptions)
    },
    withdrawReading: (reading, callOptions) => correct<WithdrawAnswer>('withdraw', reading, callOptions),
    restoreReading: (reading, callOptions) => correct<RestoreAnswer>('restore', reading, callOptions),
    changes: (query = {}, callOptions = {}) =>
      followChanges(settings, `${casesheet}/readings/changes`, query, callOptions),
    watch: (watchOptions) => watchReadings(settings, `${casesheet}/readings/stream`, watchOptions),
    accessLog,
    eachAccess: (query = {}, callOptions) => eachOf((page) => accessLog(page, callOptions), query, PAGE),
    grants: createGrants(casesheet, { read, post }),
    patients: createPatients(casesheet, { read }),
    myPatients: createMyPatients(care, { read }),
    targets: createTargets(care, { read, post }),
    reviews: createReviews(care, { post }),
    timeline: createTimeline(care, { read }),
    rules: createRules(care, { read, post }),
    alerts: createAlerts(care, { read, post }),
    reports: createReports(care, { read }),
    webhooks: createWebhooks(webhooks, { read, post }),
  }
}

function mustHaveVerdicts(answer: AddVerdicts): AddVerdicts {
  if (Array.isArray(answer.data)) return answer
  // A proxy that drops the header, or an older service.
  const message = 'The readings are stored, but the service gave no verdict on each.'
  throw new RoundsError({ code: 'UnexpectedAnswer', message, retryable: false, status: 200 })
}

function settingsOf(options: RoundsClientOptions, tokens: Tokens): Settings {
  return {
    tokens,
    attempts: options.attempts ?? 5,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 40_000,
    timeoutMs: options.timeoutMs ?? 120_000,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** Any query; some operations are about a patient. */
type AnyQuery = object & { patientUid?: string | undefined }

function onePatientIn(readings: Reading | readonly Reading[]): string | undefined {
  const [patientUid, ...others] = new Set([readings].flat().map((reading) => reading.patientUid))
  if (others.length === 0) return patientUid
  throw new TypeError('The token is by patient, so one call may add readings of one patient only.')
}
