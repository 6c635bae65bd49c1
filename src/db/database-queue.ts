// What a queue of requests for the database says of itself.
export type DatabaseQueue = {
  /** How many requests only wait for the database: nothing is done for them meanwhile. */
  countWaiting: () => number
  /** Everything that is counted for its requests: 0 when there are none. */
  countAll: () => number
}

export function countWaiting(queues: Iterable<DatabaseQueue>): number {
  let waiting = 0
  for (const queue of queues) waiting += queue.countWaiting()
  return waiting
}
