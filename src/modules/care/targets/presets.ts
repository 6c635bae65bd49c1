// Published limits that a form may offer beside each other, with their sources, and GET targets/presets. They only fill a form: none holds
// until an author has set it, and none is chosen in advance.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { notModified, withEtag } from '../../../http/answers/etag.ts'
import { checkFor, NoQuery } from '../../../http/json/validation.ts'
import { TargetFields } from './target.ts'

export const TargetPreset = Type.Object(
  {
    preset: Type.String({ description: 'Its name, for targets/set.' }),
    title: Type.String(),
    readingType: Type.String(),
    source: Type.Object({
      title: Type.String({ description: 'The publication that recommends it.' }),
      year: Type.Integer(),
      url: Type.String({ format: 'uri' }),
    }),
    remark: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What its author must know before choosing it; null for nothing.',
    }),
    units: Type.Record(Type.String(), TargetFields, {
      description:
        'What it fills in, in each unit in which it is published. Some have only act limits, which may be filled in beside a range.',
    }),
  },
  { $id: 'TargetPreset', additionalProperties: false },
)
export type TargetPreset = Static<typeof TargetPreset>

const SOURCES = {
  consensus: {
    title:
      'Clinical Targets for Continuous Glucose Monitoring Data Interpretation: Recommendations From the International ' +
      'Consensus on Time in Range',
    year: 2019,
    url: 'https://doi.org/10.2337/dci19-0028',
  },
  ada: {
    title: 'Glycemic Goals and Hypoglycemia: Standards of Care in Diabetes',
    year: 2024,
    url: 'https://doi.org/10.2337/dc24-S006',
  },
  esh: {
    title: '2023 ESH Guidelines for the management of arterial hypertension',
    year: 2023,
    url: 'https://doi.org/10.1097/HJH.0000000000003480',
  },
  acc: {
    title:
      '2017 ACC/AHA Guideline for the Prevention, Detection, Evaluation, and Management of High Blood Pressure in Adults',
    year: 2017,
    url: 'https://doi.org/10.1161/HYP.0000000000000065',
  },
  aha: {
    title:
      '2025 AHA/ACC Guideline for the Prevention, Detection, Evaluation and Management of High Blood Pressure in Adults',
    year: 2025,
    url: 'https://doi.org/10.1161/HYP.0000000000000249',
  },
  news: {
    title: 'National Early Warning Score (NEWS) 2',
    year: 2017,
    url: 'https://www.rcp.ac.uk/improving-care/resources/national-early-warning-score-news-2/',
  },
  nhs: {
    title: 'COVID-19 guidance note: COVID Oximetry @home',
    year: 2022,
    url: 'https://www.england.nhs.uk/coronavirus/documents/covid-19-standard-operating-procedure-covid-oximetry-home/',
  },
}

const SEVERE_REMARK =
  'Severe values are those of a clinic: no act limit for blood pressure at home is published. Choose between this and the other.'
const CONSENSUS_GOALS = { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25 }

export const PRESETS: readonly TargetPreset[] = [
  {
    preset: 'sensor-glucose',
    title: 'Sensor glucose with type 1 or type 2 diabetes, outside pregnancy',
    readingType: 'interstitialGlucose',
    source: SOURCES.consensus,
    remark: null,
    units: inBoth({ low: [70, 3.9], high: [180, 10], farLow: [54, 3], farHigh: [250, 13.9] }, (limits) => ({
      ...limits,
      goals: { ...CONSENSUS_GOALS, farAbove: 0.05 },
    })),
  },
  {
    preset: 'sensor-glucose-older',
    title: 'Sensor glucose of older people and those at high risk',
    readingType: 'interstitialGlucose',
    source: SOURCES.consensus,
    remark: null,
    units: inBoth({ low: [70, 3.9], high: [180, 10], farHigh: [250, 13.9] }, (limits) => ({
      ...limits,
      goals: { inRange: 0.5, below: 0.01, farAbove: 0.1 },
    })),
  },
  {
    preset: 'sensor-glucose-pregnancy',
    title: 'Sensor glucose in pregnancy with type 1 diabetes',
    readingType: 'interstitialGlucose',
    source: SOURCES.consensus,
    remark: 'Not for type 2 or gestational diabetes.',
    units: inBoth({ low: [63, 3.5], high: [140, 7.8], farLow: [54, 3] }, (limits) => ({
      ...limits,
      goals: CONSENSUS_GOALS,
    })),
  },
  {
    preset: 'finger-glucose',
    title: 'Finger glucose, with goals of sensors',
    readingType: 'bloodGlucose',
    source: SOURCES.consensus,
    remark:
      'The consensus is on shares of time. No share of single values is published, and these are often taken when something is felt.',
    units: inBoth({ low: [70, 3.9], high: [180, 10] }, (limits) => ({
      ...limits,
      goals: { inRange: 0.7, below: 0.04 },
    })),
  },
  {
    preset: 'finger-glucose-low',
    title: 'Act below level 2 of low glucose',
    readingType: 'bloodGlucose',
    source: SOURCES.ada,
    remark: null,
    units: inBoth({ actBelow: [54, 3] }, (limits) => limits),
  },
  {
    preset: 'home-blood-pressure-esh',
    title: 'Blood pressure at home, up to 135/85',
    readingType: 'bloodPressure',
    source: SOURCES.esh,
    remark: null,
    units: { 'mm[Hg]': { systolic: { high: 135 }, diastolic: { high: 85 } } },
  },
  {
    preset: 'home-blood-pressure-acc-aha',
    title: 'Blood pressure at home, up to 130/80',
    readingType: 'bloodPressure',
    source: SOURCES.acc,
    remark: null,
    units: { 'mm[Hg]': { systolic: { high: 130 }, diastolic: { high: 80 } } },
  },
  {
    preset: 'severe-blood-pressure-esh',
    title: 'Act above grade 3, 180/110',
    readingType: 'bloodPressure',
    source: SOURCES.esh,
    remark: SEVERE_REMARK,
    units: { 'mm[Hg]': { systolic: { actAbove: 180 }, diastolic: { actAbove: 110 } } },
  },
  {
    preset: 'severe-blood-pressure-aha-acc',
    title: 'Act above severe hypertension, 180/120',
    readingType: 'bloodPressure',
    source: SOURCES.aha,
    remark: SEVERE_REMARK,
    units: { 'mm[Hg]': { systolic: { actAbove: 180 }, diastolic: { actAbove: 120 } } },
  },
  {
    preset: 'low-blood-pressure-news2',
    title: 'Act below a systolic pressure of 91',
    readingType: 'bloodPressure',
    source: SOURCES.news,
    remark:
      'From a score for hospitals. Set it for one patient, not for all: it would list many who are well.',
    units: { 'mm[Hg]': { systolic: { actBelow: 91 } } },
  },
  {
    preset: 'oxygen-nhs-home',
    title: 'Act below an oxygen saturation of 93 %',
    readingType: 'oxygenSaturation',
    source: SOURCES.nhs,
    remark:
      'For Covid at home. Never for all: with COPD 88 to 92 % may be the aim. An oximeter that shows 90 % may mean 86 to 94 %.',
    units: { '%': { value: { actBelow: 93 } } },
  },
]

/** The same in mg/dL and mmol/L, each limit as it is published. */
function inBoth<Limits extends Record<string, [number, number]>>(
  limits: Limits,
  fieldFrom: (limits: { [Name in keyof Limits]: number }) => TargetPreset['units'][string][string],
): TargetPreset['units'] {
  const inUnit = (nth: 0 | 1) => {
    const entries = Object.entries(limits).map(([name, values]) => [name, values[nth]])
    return { value: fieldFrom(Object.fromEntries(entries) as { [Name in keyof Limits]: number }) }
  }
  return { 'mg/dL': inUnit(0), 'mmol/L': inUnit(1) }
}

const ANSWER = { code: 'Ok' as const, message: 'Presets obtained successfully.', data: [...PRESETS] }

export const PRESETS_ANSWER = withEtag(Buffer.from(JSON.stringify(ANSWER)))

export const listPresetsContract = {
  tags: ['care'],
  operationId: 'listTargetPresets',
  summary: 'Get the published limits that a form may offer',
  description:
    'Each with its source. None is applied by default, and none sets anything itself. Send the ETag of an earlier answer in ' +
    'If-None-Match: 304 says that nothing has changed.',
  querystring: NoQuery,
  response: {
    200: Type.Unsafe<string | Buffer>(
      Type.Object(
        {
          code: Type.Literal('Ok'),
          message: Type.String(),
          data: Type.Array(Type.Unsafe<TargetPreset>({ $ref: 'TargetPreset#' })),
        },
        { additionalProperties: false, description: 'All presets.', examples: [ANSWER] },
      ),
    ),
    304: notModified('The presets are those that If-None-Match names.'),
    ...errorAnswers(() => checkFor(NoQuery)({ limit: 20 })),
  },
}
