// What the rule in the form would have done. It is asked for once the form rests, and an answer about an older form is dropped:
//
//   nothing   the form is not complete, or nothing is known of it yet
//   working   the form has changed, or an answer is on its way; what was known before is still shown
//   known     the answer is about the form as it is
//   failed    there is no answer
import { useEffect, useState } from 'preact/hooks'
import type { RoundsClient, RulePreview } from '../../../../typescript/src/client.ts'
import { useRetry } from '../../hooks/use-retry.ts'
import type { Terms } from './read-rule-form.ts'

const RESTS_AFTER_MS = 500
export const PREVIEW_DAYS = 90

type Answered = { of: string; terms: Terms; preview?: RulePreview; error?: unknown }
export type Preview = {
  state: 'nothing' | 'working' | 'known' | 'failed'
  /** The last that is known, and the rule that it is about. */
  shown: { terms: Terms; preview: RulePreview } | undefined
  error: unknown
  retry: () => void
}

export function usePreview(rounds: RoundsClient, patientUid: string, terms: Terms | undefined): Preview {
  const [answered, setAnswered] = useState<Answered>()
  const [round, setRound] = useState(0)
  const of = terms === undefined ? '' : keyOf(terms)
  useEffect(() => {
    if (terms === undefined || (answered?.of === of && answered.preview)) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const ask = async () => {
      try {
        const { data } = await rounds.rules.preview({ ...terms, patientUid, days: PREVIEW_DAYS }, { signal })
        if (!signal.aborted) setAnswered({ of, terms, preview: data })
      } catch (error) {
        if (!signal.aborted) setAnswered({ of, terms, error })
      }
    }
    const timer = setTimeout(() => void ask(), RESTS_AFTER_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [of, round])
  const again = () => setRound((number) => number + 1)
  const error = answered?.of === of ? answered.error : undefined
  useRetry(error, again)
  const isCurrent = answered?.of === of
  return {
    state: terms === undefined ? 'nothing' : !isCurrent ? 'working' : answered.preview ? 'known' : 'failed',
    shown: terms && answered?.preview && { terms: answered.terms, preview: answered.preview },
    error,
    retry() {
      setAnswered(undefined)
      again()
    },
  }
}

/** Of what decides when it alerts: a note, or how urgent it is, changes nothing. */
function keyOf({ readingType, field, unit, threshold, sustained, change, missing, clear }: Terms): string {
  return JSON.stringify([readingType, field, unit, threshold, sustained, change, missing, clear])
}
