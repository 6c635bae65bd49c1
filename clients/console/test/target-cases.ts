// Values against targets, by hand: each in the unit of the target, one that had to be converted rounded to what is displayed of it.
import type { Place } from '../src/care/in-target.ts'

type Case = [
  readingType: string,
  value: number,
  unit: string,
  bounds: { low?: number; high?: number },
  targetUnit: string,
  place: Place,
]

const RANGE = { low: 70, high: 180 }
const SAME = { low: 3.9, high: 10 }

export const TARGET_CASES: readonly Case[] = [
  ['interstitialGlucose', 70, 'mg/dL', RANGE, 'mg/dL', 'in'],
  ['interstitialGlucose', 69, 'mg/dL', RANGE, 'mg/dL', 'below'],
  ['interstitialGlucose', 69.9, 'mg/dL', RANGE, 'mg/dL', 'below'],
  ['interstitialGlucose', 180, 'mg/dL', RANGE, 'mg/dL', 'in'],
  ['interstitialGlucose', 180.4, 'mg/dL', RANGE, 'mg/dL', 'above'],
  // 180.156 mg/dL, and 181.96.
  ['interstitialGlucose', 10, 'mmol/L', RANGE, 'mg/dL', 'in'],
  ['interstitialGlucose', 10.1, 'mmol/L', RANGE, 'mg/dL', 'above'],
  // 70.26, and 68.46.
  ['interstitialGlucose', 3.9, 'mmol/L', RANGE, 'mg/dL', 'in'],
  ['interstitialGlucose', 3.8, 'mmol/L', RANGE, 'mg/dL', 'below'],
  // 3.8855 and 9.9913 mmol/L, 10.0468, and 3.83.
  ['interstitialGlucose', 70, 'mg/dL', SAME, 'mmol/L', 'in'],
  ['interstitialGlucose', 180, 'mg/dL', SAME, 'mmol/L', 'in'],
  ['interstitialGlucose', 181, 'mg/dL', SAME, 'mmol/L', 'in'],
  ['interstitialGlucose', 182, 'mg/dL', SAME, 'mmol/L', 'above'],
  ['interstitialGlucose', 69, 'mg/dL', SAME, 'mmol/L', 'below'],
  ['oxygenSaturation', 92, '%', { low: 92 }, '%', 'in'],
  ['oxygenSaturation', 91.9, '%', { low: 92 }, '%', 'below'],
  ['oxygenSaturation', 100, '%', { low: 92 }, '%', 'in'],
  // 38.0 and 38.06 are 38.0 and 38.1; 99.05 °F is 37.25 °C, which is rounded up.
  ['bodyTemperature', 100.4, '[degF]', { high: 38 }, 'Cel', 'in'],
  ['bodyTemperature', 100.5, '[degF]', { high: 38 }, 'Cel', 'above'],
  ['bodyTemperature', 99.05, '[degF]', { high: 37.2 }, 'Cel', 'above'],
  ['bodyTemperature', 37.25, 'Cel', { high: 37.2 }, 'Cel', 'above'],
  // 70.05 kg is 70.1; 154.4 lb are 70.03 kg.
  ['bodyWeight', 70_050, 'g', { high: 70 }, 'kg', 'above'],
  ['bodyWeight', 70_049, 'g', { high: 70 }, 'kg', 'in'],
  ['bodyWeight', 154.4, '[lb_av]', { high: 70 }, 'kg', 'in'],
  ['bodyWeight', 70, 'kg', { high: 154.3 }, '[lb_av]', 'in'],
]
