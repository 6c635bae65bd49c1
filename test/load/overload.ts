// One overload, start to end, on one server: what it can carry, half of that, three times that, and half of it again.
import type { Figures } from './figures.ts'
import { runLoad } from './load.ts'
import type { startLoadStage } from './stage.ts'

export type Overload = {
  capacityPerSecond: number
  normal: Figures
  overload: Figures
  after: Figures
  /** Resident memory at the end of the capacity run, and the most of it during the overload. */
  memoryMiB: { before: number; most: number }
}

// More than are in use at any time, so that requests wait for the server and not for a connection.
const CONNECTIONS = 1_000
const GET_SHARE = 0.3
export const TIMES = 3

export async function measureOverload(
  { server, patients }: Awaited<ReturnType<typeof startLoadStage>>,
  seconds: { capacity: number; normal: number; overload: number; after: number },
): Promise<Overload> {
  const load = { url: server.url, patients, connections: CONNECTIONS, getShare: GET_SHARE }
  // The first run compiles, fills caches and meets each token for the first time; it is not counted.
  await runLoad({ ...load, connections: 32, seconds: seconds.capacity })
  const carried = await runLoad({ ...load, connections: 32, seconds: seconds.capacity })
  const capacityPerSecond = carried.accepted.count / seconds.capacity
  const half = capacityPerSecond / 2
  const normal = await runLoad({ ...load, seconds: seconds.normal, ratePerSecond: half })
  const before = server.memoryMiB()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, server.memoryMiB())), 100)
  const overload = await runLoad({
    ...load,
    seconds: seconds.overload,
    ratePerSecond: TIMES * capacityPerSecond,
  })
  const after = await runLoad({ ...load, seconds: seconds.after, ratePerSecond: half })
  clearInterval(watch)
  return { capacityPerSecond, normal, overload, after, memoryMiB: { before, most } }
}
