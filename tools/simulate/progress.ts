// How far a simulation has come: readings a second, retries and errors beside the bar.
import { type Output, showProgress } from '../../src/commands/progress.ts'

const BAR_EVERY_MS = 200
const LINE_EVERY_MS = 5_000
// The readings a second are those of the last few seconds, or since the line before.
const SPEED_WINDOW_MS = 3_000

type Snapshot = { stage: string; share: number; readings: number; retries: number; errors: number }

/** Shows what `look` sees until it is ended. */
export function startProgress(output: Output, look: () => Snapshot) {
  const progress = createProgress(output)
  const timer = setInterval(
    () => progress.show(look(), performance.now()),
    output.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS,
  )
  progress.show(look(), performance.now())
  return () => {
    clearInterval(timer)
    progress.end(look(), performance.now())
  }
}

export function createProgress(output: Output) {
  const bar = showProgress(output, { lineEveryMs: 0 })
  let seen: { at: number; readings: number }[] = []

  function speedAt({ readings }: Snapshot, now: number): number {
    seen = [
      ...seen.filter(({ at }, index) => at >= now - SPEED_WINDOW_MS || index === seen.length - 1),
      { at: now, readings },
    ]
    const oldest = seen[0]
    return oldest && oldest.at < now ? ((readings - oldest.readings) * 1_000) / (now - oldest.at) : 0
  }
  function show(snapshot: Snapshot, now: number) {
    const { stage, share, readings, retries, errors } = snapshot
    const speed = Math.round(speedAt(snapshot, now))
    const details = `${grouped(readings)} readings, ${grouped(speed)}/s, ${grouped(retries)} retries, ${grouped(errors)} errors`
    bar.show({ stage, share, details })
  }
  return {
    show,
    /** Among lines, the last one says how it ended. */
    end(snapshot: Snapshot, now: number) {
      show(snapshot, now)
      bar.end()
    },
  }
}

export function grouped(count: number): string {
  return count.toLocaleString('en')
}
