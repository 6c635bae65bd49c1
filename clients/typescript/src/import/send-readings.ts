// Sends what was found, in order, in batches, through the client with its retries. A batch that the service refuses as a whole is
// halved until the reading that it refuses stands alone. A rate limit that ends soon is waited for; any other failure stops the import.
import type { RoundsClient } from '../client.ts'
import type { AddVerdict, Reading } from '../contract.ts'
import { RoundsError } from '../rounds-error.ts'
import type { FoundReading, ImportResult } from './import-contract.ts'
import { patiently } from './patiently.ts'

const MAX_READINGS = 1_000
// Of 4 MiB, since characters beyond ASCII take more than one byte.
const MAX_CHARS = 1_048_576
const MAX_EXAMPLES = 20

export type SendingClient = Pick<RoundsClient, 'addReadingsEach'>
type Found = { reading: Reading; line: number | undefined; characters: number }
type Sent = Pick<ImportResult, 'stored' | 'duplicates' | 'rejected'>

/** Thrown where the service takes no more; the counts until then are right. */
export class SendingStopped extends Error {}

export function createSender(client: SendingClient, patientUid: string, signal: AbortSignal | undefined) {
  const sent: Sent = { stored: 0, duplicates: 0, rejected: { count: 0, examples: [] } }
  let waiting: Found[] = []

  function take(verdict: AddVerdict, line: number | undefined) {
    if ('message' in verdict) reject(verdict.message, line)
    else if (verdict.verdict === 'stored') sent.stored++
    else sent.duplicates++
  }
  function reject(message: string, line: number | undefined) {
    const { examples } = sent.rejected
    sent.rejected.count++
    const isNew = examples.length < MAX_EXAMPLES && !examples.some((one) => one.message === message)
    if (isNew) examples.push({ ...(line === undefined ? {} : { line }), message })
  }
  async function send(batch: Found[]): Promise<void> {
    try {
      const { data } = await patiently(
        () =>
          client.addReadingsEach(
            batch.map(({ reading }) => reading),
            { signal },
          ),
        signal,
      )
      for (const [at, verdict] of data.entries()) take(verdict, batch[at]?.line)
    } catch (error) {
      if (!(error instanceof RoundsError)) throw error
      if (error.status !== 400 && error.status !== 413) throw new SendingStopped('', { cause: error })
      const [first] = batch
      if (batch.length <= 1) return reject(error.message, first?.line)
      const middle = Math.ceil(batch.length / 2)
      await send(batch.slice(0, middle))
      await send(batch.slice(middle))
    }
  }
  /** Sends full batches; with `all`, also what is left. */
  async function flush(all = false) {
    while (waiting.length > 0) {
      const end = endOfBatch(waiting)
      if (end === waiting.length && !all) return
      const batch = waiting.slice(0, end)
      waiting = waiting.slice(end)
      await send(batch)
    }
  }
  return {
    sent,
    add(found: FoundReading, line: number | undefined) {
      const reading = { ...found, patientUid } as Reading
      waiting.push({ reading, line, characters: JSON.stringify(reading).length })
    },
    flush,
  }
}

/** How many of the first readings make one batch; all of them where there is room for more. */
function endOfBatch(waiting: Found[]): number {
  let characters = 0
  const end = waiting.findIndex((one, at) => {
    characters += one.characters + 1
    return at === MAX_READINGS || characters > MAX_CHARS
  })
  return end === -1 ? waiting.length : Math.max(1, end)
}
