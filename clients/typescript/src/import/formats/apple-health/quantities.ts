// Which types of HealthKit are types of Rounds' catalogue, in which units. Values stay as they are written, but for fractions, which
// are percentages in Rounds, and metres.

type Scaled = { unit: string; factor: 1 | 100 }

export type AppleType = {
  readingType: string
  units: Readonly<Record<string, Scaled>>
  /** Counted over a time, which ends at the timestamp. */
  isOverTime?: true
}

const as = (unit: string, factor: 1 | 100 = 1): Scaled => ({ unit, factor })
const perMinute = { 'count/min': as('/min') }

const TYPES: Readonly<Record<string, AppleType>> = {
  HeartRate: { readingType: 'heartRate', units: perMinute },
  RestingHeartRate: { readingType: 'restingHeartRate', units: perMinute },
  RespiratoryRate: { readingType: 'respiratoryRate', units: perMinute },
  OxygenSaturation: { readingType: 'oxygenSaturation', units: { '%': as('%', 100) } },
  BodyTemperature: { readingType: 'bodyTemperature', units: { degC: as('Cel'), degF: as('[degF]') } },
  BloodGlucose: {
    readingType: 'bloodGlucose',
    units: { 'mg/dL': as('mg/dL'), 'mmol/L': as('mmol/L'), 'mmol<180.1558800000541>/L': as('mmol/L') },
  },
  BodyMass: { readingType: 'bodyWeight', units: { kg: as('kg'), g: as('g'), lb: as('[lb_av]') } },
  Height: { readingType: 'bodyHeight', units: { cm: as('cm'), in: as('[in_i]'), m: as('cm', 100) } },
  BodyMassIndex: { readingType: 'bodyMassIndex', units: { count: as('kg/m2') } },
  BodyFatPercentage: { readingType: 'bodyFat', units: { '%': as('%', 100) } },
  WaistCircumference: { readingType: 'waistCircumference', units: { cm: as('cm'), m: as('cm', 100) } },
  StepCount: { readingType: 'stepCount', units: { count: as('{steps}') }, isOverTime: true },
  // HealthKit's Cal is the large calorie.
  ActiveEnergyBurned: {
    readingType: 'activeEnergy',
    units: { kcal: as('kcal'), Cal: as('kcal') },
    isOverTime: true,
  },
  HeartRateVariabilitySDNN: { readingType: 'heartRateVariabilitySdnn', units: { ms: as('ms') } },
  PeakExpiratoryFlowRate: { readingType: 'peakExpiratoryFlow', units: { 'L/min': as('L/min') } },
  ForcedExpiratoryVolume1: { readingType: 'fev1', units: { L: as('L') } },
  ForcedVitalCapacity: { readingType: 'forcedVitalCapacity', units: { L: as('L') } },
}

const PREFIX = /^HK(?:Quantity|Category|Correlation|Data)TypeIdentifier/

/** Without what all names begin with. */
export const shortName = (type: string) => type.replace(PREFIX, '')

export function appleTypeOf(name: string): AppleType | undefined {
  return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
}

/** A number as it is written, times the factor; without the error in the last digit that 0.57 × 100 would have. */
export function scaledNumber(text: string | undefined, factor: 1 | 100): number | undefined {
  if (text === undefined || !/^-?\d{1,15}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined
  return factor === 1 ? Number(text) : Number((Number(text) * factor).toPrecision(15))
}
