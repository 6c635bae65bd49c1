// The file's specialities, compared with the directory. A speciality is the same one when its specialityId is the same or, where
// the file gives none, its title. specialities_after is what the directory is to have, and specialities_before what it has: everything is compared with it before anything
// is written.
import type { Client } from 'pg'
import { madeSpecialityId } from './incoming.ts'
import { CHANGED_MEANWHILE, type Clash, DirectoryError, mustNotClash } from './mistakes.ts'
import { type Changes, changesOf } from './report.ts'

export async function mergeSpecialities(client: Client, nameOf: (row: number) => string): Promise<Changes> {
  await client.query(`
    create temporary table specialities_before as
    select speciality_id, title, is_active
    from appointments.specialities;
    create temporary table specialities_after as
    table specialities_before`)
  await identify(client)
  await mustNotClash(client, clashesOf(nameOf))
  const changed = await client.query(`
    update specialities_after as existing
    set title = listed.title, is_active = listed.is_active
    from listed_specialities as listed
    where existing.speciality_id = listed.speciality_id
      and (existing.title, existing.is_active) is distinct from (listed.title, listed.is_active)`)
  const added = await client.query(`
    insert into specialities_after (speciality_id, title, is_active)
    select distinct listed.speciality_id, listed.title, listed.is_active
    from listed_specialities as listed
    where not exists (
      select
      from specialities_after as existing
      where existing.speciality_id = listed.speciality_id
    )`)
  const listed = await client.query<{ count: number }>(
    'select count(distinct speciality_id)::integer as count from listed_specialities',
  )
  return changesOf(listed.rows[0]?.count, { added: added.rowCount, changed: changed.rowCount })
}

/** listed_specialities: each row with the id of its speciality; a made one that is in use gives way to a random one. */
async function identify(client: Client) {
  await client.query(`
    create temporary table listed_specialities as
    select
      incoming.row,
      incoming.title,
      incoming.is_active,
      coalesce(
        incoming.speciality_id,
        existing.speciality_id,
        case when taken.speciality_id is null and given.speciality_id is null then incoming.made_id end,
        gen_random_uuid()::text
      ) as speciality_id
    from incoming_specialities as incoming
    left join appointments.specialities as existing on existing.title = incoming.title
    left join appointments.specialities as taken on taken.speciality_id = incoming.made_id
    left join (
      select distinct speciality_id
      from incoming_specialities
    ) as given on given.speciality_id = incoming.made_id;
    analyze listed_specialities`)
}

function clashesOf(nameOf: (row: number) => string): Clash[] {
  return [
    {
      sql: `
        select min(row) as row, max(row) as other
        from listed_specialities
        group by speciality_id
        having count(distinct (title, is_active)) > 1`,
      say: ({ row, other }) => `${nameOf(row)} and ${nameOf(other)} are the same speciality but differ`,
    },
    {
      sql: `
        select min(row) as row, max(row) as other
        from listed_specialities
        group by title
        having count(distinct speciality_id) > 1`,
      say: ({ row, other }) =>
        `${nameOf(row)} and ${nameOf(other)} have the same title but not the same specialityId`,
    },
    {
      sql: `
        select listed.row, existing.speciality_id as holder
        from listed_specialities as listed
        join appointments.specialities as existing using (title)
        where existing.speciality_id <> listed.speciality_id
          and not exists (
            select
            from listed_specialities as other
            where other.speciality_id = existing.speciality_id
          )`,
      say: ({ row, holder }) =>
        `${nameOf(row)} has the title of another speciality, whose specialityId is ${holder}`,
    },
  ]
}

/** Adds the specialities that doctors name but no list holds to specialities_after, and returns their titles. */
export async function addNamedSpecialities(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ title: string }>(`
    select distinct named.title
    from incoming_doctors
    cross join lateral unnest(titles) as named (title)
    where not exists (
      select
      from specialities_after as existing
      where existing.title = named.title
    )
    order by named.title`)
  const titles = rows.map(({ title }) => title)
  if (titles.length === 0) return []
  await client.query(
    `insert into specialities_after (speciality_id, title, is_active)
    select
      case when taken.speciality_id is null then named.made_id else gen_random_uuid()::text end,
      named.title,
      true
    from unnest($1::text[], $2::text[]) as named (made_id, title)
    left join specialities_after as taken on taken.speciality_id = named.made_id`,
    [titles.map(madeSpecialityId), titles],
  )
  return titles
}

/** The ids of known specialities whose title changes. */
export async function listRenamed(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ speciality_id: string }>(`
    select speciality_id
    from specialities_before as existing
    join specialities_after as wanted using (speciality_id)
    where existing.title <> wanted.title`)
  return rows.map(({ speciality_id }) => speciality_id)
}

/** What others changed since the comparison would be changed back. */
async function mustBeAsCompared(client: Client) {
  const { rows } = await client.query(`
    select
    from specialities_before as existing
    full join appointments.specialities as present using (speciality_id)
    where (existing.title, existing.is_active) is distinct from (present.title, present.is_active)
    limit 1`)
  if (rows.length > 0) throw new DirectoryError(CHANGED_MEANWHILE)
}

/** Writes specialities_after. All of them are few, and one statement lets titles be swapped. */
export async function writeSpecialities(client: Client) {
  await mustBeAsCompared(client)
  await client.query(`
    update appointments.specialities as existing
    set title = wanted.title, is_active = wanted.is_active
    from specialities_after as wanted
    where existing.speciality_id = wanted.speciality_id
      and (existing.title, existing.is_active) is distinct from (wanted.title, wanted.is_active)`)
  await client.query(`
    insert into appointments.specialities (speciality_id, title, is_active)
    select wanted.speciality_id, wanted.title, wanted.is_active
    from specialities_after as wanted
    where not exists (
      select
      from appointments.specialities as existing
      where existing.speciality_id = wanted.speciality_id
    )`)
}
