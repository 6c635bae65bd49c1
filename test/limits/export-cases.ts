// Bulk exports: the file in which the patient with the largest readings stands, the status, and the longest requests.
import { randomUUID } from 'node:crypto'
import { type Callers, type Case, type Get, gets } from './case.ts'
import type { LimitsStage } from './stage.ts'

const ASYNC = { prefer: 'respond-async' }

export async function exportCases({ owner }: LimitsStage, callers: Callers): Promise<Case[]> {
  const exportId = randomUUID()
  await owner.query(
    `insert into fhir.exports (export_id, requested_by, allowed_as, request, generation, slots, place)
     select $1, 'warehouse', 'staff', '/$export', generation, open_slots, 1 from casesheet.feed, casesheet.cell`,
    [exportId],
  )
  const fileOf = async (patientUid: string) => {
    const { rows } = await owner.query<{ number: number }>(
      `select substring(tableoid::regclass::text from '[0-9]+$')::integer + 1 as number
       from casesheet.readings where patient_uid = $1 limit 1`,
      [patientUid],
    )
    return `/fhir/$export/0/${exportId}/Observation-${rows[0]?.number}.ndjson`
  }
  const asked: Get[] = [
    ['the status', `/fhir/$export/0/${exportId}`, 'warehouse', 200],
    ['no deletions', `/fhir/$export/0/${exportId}/deleted.ndjson`, 'warehouse', 200],
    ['700 parameters', `/fhir/$export?${'_pretty=1&'.repeat(700)}`, 'warehouse', 400, ASYNC],
    ['a _since of 6 KB', `/fhir/$export?_since=${'2'.repeat(6_000)}`, 'warehouse', 400, ASYNC],
    ['an id of 6 KB', `/fhir/$export/0/${'a'.repeat(6_000)}`, 'warehouse', 404],
  ]
  const files: Get[] = [
    ['readings of 64 KiB, streamed', await fileOf('large'), 'warehouse', 200],
    ['readings of 4,000 fields, streamed', await fileOf('fields'), 'warehouse', 200],
    ['a year of 105,120 readings, streamed', await fileOf('year'), 'warehouse', 200],
  ]
  return [
    ...gets(callers, 'FHIR export', asked),
    ...gets(callers, 'FHIR export', files).map((one) => ({ ...one, isStreamed: true })),
  ]
}
