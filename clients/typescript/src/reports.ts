// Reports: what the readings of a range amount to, in figures that people in the field know.
import type { CallOptions } from './call.ts'
import type {
  BloodPressureReportAnswer,
  BloodPressureReportQuery,
  DaysWithDataReportAnswer,
  DaysWithDataReportQuery,
  GlucoseReportAnswer,
  GlucoseReportQuery,
  TimeInTargetReportAnswer,
  TimeInTargetReportQuery,
} from './contract.ts'

export type Reports = {
  /** Sensor glucose: profile of the day, time in range, GMI. */
  glucose: (query: GlucoseReportQuery, options?: CallOptions) => Promise<GlucoseReportAnswer>
  /** Means of mornings and evenings, over the last week, the last 30 days and the whole range. */
  bloodPressure: (
    query: BloodPressureReportQuery,
    options?: CallOptions,
  ) => Promise<BloodPressureReportAnswer>
  /** How many readings of a type, and for how long their values, are in the targets of the patient. */
  timeInTarget: (query: TimeInTargetReportQuery, options?: CallOptions) => Promise<TimeInTargetReportAnswer>
  /** On how many days there are readings, in total and from devices. */
  daysWithData: (query: DaysWithDataReportQuery, options?: CallOptions) => Promise<DaysWithDataReportAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

type Calls = { read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer> }

export function createReports(care: string, { read }: Calls): Reports {
  return {
    glucose: (query, options) => read<GlucoseReportAnswer>(`${care}/reports/glucose`, query, options),
    bloodPressure: (query, options) =>
      read<BloodPressureReportAnswer>(`${care}/reports/blood-pressure`, query, options),
    timeInTarget: (query, options) =>
      read<TimeInTargetReportAnswer>(`${care}/reports/time-in-target`, query, options),
    daysWithData: (query, options) =>
      read<DaysWithDataReportAnswer>(`${care}/reports/days-with-data`, query, options),
  }
}
