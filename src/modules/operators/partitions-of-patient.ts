// The partitions in which a patient's rows lie. Those of other patients may be attached in another database cluster.
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { CommandError } from '../../refusal.ts'
import type { ErasedTable } from './clean-up-erased.ts'

/** Of readings, corrections and the access log. */
export async function mustHoldPartitions(client: Client, patientUid: string): Promise<ErasedTable[]> {
  const partitions = await partitionsOf(client, patientUid)
  if (partitions.length > 0) return partitions
  throw new CommandError('Another database cluster serves this patient. Use the DATABASE_URL of that one.')
}

/** Drawn until the reads that stay lie in a partition that is attached here. The patient's own would say something of the patient. */
export async function drawErasureId(client: Client): Promise<string> {
  for (;;) {
    const erasureId = randomUUID()
    if ((await partitionsOf(client, keptUnder(erasureId))).length > 0) return erasureId
  }
}

/** In place of the patient's id, in the access log. */
export const keptUnder = (erasureId: string) => `erased:${erasureId}`

async function partitionsOf(client: Client, patientUid: string): Promise<ErasedTable[]> {
  const { rows } = await client.query<ErasedTable>(
    `select partition.oid::regclass::text as name, parent.oid::regclass::text as parent
     from pg_inherits
     join pg_class as partition on partition.oid = inhrelid
     join pg_class as parent on parent.oid = inhparent
     cross join lateral regexp_match(
       pg_get_expr(partition.relpartbound, partition.oid), 'modulus (\\d+), remainder (\\d+)'
     ) as bound
     where parent.oid in (
         'casesheet.readings'::regclass, 'casesheet.corrections'::regclass, 'casesheet.access_log'::regclass
       )
       and satisfies_hash_partition(parent.oid, bound[1]::integer, bound[2]::integer, $1::text)
     order by parent.relname desc`,
    [patientUid],
  )
  return rows
}
