// What was done and found so far, counted on the way: the progress bar and the report read it.
import { createHistogram } from 'node:perf_hooks'

const MAX_EXAMPLES = 5

export type Tally = ReturnType<typeof createTally>

export function createTally() {
  return {
    /** Readings acknowledged, the duplicates among them. */
    sent: 0,
    distinct: 0,
    duplicates: 0,
    addRequests: 0,
    /** Requests that failed in a way that the client answers with another. */
    retries: 0,
    droppedAnswers: 0,
    withdrawn: 0,
    restored: 0,
    /** Readings refused for good, and calls given up. */
    errors: 0,
    daysSent: 0,
    patientsRead: 0,
    readBack: 0,
    missing: 0,
    doubled: 0,
    unexpected: 0,
    /** Readings that are withdrawn although they were left present, or the other way round. */
    wrongState: 0,
    /** Changes of these patients that the consumer of readings/changes was given. */
    followed: 0,
    /** Readings that its copy lacks, has with other content, or has although they are not stored. */
    followedWrong: 0,
    /** The first few of what went wrong. */
    examples: [] as string[],
    sendingMs: 0,
    /** From request to answer, in microseconds. A histogram takes the same room however many there are. */
    addMicroseconds: createHistogram(),
  }
}

export function addExample({ examples }: Tally, text: string) {
  if (examples.length < MAX_EXAMPLES) examples.push(text)
}
