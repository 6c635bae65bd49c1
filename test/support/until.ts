// Taken while it is the real one: a test may replace it by a clock of its own.
const wait = setTimeout

/** Waits until it is so. When that takes too long, the error shows what was waited for: the source of the condition, by default. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs = 60_000,
  { everyMs = 10, what = () => isSo.name || String(isSo) } = {},
) {
  for (const giveUpAt = Date.now() + withinMs; !(await isSo()); ) {
    if (Date.now() > giveUpAt) throw new Error(`Not so within ${withinMs} ms: ${what()}`)
    await new Promise((resume) => wait(resume, everyMs))
  }
}
