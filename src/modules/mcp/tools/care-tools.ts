// Tools on what care makes of readings: the reports on one patient, and the list of a doctor's patients.
import { type TObject, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { limitParameter } from '../../../http/pages.ts'
import { listContract } from '../../care/patients/list-contract.ts'
import { createListMyPatients } from '../../care/patients/list-my-patients.ts'
import type { ListedPatient } from '../../care/patients/listed-patient.ts'
import { bloodPressureContract, createBloodPressureReport } from '../../care/reports/blood-pressure.ts'
import { createFindCompared } from '../../care/reports/compared-target.ts'
import { createDaysWithDataReport, daysWithDataContract } from '../../care/reports/days-with-data.ts'
import { createGlucoseReport } from '../../care/reports/glucose.ts'
import { glucoseContract } from '../../care/reports/glucose-contract.ts'
import { createTimeInTargetReport, timeInTargetContract } from '../../care/reports/time-in-target.ts'
import { type Asked, mustBeDoctor } from '../../casesheet/access.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { answerOf, answerSchema, leftOutOf, pageThatFits } from './answer-as-data.ts'
import { callFor, defineTool, epochOf, Instant, readArguments, type Tool } from './tool.ts'

type Deps = {
  operations: ReadingOperations
  /** Whether rules are evaluated. */
  alerts: boolean
  now: () => number
}

export function careTools(db: Db, deps: Deps): Tool[] {
  const { operations, now } = deps
  const { summaries, mustRead } = operations
  const report = reportToolOf(mustRead)
  const reportDeps = { summaries, findCompared: createFindCompared(db, now), now }
  return [
    report('report_glucose', 'Glucose report', glucoseContract, createGlucoseReport(reportDeps)),
    report(
      'report_blood_pressure',
      'Blood pressure report',
      bloodPressureContract,
      createBloodPressureReport(reportDeps),
    ),
    report(
      'report_time_in_target',
      'Time in target',
      timeInTargetContract,
      createTimeInTargetReport(reportDeps),
    ),
    report(
      'report_days_with_data',
      'Days with data',
      daysWithDataContract,
      createDaysWithDataReport(reportDeps),
    ),
    myPatientsTool(db, deps),
  ]
}

type Contract = { summary: string; querystring: TObject }
type Make<Query> = (query: Query, asked: Pick<Asked, 'reader' | 'isGone'>) => Promise<string>

const reportToolOf =
  (mustRead: ReadingOperations['mustRead']) =>
  <Query>(name: string, title: string, { summary, querystring }: Contract, make: Make<Query>): Tool =>
    defineTool({
      name,
      title,
      description: `${summary}, of one patient, in at most 400 days. The patient sees the call in the access log.`,
      takes: readArguments({
        ...querystring.properties,
        patientUid: Type.Optional(PatientUid),
        from: Instant('Start of the range.'),
        to: Instant('End of the range, included.'),
      }),
      answers: answerSchema({
        patientUid: Type.String({ description: 'Whose data it is.' }),
        data: Type.Object({}, { additionalProperties: true }),
        timeZone: Type.String({ description: 'The zone of days and times of day.' }),
        limitedTo: LimitedTo,
      }),
      run: async ({ reason, from, to, patientUid: named, ...query }, call) => {
        let patient = ''
        const answer = await mustRead({ ...callFor(call, reason), named }, ({ patientUid, ...asked }) => {
          patient = patientUid
          const range = { from: epochOf('from', from), to: epochOf('to', to), patientUid }
          return make({ ...query, ...range } as Query, asked)
        })
        const { data, limitedTo } = JSON.parse(answer) as { data: object; limitedTo?: string[] }
        const { timeZone = 'UTC' } = query as { timeZone?: string }
        return answerOf({ patientUid: patient, data, timeZone, limitedTo })
      },
    })

const MAX_PATIENTS = 50
const DEFAULT_PATIENTS = 20

type PatientsAnswer = {
  data: ListedPatient[]
  nextCursor: string | null
} & Record<string, unknown>

function myPatientsTool(db: Db, { alerts: hasAlerts, now }: Deps): Tool {
  const listMyPatients = createListMyPatients(db, { hasAlerts, now })
  return defineTool({
    name: 'list_my_patients',
    title: 'My patients',
    description:
      'For a doctor: the patients who share readings, each in one queue with the reasons for it, and what was not judged. Nothing is judged by ' +
      'a bound that nobody set. Each patient sees once a day that the doctor looked.',
    takes: Type.Object(
      {
        ...listContract.querystring.properties,
        limit: limitParameter({
          description: 'Maximum number of patients; an answer of 64 KiB may hold fewer.',
          default: DEFAULT_PATIENTS,
          maximum: MAX_PATIENTS,
        }),
      },
      { additionalProperties: false },
    ),
    answers: answerSchema({
      data: Type.Array(Type.Object({}, { additionalProperties: true })),
      counts: Type.Object({}, { additionalProperties: true }),
      behindSince: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
    run: async (query, { request: { caller, id: requestId } }) => {
      const doctorId = mustBeDoctor(caller)
      const { subject, practiceIds } = caller
      const asking = { doctorId, practiceIds, subject, requestId }
      const { page, fields, fitting } = await pageThatFits<PatientsAnswer, ListedPatient>(
        query.limit ?? DEFAULT_PATIENTS,
        async (limit) =>
          JSON.parse((await listMyPatients({ ...query, limit }, asking)).body) as PatientsAnswer,
        ({ code: _code, message: _message, nextCursor: _next, data, ...listed }) => ({
          fields: listed,
          items: data,
          nameOf: ({ patientUid }) => ({ patientUid }),
        }),
      )
      const { nextCursor: cursor } = page
      const goOn = cursor === null ? undefined : { goOnWith: { cursor } }
      return answerOf({ ...fields, data: fitting.data, ...leftOutOf(fitting, goOn) })
    },
  })
}
