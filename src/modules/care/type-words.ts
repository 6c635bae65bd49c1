// What people call types and units.
/** Types whose names do not say it. */
const NAMES: Record<string, string> = {
  interstitialGlucose: 'sensor glucose',
  respiratoryRate: 'breathing rate',
  bloodKetone: 'blood ketones',
  stepCount: 'steps',
  heartRateVariabilitySdnn: 'heart rate variability (SDNN)',
  heartRateVariabilityRmssd: 'heart rate variability (RMSSD)',
  peakExpiratoryFlow: 'peak flow',
  fev1: 'FEV1',
  painScore: 'pain score',
}

const UNITS: Record<string, string> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
  '{score}': '',
  '{steps}': '',
  'kg/m2': 'kg/m²',
  '1': '',
}

export const nameOfType = (readingType: string) =>
  NAMES[readingType] ?? readingType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** To be written right behind a number. */
export const unitText = (unit: string) => {
  const shown = UNITS[unit] ?? unit
  return shown === '' ? '' : shown === '%' ? ' %' : shown.startsWith('/') ? shown : ` ${shown}`
}
