// Leaky buckets, one for each name: a full one holds `capacity` and drains within `drainMs`. Empty ones are dropped. Every
// bucket that is not empty drains at the same rate, so all of them together can be no more than the rate at which everything
// is filled, divided by that: 4 MB of readings a second keep 5,000 buckets of 64 MiB a day. A purge comes when their number
// has doubled since the last.

type Bucket = { level: number; at: number }

const FIRST_PURGE_AT = 1_000

export type BucketSettings = {
  capacity: number
  drainMs: number
  now: () => number
  /** Beyond it the bucket that was filled longest ago is dropped. */
  maxBuckets?: number
}

export function createBuckets({ capacity, drainMs, now, maxBuckets = 1_000_000 }: BucketSettings) {
  const buckets = new Map<string, Bucket>()
  const perMs = capacity / drainMs
  let purgeAt = FIRST_PURGE_AT

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

  /** Amortised: it runs when the number has doubled since the last time. */
  function purge() {
    for (const [name, bucket] of buckets) if (drained(bucket) === 0) buckets.delete(name)
    for (const [name] of buckets) {
      if (buckets.size <= maxBuckets) break
      buckets.delete(name)
    }
    purgeAt = Math.max(FIRST_PURGE_AT, Math.min(2 * buckets.size, maxBuckets + FIRST_PURGE_AT))
  }

  return {
    capacity,
    fill,
    levelOf,
    /** How long until `amount` fits; 0 where it does now. */
    msUntilFits: (name: string, amount: number) => Math.max(0, (levelOf(name) + amount - capacity) / perMs),
    size: () => buckets.size,
  }
}
