// The bare engine: the statements that `pgbench` and COPY run as our references.
import { FIRST_S, PATIENTS, SPACING_S, WATCHED } from './data.ts'
import { loadBare, type Measured } from './loads.ts'
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

export function bareEngine(stage: Stage, database: Database, seconds: number) {
  const run = (script: string) => loadBare({ databaseUrl: database.url, dir: stage.dir, script, seconds })
  return { insert: () => run(INSERT), select: (readings: number) => run(select(readings)), copy }

  /** Rows a second of a COPY of rows such as an add of a thousand sends. */
  async function copy(): Promise<Measured> {
    const rows = 40_000 * seconds
    const file = `${stage.dir}/copy.tsv`
    await database.sql(
      `copy (
         select 'p-' || n % ${PATIENTS}, to_timestamp(3000000000 + n + extract(epoch from clock_timestamp()) % 1000000), gen_random_uuid(), 'heartRate', 3000000000 + n, '{"value":72}', now(), 'bench'
         from generate_series(1, ${rows}) n
       ) to program 'cat > ${file}'`,
    )
    const started = performance.now()
    await database.sql(`copy casesheet.readings from program 'cat ${file}'`)
    const perSecond = rows / ((performance.now() - started) / 1_000)
    return { perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN }
  }
}
