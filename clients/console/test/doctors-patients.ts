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

export const ESH: Aim = {
  readingType: 'bloodPressure',
  unit: 'mm[Hg]',
  expectEvery: 'P3D',
  fields: {
    systolic: { high: 135, actBelow: 90, actAbove: 180 },
    diastolic: { high: 85, actBelow: null, actAbove: 110 },
  },
}
export const GLUCOSE: Aim = {
  readingType: 'interstitialGlucose',
  unit: 'mmol/L',
  expectEvery: 'P1D',
  fields: {
    value: {
      low: 3.9,
      high: 10,
      farLow: 3,
      farHigh: 13.9,
      actBelow: null,
      actAbove: null,
      goals: { inRange: 0.7, below: 0.04, above: 0.25 },
    },
  },
}

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
  const doctor = await stage.clientOf(DOCTOR)
  for (const target of targets) await doctor.targets.set({ ...target, patientUid })
  return {
    client,
    add: (readings: Sent[]) => stage.add(readings.map((reading) => ({ ...reading, patientUid }) as Reading)),
    revoke: () => client.grants.revoke({ patientUid, doctorId: DOCTOR }),
  }
}

/** Some of each queue. Who looked is in Seen. */
export async function everyQueue(stage: Stage) {
  await fillDirectory(stage.ownerUrl, {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ doctorId: DOCTOR, name: 'Dr Willow Sample', specialities: ['Cardiology'], city: 'Pune' }],
  })
  const bruno = await sharing(
    stage,
    'patient-1',
    { sharedAs: 'Bruno Muster, born 1958', contact: '555 0142 mobile' },
    [ESH],
  )
  const mia = await sharing(stage, 'child-1', { sharedAs: 'Mia Example, born 2017' }, [GLUCOSE])
  const ada = await sharing(stage, 'patient-2', { sharedAs: 'Ada Example, born 1971' }, [ESH])
  const elif = await sharing(stage, 'patient-31', { sharedAs: 'Elif Probe, born 1949' }, [ESH])
  const chloe = await sharing(stage, 'patient-22', { sharedAs: 'Chloé Exemple, born 1990' }, [ESH])
  const jonas = await sharing(stage, 'patient-7', { sharedAs: 'Jonas Sample', permission: 'view' })
  const otto = await sharing(stage, 'patient-60', {})
  const long = await sharing(stage, 'patient-70', { sharedAs: `${'محمد مثال '.repeat(9)}طويل جدا` })
  await bruno.add([
    pressure(224, 126, 40),
    ...pressures(128, 79, 8),
    symptom('crushing chest pain', 'SEVERE', 20),
  ])
  await mia.add(Array.from({ length: 1_300 }, (_, index) => glucose(5 + (index % 12), 15 * index + 30)))
  await ada.add([...pressures(148, 82, 8), symptom('tired', 'MILD', DAY)])
  await elif.add([pressure(121, 80, 6 * DAY), pressure(123, 78, 8 * DAY)])
  await chloe.add(pressures(118, 76, 8))
  await jonas.add([pressure(178, 112, 5)])
  await otto.add([pressure(160, 100, 15)])
  await long.add([pressure(117, 75, 15)])
  return { bruno, mia, ada, elif, chloe, jonas, otto }
}

/** So many, two a day. */
const pressures = (systolic: number, diastolic: number, count: number) =>
  Array.from({ length: count }, (_, index) => pressure(systolic, diastolic, 90 + (index * DAY) / 2))

export const symptom = (words: string, severity: string, minutesAgo: number): Sent => ({
  readingType: 'symptom',
  timestamp: Date.now() - minutesAgo * MINUTE_MS,
  symptoms: [{ symptom: words, severity }],
})
