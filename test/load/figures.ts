// What a load has seen, in figures.

export type Spread = { count: number; p50: number; p99: number; most: number }

/** Times in milliseconds from when a request was due. `others` are answers that are neither 200 nor a refusal with Retry-After. */
export type Figures = {
  seconds: number
  sent: number
  accepted: Spread
  refused: Spread
  others: Record<string, number>
  errors: string[]
  /** How late the load itself sent: what the machine adds to every time. */
  lateness: Spread
  /** The accepted ones of each whole second. */
  bySecond: Spread[]
}

export function spreadOf(times: number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 }
}
