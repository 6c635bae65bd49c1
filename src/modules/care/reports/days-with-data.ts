// GET reports/days-with-data: on how many local days a patient has readings, in total and from devices.
import { type Static, Type } from 'typebox'
import { ReadingType } from '../../casesheet/reading.ts'
import { closed } from '../answer-forms.ts'
import { dayOf, dayOfDate } from './local-clock.ts'
import { makeReport } from './make-report.ts'
import { reportContract, reportQuery } from './report-query.ts'

const Query = reportQuery({
  readingType: Type.Optional(Type.String({ ...ReadingType, examples: ['bloodPressure'] })),
})
type DaysQuery = Static<typeof Query> & { patientUid: string }

const Day = closed({
  date: Type.String({ format: 'date', description: 'The local date.' }),
  readings: Type.Integer(),
  fromDevices: Type.Integer({ description: 'How many of them have a source of kind device.' }),
})

export const DaysWithDataReport = Type.Object(
  {
    days: Type.Integer({ description: 'Number of local days of the range.' }),
    daysWithData: Type.Integer({ description: 'On how many of them something was measured.' }),
    daysWithDeviceData: Type.Integer({ description: 'On how many of them a device has measured something.' }),
    dates: Type.Array(Day, { description: 'All days of the range, in order.' }),
  },
  { $id: 'DaysWithDataReport', additionalProperties: false },
)
type DaysWithDataReport = Static<typeof DaysWithDataReport>

const EXAMPLE: DaysWithDataReport = {
  days: 7,
  daysWithData: 3,
  daysWithDeviceData: 1,
  dates: [
    { date: '2025-11-01', readings: 4, fromDevices: 4 },
    { date: '2025-11-02', readings: 0, fromDevices: 0 },
    { date: '2025-11-03', readings: 2, fromDevices: 0 },
    { date: '2025-11-04', readings: 1, fromDevices: 0 },
    { date: '2025-11-05', readings: 0, fromDevices: 0 },
    { date: '2025-11-06', readings: 0, fromDevices: 0 },
    { date: '2025-11-07', readings: 0, fromDevices: 0 },
  ],
}

export const daysWithDataContract = reportContract(
  {
    operationId: 'daysWithDataReport',
    summary: 'Report on how many days there are readings',
    description:
      'Counts the local days with readings of one type, or of any, in total and from devices. US remote monitoring is paid by days ' +
      'with data from devices: 16 in 30 days (CPT 99454), or 2 to 15 (CPT 99445).',
    answer: 'The report.',
  },
  { query: Query, data: DaysWithDataReport, example: EXAMPLE },
)

export const createDaysWithDataReport = makeReport<DaysQuery>({
  operation: 'reports/days-with-data',
  toRead: ({ readingType }) => ({
    types: readingType === undefined ? null : [readingType],
    // What one reading is known by: it counts once, however often it was sent.
    fields: ['value', 'systolic', 'diastolic'],
    beside: ['source', 'kind'],
  }),
  figures: ({ measured, dates: all }): DaysWithDataReport => {
    const days = Map.groupBy(measured, ({ clock }) => dayOf(clock))
    const dates = all.map((date) => {
      const ofDay = days.get(dayOfDate(date)) ?? []
      return {
        date,
        readings: ofDay.length,
        fromDevices: ofDay.filter(({ isFromDevice }) => isFromDevice).length,
      }
    })
    return {
      days: dates.length,
      daysWithData: dates.filter(({ readings }) => readings > 0).length,
      daysWithDeviceData: dates.filter(({ fromDevices }) => fromDevices > 0).length,
      dates,
    }
  },
})
