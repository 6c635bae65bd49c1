// A consumer of readings/changes beside the devices of `rounds simulate`. It holds every reading of the run.
import type { StoredReading } from '../../clients/typescript/src/client.ts'
import { Copy } from './keep-copy.ts'
import type { Simulation } from './options.ts'
import { addExample, type Tally } from './tally.ts'

export type Follower = ReturnType<typeof startFollowing>

type Deps = {
  simulation: Simulation
  tally: Tally
  /** A token with the scope readings:changes. */
  requestToken: () => Promise<string>
  stopping: AbortSignal
}

export function startFollowing({ simulation, tally, requestToken, stopping }: Deps) {
  const prefix = `simulated-${simulation.seed}-`
  const copy = new Copy({
    url: simulation.url,
    requestToken,
    isOurs: (patientUid) => patientUid.startsWith(prefix) && /^\d{4,}$/.test(patientUid.slice(prefix.length)),
    onChange: () => void tally.followed++,
    stopping,
  })
  return {
    /** Compares the copy of a patient with what is stored. */
    async compare(patientUid: string, stored: StoredReading[]) {
      const [example, ...others] = await copy.compare(patientUid, stored)
      if (!example) return
      tally.followedWrong += 1 + others.length
      addExample(tally, `wrong in the copy: ${example.readingType} of ${patientUid}`)
    },
    stop: () => copy.stop(),
  }
}
