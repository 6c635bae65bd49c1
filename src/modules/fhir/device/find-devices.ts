// The devices and apps of a patient, as the readings name them: those of the newest reading of each type, so that a scale that is
// used once a month is among them, and those of the newest readings. They are two reads with their rows in the access log, however
// long the history is.
import type { Asked as AskedOfPatient } from '../../casesheet/access.ts'
import type { ListedReading } from '../../casesheet/get/print-readings.ts'
import type { ReadPage } from '../../casesheet/get/read-page.ts'
import type { FindLatest } from '../../casesheet/latest/latest-readings.ts'
import { parsedFrom } from '../observation/listed-readings.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import { patientReference } from '../observation/patient-reference.ts'
import { writeSource } from '../observation/source-mapping.ts'
import type { Device } from '../resources.ts'
import type { Entry } from '../search/bundle.ts'
import { PAGE_COST } from '../search/read-observation.ts'

const NEWEST = 500

type Deps = { readPage: ReadPage; findLatest: FindLatest; ids: ObservationIds }

export async function findDevices(
  { readPage, findLatest, ids }: Deps,
  { patientUid, reader, isGone }: AskedOfPatient,
  base: string,
): Promise<Entry[]> {
  const latest = await findLatest({ patientUid }, { reader, isGone })
  const range = {
    patientUid,
    from: undefined,
    to: undefined,
    readingTypes: null,
    order: 'desc',
    withdrawn: 'left-out',
    after: null,
  } as const
  const { readings } = await readPage(
    { range, reader, page: 0, beganAt: null, size: NEWEST, ...PAGE_COST, isLarge: false },
    isGone,
  )
  // Where there are too many types, the newest readings are all there is.
  const all = [...('readings' in latest ? latest.readings : []), ...readings]
  return devicesIn(all, patientUid, ids).map((device) => ({
    fullUrl: `${base}/Device/${device.id}`,
    text: JSON.stringify(device),
  }))
}

/** Each of them once. */
function devicesIn(readings: readonly ListedReading[], patientUid: string, ids: ObservationIds): Device[] {
  const found = new Map<string, Device>()
  const patient = patientReference(patientUid)
  for (const reading of readings) {
    if (!reading.rest.includes('"source"')) continue
    for (const { id: kind, ...device } of writeSource(parsedFrom(reading).fields['source'])?.contained ??
      []) {
      const name = `Device ${JSON.stringify([kind, device])}`
      if (found.has(name)) continue
      const { resourceType, ...elements } = device
      found.set(name, { resourceType, id: ids.idOfOther(patientUid, name), ...elements, patient })
    }
  }
  return [...found.values()]
}
