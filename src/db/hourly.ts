// What any serving process tidies up: at its start, and every hour while it runs.
const EVERY_MS = 3_600_000

/** Begins now; the function that it returns ends it. What fails is reported, and tried again an hour later. */
export function hourly(work: () => Promise<void>, report: (error: unknown) => void): () => void {
  const tidy = () => void work().catch(report)
  tidy()
  const timer = setInterval(tidy, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
