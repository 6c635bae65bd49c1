// What a patient has written before, the newest first: offered again, to be chosen by one press.
import { useApp } from '../../app.ts'
import { symptomsOf } from '../../format/reading-text.ts'
import { useLoad } from '../../hooks/use-load.ts'

const NEWEST = 30
const MAX_OFFERED = 4
/** A longer one is not said twice. */
const MAX_LENGTH = 40

export function useSaidBefore(patientUid: string, readingType: string): string[] {
  const { rounds } = useApp()
  const isAsked = readingType === 'symptom' || readingType === 'note'
  const { data } = useLoad([patientUid, readingType], async (signal) =>
    isAsked
      ? rounds.getReadings(
          { patientUid, readingType: [readingType], order: 'desc', limit: NEWEST },
          { signal },
        )
      : undefined,
  )
  const said = (data?.data ?? []).flatMap((reading) => {
    const { text } = reading
    if (readingType === 'note') return typeof text === 'string' ? [text] : []
    return symptomsOf(reading).map(({ symptom }) => symptom)
  })
  return [...new Set(said)].filter((text) => text !== '' && text.length <= MAX_LENGTH).slice(0, MAX_OFFERED)
}
