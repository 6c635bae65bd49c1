// Where a line of readings is interrupted. What is usual for a type is seen in its own intervals: a sensor that sends every
// five minutes has a gap after a quarter of an hour, a scale that is used every day after four days.

/** Intervals longer than this are gaps. */
function longestUsualInterval(times: readonly number[]): number {
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time))
  if (intervals.length < 2) return Number.POSITIVE_INFINITY
  const sorted = intervals.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  // Readings in groups (three in each morning) have a short median; the pauses between groups are usual too, not gaps.
  return Math.max(3.5 * at(0.5), 1.6 * at(0.9), 1)
}

/** Whether there is a gap between each value and the next one. */
export function gapsBetween(times: readonly number[]): boolean[] {
  const longest = longestUsualInterval(times)
  return times.slice(1).map((time, index) => time - (times[index] ?? time) > longest)
}
