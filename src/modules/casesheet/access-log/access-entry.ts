// An entry of the access log: what the API and an export show of it, and what is counted as it is written.
import { type Static, Type } from 'typebox'
import type { Metrics } from '../../../metrics/metrics.ts'
import { instantFrom } from '../epoch-time.ts'

/** What a request has withdrawn or restored. */
const Correction = Type.Object(
  {
    action: Type.Enum(['withdraw', 'restore'], { type: 'string' }),
    readingId: Type.String({ format: 'uuid' }),
    readingType: Type.String(),
    measuredAt: Type.String({ format: 'date-time', description: 'When the reading was measured, in UTC.' }),
    reason: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why it was withdrawn.' }),
  },
  {
    additionalProperties: false,
    description: 'The reading that the request has withdrawn or restored; left out if it changed nothing.',
  },
)

const instantOrOpen = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

export const Access = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the answer began, in UTC.' }),
    readBy: Type.String({ description: 'The subject of the token.' }),
    allowedAs: Type.Enum(['patient', 'grant', 'staff', 'operator', 'service'], {
      type: 'string',
      description:
        'Why the read was allowed. patient: the token names the patient. grant: the patient shares with the doctor. staff: the token has the staff scope. operator: an ' +
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
        'a lost database connection counts twice. For readings/withdraw and readings/restore: 1 if there is such a reading.',
    }),
    requestId: Type.String({ description: 'The x-request-id of the answer.' }),
    doctorId: Type.Optional(
      Type.String({ description: 'The doctor with whom the patient shares; of grant only.' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why staff read; left out if no reason was given.' })),
    correction: Type.Optional(Correction),
  },
  { $id: 'Access', additionalProperties: false, description: 'One request for the data of a patient.' },
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
  doctor_id: string | null
  access_reason: string | null
}

/** Null throughout for an entry that is no correction. */
export type CorrectionRow = {
  action: Static<typeof Correction>['action'] | null
  reading_id: string
  reading_type: string
  measured_at: string
  reason: string | null
}

export function correctionFrom(row: CorrectionRow): Static<typeof Correction> | undefined {
  const { action, reading_id, reading_type, measured_at, reason } = row
  if (action === null) return undefined
  return {
    action,
    readingId: reading_id,
    readingType: reading_type,
    measuredAt: instantFrom(measured_at, 6),
    reason,
  }
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
    ...(row.doctor_id !== null && { doctorId: row.doctor_id }),
    ...(row.access_reason !== null && { reason: row.access_reason }),
  }
}

function instantUnlessOpen(text: string): string | null {
  return text.endsWith('infinity') ? null : instantFrom(text, 6)
}

export type Reads = { rows: number; readings: number }

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
