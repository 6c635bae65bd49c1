// How every report is made: its readings are read, and logged, by one statement, and plain functions make its figures.
import type { Asked } from '../../casesheet/access.ts'
import { microsecondsOf } from '../../casesheet/epoch-time.ts'
import { typesFor } from '../../casesheet/grants/limited-to.ts'
import type { Summaries } from '../../casesheet/statistics/summaries.ts'
import type { Compared, createFindCompared } from './compared-target.ts'
import { mustBeReportRange, printReport, type ReportQuery, type ReportRange } from './report-query.ts'
import {
  type Readings,
  type ReadingsRow,
  readingsFrom,
  readingsStatement,
  type ToRead,
} from './report-readings.ts'

export type ReportDeps = {
  summaries: Summaries
  findCompared: ReturnType<typeof createFindCompared>
  now: () => number
}

/** `begin` and `end` in ms; the range ends now if it reaches beyond. */
export type Given<Query> = Readings &
  Compared & { query: Query; range: ReportRange; begin: number; end: number }

type Report<Query> = {
  operation: string
  toRead: (query: Query) => ToRead
  figures: (given: Given<Query>) => object
}

const msOf = (epochTime: number) => Number(microsecondsOf(epochTime)) / 1_000

export function makeReport<Query extends ReportQuery>({ operation, toRead, figures }: Report<Query>) {
  return ({ summaries, findCompared, now }: ReportDeps) => {
    const { summarise } = summaries(operation)
    return async (query: Query, { reader, isGone }: Pick<Asked, 'reader' | 'isGone'>): Promise<string> => {
      const range = mustBeReportRange(query)
      const wanted = toRead(query)
      const readingTypes = typesFor(reader, wanted.types && [...wanted.types])
      const asked = { ...wanted, types: readingTypes }
      const compared = await findCompared(
        range.patientUid,
        wanted.types?.length === 1 ? readingTypes?.[0] : undefined,
        reader,
      )
      const summary = { ...range, readingTypes, reader }
      const readings = await summarise(summary, readingsStatement(range, asked), isGone, (row) =>
        readingsFrom(row as ReadingsRow, asked),
      )
      const [begin, end] = [msOf(range.from), Math.min(msOf(range.to), now())]
      return printReport(figures({ ...readings, ...compared, query, range, begin, end }), reader)
    }
  }
}
