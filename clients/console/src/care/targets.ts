// The targets of a patient, or of several: read with the screen that shows them, and kept as the newest readings are.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Target } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { type Loaded, useLoad } from '../hooks/use-load.ts'

type Targets = Loaded<readonly Target[]> & {
  /** The one of this type with which readings are compared for the reader. */
  of: (readingType: string) => Target | undefined
  /** When they were read, where they are those that were kept. */
  keptAtMs: number | undefined
}

/** None where the server has no targets. `reload` after one was set or removed. */
export function useTargets(patientUid: string): Targets {
  const { rounds, kept, hasCare } = useApp()
  const loaded = useLoad([patientUid, hasCare], async (signal): Promise<readonly Target[]> => {
    if (!hasCare) return []
    // Those of a doctor for all are of no patient.
    const whose = patientUid === '' ? {} : { patientUid }
    return (await rounds.targets.list(whose, { signal })).data
  })
  const before = useMemo(() => (hasCare ? kept.targets(patientUid) : undefined), [patientUid, hasCare])
  useEffect(() => {
    if (hasCare && loaded.data) kept.keepTargets(patientUid, { atMs: Date.now(), targets: [...loaded.data] })
  }, [patientUid, loaded.data])
  const data = loaded.data ?? before?.targets
  return {
    ...loaded,
    data,
    of: (readingType) => judgingOf(data, readingType),
    keptAtMs: loaded.data ? undefined : before?.atMs,
  }
}

const judgingOf = (targets: readonly Target[] | undefined, type: string) =>
  targets?.find(({ readingType, judges }) => readingType === type && judges)

/** Others than those for targets stay free for readings: a browser opens few connections to one server. */
const MAX_AT_ONCE = 3

type TargetsOfPatients = {
  of: (patientUid: string, readingType: string) => Target | undefined
  /** Those of all authors. */
  all: (patientUid: string) => readonly Target[]
  /** Whether those of this patient were read. */
  areKnown: (patientUid: string) => boolean
  /** Why those of some patient could not be read. */
  error: unknown
}

/** Those of each patient as soon as they are read, one request for each. */
export function useTargetsOfPatients(patientUids: readonly string[], version = 0): TargetsOfPatients {
  const { rounds, kept, hasCare } = useApp()
  const [found, setFound] = useState<ReadonlyMap<string, readonly Target[]>>(new Map())
  const key = [hasCare, ...patientUids.toSorted()]
  const { error } = useLoad(
    key,
    async (signal) => {
      const read = async (patientUid: string) => {
        const { data } = await rounds.targets.list({ patientUid }, { signal })
        kept.keepTargets(patientUid, { atMs: Date.now(), targets: data })
        setFound((before) => new Map(before).set(patientUid, data))
      }
      const wanted = hasCare ? patientUids : []
      const results: PromiseSettledResult<void>[] = []
      for (let from = 0; from < wanted.length; from += MAX_AT_ONCE)
        results.push(...(await Promise.allSettled(wanted.slice(from, from + MAX_AT_ONCE).map(read))))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
    [version],
  )
  const before = useMemo(
    () => new Map(hasCare ? patientUids.map((uid) => [uid, kept.targets(uid)?.targets]) : []),
    [JSON.stringify(key)],
  )
  const all = (patientUid: string) => found.get(patientUid) ?? before.get(patientUid) ?? []
  return {
    areKnown: (patientUid) => found.has(patientUid),
    of: (patientUid, readingType) => judgingOf(all(patientUid), readingType),
    all,
    error,
  }
}
