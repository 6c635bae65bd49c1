// Work on many rows in steps, each a transaction of its own. Any transaction that writes, also into a temporary table, holds back all who
// follow changes of readings until it ends.

/** A step should take this long. What holds back others for two seconds is too long, and a step may take longer than the one before. */
const AIM_MS = 600
const FIRST_ROWS = 500

/** Calls `work` for one range of rows after the other, up to the last row. The steps become longer or shorter with the time they take. */
export async function inSteps(lastRow: number, work: (from: number, to: number) => Promise<unknown>) {
  let size = FIRST_ROWS
  for (let from = 0; from <= lastRow; ) {
    const startedAt = performance.now()
    const to = from + size - 1
    await work(from, to)
    from = to + 1
    const factor = AIM_MS / (performance.now() - startedAt)
    size = Math.ceil(size * Math.min(2, Math.max(0.2, factor)))
  }
}
