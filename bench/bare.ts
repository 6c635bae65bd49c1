// The bare engine: the statements that `pgbench` and COPY run as our references.
import { COLUMNS, FIRST_S, LAST_90_DAYS, LONG, PATIENTS, SPACING_S, TYPES_OF_LONG, WATCHED } from './data.ts'
import { loadBare, type Measured, measureWork } from './loads.ts'
import type { Database, Stage } from './stage.ts'

/** As many patients send as there are tokens, evenly among all. */
export const SENDERS = 10_000
export const STEP_OF_SENDERS = PATIENTS / SENDERS

/** One insert a transaction, of rows like those that the adds of the load send. */
const INSERT = `\\set sender random(0, ${SENDERS - 1})
\\set at random(2000000000000, 3000000000000)
insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
values ('p-' || :sender * ${STEP_OF_SENDERS}, to_timestamp(:at / 1000.0), gen_random_uuid(), 'heartRate', :at, '{"value":72}', 'bench')
on conflict do nothing;`

/** The plain select of a range of `readings`. */
const select = (readings: number) => `\\set patient random(0, ${WATCHED.patients - 1})
\\set from ${FIRST_S} + random(0, ${WATCHED.each - readings}) * ${SPACING_S}
select reading_id, reading_type, sent_timestamp, details, received_at
from casesheet.readings
where patient_uid = 'watched-' || :patient
  and measured_at between to_timestamp(:from) and to_timestamp(:from + ${(readings - 1) * SPACING_S})
order by measured_at, reading_id;`

/** The newest reading of each type of a long history, the types being known. */
const LATEST = `\\set patient random(0, ${LONG.patients - 1})
select newest.*
from unnest('{${TYPES_OF_LONG.join()}}'::text[]) as wanted (reading_type)
cross join lateral (
  select reading_id, reading_type, sent_timestamp, details, received_at
  from casesheet.readings
  where patient_uid = 'long-' || :patient
    and reading_type = wanted.reading_type
  order by measured_at desc, reading_id desc
  limit 1
) as newest;`

/** The same figures for each day as our statistics have, as plainly as SQL can say it. */
const STATISTICS = `\\set patient random(0, ${LONG.patients - 1})
select date_trunc('day', measured_at at time zone 'Europe/Berlin') as day, count(*), min(value), max(value), avg(value),
  percentile_cont(array[0.5, 0.95]) within group (order by value),
  (array_agg(value order by measured_at))[1], (array_agg(value order by measured_at desc))[1]
from (
  select measured_at, (details ->> 'value')::float8 as value
  from casesheet.readings
  where patient_uid = 'long-' || :patient
    and reading_type = 'interstitialGlucose'
    and measured_at between to_timestamp(${LAST_90_DAYS.from}) and to_timestamp(${LAST_90_DAYS.to})
) as readings
group by day
order by day;`

export function bareEngine({ dir, postgresPid }: Stage, database: Database) {
  const run = (script: string, clients?: number) =>
    loadBare({
      databaseUrl: database.url,
      dir,
      script,
      pids: { postgres: postgresPid },
      ...(clients ? { clients } : {}),
    })
  return {
    insert: run(INSERT),
    select: (readings: number) => run(select(readings)),
    copy,
    loneLatest: run(LATEST, 1),
    loneStatistics: run(STATISTICS, 1),
  }

  /** Rows a second of a COPY of rows such as an add of a thousand sends. */
  async function copy(seconds: number): Promise<Measured> {
    const rows = 40_000 * seconds
    const file = `${dir}/copy.tsv`
    await database.sql(
      `copy (
         select 'p-' || n % ${PATIENTS}, to_timestamp(3000000000 + n + extract(epoch from clock_timestamp()) % 1000000), gen_random_uuid(), 'heartRate', 3000000000 + n, '{"value":72}', now(), 'bench'
         from generate_series(1, ${rows}) n
       ) to program 'cat > ${file}'`,
    )
    const copyIn = () => database.sql(`copy casesheet.readings (${COLUMNS}) from program 'cat ${file}'`)
    return measureWork(copyIn, rows, postgresPid)
  }
}
