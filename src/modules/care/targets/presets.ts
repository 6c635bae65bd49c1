// Published targets that a person may choose, and GET targets/presets. None of them holds for a patient until somebody sets it.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { notModified, withEtag } from '../../../http/answers/etag.ts'
import { checkFor, NoQuery } from '../../../http/json/validation.ts'
import { BOUNDS } from './target.ts'

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
    units: Type.Record(Type.String(), Type.Array(Type.Object({ field: Type.String(), ...BOUNDS })), {
      description: 'What it sets, in each unit in which it is published.',
    }),
  },
  { $id: 'TargetPreset', additionalProperties: false },
)
export type TargetPreset = Static<typeof TargetPreset>

const between = (field: string, low: number, high: number) => ({ field, low, high, below: null })
const below = (field: string, value: number) => ({ field, low: null, high: null, below: value })

export const PRESETS: readonly TargetPreset[] = [
  {
    preset: 'sensor-glucose',
    title: 'Sensor glucose with type 1 or type 2 diabetes, outside pregnancy',
    readingType: 'interstitialGlucose',
    source: {
      title:
        'Clinical Targets for Continuous Glucose Monitoring Data Interpretation: Recommendations From the International ' +
        'Consensus on Time in Range',
      year: 2019,
      url: 'https://doi.org/10.2337/dci19-0028',
    },
    units: { 'mg/dL': [between('value', 70, 180)], 'mmol/L': [between('value', 3.9, 10)] },
  },
  {
    preset: 'home-blood-pressure-esh',
    title: 'Blood pressure at home, below 135/85',
    readingType: 'bloodPressure',
    source: {
      title: '2023 ESH Guidelines for the management of arterial hypertension',
      year: 2023,
      url: 'https://doi.org/10.1097/HJH.0000000000003480',
    },
    units: { 'mm[Hg]': [below('systolic', 135), below('diastolic', 85)] },
  },
  {
    preset: 'home-blood-pressure-acc-aha',
    title: 'Blood pressure at home, below 130/80',
    readingType: 'bloodPressure',
    source: {
      title:
        '2017 ACC/AHA Guideline for the Prevention, Detection, Evaluation, and Management of High Blood Pressure in Adults',
      year: 2017,
      url: 'https://doi.org/10.1161/HYP.0000000000000065',
    },
    units: { 'mm[Hg]': [below('systolic', 130), below('diastolic', 80)] },
  },
]

const ANSWER = { code: 'Ok' as const, message: 'Presets obtained successfully.', data: [...PRESETS] }

export const PRESETS_ANSWER = withEtag(Buffer.from(JSON.stringify(ANSWER)))

export const listPresetsContract = {
  tags: ['care'],
  operationId: 'listTargetPresets',
  summary: 'Get the published targets that a person may choose',
  description:
    'Each with its source. None is applied by default. Send the ETag of an earlier answer in If-None-Match: 304 says that ' +
    'nothing has changed.',
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
