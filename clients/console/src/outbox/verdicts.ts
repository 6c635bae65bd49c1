// What the service said of each reading that this tab sent: that it stored it, or that it had it already. Only what was stored by
// being sent from here may be withdrawn by Undo: the rest may be what somebody else recorded.
import {
  type AddVerdict,
  type CallOptions,
  type Reading,
  type ReadingQueueOptions,
  type RoundsClient,
  RoundsError,
} from '../../../typescript/src/client.ts'

const MAX_KNOWN = 2_000

type Adder = ReadingQueueOptions['client']
export type Verdict = Exclude<AddVerdict, { verdict: 'rejected' }>

/** What makes a reading the same is its content, with its fields in any order: the form, the service and a device each have their own. */
export const keyOf = (reading: Reading) => contentOf(reading)

export const contentOf = (value: unknown) => JSON.stringify(value, inOrder)

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

export function createVerdicts(client: RoundsClient) {
  const known = new Map<string, Verdict>()
  /** Sent once without an answer, and perhaps stored then: `duplicate` does not say by whom. */
  const unanswered = new Set<string>()

  function keep(readings: readonly Reading[], verdicts: AddVerdict[]) {
    for (const [index, reading] of readings.entries()) {
      const verdict = verdicts[index]
      const key = keyOf(reading)
      // What was stored from here is there already when it is sent again.
      if (!verdict || verdict.verdict === 'rejected' || known.get(key)?.verdict === 'stored') continue
      if (verdict.verdict === 'stored' || !unanswered.has(key)) known.set(key, verdict)
    }
    for (const keys of [known, unanswered])
      for (const key of [...keys.keys()].slice(0, -MAX_KNOWN)) keys.delete(key)
  }
  const addReadingsEach: Adder['addReadingsEach'] & {} = async (readings, options) => {
    const sent = [readings].flat()
    const noteLost = () => {
      for (const reading of sent) unanswered.add(keyOf(reading))
    }
    const mayRepeat: CallOptions['mayRepeat'] = (error, attemptMs) => {
      noteLost()
      return options?.mayRepeat?.(error, attemptMs) ?? true
    }
    try {
      const answer = await client.addReadingsEach(readings, { ...options, mayRepeat })
      keep(sent, answer.data)
      return answer
    } catch (error) {
      noteLost()
      throw error
    }
  }
  const adder: Adder = {
    byPatient: client.byPatient,
    addReadingsEach,
    async addReadings(readings, options) {
      try {
        const { data } = await addReadingsEach(readings, options)
        if (data.every(({ verdict }) => verdict !== 'rejected')) return { code: 'Ok', message: '' }
      } catch (error) {
        if (!(error instanceof RoundsError) || error.code !== 'UnexpectedAnswer' || error.status !== 200)
          throw error
      }
      // The plain add refuses them as the queue expects it, and does without verdicts where a proxy drops the wish for them.
      return client.addReadings(readings, options)
    },
  }
  return { adder, of: (reading: Reading) => known.get(keyOf(reading)) }
}
