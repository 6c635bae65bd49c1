// What people call the types and fields of readings.
const NAMES: Record<string, string> = {
  symptom: 'Symptoms',
  note: 'Notes',
  heartRate: 'Heart rate',
  restingHeartRate: 'Resting heart rate',
  bloodPressure: 'Blood pressure',
  meanArterialPressure: 'Mean arterial pressure',
  oxygenSaturation: 'Oxygen saturation',
  bodyTemperature: 'Body temperature',
  respiratoryRate: 'Breathing rate',
  bloodGlucose: 'Blood glucose',
  interstitialGlucose: 'Sensor glucose',
  bloodKetone: 'Blood ketones',
  bodyWeight: 'Body weight',
  bodyHeight: 'Body height',
  bodyMassIndex: 'Body mass index',
  headCircumference: 'Head circumference',
  bodyFat: 'Body fat',
  waistCircumference: 'Waist circumference',
  stepCount: 'Steps',
  activeEnergy: 'Active energy',
  heartRateVariabilitySdnn: 'Heart rate variability (SDNN)',
  heartRateVariabilityRmssd: 'Heart rate variability (RMSSD)',
  peakExpiratoryFlow: 'Peak flow',
  fev1: 'FEV1',
  forcedVitalCapacity: 'Forced vital capacity',
  sleep: 'Sleep',
  painScore: 'Pain',
  value: 'Value',
  rem: 'REM sleep',
  deep: 'Deep sleep',
  light: 'Light sleep',
  awake: 'Awake',
  startedAt: 'Started',
  outOfRange: 'Out of the sensor’s range',
  mealContext: 'Meal',
}

/** Of a type or a field. One that nobody named is shown as its device wrote it, in words where it is camelCase. */
export function nameOf(word: string): string {
  const known = Object.hasOwn(NAMES, word) ? NAMES[word] : undefined
  if (known !== undefined) return known
  if (!/^[a-z]+([A-Z][a-z]+)*$/.test(word)) return word
  const words = word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The same within a sentence: "heart rate", but "FEV1". */
export function nameWithin(word: string): string {
  const name = nameOf(word)
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}
