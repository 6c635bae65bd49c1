// The catalogue of reading types: the one place that says what a type's fields, units, codes and ranges are. Checks, the
// OpenAPI document, `GET readings/types`, statistics and the simulator all come from it. Ranges are deliberately wide and
// are not clinical advice: outside `possible` a number is refused; outside `plausible` a form asks
// the person who typed it. `plausible` is no reference range: it is never drawn, and a value within it may be deadly. Units are UCUM.
// LOINC codes are used with attribution (see NOTICE).
import type { Unit } from './units.ts'

export type Limits = readonly [least: number, most: number]

/** A measured number, in the type's unit unless it has one of its own. */
export type Quantity = {
  possible: Limits
  plausible?: Limits
  unit?: Unit
  loinc?: string
  isWhole?: true
  below?: string // another number of the same reading
  isOptional?: true
}

/** What may stand beside the numbers. A `note` is a text, a number or yes or no, as the device has it. */
export type Note = 'note' | 'time' | readonly string[]

export type CatalogueType = {
  /** The first is meant where a reading names none; of a type with several, only readings stored before `unit` was required. */
  units: readonly [Unit, ...Unit[]]
  /** One for the type, or one for each unit in their order. */
  loinc: readonly string[]
  quantities: Readonly<Record<string, Quantity>>
  notes?: Readonly<Record<string, Note>>
  example: Readonly<Record<string, unknown>>
}

const value = (possible: Limits, plausible?: Limits): CatalogueType['quantities'] => ({
  value: plausible ? { possible, plausible } : { possible },
})
const minutes: Quantity = { possible: [0, 1_440], isOptional: true }

const TYPES = {
  heartRate: {
    units: ['/min'],
    loinc: ['8867-4'],
    quantities: value([1, 350], [25, 240]),
    notes: { context: 'note' },
    example: { value: 72, context: 'resting' },
  },
  restingHeartRate: {
    units: ['/min'],
    loinc: ['40443-4'],
    quantities: value([1, 300], [30, 130]),
    example: { value: 61 },
  },
  bloodPressure: {
    units: ['mm[Hg]'],
    loinc: ['85354-9'],
    quantities: {
      systolic: { possible: [20, 350], plausible: [60, 260], loinc: '8480-6' },
      diastolic: { possible: [10, 250], plausible: [30, 160], loinc: '8462-4', below: 'systolic' },
      pulse: { possible: [1, 350], plausible: [25, 240], unit: '/min', loinc: '8867-4', isOptional: true },
    },
    notes: { position: 'note', site: 'note' },
    example: { systolic: 128, diastolic: 82, pulse: 70, position: 'sitting' },
  },
  meanArterialPressure: {
    units: ['mm[Hg]'],
    loinc: ['8478-0'],
    quantities: value([10, 300], [40, 180]),
    example: { value: 93 },
  },
  oxygenSaturation: {
    units: ['%'],
    loinc: ['59408-5'],
    quantities: value([0, 100], [70, 100]),
    notes: { supplementalOxygen: 'note' },
    example: { value: 97, supplementalOxygen: false },
  },
  bodyTemperature: {
    units: ['Cel', '[degF]'],
    loinc: ['8310-5'],
    quantities: value([20, 46], [33, 42.5]),
    notes: { site: 'note' },
    example: { value: 36.8, unit: 'Cel', site: 'ear' },
  },
  respiratoryRate: {
    units: ['/min'],
    loinc: ['9279-1'],
    quantities: value([0, 150], [6, 60]),
    example: { value: 16 },
  },
  bloodGlucose: {
    units: ['mmol/L', 'mg/dL'],
    loinc: ['15074-8', '41653-7'],
    quantities: value([0, 55], [2.2, 33.3]),
    notes: { mealContext: 'note', specimen: 'note' },
    example: { value: 104, unit: 'mg/dL', mealContext: 'fasting' },
  },
  interstitialGlucose: {
    units: ['mmol/L', 'mg/dL'],
    loinc: ['105272-9', '99504-3'],
    quantities: value([0, 55], [2.2, 22.2]),
    notes: { trend: 'note', outOfRange: ['low', 'high'] },
    example: { value: 6.1, unit: 'mmol/L', trend: 'rising' },
  },
  bloodKetone: {
    units: ['mmol/L'],
    loinc: ['53060-9'],
    quantities: value([0, 10], [0, 6]),
    example: { value: 0.4 },
  },
  bodyWeight: {
    units: ['kg', 'g', '[lb_av]'],
    loinc: ['29463-7'],
    quantities: value([0.2, 700], [2, 300]),
    example: { value: 71.4, unit: 'kg' },
  },
  bodyHeight: {
    units: ['cm', '[in_i]'],
    loinc: ['8302-2'],
    quantities: value([10, 300], [40, 230]),
    example: { value: 172, unit: 'cm' },
  },
  bodyMassIndex: {
    units: ['kg/m2'],
    loinc: ['39156-5'],
    quantities: value([5, 200], [10, 70]),
    example: { value: 24.1 },
  },
  headCircumference: {
    units: ['cm'],
    loinc: ['9843-4'],
    quantities: value([10, 100], [25, 65]),
    example: { value: 38.5 },
  },
  bodyFat: { units: ['%'], loinc: ['41982-0'], quantities: value([0, 100], [3, 65]), example: { value: 22 } },
  waistCircumference: {
    units: ['cm'],
    loinc: ['8280-0'],
    quantities: value([10, 400], [40, 200]),
    example: { value: 88 },
  },
  stepCount: {
    units: ['{steps}'],
    loinc: ['55423-8'],
    quantities: value([0, 1_000_000], [0, 60_000]),
    notes: { startedAt: 'time' },
    example: { value: 4_210, startedAt: 1_761_955_200 },
  },
  activeEnergy: {
    units: ['kcal'],
    loinc: ['41981-2'],
    quantities: value([0, 50_000], [0, 8_000]),
    notes: { startedAt: 'time' },
    example: { value: 310, startedAt: 1_761_955_200 },
  },
  heartRateVariabilitySdnn: {
    units: ['ms'],
    loinc: ['80404-7'],
    quantities: value([0, 1_000], [5, 250]),
    example: { value: 48 },
  },
  // No LOINC code: 80404-7 is SDNN and must never stand here.
  heartRateVariabilityRmssd: {
    units: ['ms'],
    loinc: [],
    quantities: value([0, 1_000], [3, 250]),
    example: { value: 39 },
  },
  peakExpiratoryFlow: {
    units: ['L/min'],
    loinc: ['19935-6'],
    quantities: value([0, 1_000], [60, 800]),
    example: { value: 430 },
  },
  fev1: { units: ['L'], loinc: ['20150-9'], quantities: value([0, 10], [0.3, 7]), example: { value: 3.1 } },
  forcedVitalCapacity: {
    units: ['L'],
    loinc: ['19870-5'],
    quantities: value([0, 12], [0.3, 8]),
    example: { value: 4.2 },
  },
  sleep: {
    units: ['min'],
    loinc: ['93832-4'],
    quantities: {
      ...value([0, 1_440], [0, 960]),
      deep: minutes,
      light: minutes,
      rem: minutes,
      awake: minutes,
    },
    notes: { startedAt: 'time' },
    example: { value: 432, deep: 80, rem: 95, startedAt: 1_761_955_200 },
  },
  painScore: {
    units: ['{score}'],
    loinc: ['72514-3'],
    quantities: { value: { possible: [0, 10], isWhole: true } },
    notes: { site: 'note' },
    example: { value: 4, site: 'lower back' },
  },
} as const satisfies Readonly<Record<string, CatalogueType>>

/** A table with an entry for each name does not compile without one for a type that was added. */
export type CatalogueName = keyof typeof TYPES
const isCatalogueName = (name: string): name is CatalogueName => Object.hasOwn(TYPES, name)
export const CATALOGUE_NAMES: readonly CatalogueName[] = Object.keys(TYPES).filter(isCatalogueName)

/** By any name, which may be none of the catalogue's. */
export const CATALOGUE: Readonly<Record<CatalogueName, CatalogueType> & Record<string, CatalogueType>> = TYPES
