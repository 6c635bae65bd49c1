// Invented patients who share with the doctor of the console's tests.
import { fillDirectory } from '../../../test/support/directory.ts'
import { requestToken } from '../../../tools/dev/request-token.ts'
import {
  createRoundsClient,
  type GrantToAdd,
  type Reading,
  type TargetToSet,
} from '../../typescript/src/client.ts'
import type { Stage } from './browser.ts'

export const DOCTOR = 'dr-willow-sample'

const MINUTE_MS = 60_000
export const DAY = 24 * 60

type Given = Omit<GrantToAdd, 'patientUid' | 'doctorId' | 'permission'> & { permission?: 'view' | 'manage' }
type Aim = Omit<TargetToSet, 'patientUid'>
type Sent = Omit<Reading, 'patientUid'>

export const ESH: Aim = { preset: 'home-blood-pressure-esh' }
export const GLUCOSE: Aim = { preset: 'sensor-glucose', unit: 'mmol/L' }

/** Each so many minutes ago. */
export const pressure = (systolic: number, diastolic: number, minutesAgo: number): Sent => ({
  readingType: 'bloodPressure',
  timestamp: Date.now() - minutesAgo * MINUTE_MS,
  systolic,
  diastolic,
})

export const glucose = (value: number, minutesAgo: number): Sent => ({
  readingType: 'interstitialGlucose',
  timestamp: Date.now() - minutesAgo * MINUTE_MS,
  value,
  unit: 'mmol/L',
})

export async function sharing(stage: Stage, patientUid: string, given: Given, targets: Aim[] = []) {
  const token = await requestToken(stage.issuer, { patientUids: [patientUid] })
  const client = createRoundsClient({ url: stage.origin, token })
  await client.grants.add({ permission: 'manage', ...given, patientUid, doctorId: DOCTOR })
  for (const target of targets) await client.targets.set({ ...target, patientUid })
  return {
    client,
    add: (readings: Sent[]) => stage.add(readings.map((reading) => ({ ...reading, patientUid }) as Reading)),
    revoke: () => client.grants.revoke({ patientUid, doctorId: DOCTOR }),
  }
}

/** One of each status that needs no rule of the list but the usual ones. */
export async function everyStatus(stage: Stage) {
  await fillDirectory(stage.ownerUrl, {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
  })
  const mia = await sharing(
    stage,
    'child-1',
    { sharedAs: 'Mia Example', readingTypes: ['interstitialGlucose', 'symptom'] },
    [GLUCOSE],
  )
  const jonas = await sharing(stage, 'patient-7', { sharedAs: 'Jonas Sample', permission: 'view' }, [ESH])
  const ada = await sharing(stage, 'patient-1', { sharedAs: 'Ada Example' }, [ESH])
  const elif = await sharing(stage, 'patient-31', { sharedAs: 'Elif Probe' }, [ESH])
  const chloe = await sharing(stage, 'patient-22', { sharedAs: 'Chloé Exemple' }, [ESH])
  const otto = await sharing(stage, 'patient-60', {})
  const long = await sharing(stage, 'patient-70', { sharedAs: `${'محمد مثال '.repeat(9)}طويل جدا` })
  await mia.add(Array.from({ length: 600 }, (_, index) => glucose(5 + (index % 12), 30 * index + 30)))
  await mia.add([glucose(23, 3)])
  await jonas.add([pressure(178, 112, 5), pressure(131, 84, 2 * DAY), pressure(128, 80, 6 * DAY)])
  await ada.add([pressure(120, 80, 10), pressure(151, 95, DAY), pressure(122, 79, 3 * DAY)])
  await elif.add([pressure(121, 80, 6 * DAY), pressure(123, 78, 8 * DAY)])
  await chloe.add([pressure(118, 76, 20), pressure(121, 79, DAY)])
  await otto.add([pressure(160, 100, 15)])
  await long.add([pressure(117, 75, 15)])
  return { mia, jonas, ada, elif, chloe, otto }
}
