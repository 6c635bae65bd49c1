// Leaky buckets, one for each name: a full one holds `capacity` and drains within `drainMs`. Empty ones are dropped. Every
// bucket that is not empty drains at the same rate, so all of them together can be no more than the rate at which everything
// is filled, divided by that: 4 MB of readings a second keep 5,000 buckets of 64 MiB a day. A purge comes when their number
// has doubled since the last. The headers are those of the IETF draft "RateLimit header fields for HTTP".
import { Refusal } from '../../refusal.ts'

const FIRST_PURGE_AT = 1_000

type Bucket = { level: number; at: number }

export type BucketSettings = {
  /** What the headers call it, and what a refusal says. */
  policy: { name: string; unit?: 'content-bytes'; sentence: string }
  capacity: number
  drainMs: number
  now: () => number
  /** Beyond it the bucket that was filled longest ago is dropped. */
  maxBuckets?: number
}

export function createBuckets({ policy, capacity, drainMs, now, maxBuckets = 1_000_000 }: BucketSettings) {
  const buckets = new Map<string, Bucket>()
  const perMs = capacity / drainMs
  let purgeAt = FIRST_PURGE_AT
  const header = policyHeader({ ...policy, capacity, drainMs })

  const drained = ({ level, at }: Bucket) => Math.max(0, level - Math.max(0, now() - at) * perMs)

  function levelOf(name: string): number {
    const bucket = buckets.get(name)
    return bucket ? drained(bucket) : 0
  }

  /** A negative amount takes back what was filled in before, as far as it has not drained. */
  function fill(name: string, amount: number) {
    const level = Math.max(0, levelOf(name) + amount)
    // Set anew, it is the last in order.
    buckets.delete(name)
    buckets.set(name, { level, at: now() })
    if (buckets.size > purgeAt) purge()
  }

  function purge() {
    for (const [name, bucket] of buckets) if (drained(bucket) === 0) buckets.delete(name)
    for (const [name] of buckets) {
      if (buckets.size <= maxBuckets) break
      buckets.delete(name)
    }
    purgeAt = Math.max(FIRST_PURGE_AT, Math.min(2 * buckets.size, maxBuckets + FIRST_PURGE_AT))
  }

  /** How long until `amount` fits; 0 where it does now. */
  const secondsUntilFits = (name: string, amount: number) =>
    Math.ceil(Math.max(0, (levelOf(name) + amount - capacity) / perMs) / 1_000)

  function refusal(waitSeconds: number, headers?: Record<string, string>): Refusal {
    const seconds = Math.max(1, waitSeconds)
    const ratelimit = `"${policy.name}";r=0;t=${seconds}`
    return tooMany(policy.sentence, seconds, headers ?? { 'ratelimit-policy': header, ratelimit })
  }

  /** Refuses amounts that do not all fit, until they do. */
  function mustFit(amounts: Iterable<readonly [name: string, amount: number]>) {
    const seconds = Math.max(0, ...Array.from(amounts, ([name, amount]) => secondsUntilFits(name, amount)))
    if (seconds > 0) throw refusal(seconds)
  }

  return { policy: header, fill, levelOf, secondsUntilFits, mustFit, refusal, size: () => buckets.size }
}

type Policy = { name: string; unit?: string; capacity: number; drainMs: number }

export const policyHeader = ({ name, unit, capacity, drainMs }: Policy) =>
  `"${name}";q=${capacity};w=${drainMs / 1_000}${unit === undefined ? '' : `;qu="${unit}"`}`

export function tooMany(sentence: string, seconds: number, headers: Record<string, string> = {}): Refusal {
  return new Refusal('RateLimited', `${sentence} Wait and try again.`, {
    headers: { 'retry-after': String(seconds), ...headers },
  })
}
