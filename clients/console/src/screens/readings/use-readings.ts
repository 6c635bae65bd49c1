// A page of readings, newest first, withdrawn ones included, and how they change while one looks.
import { useState } from 'preact/hooks'
import type { RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useLoad } from '../../design/use-load.ts'
import { useChanges } from '../../live/live.ts'

const PAGE = 50

type Asked = { patientUid: string; type: string | null; cursor: string | null }

export function useReadings(rounds: RoundsClient, { patientUid, type, cursor }: Asked) {
  const { catalogue } = useApp()
  const [changed, setChanged] = useState<StoredReading[]>([])
  const loaded = useLoad(
    async (signal) => {
      const query = {
        patientUid,
        readingType: type === null ? undefined : [type],
        order: 'desc' as const,
        limit: PAGE,
        withdrawn: 'include' as const,
        cursor: cursor ?? undefined,
      }
      const [types, page] = await Promise.all([catalogue(), rounds.getReadings(query, { signal })])
      return { types, page }
    },
    [patientUid, type, cursor],
  )
  const put = (reading: StoredReading) =>
    setChanged((others) => [...others.filter(({ readingId }) => readingId !== reading.readingId), reading])
  const reset = () => {
    setChanged([])
    loaded.reload()
  }
  useChanges({
    onReset: reset,
    onChange(change) {
      if (change.state === 'erased') return reset()
      if (type === null || change.reading.readingType === type) put(change.reading)
      return undefined
    },
  })
  const data = loaded.data && {
    ...loaded.data,
    readings: merged(loaded.data.page.data, changed, cursor === null),
  }
  return { ...loaded, data, put }
}

/** Changed readings in place of what they were; new ones only on the newest page, which they may belong to. */
export function merged(page: StoredReading[], changed: StoredReading[], isNewest: boolean): StoredReading[] {
  const byId = new Map(page.map((reading) => [reading.readingId, reading]))
  const oldest = page.at(-1)?.measuredAt
  for (const reading of changed) {
    const belongs =
      isNewest && (oldest === undefined || page.length < PAGE || isBefore(oldest, reading.measuredAt))
    if (byId.has(reading.readingId) || belongs) byId.set(reading.readingId, reading)
  }
  return [...byId.values()].toSorted(
    (one, other) => Date.parse(other.measuredAt) - Date.parse(one.measuredAt),
  )
}

const isBefore = (one: string, other: string) => Date.parse(one) <= Date.parse(other)
