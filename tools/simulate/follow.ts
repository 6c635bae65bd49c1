// A consumer of readings/changes beside the devices of `rounds simulate`: it builds a copy from the sequence alone, through
// every fault, and at the end the copy must be what readings/get gives, reading by reading. It holds every reading of the run.
import { isDeepStrictEqual } from 'node:util'
import { createRoundsClient, type StoredReading } from '../../clients/typescript/src/client.ts'
import type { Simulation } from './options.ts'
import { addExample, type Tally } from './tally.ts'

/** How long a change may be late: any transaction that stays open delays the sequence. */
const MAX_DELAY_MS = 30_000

export type Follower = ReturnType<typeof startFollowing>

type Surroundings = {
  simulation: Simulation
  tally: Tally
  /** A token with the scope readings:changes. */
  requestToken: () => Promise<string>
  stopping: AbortSignal
}

export function startFollowing({ simulation, tally, requestToken, stopping }: Surroundings) {
  const copies = new Map<string, Map<string, StoredReading>>()
  const isOurs = new RegExp(`^simulated-${simulation.seed}-\\d{4,}$`)
  const leaving = new AbortController()
  const signal = AbortSignal.any([stopping, leaving.signal])
  let held: string | undefined
  let failure: Error | undefined
  const client = createRoundsClient({
    url: simulation.url,
    async token(refused) {
      if (held === undefined || held === refused) held = await requestToken()
      return held
    },
  })

  async function follow() {
    for await (const { changes } of client.changes({ limit: 1_000 }, { signal })) {
      for (const change of changes) {
        if (change.state === 'erased') copies.delete(change.patientUid ?? '')
        else if (isOurs.test(change.reading.patientUid)) put(change.reading, change.state)
      }
    }
  }

  function put(reading: StoredReading, state: 'present' | 'withdrawn') {
    const copy = copies.get(reading.patientUid) ?? new Map<string, StoredReading>()
    copies.set(reading.patientUid, copy)
    if (state === 'present') copy.set(reading.readingId, reading)
    else copy.delete(reading.readingId)
    tally.followed++
  }
  const following = follow().catch((error: unknown) => {
    if (!signal.aborted) failure = error instanceof Error ? error : new Error(String(error))
  })

  return {
    /** Compares the copy of a patient with what is stored. */
    async compare(patientUid: string, stored: StoredReading[]) {
      const copyOf = () => copies.get(patientUid) ?? new Map<string, StoredReading>()
      const isWhole = () => stored.every(({ readingId }) => copyOf().has(readingId))
      for (const giveUpAt = Date.now() + MAX_DELAY_MS; !isWhole(); ) {
        if (failure !== undefined) throw failure
        if (stopping.aborted || Date.now() > giveUpAt) break
        await new Promise((done) => setTimeout(done, 50))
      }
      const copy = copyOf()
      const wrong = stored.filter((reading) => !isDeepStrictEqual(copy.get(reading.readingId), reading))
      const surplus = copy.size - stored.filter(({ readingId }) => copy.has(readingId)).length
      tally.followedWrong += wrong.length + surplus
      const [example] = wrong
      if (example) addExample(tally, `not in the copy: ${example.readingType} of ${patientUid}`)
    },
    async stop() {
      leaving.abort()
      await following
    },
  }
}
