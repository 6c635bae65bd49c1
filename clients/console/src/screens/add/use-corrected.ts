// The value that is to be changed, by its time: one that was added here, or the newest of its type that is stored.
import type { Reading, StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { type Earlier, useOutbox } from '../../outbox/outbox.ts'

type Asked = { patientUid: string; readingType: string; at: string | null }

export function useCorrected({ patientUid, readingType, at }: Asked): Earlier | undefined {
  const { rounds, outbox } = useApp()
  const { added } = useOutbox(outbox)
  const here = added.find(
    ({ reading: one }) =>
      one.patientUid === patientUid && timeOf(one) === at && one.readingType === readingType,
  )
  const { data } = useLoad([patientUid, readingType, at, here !== undefined], async (signal) =>
    at === null || here
      ? undefined
      : rounds.getReadings(
          { patientUid, readingType: [readingType], from: Number(at), to: Number(at) },
          { signal },
        ),
  )
  if (here) return { reading: here.reading }
  const [stored] = data?.data ?? []
  return stored && { reading: sentFrom(stored), readingId: stored.readingId }
}

const timeOf = ({ timestamp }: Reading) => String(timestamp)

/** As it was sent. */
function sentFrom(stored: StoredReading): Reading {
  const { readingId: _, receivedAt: __, measuredAt, ...reading } = stored
  return { ...reading, timestamp: Date.parse(measuredAt) }
}
