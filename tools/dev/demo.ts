// `rounds dev --demo`: the readings of tools/simulate/demo-readings.ts, sent as the people's own phones would, one of them
// withdrawn by staff, who have also looked at the patients, so that the access log has something to say. The patients share
// with the doctor of the sample directory who can sign in, who has set targets for all of them and for some, and has looked at two.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createRoundsClient,
  type Reading,
  type RoundsClient,
  type TargetToSet,
} from '../../clients/typescript/src/client.ts'
import { demoReadings } from '../simulate/demo-readings.ts'
import { DAY_MS } from '../simulate/patient.ts'
import { requestToken, type TokenHolder, type TokenSource } from './request-token.ts'

const SEED = 16
const READINGS_PER_REQUEST = 1_000
const STAFF = 'kim-sample'
export const DOCTOR = 'dr-willow-sample'

export type Demo = {
  appointmentsUrl: string
  casesheetUrl: string
  /** Where targets are set, unless the process serves none. */
  careUrl: string | undefined
  issuer: TokenSource
  now: number
  stopping: AbortSignal
}

/** Returns how many there are. */
export async function addDemoReadings(demo: Demo): Promise<number> {
  const { issuer, now, appointmentsUrl, casesheetUrl, careUrl, stopping: signal } = demo
  const urls = { appointmentsUrl, casesheetUrl, careUrl }
  const clientOf: ClientOf = async (holder) =>
    createRoundsClient({ ...urls, token: await requestToken(issuer, holder) })
  const localMs = -new Date(now).getTimezoneOffset() * 60_000
  const { readings, mistaken } = demoReadings({ seed: SEED, now, localMs })
  const readingsOf = Map.groupBy(readings, ({ patientUid }) => patientUid)
  const addAll = async ({ patientUid, by }: Shared) => {
    const client = await clientOf(holderOf(patientUid, by))
    for (const list of listsOf(readingsOf.get(patientUid) ?? [])) await client.addReadings(list, { signal })
  }
  await Promise.all(SHARED.map(addAll))

  const staff = await clientOf({ person: STAFF })
  await withdraw(staff, mistaken, signal)
  for (const { patientUid, by } of SHARED) if (by) await staff.latestReadings({ patientUid }, { signal })
  const week = { from: now - 7 * DAY_MS, to: now, readingType: ['bloodPressure'] }
  await staff.getReadings({ patientUid: mistaken.patientUid, ...week }, { signal })
  await shareWithDoctor(clientOf, { now, setsTargets: careUrl !== undefined }, signal)
  return readings.length
}

type ClientOf = (holder: TokenHolder) => Promise<RoundsClient>

type Shared = {
  patientUid: string
  /** Who of the sign-in page adds their readings; by default they themselves, who do not sign in. */
  by?: string
  sharedAs: string
  /** `manage` by default. */
  permission?: 'view' | 'manage'
  readingTypes?: string[]
  /** For how many days it is shared; by default until it is revoked. */
  days?: number
  /** What the doctor sets. */
  targets?: Omit<TargetToSet, 'patientUid'>[]
}

/** Invented choices of this doctor, no advice. */
const PRESSURE = {
  readingType: 'bloodPressure',
  expectEvery: 'P3D',
  preset: 'home-blood-pressure-esh',
  fields: {
    systolic: { high: 135, actBelow: null, actAbove: 180 },
    diastolic: { high: 85, actBelow: null, actAbove: 110 },
  },
}
const SENSOR = { readingType: 'interstitialGlucose', expectEvery: 'P1D', preset: 'sensor-glucose' }
const goals = { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25, farAbove: 0.05 }
/** What the doctor sets for all who share with `manage`. */
const FOR_ALL: TargetToSet[] = [
  PRESSURE,
  {
    ...SENSOR,
    unit: 'mg/dL',
    fields: {
      value: { low: 70, high: 180, farLow: 54, farHigh: 250, actBelow: null, actAbove: null, goals },
    },
  },
]

/** How each patient appears to the doctor. The story of each is in tools/simulate/demo-patients.ts. */
const SHARED: Shared[] = [
  {
    patientUid: 'patient-1',
    by: 'ada-example',
    sharedAs: 'Ada Example, born 1971',
    days: 30,
    targets: [{ ...PRESSURE, label: 'Agreed in October' }],
  },
  {
    patientUid: 'child-1',
    by: 'robin-example',
    sharedAs: 'Mia Example, born 2017',
    readingTypes: ['bodyTemperature', 'heartRate', 'interstitialGlucose'],
    targets: [
      {
        ...SENSOR,
        unit: 'mmol/L',
        fields: {
          value: { low: 3.9, high: 10, farLow: 3, farHigh: 13.9, actBelow: null, actAbove: 20, goals },
        },
        label: 'Pump: call above 20',
      },
    ],
  },
  { patientUid: 'child-2', by: 'robin-example', sharedAs: 'Leo Example, born 2019', permission: 'view' },
  { patientUid: 'patient-2', sharedAs: 'Bruno Muster, born 1958' },
  { patientUid: 'patient-3', sharedAs: 'Clara Probe, born 1994' },
  { patientUid: 'patient-4', sharedAs: 'Dario Specimen, born 1983' },
  { patientUid: 'patient-5', sharedAs: 'Edda Sample, born 2001' },
  { patientUid: 'patient-6', sharedAs: 'Finn Muster, born 1949' },
  { patientUid: 'patient-7', sharedAs: 'Greta Example, born 1966' },
  {
    patientUid: 'patient-8',
    sharedAs: 'Hugo Probe, born 1944',
    targets: [
      {
        readingType: 'bodyWeight',
        expectEvery: 'P3D',
        unit: 'kg',
        fields: { value: { low: 79, high: 83, actBelow: null, actAbove: null } },
        label: 'Without oedema',
      },
    ],
  },
  { patientUid: 'patient-9', sharedAs: 'Ines Specimen, born 1988' },
  { patientUid: 'patient-10', sharedAs: 'Jona Sample, born 1975' },
  { patientUid: 'patient-11', sharedAs: 'Kira Example, born 1990' },
  { patientUid: 'patient-12', sharedAs: 'Lars Muster, born 1962' },
  { patientUid: 'patient-13', sharedAs: 'Mona Probe, born 1979' },
]

/** Whom the doctor has looked at, for what, and in how many days again. */
const LOOKED_AT = [
  { patientUid: 'patient-4', for: 'goal', note: 'Eats late after work. Insulin changed today.', days: 14 },
  {
    patientUid: 'patient-10',
    for: 'mean',
    note: 'Called: new tablets since Monday.',
    days: 28,
  },
] as const

const holderOf = (patientUid: string, by: string | undefined): TokenHolder =>
  by === undefined ? { patientUids: [patientUid] } : { person: by }

/** A directory that was there before has no such doctor. */
async function shareWithDoctor(
  clientOf: ClientOf,
  { now, setsTargets }: { now: number; setsTargets: boolean },
  signal: AbortSignal,
) {
  const doctor = await clientOf({ person: DOCTOR })
  const { data: doctors } = await doctor.listDoctors({ doctorId: [DOCTOR] }, { signal })
  if (doctors.length === 0) return
  const share = async ({ patientUid, by, days, targets = [], permission = 'manage', ...terms }: Shared) => {
    const client = await clientOf(holderOf(patientUid, by))
    const until = days && { validUntil: new Date(now + days * DAY_MS).toISOString() }
    await client.grants.add({ patientUid, doctorId: DOCTOR, permission, ...terms, ...until }, { signal })
    if (!setsTargets) return
    for (const target of targets) await doctor.targets.set({ patientUid, ...target }, { signal })
  }
  await Promise.all(SHARED.map(share))
  if (!setsTargets) return
  for (const target of FOR_ALL) await doctor.targets.set(target, { signal })
  const ada = await clientOf({ person: 'ada-example' })
  const weight = {
    readingType: 'bodyWeight',
    unit: 'kg',
    fields: { value: { low: 69, high: 74 } },
    label: 'My goal',
  }
  await ada.targets.set({ patientUid: 'patient-1', ...weight }, { signal })
  for (const look of LOOKED_AT) {
    const { patientUid, note, days } = look
    const shown = await untilListed(doctor, look, signal)
    const lookAgainAt = new Date(now + days * DAY_MS).toISOString()
    const about = { patientUid, note, visibleTo: 'patient' as const, lookAgainAt }
    await doctor.reviews.add({ ...about, ...shown, reviewId: randomUUID() }, { signal })
  }
}

/** What a look at the patient sends back, once the list has the reason. */
async function untilListed(
  doctor: RoundsClient,
  { patientUid, for: code }: (typeof LOOKED_AT)[number],
  signal: AbortSignal,
) {
  for (let attempt = 0; attempt < 240; attempt++) {
    const { data } = await doctor.myPatients.list({ patientUid }, { signal })
    const listed = data.find(({ reasons }) => reasons.some((reason) => reason.code === code))
    if (listed) return listed.look
    await pause(250, undefined, { signal })
  }
  throw new Error(`After a minute ${patientUid} was not in the list for a ${code}.`)
}

async function withdraw(
  staff: RoundsClient,
  { patientUid, readingType, timestamp }: Reading,
  signal: AbortSignal,
) {
  const { data } = await staff.getReadings(
    { patientUid, readingType: [readingType], from: timestamp, to: timestamp },
    { signal },
  )
  for (const { readingId } of data) {
    const reason = 'Typed in pounds instead of kilograms'
    await staff.withdrawReading({ patientUid, readingId, timestamp, reason }, { signal })
  }
}

function listsOf(readings: Reading[]): Reading[][] {
  const count = Math.ceil(readings.length / READINGS_PER_REQUEST)
  return Array.from({ length: count }, (_, index) =>
    readings.slice(index * READINGS_PER_REQUEST, (index + 1) * READINGS_PER_REQUEST),
  )
}
