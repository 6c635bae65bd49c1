// A doctor with many patients, each with a long history: sensor glucose, blood pressure with weight and heart rate, or a mixture. All
// invented. Readings are stored in order of time, so those of one patient lie scattered among those of others, as in practice.
import { withoutIndexes } from '../../bench/data.ts'
import { runSql } from '../../tools/dev/run-sql.ts'

export const DOCTOR = 'dr-panel'
export const uidOf = (patient: number) => `panel-${patient}`

export type Panel = {
  patients: number
  /** Of each patient, evenly over so many days until now. */
  readings: number
  days: number
}

/** Readings that one statement stores. */
const BATCH = 500_000
const STREAMS = 2

export async function loadPatients(
  url: string,
  panel: Panel,
  onProgress: (share: number) => void = () => {},
) {
  const sql = <Row extends object>(text: string, values?: unknown[]) => runSql<Row>(url, text, values)
  const steps = Math.max(1, Math.floor(BATCH / panel.patients))
  const starts = Array.from({ length: Math.ceil(panel.readings / steps) }, (_, index) => index * steps)
  const endMs = Date.now()
  const fill = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const end = Math.min(start + steps, panel.readings) - 1
      const spacingMs = (panel.days * 86_400_000) / panel.readings
      await sql(INSERT, [panel.patients, start, end, endMs, panel.readings, spacingMs])
      onProgress((end + 1) / panel.readings)
    }
  }
  await withoutIndexes({ sql }, async () => void (await Promise.all(Array.from({ length: STREAMS }, fill))))
  await sql('vacuum (freeze, analyze) casesheet.readings')
  // All of that is old: no follower has to read it. The lists are made for the grants.
  await sql(
    "update casesheet.followers set xid = pg_snapshot_xmin(pg_current_snapshot()), id = '00000000-0000-0000-0000-000000000000'",
  )
  await sql(GRANTS, [panel.patients, DOCTOR])
  await sql(TARGETS, [panel.patients, DOCTOR])
  await sql('vacuum analyze casesheet.grants, casesheet.targets')
  await sql('checkpoint')
}

// Six of ten patients have a sensor, three measure blood pressure and weight and wear a watch, one has a mixture. The patients are the
// inner loop, because `step` is part of what is selected of them.
const INSERT = `
  insert into casesheet.readings
    (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, added_by)
  select 'panel-' || patient, to_timestamp(at / 1000.0), gen_random_uuid(), reading_type, at,
    case reading_type
      when 'interstitialGlucose' then format(
        '{"value":%s,"unit":"mmol/L","trend":"stable","source":{"kind":"device","device":{"name":"Invented sensor"}}}',
        round((5.5 + patient % 7 * 0.5 + 2.5 * sin(step / 40.0 + patient) + 2 * random())::numeric, 1))
      when 'bloodPressure' then format(
        '{"systolic":%s,"diastolic":%s,"pulse":%s,"unit":"mm[Hg]","source":{"kind":"manual"}}',
        110 + patient % 20 + (random() * 25)::integer, 65 + patient % 10 + (random() * 15)::integer, 60 + (random() * 30)::integer)
      when 'bodyWeight' then format(
        '{"value":%s,"unit":"kg","source":{"kind":"manual"}}', round((60 + patient % 40 + random())::numeric, 1))
      when 'symptom' then '{"text":"Invented: slept badly.","source":{"kind":"manual"}}'
      when 'oxygenSaturation' then format(
        '{"value":%s,"source":{"kind":"device","device":{"name":"Invented watch"}}}', 93 + (random() * 6)::integer)
      else format(
        '{"value":%s,"source":{"kind":"device","device":{"name":"Invented watch"}}}', 55 + (random() * 60)::integer)
    end::json,
    to_timestamp(at / 1000.0) + interval '2 seconds', 'panel-' || patient
  from generate_series($2::integer, $3::integer) as step
  cross join lateral (
    select patient,
      floor($4::float8 - ($5::integer - step - patient::float8 / $1::integer) * $6::float8) as at,
      case
        when patient % 10 < 6 then 'interstitialGlucose'
        when patient % 10 < 9 then
          case when step % 64 = 0 then 'bloodPressure' when step % 256 = 1 then 'bodyWeight' else 'heartRate' end
        when step % 512 = 0 then 'symptom'
        else (array['interstitialGlucose', 'heartRate', 'interstitialGlucose', 'oxygenSaturation', 'acme.step'])[1 + step % 5]
      end as reading_type
    from generate_series(0, $1::integer - 1) as patient
    offset 0
  ) as reading`

const GRANTS = `
  insert into casesheet.grants (patient_uid, doctor_id, permission, reading_types, shared_as, list_key, changed_by)
  select 'panel-' || patient, $2, 'manage',
    case when patient % 50 = 49 then '{interstitialGlucose,heartRate}'::text[] end, name, lower(name), 'panel-' || patient
  from generate_series(0, $1::integer - 1) as patient
  cross join lateral (select 'Invented ' || substr(md5(patient::text), 1, 8) || ', born ' || 1940 + patient % 70) as named (name)`

// The doctor has set one target for all who measure blood pressure, and one for each with a sensor but for one of ten.
const TARGETS = `
  insert into casesheet.targets
    (patient_uid, author_kind, author_id, reading_type, unit, fields, expect_every, preset, set_by)
  select null, 'doctor', $2, 'bloodPressure', 'mm[Hg]',
    '{"systolic": {"high": 135, "actBelow": null, "actAbove": 180}, "diastolic": {"high": 85, "actBelow": null, "actAbove": 110}}'::jsonb,
    'P3D', 'home-blood-pressure-esh', $2
  union all
  select 'panel-' || patient, 'doctor', $2, 'interstitialGlucose', 'mmol/L',
    '{"value": {"low": 3.9, "high": 10, "farLow": 3, "farHigh": 13.9, "actBelow": null, "actAbove": null,
      "goals": {"inRange": 0.7, "below": 0.04, "farBelow": 0.01, "above": 0.25, "farAbove": 0.05}}}'::jsonb,
    'P1D', 'sensor-glucose', $2
  from generate_series(0, $1::integer - 1) as patient
  where not patient % 10 between 6 and 8
    and patient / 10 % 10 <> 9`
