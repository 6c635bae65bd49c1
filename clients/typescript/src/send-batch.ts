// Sends one batch of the queue and removes what was settled: readings that are stored, and those that the service will
// never accept. A list is stored all or none, so one bad reading refuses its neighbours. From the first refusal on the service
// is asked for a verdict on each reading, which settles a batch in one request; before, the short answer will do. An older
// service gives no verdicts: then the list is divided until the bad ones are alone. A list whose patients several clusters serve
// is divided by patient, and nothing in it is refused.
import type { CallOptions } from './call.ts'
import type { AddAnswer, AddVerdict, AddVerdicts, Reading } from './contract.ts'
import type { QueuedReading } from './queue-storage.ts'
import { RoundsError } from './rounds-error.ts'
import { byPatient, isMisdirected, isRefusal, splitRefused } from './split-refused.ts'

type Sent = Reading | readonly Reading[]

export type Adder = {
  /** Whether each patient has a token of their own, so that a request may be about one patient only. */
  readonly byPatient?: boolean
  addReadings: (readings: Sent, options?: CallOptions) => Promise<AddAnswer>
  addReadingsEach?: (readings: Sent, options?: CallOptions) => Promise<AddVerdicts>
}

type Settling = {
  onStored: (batch: QueuedReading[]) => Promise<void>
  onRefused: (queued: QueuedReading, error: RoundsError) => Promise<void>
  /** The list, or a part of it, was divided because its body was too large. */
  onTooLarge: () => void
}

export type SendBatch = (batch: QueuedReading[], options: CallOptions) => Promise<void>

export function createSendBatch(client: Adder, { onStored, onRefused, onTooLarge }: Settling): SendBatch {
  let wantsVerdicts = false
  let givesVerdicts = client.addReadingsEach !== undefined

  async function send(batch: QueuedReading[], options: CallOptions): Promise<void> {
    // The same list would be refused again.
    const mayRepeat: CallOptions['mayRepeat'] = (error, attemptMs) =>
      !isMisdirected(error, batch) && (options.mayRepeat?.(error, attemptMs) ?? true)
    try {
      if (wantsVerdicts && givesVerdicts && (await sendForVerdicts(batch, options))) return
      await client.addReadings(bodyOf(batch), { ...options, mayRepeat })
    } catch (error) {
      if (isMisdirected(error, batch)) {
        for (const part of byPatient(batch)) await send(part, options)
        return
      }
      if (!isRefusal(error)) throw error
      return settleRefused(batch, error, options)
    }
    await onStored(batch)
  }

  async function settleRefused(batch: QueuedReading[], error: RoundsError, options: CallOptions) {
    // A proxy that lets no such body pass would not let it pass again.
    const isOfTheService = error.code !== 'UnexpectedAnswer'
    if (isOfTheService && batch.length > 1 && givesVerdicts && !wantsVerdicts) {
      wantsVerdicts = true
      return send(batch, options)
    }
    const parts = splitRefused(batch, error)
    if (parts.length === 1) {
      for (const queued of batch) await onRefused(queued, error)
      return
    }
    if (error.status === 413) onTooLarge()
    for (const part of parts) await send(part, options)
  }

  /** Whether the service gave verdicts. */
  async function sendForVerdicts(batch: QueuedReading[], options: CallOptions): Promise<boolean> {
    let verdicts: AddVerdict[] = []
    try {
      verdicts = (await client.addReadingsEach?.(bodyOf(batch), options))?.data ?? []
    } catch (error) {
      // An older service that has stored them, or something else that answered: the plain add shows which.
      if (!(error instanceof RoundsError) || error.code !== 'UnexpectedAnswer' || error.status !== 200)
        throw error
    }
    givesVerdicts = verdicts.length === batch.length
    if (givesVerdicts) await settle(batch, verdicts)
    return givesVerdicts
  }

  async function settle(batch: QueuedReading[], verdicts: AddVerdict[]) {
    const rejected = batch.flatMap((queued, index) => {
      const verdict = verdicts[index]
      return verdict?.verdict === 'rejected' ? [{ queued, error: errorOf(verdict) }] : []
    })
    const isRejected = new Set(rejected.map(({ queued }) => queued))
    await onStored(batch.filter((queued) => !isRejected.has(queued)))
    for (const { queued, error } of rejected) if (!error.retryable) await onRefused(queued, error)
    const later = rejected.find(({ error }) => error.retryable)
    if (later) throw later.error
  }
  return send
}

/** Alone it goes as an object, so that pointers in its error are into the reading. */
function bodyOf(batch: QueuedReading[]): Sent {
  const [first, ...others] = batch.map(({ reading }) => reading)
  return first !== undefined && others.length === 0 ? first : batch.map(({ reading }) => reading)
}

type Rejected = Extract<AddVerdict, { verdict: 'rejected' }>

/** As if the reading had been sent alone. */
function errorOf({ code, message, retryable, errors }: Rejected): RoundsError {
  return new RoundsError({ code, message, retryable, errors, status: STATUS_OF[code] ?? 400 })
}

const STATUS_OF: Partial<Record<Rejected['code'], number>> = {
  PatientMismatch: 403,
  PatientNotInToken: 403,
  ScopeMissing: 403,
  PatientErased: 403,
  BodyTooLarge: 413,
}
