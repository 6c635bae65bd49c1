// A page of doctors: what is asked, the row that PostgreSQL answers, and the SQL that makes the row of a part of the list.
//
// PostgreSQL prints the doctors, as one text: the driver has that to decode, not twelve values for each doctor. An import has
// printed them already (appointments.listed_doctors); a doctor changed since by plain SQL is missing there, and then the
// page is read again from appointments.doctors_to_list, which prints them now, at five times the cost.
import type { Place } from './doctor-cursor.ts'

export type Asked = { after: Place | null; limit: number; subject: string }

/** `found` is one more than the limit where the list goes on; fewer are `listed` where some have to be printed. */
export type PageRow = {
  version: string
  found: number
  listed: number
  doctors: string | null
  last_name_key: string
  last_doctor_id: string
}

export type Printed = 'listed_doctors' | 'doctors_to_list'

/** The columns of a row that say how many doctors there are, the doctors as JSON, and the place of the last. */
export const PAGE_COLUMNS = 'found, listed, last_name_key, last_doctor_id, doctors'

/** `entries` is what follows `from`: a part of the list, whose rows are called `entry`. */
export function printPage(entries: string, limit: number, printed: Printed = 'listed_doctors'): string {
  // - The limit is written out: PostgreSQL takes a tenth of the table for a limit that it does not know.
  // - "listed" is a subselect, so that each doctor is looked up: a join of 1,000 could read the whole table. "offset 0" has it
  //   evaluated once.
  return `
    select
      count(*)::integer as found,
      count(listed)::integer as listed,
      max(name_key) filter (where position = ${limit}) as last_name_key,
      max(doctor_id) filter (where position = ${limit}) as last_doctor_id,
      string_agg(listed, ',' order by position) filter (where position <= ${limit}) as doctors
    from (
      select
        page.*,
        (select listed from appointments.${printed} as printed where printed.doctor_id = page.doctor_id) as listed
      from (
        select entry.name_key, entry.doctor_id,
          row_number() over (order by entry.name_key, entry.doctor_id) as position
        from ${entries}
        order by entry.name_key, entry.doctor_id
        limit ${limit + 1}
      ) as page
      offset 0
    ) as page`
}

/** Of the directory, in the same snapshot. */
export const VERSION = '(select version from appointments.directory) as version'
