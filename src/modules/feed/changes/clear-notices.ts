// Erasures stand in readings/changes with the patient's id for as long as they are to be announced. Afterwards the id is removed, by
// any serving process: at its start, and every hour while it runs.
import type { Db } from '../../../db/db.ts'

const EVERY_MS = 3_600_000

/** Begins now; the function that it returns ends it. What fails is logged, and tried again an hour later. */
export function clearNoticesHourly(db: Db, warn: (error: unknown, message: string) => void): () => void {
  async function clear() {
    try {
      await db.attempt({
        name: 'clear-erasure-notices',
        text: 'select casesheet.clear_erasure_notices()',
        values: [],
      })
    } catch (error) {
      warn(error, 'ids of erased patients whose announcement is over could not be removed')
    }
  }
  void clear()
  const timer = setInterval(() => void clear(), EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
