// Which doctor each row of the file means. A doctor is the same one when the doctorId is the same; where the row gives
// none, when the registrationNumber is; where either side has none, when the name and the set of specialities are.
// A row that could mean several doctors is refused, and so are two rows that mean one doctor and differ.
import type { Client } from 'pg'
import { fieldsOf } from './incoming.ts'
import { type Clash, mustNotClash } from './mistakes.ts'
import { inSteps } from './steps.ts'

type NameOf = (row: number) => string

/** Makes listed_doctors: each doctor of the file once, by its row, with its id and whether it is new. */
export async function identifyDoctors(client: Client, lastRow: number, nameOf: NameOf) {
  await match(client, lastRow)
  await mustNotClash(client, [severalMatch(nameOf)])
  await giveIds(client, lastRow)
  await mustNotClash(client, clashesOf(nameOf))
  await client.query(`
    delete from listed_doctors as doubled
    using (
      select doctor_id, min(row) as row
      from listed_doctors
      group by doctor_id
      having count(*) > 1
    ) as first
    where doubled.doctor_id = first.doctor_id
      and doubled.row <> first.row`)
}

/** The ids of listed doctors whom the file has inactive, whether or not they were before. */
export async function listInactive(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ doctor_id: string }>(`
    select listed.doctor_id
    from listed_doctors as listed
    join incoming_doctors as incoming using (row)
    where not incoming.is_active`)
  return rows.map(({ doctor_id }) => doctor_id)
}

/** matched_doctors: each row with the existing doctor, or doctors, that it may mean. */
async function match(client: Client, lastRow: number) {
  await client.query('create temporary table matched_doctors (row integer not null, doctor_id text not null)')
  await inSteps(lastRow, (from, to) => client.query(MATCH, [from, to]))
  await client.query('create index on matched_doctors (row); analyze matched_doctors')
}

const MATCH = `
    insert into matched_doctors (row, doctor_id)
    with incoming as materialized (
      select row, doctor_id, registration_number, name_key, name, titles
      from incoming_doctors
      where row between $1 and $2
    ), by_number as (
      select incoming.row, existing.doctor_id
      from incoming
      join appointments.doctors as existing using (registration_number)
      where incoming.doctor_id is null
    )
    select incoming.row, existing.doctor_id
    from incoming
    join appointments.doctors as existing using (doctor_id)
    union all
    select row, doctor_id
    from by_number
    union all
    select incoming.row, existing.doctor_id
    from incoming
    join appointments.doctors as existing using (name_key, name)
    cross join lateral (
      select array(
        select speciality.title
        from appointments.doctor_specialities as held
        join specialities_after as speciality using (speciality_id)
        where held.doctor_id = existing.doctor_id
      ) as titles
    ) as held
    where incoming.doctor_id is null
      and (incoming.registration_number is null or existing.registration_number is null)
      and not exists (select from by_number where by_number.row = incoming.row)
      and incoming.titles @> held.titles
      and incoming.titles <@ held.titles`

function severalMatch(nameOf: NameOf): Clash {
  return {
    sql: `
      select row
      from matched_doctors
      group by row
      having count(*) > 1`,
    say: ({ row }) =>
      `${nameOf(row)} could be any of several doctors with its name and specialities: give its doctorId or registrationNumber`,
  }
}

/** A made id that is in use gives way to a random one. */
async function giveIds(client: Client, lastRow: number) {
  await client.query(`
    create temporary table listed_doctors (
      row integer primary key,
      doctor_id text collate "C" not null,
      is_new boolean not null,
      name_id uuid not null,
      is_known_by_name boolean not null
    )`)
  await inSteps(lastRow, (from, to) => client.query(GIVE_IDS, [from, to]))
  await client.query('analyze listed_doctors')
}

const GIVE_IDS = `
    insert into listed_doctors (row, doctor_id, is_new, name_id, is_known_by_name)
    select
      incoming.row,
      coalesce(
        incoming.doctor_id,
        matched.doctor_id,
        case when taken.doctor_id is null and not given.is_so then incoming.made_id end,
        gen_random_uuid()::text
      ) as doctor_id,
      matched.doctor_id is null as is_new,
      incoming.name_id,
      incoming.doctor_id is null and incoming.registration_number is null as is_known_by_name
    from incoming_doctors as incoming
    left join matched_doctors as matched using (row)
    left join appointments.doctors as taken on taken.doctor_id = incoming.made_id
    cross join lateral (
      select exists (
        select
        from incoming_doctors as other
        where other.doctor_id = incoming.made_id
      ) as is_so
    ) as given
    where incoming.row between $1 and $2`

function clashesOf(nameOf: NameOf): Clash[] {
  return [
    {
      sql: `
        select min(row) as row, max(row) as other
        from listed_doctors as listed
        join incoming_doctors as incoming using (row)
        where listed.doctor_id in (
          select doctor_id
          from listed_doctors
          group by doctor_id
          having count(*) > 1
        )
        group by listed.doctor_id
        having count(distinct (${fieldsOf('incoming')}, incoming.titles)) > 1`,
      say: ({ row, other }) => `${nameOf(row)} and ${nameOf(other)} are the same doctor but differ`,
    },
    {
      // On the next import the row without an id would match both doctors.
      sql: `
        select min(row) as row, max(row) as other
        from listed_doctors
        group by name_id
        having min(doctor_id) <> max(doctor_id) and bool_or(is_known_by_name)`,
      say: ({ row, other }) =>
        `${nameOf(row)} and ${nameOf(other)} have the same name and specialities: give each a doctorId or registrationNumber`,
    },
    {
      sql: `
        select min(row) as row, max(row) as other
        from listed_doctors as listed
        join incoming_doctors as incoming using (row)
        where incoming.registration_number is not null
        group by incoming.registration_number
        having min(listed.doctor_id) <> max(listed.doctor_id)`,
      say: ({ row, other }) =>
        `${nameOf(row)} and ${nameOf(other)} have the same registrationNumber but are not the same doctor`,
    },
    {
      sql: `
        select incoming.row, existing.doctor_id as holder
        from listed_doctors as listed
        join incoming_doctors as incoming using (row)
        join appointments.doctors as existing on existing.registration_number = incoming.registration_number
        where existing.doctor_id <> listed.doctor_id
          and not exists (
            select
            from listed_doctors as other
            where other.doctor_id = existing.doctor_id
          )`,
      say: ({ row, holder }) =>
        `${nameOf(row)} has the registrationNumber of another doctor, whose doctorId is ${holder}`,
    },
  ]
}
