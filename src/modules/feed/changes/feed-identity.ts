// To which database the transaction ids of the sequence belong. They mean nothing in another cluster; and a copy within the
// cluster, whose ids go on from the same counter, lacks what was changed in the original afterwards.

/**
 * SQL, about the row of `casesheet.feed`: whether it was written in this database. A physical copy keeps all three;
 * `pg_upgrade` and another cluster change the first, a database made from a template the second, `pg_restore` the third.
 */
export const IS_OF_THIS_DATABASE = `(
      feed.system_identifier = (select system_identifier from pg_control_system())
      and feed.database_oid = (select oid from pg_database where datname = current_database())
      and feed.table_oid = feed.tableoid
    )`

/** SQL: the highest id of a table, by its index. There is no `max(xid8)` before PostgreSQL 16. */
function highestOf(table: string): string {
  return `(select changed_xid from ${table} order by changed_xid desc limit 1)`
}

/**
 * SQL: whether a visible row has an id that this cluster has not assigned yet, which only another one can have written: data
 * that was loaded into existing tables. One index descent for each partition.
 */
export const HAS_IDS_OF_ANOTHER_CLUSTER = `coalesce(
      greatest(${highestOf('casesheet.readings')}, ${highestOf('casesheet.erasure_notices')})
        >= pg_snapshot_xmax(pg_current_snapshot()),
      false
    )`
