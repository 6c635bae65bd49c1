// The steps from one state of a file to the next (bring-in/bring-in.ts has the table).
import {
  type AddVerdicts,
  type Reading,
  type RoundsClient,
  RoundsError,
} from '../../../../typescript/src/client.ts'
import type {
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../../../typescript/src/import/import-readings.ts'
import { withdrawImported } from '../../../../typescript/src/import/undo-import.ts'
import {
  type BringIn,
  type BringInStore,
  CHOOSING,
  type Chosen,
  type Counts,
  type StoredHere,
} from '../../bring-in/bring-in.ts'
import { STOPPED, startThread } from './import-thread.ts'

const RETRY_MS = 10_000
/** Who is to wait longer has added as much as a day allows for one patient. */
const LONGEST_WAIT_MS = 60_000
/** What was sent before Stop is answered within this time as a rule. */
const STOPS_WITHIN_MS = 5_000

/** Leaves what is shown. What is being sent is stopped only by its own button. */
export function startAnew(bringIn: BringInStore) {
  const now = bringIn.get()
  if (now.state === 'bringing' || now.state === 'withdrawing') return
  if (now.state === 'reading') now.stop()
  bringIn.set(CHOOSING)
}

export async function readChosen(bringIn: BringInStore, chosen: Chosen) {
  startAnew(bringIn)
  const thread = startThread(
    { ...chosen, does: 'preview' },
    { onProgress: (progress) => show(progress), send: () => Promise.reject(STOPPED) },
  )
  const show = (progress: ImportProgress | undefined) =>
    bringIn.set({ ...chosen, state: 'reading', progress, stop: thread.stop })
  show(undefined)
  try {
    const preview = await thread.ended
    bringIn.set({ ...chosen, state: isOpen(preview) ? 'asking' : 'previewed', preview })
  } catch (error) {
    if (error !== STOPPED) bringIn.set({ ...chosen, state: 'unreadable', error })
  }
}

const isOpen = ({ needs = [] }: ImportPreview) => needs.length > 0

type ToBring = Chosen & { preview: ImportPreview; storedHere?: StoredHere }

export async function bringInChosen(
  bringIn: BringInStore,
  rounds: Pick<RoundsClient, 'addReadingsEach'>,
  { patientUid, file, answers, types, preview, storedHere = [] }: ToBring,
) {
  const chosen = { patientUid, file, answers, types, preview }
  const sending = createSending(
    rounds,
    (now) => bringIn.set({ ...chosen, state: 'bringing', ...now }),
    storedHere,
  )
  const thread = startThread(
    { patientUid, file, answers, types, does: 'import' },
    { onProgress: () => undefined, send: (readings) => sending.send(readings) },
  )
  sending.onStopped(thread.stop)
  // The browser asks whether the page may be left; not who has stopped it, as by signing out.
  const ask = (event: Event) => !sending.isStopping() && event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    const result = (await thread.ended) as ImportResult
    bringIn.set({ ...chosen, state: 'brought', result, storedHere })
  } catch (error) {
    const { counts } = sending
    if (error === STOPPED) bringIn.set({ ...chosen, state: 'stopped', counts: { ...counts }, storedHere })
    else bringIn.set({ ...chosen, state: 'failed', counts: { ...counts }, storedHere, error })
  } finally {
    removeEventListener('beforeunload', ask)
  }
}

type Withdrawable = Extract<BringIn, { storedHere: StoredHere; preview: ImportPreview }>

/** Withdraws what this page has stored of the file. What was withdrawn before a failure is not asked for again. */
export async function withdrawStored(
  bringIn: BringInStore,
  rounds: Pick<RoundsClient, 'withdrawReading'>,
  { patientUid, file, answers, types, preview, storedHere, ...before }: Withdrawable,
) {
  const chosen = { patientUid, file, answers, types, preview, storedHere }
  const first = before.state === 'withdrawn' ? before.done : 0
  let done = first
  const show = () => bringIn.set({ ...chosen, state: 'withdrawing', done })
  show()
  try {
    const { stopped } = await withdrawImported(storedHere.slice(first), {
      client: rounds,
      patientUid,
      onWithdrawn: (count) => {
        done = first + count
        show()
      },
    })
    bringIn.set({ ...chosen, state: 'withdrawn', done, ...(stopped && { error: stopped.cause }) })
  } catch (error) {
    bringIn.set({ ...chosen, state: 'withdrawn', done, error })
  }
}

type Sending = { counts: Counts; held: RoundsError | undefined; isStopping: boolean; stop: () => void }

/** Sends what the thread has read, for as long as it takes: through failures that pass, until its person stops it. */
function createSending(
  rounds: Pick<RoundsClient, 'addReadingsEach'>,
  show: (now: Sending) => void,
  storedHere: StoredHere,
) {
  const counts: Counts = { stored: 0, duplicates: 0, rejected: 0 }
  let held: RoundsError | undefined
  let inFlight = 0
  let onStopped = () => {}
  const stopping = new AbortController()
  const ending = new AbortController()
  const showNow = () => show({ counts: { ...counts }, held, isStopping: stopping.signal.aborted, stop })

  function stop() {
    stopping.abort()
    if (inFlight === 0) return onStopped()
    // While the service cannot be reached, no answer can be waited for.
    if (held) ending.abort()
    else setTimeout(() => ending.abort(), STOPS_WITHIN_MS)
    showNow()
  }
  async function sendUntilAnswered(readings: Reading[]): Promise<AddVerdicts> {
    for (;;) {
      try {
        const mayRepeat = () => navigator.onLine && !stopping.signal.aborted
        const answer = await rounds.addReadingsEach(readings, { signal: ending.signal, mayRepeat })
        held = undefined
        return answer
      } catch (error) {
        if (stopping.signal.aborted) throw STOPPED
        if (!(error instanceof RoundsError) || !error.retryable || isForLong(error)) throw error
        held = error
        showNow()
        await untilWorthTrying(error, stopping.signal)
      }
    }
  }
  showNow()
  return {
    counts,
    isStopping: () => stopping.signal.aborted,
    onStopped(listener: () => void) {
      onStopped = listener
    },
    async send(readings: Reading[]): Promise<AddVerdicts> {
      // The thread is ended before this is answered.
      if (stopping.signal.aborted) return new Promise<never>(() => undefined)
      inFlight++
      try {
        const answer = await sendUntilAnswered(readings)
        for (const [index, one] of answer.data.entries()) {
          counts[COUNTED[one.verdict]]++
          const { timestamp } = readings[index] ?? {}
          if (one.verdict === 'stored' && timestamp !== undefined)
            storedHere.push({ readingId: one.readingId, timestamp })
        }
        showNow()
        return answer
      } finally {
        inFlight--
        if (stopping.signal.aborted && inFlight === 0) onStopped()
      }
    },
  }
}

const isForLong = ({ retryAfterMs = 0 }: RoundsError) => retryAfterMs > LONGEST_WAIT_MS

const COUNTED = { stored: 'stored', duplicate: 'duplicates', rejected: 'rejected' } as const

/** Until the network is back, some time has passed, or `signal` ends the wait. */
function untilWorthTrying({ retryAfterMs = 0 }: RoundsError, signal: AbortSignal): Promise<void> {
  const woken = new AbortController()
  return new Promise<void>((resolve) => {
    const wake = () => {
      woken.abort()
      resolve()
    }
    const timer = setTimeout(wake, RETRY_MS + retryAfterMs)
    woken.signal.addEventListener('abort', () => clearTimeout(timer))
    addEventListener('online', wake, { signal: woken.signal })
    signal.addEventListener('abort', wake, { signal: woken.signal })
  })
}
