// Whether the database can write: in an outage reads may go on, such as those of a full disk. A row that is changed would prove
// nothing, because its page has room for it. A new table needs room on the disk, and its commit waits for the standby like any
// other. It leaves nothing behind, and no two servers need the same row.
//
// It commits within the statement, so that `statement_timeout` ends its wait for a standby: the session would outlast its client.
// Then PostgreSQL warns, and the statement fails (database-errors.ts).
import type { Db } from './db.ts'

/** About 1 MB: where there is room for that, there is some for requests. */
const ROWS = 30_000

// Whoever took the right to make temporary tables from all roles has to give it to this one: until then only reads are checked.
const WRITE = `
  do $$
  begin
    if has_database_privilege(current_database(), 'temporary') then
      perform set_config('temp_tablespaces', '', true);
      create temporary table rounds_write_check on commit drop as select generate_series(1, ${ROWS});
      commit;
    end if;
  end
  $$`

export async function mustWrite(db: Pick<Db, 'attempt'>): Promise<void> {
  await db.attempt({ name: '', text: WRITE, values: [] })
}
