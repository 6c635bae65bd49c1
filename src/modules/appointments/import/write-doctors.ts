// The listed doctors, compared with the directory and then written, each replaced as a whole; a row is written only where something is
// distinct.
import type { Client } from 'pg'
import { countEmptied, type Emptied } from './emptied-fields.ts'
import { FIELDS, fieldsOf } from './incoming.ts'
import { type Changes, changesOf } from './report.ts'
import { inSteps } from './steps.ts'

export async function compareDoctors(
  client: Client,
  lastRow: number,
): Promise<{ doctors: Changes; emptied: Emptied[] }> {
  await findChanged(client, lastRow)
  const emptied = await countEmptied(client)
  const { rows } = await client.query<{ listed: number; added: number; changed: number }>(`
    select count(*)::integer as listed,
      (count(*) filter (where is_new))::integer as added,
      (select count(*) from changed_doctors)::integer as changed
    from listed_doctors`)
  const doctors = changesOf(rows[0]?.listed, { added: rows[0]?.added, changed: rows[0]?.changed })
  return { doctors, emptied }
}

/** changed_doctors: the known ones of which a field, a speciality or the order of these differs. */
async function findChanged(client: Client, lastRow: number) {
  await client.query(
    'create temporary table changed_doctors (row integer primary key, doctor_id text collate "C" not null)',
  )
  await inSteps(lastRow, (from, to) => client.query(FIND_CHANGED, [from, to]))
  await client.query('analyze changed_doctors')
}

const FIND_CHANGED = `
  insert into changed_doctors (row, doctor_id)
  select listed.row, listed.doctor_id
  from listed_doctors as listed
  join incoming_doctors as incoming using (row)
  join appointments.doctors as existing on existing.doctor_id = listed.doctor_id
  left join (
    select entry.doctor_id, array_agg(speciality.title order by entry.position) as titles
    from appointments.doctor_specialities as entry
    join specialities_after as speciality using (speciality_id)
    where entry.doctor_id in (select doctor_id from listed_doctors where row between $1 and $2)
    group by entry.doctor_id
  ) as held on held.doctor_id = listed.doctor_id
  where listed.row between $1 and $2
    and not listed.is_new
    and (${fieldsOf('existing')}, coalesce(held.titles, '{}'))
      is distinct from (${fieldsOf('incoming')}, incoming.titles)`

/** Numbers that one doctor gives to another one, in one statement, so that no doctor has the number of another one in between. */
export async function moveRegistrationNumbers(client: Client) {
  await client.query(`
    update appointments.doctors as existing
    set registration_number = incoming.registration_number
    from changed_doctors as changed
    join incoming_doctors as incoming using (row)
    where existing.doctor_id = changed.doctor_id
      and existing.registration_number is distinct from incoming.registration_number
      and existing.registration_number in (select registration_number from incoming_doctors)`)
}

/** Within a transaction, which writes these rows whole. */
export async function writeDoctors(client: Client, from: number, to: number) {
  const range = [from, to]
  await client.query(UPDATE_CHANGED, range)
  await client.query(INSERT_NEW, range)
  await client.query(DELETE_SPECIALITIES, range)
  await client.query(INSERT_SPECIALITIES, range)
}

const UPDATE_CHANGED = `
  update appointments.doctors as existing
  set ${FIELDS.map((field) => `${field} = incoming.${field}`).join(', ')}
  from changed_doctors as changed
  join incoming_doctors as incoming using (row)
  where changed.row between $1 and $2
    and existing.doctor_id = changed.doctor_id
    and (${fieldsOf('existing')}) is distinct from (${fieldsOf('incoming')})`

const INSERT_NEW = `
  insert into appointments.doctors (doctor_id, ${FIELDS.join(', ')})
  select listed.doctor_id, ${fieldsOf('incoming')}
  from listed_doctors as listed
  join incoming_doctors as incoming using (row)
  where listed.row between $1 and $2
    and listed.is_new
  order by incoming.name_key, listed.doctor_id`

// A speciality is the one that had the title when the file was compared, whatever its title is now.
const WANTED = `
    select speciality.speciality_id, incoming.name_key, listed.doctor_id, (named.position - 1)::smallint as position,
      listed.is_new
    from listed_doctors as listed
    left join changed_doctors as changed using (row)
    join incoming_doctors as incoming using (row)
    cross join lateral unnest(incoming.titles) with ordinality as named (title, position)
    join specialities_after as speciality using (title)
    where listed.row between $1 and $2
      and (listed.is_new or changed.row is not null)`

const DELETE_SPECIALITIES = `
  with wanted as materialized (${WANTED}
  )
  delete from appointments.doctor_specialities as held
  using changed_doctors as changed
  where changed.row between $1 and $2
    and held.doctor_id = changed.doctor_id
    and not exists (
      select
      from wanted
      where (wanted.speciality_id, wanted.name_key, wanted.doctor_id, wanted.position)
        = (held.speciality_id, held.name_key, held.doctor_id, held.position)
    )`

const INSERT_SPECIALITIES = `
  insert into appointments.doctor_specialities (speciality_id, name_key, doctor_id, position)
  select wanted.speciality_id, wanted.name_key, wanted.doctor_id, wanted.position
  from (${WANTED}
  ) as wanted
  where wanted.is_new
    or not exists (
      select
      from appointments.doctor_specialities as held
      where (held.speciality_id, held.name_key, held.doctor_id)
        = (wanted.speciality_id, wanted.name_key, wanted.doctor_id)
    )
  order by wanted.speciality_id, wanted.name_key, wanted.doctor_id`
