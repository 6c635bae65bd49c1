// A fault of ours for every statement of the serving role: each table gets a row policy that divides by zero.
import { runSql } from './harness.ts'

const eachTable = (statements: string) => `
  do $$
  declare
    t regclass;
  begin
    for t in
      select oid
      from pg_class
      where relkind in ('r', 'p')
        and not relispartition
        and relnamespace in ('casesheet'::regnamespace, 'appointments'::regnamespace, 'webhooks'::regnamespace)
    loop
      execute format('${statements}', t);
    end loop;
  end $$`

/** Returns how to fix them. */
export async function breakTables(ownerUrl: string): Promise<() => Promise<unknown>> {
  const policy = 'create policy broken on %1$s using (1 / 0 = 1); alter table %1$s enable row level security'
  await runSql(ownerUrl, eachTable(policy))
  return () =>
    runSql(ownerUrl, eachTable('alter table %1$s disable row level security; drop policy broken on %1$s'))
}
