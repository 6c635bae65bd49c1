// The printed doctors before and after an import writes the directory, in steps.
import type { Client } from 'pg'
import { textArray } from '../../../db/array.ts'
import { inTransaction } from './in-transaction.ts'
import { inSteps } from './steps.ts'

/** Lists the doctors that are not, also those of an import that was interrupted. */
export async function listDoctors(client: Client) {
  const { rows } = await client.query<{ is_any: boolean }>(`
    select coalesce(bool_or(listed.doctor_id is null), false) as is_any
    from appointments.doctors
    left join appointments.listed_doctors as listed using (doctor_id)`)
  if (!rows[0]?.is_any) return
  await inStepsOfDoctors(client, (after, upTo) =>
    client.query('select appointments.list_doctors($1, $2)', [after, upTo]),
  )
}

/** Before specialities are renamed, which would unlist all their doctors in one statement. */
export async function unlistDoctorsOf(client: Client, specialityIds: string[]) {
  if (specialityIds.length === 0) return
  await inStepsOfDoctors(client, (after, upTo) =>
    inTransaction(client, () => client.query(UNLIST, [after, upTo, textArray(specialityIds)])),
  )
}

const UNLIST = `
  delete from appointments.listed_doctors as listed
  where doctor_id > coalesce($1, '')
    and ($2::text is null or doctor_id <= $2)
    and exists (
      select
      from appointments.doctor_specialities as held
      where held.doctor_id = listed.doctor_id
        and held.speciality_id = any ($3::text[])
    )`

/** Calls `work` for the doctors behind one id and up to another one; without bounds at both ends of all. */
async function inStepsOfDoctors(
  client: Client,
  work: (after: string | null, upTo: string | null) => Promise<unknown>,
) {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from appointments.doctors',
  )
  let last: string | null = null
  await inSteps((rows[0]?.count ?? 0) - 1, async (from, to) => {
    const upTo: string | null = await idBehind(client, last, to - from)
    await work(last, upTo)
    last = upTo
  })
}

/** The id of the doctor that so many others separate from another one; null if there are not so many. */
async function idBehind(client: Client, id: string | null, count: number): Promise<string | null> {
  const { rows } = await client.query<{ doctor_id: string }>(
    `select doctor_id
     from appointments.doctors
     where doctor_id > coalesce($1, '')
     order by doctor_id
     offset $2
     limit 1`,
    [id, count],
  )
  return rows[0]?.doctor_id ?? null
}
