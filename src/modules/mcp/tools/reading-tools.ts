// Tools that read the readings of one patient: latest_readings, get_readings, reading_statistics; and list_reading_types.
import { Type } from 'typebox'
import { limitParameter } from '../../../http/pages.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { GetQuery, rangeOf } from '../../casesheet/get/get-readings.ts'
import { printReading } from '../../casesheet/get/print-readings.ts'
import { cursorOf } from '../../casesheet/get/range.ts'
import { positionAt } from '../../casesheet/get/read-page.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import { latestContract } from '../../casesheet/latest/latest-readings.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { createReadingStatistics } from '../../casesheet/statistics/reading-statistics.ts'
import { statisticsContract } from '../../casesheet/statistics/statistics-contract.ts'
import { answerOf, answerSchema, fittingOf, leftOutOf } from './answer-as-data.ts'
import { callFor, defineTool, epochOf, Instant, readArguments, type Tool, timesIn } from './tool.ts'

const MAX_READINGS = 200
const DEFAULT_READINGS = 100
// Of stored readings. What an answer holds takes about twice as much.
const MAX_PAGE_BYTES = 40 * 1_024
/** As many types as latest_readings takes. */
const MAX_TYPES_ASKED = 50
const MAX_TYPE_BYTES = 70

const PatientUid = Type.String({ description: 'Whose data it is.' })

const Readings = Type.Array(
  Type.Object(
    {
      readingType: Type.String(),
      measuredAt: Type.String({ description: 'In UTC.' }),
      receivedAt: Type.String({ description: 'In UTC.' }),
      readingId: Type.String(),
    },
    { additionalProperties: true },
  ),
  { description: 'Readings, each with its fields as they were stored.' },
)

const Units = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
  description:
    'For each type of the catalogue: the UCUM units of its numbers in readings that name no unit themselves.',
})

const READINGS_ANSWER = {
  patientUid: PatientUid,
  data: Readings,
  units: Units,
  limitedTo: LimitedTo,
}

type StoredReading = { readingType: string; readingId: string; measuredAt: string }

export function readingTools(operations: ReadingOperations): Tool[] {
  return [latestReadingsTool(operations), getReadingsTool(operations), statisticsTool(operations), TYPES_TOOL]
}

function latestReadingsTool({ latestReadings, mustRead }: ReadingOperations): Tool {
  return defineTool({
    name: 'latest_readings',
    title: 'Latest readings',
    description:
      'The newest reading of each type of one patient, or of the types that are named. The patient sees the call in the access log.',
    takes: readArguments({
      ...latestContract.querystring.properties,
      to: Type.Optional(Instant('The newest up to then; default: five minutes from now.')),
    }),
    answers: answerSchema({
      ...READINGS_ANSWER,
      typesBeyond: Type.Integer({ description: 'Number of types that have readings later than `to`.' }),
    }),
    run: async ({ reason, to, ...query }, call) => {
      let patient = ''
      const answer = await mustRead(
        { ...callFor(call, reason), named: query.patientUid },
        ({ patientUid, ...asked }) => {
          patient = patientUid
          return latestReadings({ ...query, ...timesIn({ to }), patientUid }, asked)
        },
      )
      const { data, typesBeyond, limitedTo } = JSON.parse(answer) as {
        data: StoredReading[]
        typesBeyond: number
        limitedTo?: string[]
      }
      const fields = { patientUid: patient, units: unitsOf(data), typesBeyond, limitedTo }
      const items = data.map(withoutPatient)
      const fitting = fittingOf({ fields, items, nameOf, goOnBytes: MAX_TYPES_ASKED * MAX_TYPE_BYTES })
      const rest = data.slice(fitting.taken)
      const readingType = rest.slice(0, MAX_TYPES_ASKED).map((reading) => reading.readingType)
      const goOn = rest.length > 0 ? { count: rest.length, goOnWith: { readingType } } : undefined
      return answerOf({ ...fields, data: fitting.data, ...leftOutOf(fitting, goOn) })
    },
  })
}

function getReadingsTool({ readPage, mustRead }: ReadingOperations): Tool {
  const { from: _from, to: _to, limit: _limit, ...others } = GetQuery.properties
  return defineTool({
    name: 'get_readings',
    title: 'Readings of a range',
    description:
      'Readings of one patient between two times, both included and both optional, as they were stored. For long ranges ask for ' +
      'reading_statistics. The patient sees the call in the access log.',
    takes: readArguments({
      ...others,
      from: Type.Optional(Instant('Start of the range.')),
      to: Type.Optional(Instant('End of the range.')),
      limit: limitParameter({
        description: 'Maximum number of readings; an answer of 64 KiB may hold fewer.',
        default: DEFAULT_READINGS,
        maximum: MAX_READINGS,
      }),
    }),
    answers: answerSchema(READINGS_ANSWER),
    run: async ({ reason, limit: size = DEFAULT_READINGS, from, to, ...query }, call) =>
      mustRead(
        { ...callFor(call, reason), named: query.patientUid },
        async ({ patientUid, reader, isGone }) => {
          const range = rangeOf({ ...query, ...timesIn({ from, to }), patientUid })
          const page = { page: 0, beganAt: null, maxBytes: MAX_PAGE_BYTES, costOfByte: 1, isLarge: false }
          const { readings, next } = await readPage({ ...page, range, reader, size }, isGone)
          const data = readings.map(
            (reading) => JSON.parse(printReading(reading, JSON.stringify(patientUid))) as StoredReading,
          )
          const { limitedTo } = reader
          const fields = { patientUid, units: unitsOf(data), ...(limitedTo ? { limitedTo } : {}) }
          // The access log counts all that were read, also those that do not fit.
          const fitting = fittingOf({ fields, items: data.map(withoutPatient), nameOf })
          const last = readings[fitting.taken - 1]
          const after = last && fitting.taken < readings.length ? positionAt(last) : next
          const goOn = after ? { goOnWith: { cursor: cursorOf(after, range) } } : undefined
          return answerOf({ ...fields, data: fitting.data, ...leftOutOf(fitting, goOn) })
        },
      ),
  })
}

function statisticsTool({ summaries, mustRead }: ReadingOperations): Tool {
  const readingStatistics = createReadingStatistics(summaries)
  const { from: _from, to: _to, ...others } = statisticsContract.querystring.properties
  return defineTool({
    name: 'reading_statistics',
    title: 'Statistics of readings',
    description:
      'Count, minimum, maximum, mean, median and others of one type of readings of one patient, by hour, day, week or month. A mean ' +
      'hides single values: min and max stand beside it. The patient sees the call in the access log.',
    takes: readArguments({
      ...others,
      from: Instant('Start of the range.'),
      to: Instant('End of the range, included.'),
    }),
    answers: answerSchema({
      patientUid: PatientUid,
      data: Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'One for each hour, day, week or month, also where there is no reading.',
      }),
      units: Type.Record(Type.String(), Type.String(), { description: 'UCUM unit of each field.' }),
      timeZone: Type.String({ description: 'The zone of the calendar.' }),
      limitedTo: LimitedTo,
    }),
    run: async ({ reason, from, to, ...query }, call) => {
      let patient = ''
      const answer = await mustRead(
        { ...callFor(call, reason), named: query.patientUid },
        ({ patientUid, ...asked }) => {
          patient = patientUid
          return readingStatistics(
            { ...query, from: epochOf('from', from), to: epochOf('to', to), patientUid },
            asked,
          )
        },
      )
      const { data, units, limitedTo } = JSON.parse(answer) as {
        data: { start: string }[]
        units: Record<string, string>
        limitedTo?: string[]
      }
      const { timeZone = 'UTC' } = query
      const fields = { patientUid: patient, units, timeZone, limitedTo }
      const fitting = fittingOf({ fields, items: data, nameOf: ({ start }) => ({ start }) })
      const next = data[fitting.taken]
      const goOn = next && { count: data.length - fitting.taken, goOnWith: { from: next.start } }
      return answerOf({ ...fields, data: fitting.data, ...leftOutOf(fitting, goOn) })
    },
  })
}

/** Not the ranges of the catalogue: they are no reference ranges, and a model would judge by them. */
const TYPES = Object.entries(CATALOGUE).map(([readingType, { units, loinc, quantities }]) => ({
  readingType,
  units,
  loinc,
  fields: Object.entries(quantities).map(([field, { unit }]) => ({ field, ...(unit ? { unit } : {}) })),
}))

const TYPES_TOOL = defineTool({
  name: 'list_reading_types',
  title: 'Types of readings',
  description:
    'The types of the catalogue, with their fields, units and LOINC codes. Patients may have readings of other types too.',
  takes: Type.Object({}, { additionalProperties: false }),
  answers: answerSchema({ data: Type.Array(Type.Object({}, { additionalProperties: true })) }),
  run: async () => answerOf({ data: TYPES }),
})

/** The patient is named once, not in each reading. */
function withoutPatient(reading: StoredReading & { patientUid?: unknown }): StoredReading {
  const { patientUid: _patientUid, ...others } = reading
  return others
}

const nameOf = ({ readingType, readingId, measuredAt }: StoredReading) => ({
  readingType,
  readingId,
  measuredAt,
})

function unitsOf(readings: readonly StoredReading[]): Record<string, Record<string, string>> {
  const types = new Set(readings.map(({ readingType }) => readingType))
  return Object.fromEntries(
    [...types].flatMap((readingType) => {
      const type = Object.hasOwn(CATALOGUE, readingType) ? CATALOGUE[readingType] : undefined
      if (!type) return []
      const { quantities, units } = type
      return [
        [
          readingType,
          Object.fromEntries(
            Object.entries(quantities).map(([field, { unit }]) => [field, unit ?? units[0]]),
          ),
        ],
      ]
    }),
  )
}
