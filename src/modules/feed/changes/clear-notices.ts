// Erasures stand in readings/changes with the patient's id for as long as they are to be announced. Afterwards the id is removed, by
// any serving process: at its start, and every hour while it runs.
import type { Db } from '../../../db/db.ts'
import { hourly } from '../../../db/hourly.ts'

/** The function that it returns ends it. */
export function clearNoticesHourly(db: Db, warn: (error: unknown, message: string) => void): () => void {
  async function clear() {
    await db.attempt({
      name: 'clear-erasure-notices',
      text: 'select casesheet.clear_erasure_notices()',
      values: [],
    })
  }
  return hourly(clear, (error) =>
    warn(error, 'ids of erased patients whose announcement is over could not be removed'),
  )
}
