// A database that keeps its callers waiting: the table of readings is locked, or inserts are slow, until the test lets go.
import { after } from 'node:test'
import { Client } from 'pg'
import { runSql } from './harness.ts'

/** Locks the readings; returns how to let go. */
export async function lockReadings(ownerUrl: string): Promise<() => Promise<void>> {
  const blocker = new Client({ connectionString: ownerUrl })
  await blocker.connect()
  after(() => blocker.end())
  await blocker.query('begin; lock table casesheet.readings in access exclusive mode')
  return async () => {
    await blocker.query('commit')
  }
}

/** Makes every insert take until the test lets go, without a lock, or until the server stops it; returns how to let go. */
export async function slowInserts(
  ownerUrl: string,
  table: 'casesheet.readings' | 'casesheet.access_log' = 'casesheet.readings',
): Promise<() => Promise<void>> {
  await runSql(
    ownerUrl,
    `create table public.held as select true as is_held;
    create function public.wait_until_let_go() returns trigger language plpgsql security definer as $$
    begin
      while exists (select from public.held) loop
        perform pg_sleep(0.01);
      end loop;
      return new;
    end
    $$;
    create trigger wait_until_let_go before insert on ${table}
    for each row execute function public.wait_until_let_go()`,
  )
  return async () => {
    await runSql(ownerUrl, 'delete from public.held')
  }
}
