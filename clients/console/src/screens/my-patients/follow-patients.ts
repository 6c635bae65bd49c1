// The list as it is now. It is read as a whole, page after page, and then, about every two seconds, what changed since. A status
// also changes with the clock, and a patient who shares no more is in no answer: so the counts of each answer are held against what
// is known here, and where they differ, all of it is read again.
import type {
  ListedPatient,
  MyPatients,
  MyPatientsAnswer,
  MyPatientsQuery,
} from '../../../../typescript/src/client.ts'

type Counts = MyPatientsAnswer['counts']

export type Listed = {
  patients: ReadonlyMap<string, ListedPatient>
  counts: Counts
  /** Whether every page was read. */
  isComplete: boolean
  /** Since when the service has not kept the list up to date. */
  behindSince: string | null
  /** When this was so. */
  atMs: number
}

const PAGE = 100
const CALL_MS = 30_000
/** What is read as a whole is read again after this time: "today" becomes "yesterday". */
const WHOLE_EVERY_MS = 300_000
/** Not more often, where the counts differ for another reason. */
const WHOLE_AGAIN_MS = 6_000

type Options = {
  list: MyPatients['list']
  query: MyPatientsQuery
  /** Waits until it is time to ask again. */
  pause: () => Promise<void>
  onListed: (listed: Listed) => void
  onFailed: (error: unknown) => void
  signal: AbortSignal
}

export async function followPatients({ list, query, pause, onListed, onFailed, signal }: Options) {
  let known: (Listed & { asOf: string; wholeAtMs: number }) | undefined
  const ask = (more: MyPatientsQuery) =>
    // Asked again soon anyway: a failure is said at once, and not after several attempts.
    list({ ...query, limit: PAGE, ...more }, { signal, timeoutMs: CALL_MS, mayRepeat: () => false })

  async function readAll() {
    const patients = new Map<string, ListedPatient>()
    const wholeAtMs = Date.now()
    let asOf: string | undefined
    let cursor: string | undefined
    do {
      const page = await ask({ cursor })
      for (const patient of page.data) patients.set(patient.patientUid, patient)
      // What changes while the pages are read is in the next changes.
      asOf ??= page.asOf
      cursor = page.nextCursor ?? undefined
      const { counts, behindSince } = page
      const atMs = Date.now()
      // The first time each page is shown as it comes.
      if (!known && cursor !== undefined)
        onListed({ patients: new Map(patients), counts, behindSince, isComplete: false, atMs })
      if (cursor === undefined)
        known = { patients, counts, behindSince, isComplete: true, atMs, asOf, wholeAtMs }
    } while (cursor !== undefined)
  }

  async function readChanges(before: NonNullable<typeof known>) {
    const changed: ListedPatient[] = []
    let [asOf, counts, cursor]: [string, Counts, string | undefined] = [before.asOf, before.counts, undefined]
    let isFirst = true
    let { behindSince } = before
    do {
      const page = await ask({ changedSince: before.asOf, cursor })
      changed.push(...page.data)
      if (isFirst) asOf = page.asOf
      isFirst = false
      counts = page.counts
      behindSince = page.behindSince
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    const patients =
      changed.length === 0
        ? before.patients
        : new Map([...before.patients, ...changed.map((patient) => [patient.patientUid, patient] as const)])
    known = { ...before, patients, counts, behindSince, asOf, atMs: Date.now() }
  }

  while (!signal.aborted) {
    try {
      const ageMs = known ? Date.now() - known.wholeAtMs : 0
      if (!known || ageMs > WHOLE_EVERY_MS || (ageMs > WHOLE_AGAIN_MS && !agrees(known))) await readAll()
      else await readChanges(known)
      if (known) onListed(known)
      // Someone stopped sharing: not to be shown any longer than that takes.
      if (known && known.patients.size > known.counts.all) {
        await readAll()
        onListed(known)
      }
    } catch (error) {
      if (!signal.aborted) onFailed(error)
    }
    if (!signal.aborted) await pause()
  }
}

function agrees({ patients, counts }: Listed): boolean {
  const found: Partial<Record<string, number>> = { all: patients.size }
  const add = (name: string) => (found[name] = (found[name] ?? 0) + 1)
  for (const { status, isNew } of patients.values()) {
    add(status)
    if (isNew) add('new')
  }
  // Those beyond the largest list are in none of its pages.
  return Object.entries(counts).every(([name, count]) => name === 'beyond' || (found[name] ?? 0) === count)
}
