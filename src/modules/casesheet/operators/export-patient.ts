// `rounds patient export`: everything that Rounds holds of a patient, as lines of JSON, in bounded memory however much it is.
// Withdrawn readings are held, so they are in it too, each with the field `withdrawn`.
// The export is a read like any other: its row of the access log is committed before the first byte, and stands in the
// export too. The last line counts the others, so that a file that was cut short is known.
import { randomUUID } from 'node:crypto'
import { fetchRows } from '../../../db/fetch-rows.ts'
import { CommandError } from '../../../refusal.ts'
import { type AccessRow, accessFrom } from '../access-log/access-entry.ts'
import { isServed, mustBeServedHere } from '../cell/held-here.ts'
import { instantFrom } from '../epoch-time.ts'
import { DETAILS_WITH_WITHDRAWN, printLines, READING_AS_TEXT } from '../get/print-readings.ts'
import { withOwnerSession } from './owner-session.ts'

export type PatientExport = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  patientUid: string
  /** Who answers for it. */
  exportedBy: string
  write: (text: string) => Promise<void>
  onProgress: (progress: { stage: 'readings' | 'access log'; share: number }) => void
}

export async function exportPatient({
  databaseUrl,
  patientUid,
  exportedBy,
  write,
  onProgress,
}: PatientExport): Promise<{ readings: number; accesses: number }> {
  const writeLine = (value: object) => write(`${JSON.stringify(value)}\n`)
  return withOwnerSession(databaseUrl, async (client) => {
    await mustBeServedHere(client, patientUid)
    const { rows } = await client.query<{ readings: number; at: string }>(LOG_EXPORT, [
      patientUid,
      randomUUID(),
      exportedBy,
    ])
    const [logged] = rows
    if (!logged) throw new CommandError(NOTHING_HELD)
    const { readings: expected, at } = logged
    // One picture of both tables, whatever is added meanwhile.
    await client.query('begin isolation level repeatable read read only')
    await writeLine({ export: { patientUid, exportedBy, exportedAt: instantFrom(at, 6) } })
    let readings = 0
    for await (const some of fetchRows<ReadingRow>(client, READINGS, [patientUid])) {
      for (const { listed, added_by } of some)
        await write(
          `{"reading":${printLines(listed, 1, patientUid).text},"addedBy":${JSON.stringify(added_by)}}\n`,
        )
      readings += some.length
      onProgress({ stage: 'readings', share: Math.min(1, readings / expected) })
    }
    let accesses = 0
    for await (const some of fetchRows<AccessRow>(client, ACCESSES, [patientUid])) {
      for (const row of some) await writeLine({ access: accessFrom(row) })
      accesses += some.length
      onProgress({ stage: 'access log', share: 1 })
    }
    await client.query('commit')
    await writeLine({ end: { readings, accesses } })
    return { readings, accesses }
  })
}

type ReadingRow = { listed: string; added_by: string }

/** Of such a patient nothing is read, so nothing is logged either: the entry would be the first thing that is held. */
export const NOTHING_HELD =
  'Nothing is held under this id: no reading, and no entry of the access log. Check how it is spelt.'

const LOG_EXPORT = `
  insert into casesheet.access_log
    (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
  select $1::text, 'patient/export', '-infinity', 'infinity', $2, 0, $3, 'operator', count(*)
  from casesheet.readings
  where patient_uid = $1::text
  having (count(*) > 0 or exists (select from casesheet.access_log where patient_uid = $1::text))
    -- Its row must move along with the patient: once the slot is closed, none is written.
    and exists (select from casesheet.cell where ${isServed('(select $1::text)')})
  returning readings_count as readings, at::text as at`

const READINGS = `
  select
    ${READING_AS_TEXT} as listed,
    added_by
  from (
    select reading_type, sent_timestamp, reading_id, measured_at, received_at, ${DETAILS_WITH_WITHDRAWN} as details, added_by
    from casesheet.readings
    where patient_uid = $1
  ) as readings
  order by measured_at, reading_id`

const ACCESSES = `
  select at::text as at, read_by, allowed_as, operation, range_from::text as range_from, range_to::text as range_to,
    reading_types, readings_count, request_id
  from casesheet.access_log
  where patient_uid = $1
  order by access_log.at, request_id, page`
