// The bytes on disk of a reading and of a read, of a database as it is: with free space, half-empty index pages and TOAST.
import { CommandError } from '../../refusal.ts'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'

/** `row`, `indexes` (without FHIR's) and `fhirIndex` are of a reading, `read` is a row of the access log with its index. */
export type Bytes = { row: number; indexes: number; fhirIndex: number; read: number }

/** Each partition has pages of its own, however few its rows. */
const MIN_READINGS = 100_000

type Query = <Row extends object>(text: string) => Promise<Row[]>

/** What the database does not have, as FHIR's index or reads, is left out. It counts all rows. */
export async function measureBytes(query: Query): Promise<Partial<Bytes>> {
  const [found] = await query<Sizes>(SIZES)
  if (!found || found.readings < MIN_READINGS)
    throw new CommandError(`The database has fewer than ${MIN_READINGS} readings: too few to measure one.`)
  const { readings, reads, rows_bytes: rows, indexes_bytes: indexes, fhir_bytes: fhir } = found
  return {
    row: Math.round(rows / readings),
    indexes: Math.round((indexes - (fhir ?? 0)) / readings),
    ...(fhir !== null && { fhirIndex: Math.round(fhir / readings) }),
    ...(reads > 0 && { read: Math.round(found.reads_bytes / reads) }),
  }
}

export const measureBytesOf = (databaseUrl: string) =>
  withOwnerSession(databaseUrl, (client) =>
    measureBytes(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows),
  )

type Sizes = {
  readings: number
  reads: number
  rows_bytes: number
  indexes_bytes: number
  fhir_bytes: number | null
  reads_bytes: number
}

// pg_table_size counts the table with its TOAST and its maps, pg_indexes_size all its indexes, pg_total_relation_size both: each file of
// each partition, as long as it is on disk.
const SIZES = `
  select
    (select count(*)::float8 from casesheet.readings) as readings,
    (select count(*)::float8 from casesheet.access_log) as reads,
    (
      select sum(pg_table_size(relid))::float8
      from pg_partition_tree('casesheet.readings')
      where isleaf
    ) as rows_bytes,
    (
      select sum(pg_indexes_size(relid))::float8
      from pg_partition_tree('casesheet.readings')
      where isleaf
    ) as indexes_bytes,
    (
      select sum(pg_relation_size(relid))::float8
      from pg_partition_tree(to_regclass('casesheet.readings_by_update'))
      where isleaf
    ) as fhir_bytes,
    (
      select sum(pg_total_relation_size(relid))::float8
      from pg_partition_tree('casesheet.access_log')
      where isleaf
    ) as reads_bytes`
