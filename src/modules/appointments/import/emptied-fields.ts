// Which fields of known doctors an import empties. A file with fewer columns than the last one does that to all its doctors,
// which hardly anyone means.
import type { Client } from 'pg'

/** A field as files name it. A doctor that was not active becomes active where a file says nothing of it. */
export type Emptied = { field: string; doctors: number }

const HAD_TEXT: Record<string, string> = {
  gender: 'gender',
  registrationNumber: 'registration_number',
  experienceYears: 'experience_years',
  city: 'city',
  photoUrl: 'photo_url',
}
const HAD_LIST: Record<string, string> = { qualifications: 'qualifications', languages: 'languages' }

/** Called with changed_doctors filled, before they are written. */
export async function countEmptied(client: Client): Promise<Emptied[]> {
  const conditions: [field: string, condition: string][] = [
    ...Object.entries(HAD_TEXT).map(([field, column]): [string, string] => [
      field,
      `existing.${column} is not null and incoming.${column} is null`,
    ]),
    ...Object.entries(HAD_LIST).map(([field, column]): [string, string] => [
      field,
      `existing.${column} <> '{}' and incoming.${column} = '{}'`,
    ]),
    [
      'specialities',
      `incoming.titles = '{}' and exists (
        select
        from appointments.doctor_specialities as held
        where held.doctor_id = existing.doctor_id
      )`,
    ],
    ['isActive', 'not existing.is_active and incoming.is_active'],
  ]
  const counts = conditions.map(([field, condition]) => `count(*) filter (where ${condition}) as "${field}"`)
  const { rows } = await client.query<Record<string, string>>(`
    select ${counts.join(',\n      ')}
    from changed_doctors as changed
    join incoming_doctors as incoming using (row)
    join appointments.doctors as existing on existing.doctor_id = changed.doctor_id`)
  return Object.entries(rows[0] ?? {})
    .map(([field, doctors]) => ({ field, doctors: Number(doctors) }))
    .filter(({ doctors }) => doctors > 0)
}
