import { useApp } from '../../app.ts'
import { type Loaded, useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'

/** By type, the unit of the newest reading, where its type has that unit. */
type UnitsOfTypes = ReadonlyMap<string, string | undefined>

/** Of the types that the patient has, from the newest readings as Today has shown them, or read once. */
export function useUnitsOfTypes({ rounds, patientUid }: ScreenProps): Loaded<UnitsOfTypes> {
  const { kept, catalogue } = useApp()
  return useLoad([patientUid], async (signal) => {
    if (patientUid === '') return new Map()
    const types = await catalogue()
    const newest =
      kept.latest(patientUid)?.newest ?? (await rounds.latestReadings({ patientUid }, { signal })).data
    return new Map(
      newest.map(({ readingType, unit }) => [
        readingType,
        types.get(readingType)?.units.find((known) => known === unit),
      ]),
    )
  })
}
