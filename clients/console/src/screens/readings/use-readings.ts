// A page of readings, newest first, withdrawn ones included, and how they change while one looks.
import type { RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useChanges, useOpened } from '../../live/live.ts'
import { useChanged } from '../../live/use-changed.ts'

const PAGE = 50
/** A screen that is open for days takes in so many changes before it reads the page again. */
const MAX_CHANGED = 50

type Asked = { patientUid: string; type: string | null; cursor: string | null }

export function useReadings(rounds: RoundsClient, { patientUid, type, cursor }: Asked) {
  const { catalogue } = useApp()
  const opened = useOpened()
  const changed = useChanged()
  const loaded = useLoad([patientUid, type, cursor], async (signal) => {
    await opened
    const drop = changed.beforeReading()
    const query = {
      patientUid,
      readingType: type === null ? undefined : [type],
      order: 'desc' as const,
      limit: PAGE,
      withdrawn: 'include' as const,
      cursor: cursor ?? undefined,
    }
    const [types, page] = await Promise.all([catalogue(), rounds.getReadings(query, { signal })])
    drop()
    return { types, page }
  })
  const put = (reading: StoredReading) => {
    changed.set((others) => [...others.filter(({ readingId }) => readingId !== reading.readingId), reading])
    if (changed.readings.length >= MAX_CHANGED && !loaded.isLoading) loaded.reload()
  }
  useChanges({
    onReset: loaded.reload,
    onChange(change) {
      if (change.state === 'erased') return loaded.reload()
      if (type === null || change.reading.readingType === type) put(change.reading)
      return undefined
    },
  })
  const data = loaded.data && {
    ...loaded.data,
    readings: merged(loaded.data.page.data, changed.readings, cursor === null),
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
