// `rounds patient export`: everything that Rounds holds of a patient, as lines of JSON, in bounded memory however much it is: each reading as
// answers show it, also a withdrawn one, and each row of the other tables of patient-tables.ts, without notes for doctors only.
// The export is a read like any other: its row of the access log is committed before the first byte, and stands in the
// export too. The last line counts the others, so that a file that was cut short is known.
import { randomUUID } from 'node:crypto'
import { fetchRows } from '../../db/fetch-rows.ts'
import { CommandError } from '../../refusal.ts'
import { instantFrom } from '../casesheet/epoch-time.ts'
import {
  DETAILS_WITH_WITHDRAWN,
  inOneLine,
  LISTED_COLUMNS,
  printReading,
  READING_AS_TEXT,
  readingAt,
} from '../casesheet/get/print-readings.ts'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'
import { mustHoldPartitions } from './partitions-of-patient.ts'
import { EXPORTED_TABLES, linesText, mustKnowAllColumns } from './patient-tables.ts'

export type PatientExport = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  patientUid: string
  /** Who answers for it. */
  exportedBy: string
  write: (text: string) => Promise<void>
  onProgress: (progress: { stage: 'readings' | 'access log'; share: number }) => void
}

/** How many lines there are of each kind. */
export type Exported = Record<string, number>

export async function exportPatient(asked: PatientExport): Promise<Exported> {
  const { databaseUrl, patientUid, exportedBy, write, onProgress } = asked
  return withOwnerSession(databaseUrl, async (client) => {
    await mustHoldPartitions(client, patientUid)
    await mustKnowAllColumns(client)
    const { rows } = await client.query<{ readings: number; at: string }>(LOG_EXPORT, [
      patientUid,
      randomUUID(),
      exportedBy,
    ])
    const [logged] = rows
    if (!logged) throw new CommandError(NOTHING_HELD)
    // One picture of all tables, whatever is added meanwhile.
    await client.query('begin isolation level repeatable read read only')
    const exportedAt = instantFrom(logged.at, 6)
    await write(`${JSON.stringify({ export: { patientUid, exportedBy, exportedAt } })}\n`)
    const patient = JSON.stringify(patientUid)
    const exported: Exported = { readings: 0 }
    for await (const some of fetchRows<ReadingRow>(client, READINGS, [patientUid])) {
      for (const { listed, added_by } of some)
        await write(
          `{"reading":${inOneLine(printReading(readingAt(listed, 0), patient))},"addedBy":${JSON.stringify(added_by)}}\n`,
        )
      exported['readings'] = (exported['readings'] ?? 0) + some.length
      onProgress({ stage: 'readings', share: Math.min(1, exported['readings'] / logged.readings) })
    }
    for (const { name, lines } of EXPORTED_TABLES) {
      if (lines.kind === 'reading') continue
      if (lines.kind === 'access') onProgress({ stage: 'access log', share: 1 })
      let count = 0
      for await (const some of fetchRows<{ line: string }>(client, linesText(name, lines), [patientUid])) {
        for (const { line } of some) await write(`{"${lines.kind}":${inOneLine(line)}}\n`)
        count += some.length
      }
      exported[lines.counted] = count
    }
    await client.query('commit')
    await write(`${JSON.stringify({ end: exported })}\n`)
    return exported
  })
}

type ReadingRow = { listed: string; added_by: string }

/** Of such a patient nothing is read, so nothing is logged either: the entry would be the first thing that is held. */
export const NOTHING_HELD =
  'Nothing is held under this id: no reading, no target, no review, no rule, no grant, and no entry of the access log. Check how it is spelt.'

const LOG_EXPORT = `
  insert into casesheet.access_log
    (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
  select $1::text, 'patient/export', '-infinity', 'infinity', $2, 0, $3, 'operator', count(*)
  from casesheet.readings
  where patient_uid = $1::text
  having ${EXPORTED_TABLES.map(({ name }) => `exists (select from ${name} where patient_uid = $1::text)`).join('\n    or ')}
  returning readings_count as readings, at::text as at`

const READINGS = `
  select
    ${READING_AS_TEXT} as listed,
    added_by
  from (
    select ${LISTED_COLUMNS}, ${DETAILS_WITH_WITHDRAWN} as details, coalesce(added_by, patient_uid) as added_by
    from casesheet.readings
    where patient_uid = $1
  ) as readings
  order by measured_at, reading_id`
