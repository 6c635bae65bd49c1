// Patients whose partitions are attached in another database cluster: here they are detached, and what is not partitioned is hidden as
// deploy/shards does it.
import { readFileSync } from 'node:fs'
import { runSql } from './harness.ts'

type Partition = { parent: string; name: string; bound: string }

/** Detaches partitions, for example those of a patient; returns how to attach them again. */
export async function detachPartitions(ownerUrl: string, partitions: Partition[]) {
  for (const { parent, name } of partitions)
    await runSql(ownerUrl, `alter table ${parent} detach partition ${name}`)
  await runSql(ownerUrl, FENCE)
  return async () => {
    await runSql(ownerUrl, LIFT_FENCE)
    for (const { parent, name, bound } of partitions)
      await runSql(ownerUrl, `alter table ${parent} attach partition ${name} ${bound}`)
  }
}

const FENCE = `
  ${readFileSync('deploy/shards/move-partition.sql', 'utf8').replaceAll(":'n'", "'none'").replaceAll(':modulus', '32')}
  select pg_temp.run(array(select pg_temp.fence()))`
const LIFT_FENCE = `
  do $$
  declare statement text;
  begin
    for statement in
      select format('drop policy %I on %s', polname, polrelid::regclass) from pg_policy where polname ~ '^not_served_'
    loop
      execute statement;
    end loop;
  end
  $$`

/** The partitions that are attached, each with whether the patient's rows lie in it. */
export function partitionsFor(ownerUrl: string, patientUid: string) {
  return runSql<Partition & { is_of_patient: boolean }>(ownerUrl, PARTITIONS, [patientUid])
}

export async function partitionsOf(ownerUrl: string, patientUid: string): Promise<Partition[]> {
  return (await partitionsFor(ownerUrl, patientUid)).filter((partition) => partition.is_of_patient)
}

const PARTITIONS = `
  select parent.oid::regclass::text as parent, partition.oid::regclass::text as name, bound,
    satisfies_hash_partition(parent.oid, parts[1]::integer, parts[2]::integer, $1::text) as is_of_patient
  from pg_class as parent
  join pg_inherits on inhparent = parent.oid
  join pg_class as partition on partition.oid = inhrelid
  cross join lateral pg_get_expr(partition.relpartbound, partition.oid) as bound
  cross join lateral regexp_match(bound, 'modulus (\\d+), remainder (\\d+)') as parts
  where parent.oid in (
      'casesheet.readings'::regclass, 'casesheet.corrections'::regclass, 'casesheet.access_log'::regclass
    )
  order by parent.relname`
