// The targets of a patient: read with the screen that shows them, and kept as the newest readings are.
import { useEffect, useMemo } from 'preact/hooks'
import type { Target } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { type Loaded, useLoad } from '../hooks/use-load.ts'

type Targets = Loaded<readonly Target[]> & {
  /** Those of one type. */
  of: (readingType: string) => readonly Target[]
  /** When they were read, where they are those that were kept. */
  keptAtMs: number | undefined
}

/** None where the server has no targets. `reload` after one was set or removed. */
export function useTargets(patientUid: string): Targets {
  const { rounds, kept, hasCare } = useApp()
  const loaded = useLoad(
    async (signal): Promise<readonly Target[]> => {
      if (!hasCare) return []
      return (await rounds.targets.list({ patientUid }, { signal })).data
    },
    [patientUid, hasCare],
  )
  const before = useMemo(() => (hasCare ? kept.targets(patientUid) : undefined), [patientUid, hasCare])
  useEffect(() => {
    if (hasCare && loaded.data) kept.keepTargets(patientUid, { atMs: Date.now(), targets: [...loaded.data] })
  }, [patientUid, loaded.data])
  const data = loaded.data ?? before?.targets
  const byType = useMemo(() => Map.groupBy(data ?? [], ({ readingType }) => readingType), [data])
  return {
    ...loaded,
    data,
    of: (readingType) => byType.get(readingType) ?? [],
    keptAtMs: loaded.data ? undefined : before?.atMs,
  }
}
