// How long a stop may take.

/**
 * How long a stop waits for the answers in flight: longer than a request may wait for the database, so that a stop during a
 * failover cuts none of them.
 */
export const stopGraceMs = (requestDeadlineMs: number) => requestDeadlineMs + 5_000

/** With the time for statements and connections afterwards, each of which has a limit of its own. */
export const stopWithinMs = (requestDeadlineMs: number) => stopGraceMs(requestDeadlineMs) + 15_000
