// The newest reading of each type, also of those that are dated in the future, and how it changes while one looks.
import { useState } from 'preact/hooks'
import type { Change, RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { type Loaded, useLoad } from '../../design/use-load.ts'
import { useChanges } from '../../live/live.ts'
import type { Catalogue } from '../../words/reading-text.ts'
import { ageOf } from '../../words/times.ts'

const END_OF_9999 = 253_402_300_799_999

export type Latest = { catalogue: Catalogue; newest: StoredReading[]; future: StoredReading[] }
/** A reading that arrived while the screen was open. */
export type Arrived = { reading: StoredReading; number: number }

export function useLatest(
  rounds: RoundsClient,
  patientUid: string,
): Loaded<Latest> & { arrived: Arrived | undefined } {
  const { catalogue } = useApp()
  const [changed, setChanged] = useState<StoredReading[]>([])
  const [arrived, setArrived] = useState<Arrived>()
  const loaded = useLoad(
    async (signal): Promise<Latest> => {
      const [types, latest] = await Promise.all([
        catalogue(),
        rounds.latestReadings({ patientUid }, { signal }),
      ])
      const beyond =
        latest.typesBeyond > 0
          ? await rounds.latestReadings({ patientUid, to: END_OF_9999 }, { signal })
          : undefined
      return { catalogue: types, newest: latest.data, future: (beyond?.data ?? []).filter(isFuture) }
    },
    [patientUid],
  )
  const reset = () => {
    setChanged([])
    loaded.reload()
  }
  useChanges({
    onReset: reset,
    onChange(change: Change) {
      if (change.state === 'erased') return reset()
      const { reading } = change
      const isOther = ({ readingId }: StoredReading) => readingId !== reading.readingId
      setChanged((others) => others.filter(isOther))
      if (change.state === 'withdrawn' || isFuture(reading)) return loaded.reload()
      setChanged((others) => newestOf([...others, reading]))
      setArrived((before) => ({ reading, number: (before?.number ?? 0) + 1 }))
      return undefined
    },
  })
  const data = loaded.data && { ...loaded.data, newest: newestOf([...loaded.data.newest, ...changed]) }
  return { ...loaded, data, arrived }
}

const isFuture = ({ measuredAt }: StoredReading) => ageOf(measuredAt, Date.now(), 'UTC').mark === 'future'

export function newestOf(readings: StoredReading[]): StoredReading[] {
  const byType = new Map<string, StoredReading>()
  for (const reading of readings) {
    const known = byType.get(reading.readingType)
    if (!known || Date.parse(reading.measuredAt) >= Date.parse(known.measuredAt))
      byType.set(reading.readingType, reading)
  }
  return [...byType.values()]
}

/** In the order of the catalogue, then symptoms, then what only its device knows. */
export function inOrder(readings: StoredReading[], catalogue: Catalogue): StoredReading[] {
  const places = new Map([...catalogue.keys()].map((type, index) => [type, index]))
  const placeOf = ({ readingType }: StoredReading) =>
    readingType === 'symptom' ? 1_000 : (places.get(readingType) ?? 2_000)
  return readings.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.readingType.localeCompare(other.readingType),
  )
}
