// An entry of the access log: what the API and an export show of it, and what is counted as it is written.
import { type Static, Type } from 'typebox'
import type { Metrics } from '../../../metrics/metrics.ts'
import { instantFrom } from '../epoch-time.ts'

const instantOrOpen = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

export const Access = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the answer began, in UTC.' }),
    readBy: Type.String({ description: 'The subject of the token.' }),
    allowedAs: Type.Enum(['patient', 'staff', 'operator', 'service'], {
      type: 'string',
      description:
        'Why the read was allowed. patient: the token names the patient. staff: the token has the staff scope. operator: an ' +
        'operator of the service exported the data of the patient. service: the token has the scope for following changes.',
    }),
    operation: Type.String({ description: 'The operation, such as readings/get.' }),
    from: instantOrOpen('Start of the range; null if it was open.'),
    to: instantOrOpen('End of the range; null if it was open.'),
    readingTypes: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Requested reading types; null for all.',
    }),
    readingsCount: Type.Integer({
      minimum: 0,
      description:
        'Number of readings sent; the number so far while the answer is still being sent. A page that was read again after ' +
        'a lost database connection counts twice.',
    }),
    requestId: Type.String({ description: 'The x-request-id of the answer.' }),
  },
  { $id: 'Access', additionalProperties: false, description: 'One read of the data of a patient.' },
)
export type Access = Static<typeof Access>

export type AccessRow = {
  at: string
  read_by: string
  allowed_as: Access['allowedAs']
  operation: string
  range_from: string
  range_to: string
  reading_types: string[] | null
  readings_count: number
  request_id: string
}

export function accessFrom(row: AccessRow): Access {
  return {
    at: instantFrom(row.at, 6),
    readBy: row.read_by,
    allowedAs: row.allowed_as,
    operation: row.operation,
    from: instantUnlessOpen(row.range_from),
    to: instantUnlessOpen(row.range_to),
    readingTypes: row.reading_types,
    readingsCount: row.readings_count,
    requestId: row.request_id,
  }
}

function instantUnlessOpen(text: string): string | null {
  return text.endsWith('infinity') ? null : instantFrom(text, 6)
}

type Reads = { rows: number; readings: number }

/**
 * How much of patients is read, by operation, in the terms of the access log. A statement that had to be repeated after its
 * commit has left rows there that are not counted here.
 */
export function countReads(metrics: Metrics, operation: string): Reads {
  const reads = { rows: 0, readings: 0 }
  const labels = { operation }
  metrics.counter(
    { name: 'rounds_access_log_rows_total', help: 'Rows written to the access log.', labels },
    () => reads.rows,
  )
  metrics.counter(
    {
      name: 'rounds_readings_read_total',
      help: 'Readings read, as counted in the access log.',
      labels,
    },
    () => reads.readings,
  )
  return reads
}
