// The value that is to be changed, by its time: one that was added here, or the newest of its type that is stored.
import { type Reading, RoundsError, type StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { type Earlier, useOutbox } from '../../outbox/outbox.ts'
import { keyOf } from '../../outbox/verdicts.ts'

type Asked = { patientUid: string; readingType: string; at: string | null }

type Corrected = {
  earlier: Earlier | undefined
  /** Why it could not be looked up. */
  error: unknown
  reload: () => void
}

export function useCorrected({ patientUid, readingType, at }: Asked): Corrected {
  const { rounds, outbox } = useApp()
  const { added, waiting, refused, undone } = useOutbox(outbox)
  const isGone = new Set([...refused, ...undone].map(({ reading }) => keyOf(reading)))
  // A correction has the time of what it corrects: of several, the last is the one that counts.
  const here = [...waiting, ...added].findLast(
    ({ reading: one }) =>
      one.patientUid === patientUid &&
      timeOf(one) === at &&
      one.readingType === readingType &&
      !isGone.has(keyOf(one)),
  )
  const { data, error, reload } = useLoad(
    [patientUid, readingType, at, here !== undefined],
    async (signal) =>
      at === null || here
        ? undefined
        : rounds.getReadings(
            { patientUid, readingType: [readingType], from: Number(at), to: Number(at) },
            { signal },
          ),
  )
  if (here) return { earlier: { reading: here.reading }, error: undefined, reload }
  const [stored] = data?.data ?? []
  const earlier = stored && { reading: sentFrom(stored), readingId: stored.readingId }
  return { earlier, error: error ?? (data && !stored ? notFound() : undefined), reload }
}

/** It was withdrawn or erased since the link to it was shown. */
const notFound = () =>
  new RoundsError({ code: 'ReadingNotFound', message: 'There is no such reading.', retryable: false })

const timeOf = ({ timestamp }: Reading) => String(timestamp)

/** As it was sent. */
function sentFrom(stored: StoredReading): Reading {
  const { readingId: _, receivedAt: __, measuredAt, ...reading } = stored
  return { ...reading, timestamp: Date.parse(measuredAt) }
}
