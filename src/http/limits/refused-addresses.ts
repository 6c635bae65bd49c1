// Requests without a valid token, counted by the address they come from. Beyond a limit a minute:
//
// - one without any token is refused before anything else is done;
// - one with a token that is not cached waits to be verified: `VERIFIED_PER_SECOND` in all such addresses together, so that
//   forged signatures take a few percent of a core. A valid one among them is still admitted, because the address may be that
//   of a proxy that `TRUST_PROXY` does not name, which all clients share; and an expired one is answered 401, so that its
//   client knows to get another.
// - a cached token is not affected.
import { createBuckets } from './buckets.ts'

const MINUTE_MS = 60_000
const MAX_ADDRESSES = 100_000
const VERIFIED_PER_SECOND = 200
const TICK_MS = 25
const MAX_QUEUED = 256

export type RefusedAddresses = ReturnType<typeof createRefusedAddresses>

export function createRefusedAddresses(perMinute: number, now: () => number) {
  const refused = createBuckets({
    policy: {
      name: 'address',
      sentence: 'Too many requests without a valid token come from your address.',
    },
    capacity: perMinute,
    drainMs: MINUTE_MS,
    now,
    maxBuckets: MAX_ADDRESSES,
  })
  const queue: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function admitSome() {
    for (const admit of queue.splice(0, (VERIFIED_PER_SECOND * TICK_MS) / 1_000)) admit()
    if (queue.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    count: (address: string) => refused.fill(networkOf(address), 1),
    isOver: (address: string) => refused.secondsUntilFits(networkOf(address), 1) > 0,
    mustNotBeOver: (address: string) => refused.mustFit([[networkOf(address), 1]]),
    /** Waits until a token that came from an address beyond its limit may be verified. */
    async untilAdmitted(address: string): Promise<void> {
      if (queue.length >= MAX_QUEUED) throw refused.refusal(refused.secondsUntilFits(networkOf(address), 1))
      timer ??= setInterval(admitSome, TICK_MS)
      return new Promise((admit) => queue.push(admit))
    },
  }
}

/** An IPv4 address as it is; of an IPv6 address the /64, because a client that has one of its addresses has all of them. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(\d+\.)/, '$1')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::', 2)
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groupsOf(head).length - groupsOf(tail).length)
  const groups = [...groupsOf(head), ...Array.from({ length: zeros }, () => '0'), ...groupsOf(tail ?? '')]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(.)/, '$1'))
    .join(':')
}
