// What each type of the catalogue is in FHIR: the category, the profiles that its Observations fulfil, and the codes, which
// come from the catalogue. The category decides which Observations `category=…` finds.
import { CATALOGUE, CATALOGUE_NAMES, type CatalogueName } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import type { Coding } from '../resources.ts'
import { LOINC, READING_TYPE } from '../systems.ts'

type Category = 'vital-signs' | 'laboratory' | 'activity' | 'procedure' | 'survey'

export type TypeMapping = {
  category: Category
  profiles: readonly string[]
  /** The codes of a reading in this unit: those of LOINC, then that of Rounds. */
  codingsIn: (unit: Unit | undefined) => Coding[]
}

const PROFILE = 'http://hl7.org/fhir/StructureDefinition/'
const VITAL_SIGNS = `${PROFILE}vitalsigns`

/** The category of each type, and the vital-signs profile of R4 that is made for it, if any. */
const FORMS: Readonly<Record<CatalogueName, { category: Category; profile?: string }>> = {
  heartRate: { category: 'vital-signs', profile: 'heartrate' },
  restingHeartRate: { category: 'vital-signs' },
  bloodPressure: { category: 'vital-signs', profile: 'bp' },
  meanArterialPressure: { category: 'vital-signs' },
  oxygenSaturation: { category: 'vital-signs', profile: 'oxygensat' },
  bodyTemperature: { category: 'vital-signs', profile: 'bodytemp' },
  respiratoryRate: { category: 'vital-signs', profile: 'resprate' },
  bloodGlucose: { category: 'laboratory' },
  interstitialGlucose: { category: 'laboratory' },
  bloodKetone: { category: 'laboratory' },
  bodyWeight: { category: 'vital-signs', profile: 'bodyweight' },
  bodyHeight: { category: 'vital-signs', profile: 'bodyheight' },
  bodyMassIndex: { category: 'vital-signs', profile: 'bmi' },
  headCircumference: { category: 'vital-signs', profile: 'headcircum' },
  bodyFat: { category: 'vital-signs' },
  waistCircumference: { category: 'vital-signs' },
  stepCount: { category: 'activity' },
  activeEnergy: { category: 'activity' },
  heartRateVariabilitySdnn: { category: 'procedure' },
  heartRateVariabilityRmssd: { category: 'procedure' },
  peakExpiratoryFlow: { category: 'procedure' },
  fev1: { category: 'procedure' },
  forcedVitalCapacity: { category: 'procedure' },
  sleep: { category: 'activity' },
  painScore: { category: 'survey' },
}

/**
 * The profile of oxygen saturation wants this code beside the one of pulse oximetry. Alone it may be a blood gas, so it does
 * not say that an Observation is of this type.
 */
export const BLOOD_OXYGEN_LOINC = '2708-6'
const FURTHER_LOINC: Readonly<Record<string, readonly string[]>> = { oxygenSaturation: [BLOOD_OXYGEN_LOINC] }

/** By the guide for symptoms of HL7 (FHIR R4 Symptoms 1.0.0), which asks for a component and against an interpretation. */
export const SYMPTOM_LOINC = '75325-1'
export const SEVERITY_LOINC = '64750-3'

function mappingOf(readingType: CatalogueName): TypeMapping {
  const form = FORMS[readingType]
  const profiles = form.profile ? [`${PROFILE}${form.profile}`] : []
  if (form.category === 'vital-signs') profiles.unshift(VITAL_SIGNS)
  const codingsOf = (codes: readonly string[]) => [
    ...codes.map((code) => ({ system: LOINC, code })),
    { system: READING_TYPE, code: readingType },
  ]
  const { units, loinc } = CATALOGUE[readingType]
  const all = codingsOf([...(FURTHER_LOINC[readingType] ?? []), ...loinc])
  // Where each unit has a code of its own, a reading has that of its unit.
  const byUnit =
    loinc.length > 1
      ? new Map(units.map((unit, index) => [unit, codingsOf([loinc[index] ?? ''])]))
      : undefined
  return { ...form, profiles, codingsIn: (unit) => byUnit?.get(unit ?? units[0]) ?? all }
}

export const TYPE_MAPPINGS: ReadonlyMap<string, TypeMapping> = new Map([
  ...CATALOGUE_NAMES.map((name) => [name, mappingOf(name)] as const),
  [
    'symptom',
    {
      category: 'survey',
      profiles: [],
      codingsIn: () => [
        { system: LOINC, code: SYMPTOM_LOINC },
        { system: READING_TYPE, code: 'symptom' },
      ],
    },
  ],
  ['note', { category: 'survey', profiles: [], codingsIn: () => [{ system: READING_TYPE, code: 'note' }] }],
])

/** Which type a code of LOINC stands for. */
export const TYPE_OF_LOINC: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CATALOGUE).flatMap(([readingType, { loinc }]) =>
    loinc.map((code) => [code, readingType] as const),
  ),
  [SYMPTOM_LOINC, 'symptom'],
])

/** The types whose Observations may have a period: those of the catalogue with `startedAt`. */
export const PERIOD_TYPES: readonly string[] = Object.entries(CATALOGUE)
  .filter(([, { notes }]) => notes?.['startedAt'] === 'time')
  .map(([readingType]) => readingType)
