// The newest reading of each type, also of those that are dated in the future, and how it changes while one looks.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Change, RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { ageOf } from '../../format/times.ts'
import { type Loaded, useLoad } from '../../hooks/use-load.ts'
import { useChanges, useOpened } from '../../live/live.ts'
import { useChanged } from '../../live/use-changed.ts'

/** A device that sends what it has stored sends hundreds at once: they are announced, and read again, together. */
const TOGETHER_MS = 500

const END_OF_9999 = 253_402_300_799_999

export type Latest = {
  catalogue: Catalogue
  newest: StoredReading[]
  future: StoredReading[]
  readAtMs: number
}
/** The newest of the readings that arrived together while the screen was open, and how many they were. */
export type Announced = { reading: StoredReading; count: number }
type Live = {
  arrivedId: string
  announced: Announced | undefined
  /** Another one whenever readings of the type may have changed, also those that are not the newest. */
  revisionOf: (readingType: string) => string
}

export function useLatest(rounds: RoundsClient, patientUid: string): Loaded<Latest> & Live {
  const { catalogue } = useApp()
  const opened = useOpened()
  const changed = useChanged()
  const [arrivedId, setArrivedId] = useState('')
  const [announced, setAnnounced] = useState<Announced>()
  const revisions = useRevisions()
  const arriving = useRef<StoredReading[]>([])
  const announce = useTogether(() => {
    const [reading] = arriving.current.toSorted(newestFirst)
    if (reading) setAnnounced({ reading, count: arriving.current.length })
    arriving.current = []
  })
  const loaded = useLoad([patientUid], async (signal): Promise<Latest> => {
    await opened
    const drop = changed.beforeReading()
    const [types, latest] = await Promise.all([
      catalogue(),
      rounds.latestReadings({ patientUid }, { signal }),
    ])
    const beyond =
      latest.typesBeyond > 0
        ? await rounds.latestReadings({ patientUid, to: END_OF_9999 }, { signal })
        : undefined
    drop()
    const future = (beyond?.data ?? []).filter(isFuture)
    return { catalogue: types, newest: latest.data, future, readAtMs: Date.now() }
  })
  const readAgain = useTogether(loaded.reload)
  const startAnew = () => {
    revisions.bumpAll()
    loaded.reload()
  }
  useChanges({
    onReset: startAnew,
    onChange(change: Change) {
      if (change.state === 'erased') return startAnew()
      const { reading } = change
      revisions.bump(reading.readingType)
      const isOther = ({ readingId }: StoredReading) => readingId !== reading.readingId
      changed.set((others) => others.filter(isOther))
      if (change.state === 'withdrawn' || isFuture(reading)) return readAgain()
      changed.set((others) => newestOf([...others, reading]))
      setArrivedId(reading.readingId)
      arriving.current.push(reading)
      return announce()
    },
  })
  const data = loaded.data && {
    ...loaded.data,
    newest: newestOf([...loaded.data.newest, ...changed.readings]),
  }
  return { ...loaded, data, arrivedId, announced, revisionOf: revisions.of }
}

function useRevisions() {
  const [{ ofAll, ofTypes }, set] = useState({ ofAll: 0, ofTypes: new Map<string, number>() })
  return {
    of: (type: string) => `${ofAll} ${ofTypes.get(type) ?? 0}`,
    bump: (type: string) =>
      set((now) => ({ ...now, ofTypes: new Map(now.ofTypes).set(type, (now.ofTypes.get(type) ?? 0) + 1) })),
    bumpAll: () => set((now) => ({ ...now, ofAll: now.ofAll + 1 })),
  }
}

/** Calls once for all calls of a moment. */
function useTogether(work: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      work()
    }, TOGETHER_MS)
  }
}

const isFuture = ({ measuredAt }: StoredReading) => ageOf(measuredAt, Date.now(), 'UTC').mark === 'future'

const newestFirst = (one: StoredReading, other: StoredReading) =>
  Date.parse(other.measuredAt) - Date.parse(one.measuredAt)

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
