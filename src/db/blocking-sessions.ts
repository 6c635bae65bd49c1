// Which sessions another one waits for, as an operator needs them: what to look for in pg_stat_activity, and whom to ask.
import type { Client } from 'pg'

/** SQL: a row of pg_stat_activity, in words. */
export const DESCRIBED = `
  'pid ' || pid
    || ', user ' || coalesce(usename, 'unknown')
    || case when application_name <> '' then ', ' || application_name else '' end
    || coalesce(', ' || state, '')
    || coalesce(', for ' || extract(epoch from now() - coalesce(xact_start, backend_start))::bigint || ' s', '') as session`

/** The sessions that hold what these processes wait for. */
export async function sessionsBlocking(client: Client, pids: number[]): Promise<string[]> {
  const { rows } = await client.query<{ session: string }>(
    `select ${DESCRIBED}
     from pg_stat_activity
     where pid in (select unnest(pg_blocking_pids(waiting)) from unnest($1::integer[]) as waiting)
     order by xact_start, pid
     limit 5`,
    [pids],
  )
  return rows.map(({ session }) => session)
}

/** The session that holds an advisory lock of this database, other than the client's own. */
export async function sessionHolding(client: Client, lockId: bigint): Promise<string | undefined> {
  const { rows } = await client.query<{ session: string }>(
    `select ${DESCRIBED}
     from pg_stat_activity
     where pid in (
       select pid
       from pg_locks
       where locktype = 'advisory'
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32) + objid::bigint = $1::bigint
         and objsubid = 1
         and granted
     )
       and pid <> pg_backend_pid()`,
    [lockId],
  )
  return rows[0]?.session
}
