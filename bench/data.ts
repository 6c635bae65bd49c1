// The data that the bench runs on, made in the server: invented, and saying so.
import type { Stage } from './stage.ts'

export const FIRST_S = 1_600_000_000
export const SPACING_S = 60

/** Readings of `patients` patients, `each` of them a minute apart. */
export async function loadReadings(
  stage: Stage,
  prefix: string,
  { patients, each }: { patients: number; each: number },
) {
  await stage.sql(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1 || patient, to_timestamp($2 + n * $3), gen_random_uuid(), 'heartRate', $2 + n * $3, '{"value":72}', 'bench'
     from generate_series(0, $4::int - 1) patient, generate_series(0, $5::int - 1) n`,
    [prefix, FIRST_S, SPACING_S, patients, each],
  )
}

export async function loadDirectory(stage: Stage, doctors: number) {
  await stage.sql(`
    insert into appointments.specialities (speciality_id, title)
    select 'bench-' || n, 'Invented Speciality ' || n from generate_series(0, 49) n`)
  await stage.sql(
    `insert into appointments.doctors (doctor_id, name, name_key, languages, language_keys, city, city_key)
     select 'bench-' || n, 'Dr. Invented ' || md5(n::text), 'dr. invented ' || md5(n::text), '{en}', '{en}', 'Sample City', 'sample city'
     from generate_series(1, $1::int) n`,
    [doctors],
  )
  await stage.sql(`
    insert into appointments.doctor_specialities (speciality_id, name_key, doctor_id, position)
    select 'bench-' || row_number() over () % 50, name_key, doctor_id, 0 from appointments.doctors`)
  await stage.sql('analyze appointments.doctors, appointments.doctor_specialities, appointments.specialities')
}

/** One insert a transaction, of rows like those that the adds of the load send. */
export const BARE_INSERT = `\\set patient random(0, 9999)
\\set at random(0, 1000000000000)
insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
values ('add-' || :patient, to_timestamp(:at / 1000.0), gen_random_uuid(), 'heartRate', :at, '{"value":72}', 'bench')
on conflict do nothing;`

/** The plain select of a range of `readings`. */
export function bareSelect(
  prefix: string,
  { patients, each, readings }: { patients: number; each: number; readings: number },
) {
  return `\\set patient random(0, ${patients - 1})
\\set from ${FIRST_S} + random(0, ${each - readings}) * ${SPACING_S}
select reading_id, reading_type, sent_timestamp, details, received_at
from casesheet.readings
where patient_uid = '${prefix}' || :patient
  and measured_at between to_timestamp(:from) and to_timestamp(:from + ${(readings - 1) * SPACING_S})
order by measured_at, reading_id;`
}

/** Seconds that a bare COPY of `count` rows takes, rows such as an add of a thousand sends. */
export async function secondsOfCopy(stage: Stage, count: number): Promise<number> {
  const file = `${stage.dir}/copy.tsv`
  await stage.sql(
    `copy (
       select 'copy-' || n % 10000, to_timestamp(2000000000 + n + extract(epoch from clock_timestamp()) % 1000000), gen_random_uuid(), 'heartRate', 2000000000 + n, '{"value":72}', now(), 'bench'
       from generate_series(1, ${count}) n
     ) to program 'cat > ${file}'`,
  )
  const started = performance.now()
  await stage.sql(`copy casesheet.readings from program 'cat ${file}'`)
  return (performance.now() - started) / 1000
}
