// How a simulation is getting on: a bar on a terminal, a line now and then elsewhere (a log would show a bar as garbage).
const BAR_WIDTH = 10
const BAR_EVERY_MS = 200
const LINE_EVERY_MS = 5_000
// The readings a second are those of the last few seconds, or since the line before.
const SPEED_WINDOW_MS = 3_000

export type Snapshot = { stage: string; share: number; readings: number; retries: number; errors: number }

export type Output = { write: (text: string) => unknown; isTTY?: boolean; columns?: number }

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
    const text = `${stage} ${Math.floor(share * 100)} %: ${grouped(readings)} readings, ${grouped(speed)}/s, ${grouped(retries)} retries, ${grouped(errors)} errors`
    if (!output.isTTY) return output.write(`${text}\n`)
    // A line that wraps could not be drawn over. Some terminals do not know their width, and say 0.
    const room = (output.columns || 80) - 1
    const line = `${barOf(share)}${text}`
    return output.write(`\r${(line.length <= room ? line : text).slice(0, room)}\u001b[K`)
  }
  return {
    show,
    /** A bar leaves no trace; among lines, the last one says how it ended. */
    end(snapshot: Snapshot, now: number) {
      if (output.isTTY) output.write('\r\u001b[K')
      else show(snapshot, now)
    },
  }
}

export function grouped(count: number): string {
  return count.toLocaleString('en')
}

function barOf(share: number): string {
  const filled = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] `
}
