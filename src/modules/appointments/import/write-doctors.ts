// The listed doctors into the directory, each replaced as a whole; a row is written only where something is distinct.
import type { Client } from 'pg'
import { countEmptied, type Emptied } from './emptied-fields.ts'
import { FIELDS, fieldsOf } from './incoming.ts'
import { type Changes, changesOf } from './report.ts'

export async function writeDoctors(client: Client): Promise<{ doctors: Changes; emptied: Emptied[] }> {
  await findChanged(client)
  const emptied = await countEmptied(client)
  await client.query(`
    update appointments.doctors as existing
    set ${FIELDS.map((field) => `${field} = incoming.${field}`).join(', ')}
    from changed_doctors as changed
    join incoming_doctors as incoming using (row)
    where existing.doctor_id = changed.doctor_id
      and (${fieldsOf('existing')}) is distinct from (${fieldsOf('incoming')})`)
  const added = await client.query(`
    insert into appointments.doctors (doctor_id, ${FIELDS.join(', ')})
    select listed.doctor_id, ${fieldsOf('incoming')}
    from listed_doctors as listed
    join incoming_doctors as incoming using (row)
    where listed.is_new
    order by incoming.name_key, listed.doctor_id`)
  await writeTheirSpecialities(client)
  const { rows } = await client.query<{ listed: number; changed: number }>(`
    select
      (select count(*) from listed_doctors)::integer as listed,
      (select count(*) from changed_doctors)::integer as changed`)
  const doctors = changesOf(rows[0]?.listed, { added: added.rowCount, changed: rows[0]?.changed })
  return { doctors, emptied }
}

/** changed_doctors: the known ones of which a field, a speciality or the order of these differs. */
async function findChanged(client: Client) {
  await client.query(`
    create temporary table changed_doctors on commit drop as
    select listed.row, listed.doctor_id
    from listed_doctors as listed
    join incoming_doctors as incoming using (row)
    join appointments.doctors as existing on existing.doctor_id = listed.doctor_id
    left join (
      select entry.doctor_id, array_agg(speciality.title order by entry.position) as titles
      from appointments.doctor_specialities as entry
      join appointments.specialities as speciality using (speciality_id)
      where entry.doctor_id in (select doctor_id from listed_doctors)
      group by entry.doctor_id
    ) as held on held.doctor_id = listed.doctor_id
    where (${fieldsOf('existing')}, coalesce(held.titles, '{}'))
      is distinct from (${fieldsOf('incoming')}, incoming.titles);
    analyze changed_doctors`)
}

async function writeTheirSpecialities(client: Client) {
  await client.query(`
    create temporary table wanted_specialities on commit drop as
    select speciality.speciality_id, incoming.name_key, listed.doctor_id, (named.position - 1)::smallint as position
    from listed_doctors as listed
    left join changed_doctors as changed using (row)
    join incoming_doctors as incoming using (row)
    cross join lateral unnest(incoming.titles) with ordinality as named (title, position)
    join appointments.specialities as speciality using (title)
    where listed.is_new
      or changed.row is not null;
    analyze wanted_specialities`)
  await client.query(`
    delete from appointments.doctor_specialities as held
    using changed_doctors as changed
    where held.doctor_id = changed.doctor_id
      and not exists (
        select
        from wanted_specialities as wanted
        where (wanted.speciality_id, wanted.name_key, wanted.doctor_id, wanted.position)
          = (held.speciality_id, held.name_key, held.doctor_id, held.position)
      )`)
  await client.query(`
    insert into appointments.doctor_specialities (speciality_id, name_key, doctor_id, position)
    select wanted.speciality_id, wanted.name_key, wanted.doctor_id, wanted.position
    from wanted_specialities as wanted
    where not exists (
      select
      from appointments.doctor_specialities as held
      where (held.speciality_id, held.name_key, held.doctor_id)
        = (wanted.speciality_id, wanted.name_key, wanted.doctor_id)
    )
    order by wanted.speciality_id, wanted.name_key, wanted.doctor_id`)
}
