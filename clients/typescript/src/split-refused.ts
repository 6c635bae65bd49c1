// A list of readings is stored all or none, so one bad reading refuses its neighbours. This says how to divide a refused
// list so that the good ones get through in few requests.
import type { QueuedReading } from './queue-storage.ts'
import { RoundsError } from './rounds-error.ts'

/** Whether an error is about these readings, and would be the same at every later time. */
export function isRefusal(error: unknown): error is RoundsError {
  if (!(error instanceof RoundsError)) return false
  // A proxy's own 400 or 403 says nothing about a reading. Its 413 does: it will never let that one pass.
  if (error.status === 413) return true
  return (error.status === 400 || error.status === 403) && error.code !== 'UnexpectedAnswer'
}

/** Whether another cluster serves some patients of a list. The readings of each patient alone find theirs. */
export function isMisdirected(error: unknown, [first, ...others]: QueuedReading[]): boolean {
  const hasSeveral = others.some(({ reading }) => reading.patientUid !== first?.reading.patientUid)
  return error instanceof RoundsError && error.status === 421 && hasSeveral
}

/** The lists to try next; one list when all of its readings share the refusal. */
export function splitRefused(readings: QueuedReading[], error: RoundsError): QueuedReading[][] {
  if (error.status === 403) return byPatient(readings)
  const [suspected, others] = partition(readings, isPointedAt(error))
  // A suspect goes alone, so that its error speaks of nothing else.
  if (suspected.length > 0)
    return [others, ...suspected.map((one) => [one])].filter(({ length }) => length > 0)
  const middle = Math.ceil(readings.length / 2)
  return [readings.slice(0, middle), readings.slice(middle)].filter(({ length }) => length > 0)
}

/** Whether an error points at the reading at an index of the list. */
function isPointedAt({ errors }: RoundsError): (_: QueuedReading, index: number) => boolean {
  const indexes = new Set(errors.map(({ pointer }) => Number(/^\/(\d+)(?:\/|$)/.exec(pointer)?.[1] ?? -1)))
  return (_, index) => indexes.has(index)
}

/** The readings of each patient. A 403 is the same for all of them. */
export function byPatient(readings: QueuedReading[]): QueuedReading[][] {
  const groups = new Map<string, QueuedReading[]>()
  for (const queued of readings) {
    const group = groups.get(queued.reading.patientUid) ?? []
    group.push(queued)
    groups.set(queued.reading.patientUid, group)
  }
  return [...groups.values()]
}

function partition<T>(items: T[], belongs: (item: T, index: number) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item, index) => !belongs(item, index))]
}
