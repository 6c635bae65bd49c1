// A new title that equals another one but for upper and lower case or white space is a slip of the pen: it would split a
// speciality in two. Titles that were there before are left alone, however similar they are, and so are those that the file lists
// with an id for each: an export of such a directory can be imported into an empty one.
import type { Client } from 'pg'
import { collectMistakes } from './mistakes.ts'

export async function readTitles(
  client: Client,
  table: 'appointments.specialities' | 'specialities_after',
): Promise<string[]> {
  const { rows } = await client.query<{ title: string }>(`select title from ${table} order by title`)
  return rows.map(({ title }) => title)
}

/** Compares what the import has made of the titles with those that were there before it. */
export async function mustNotDifferInCaseOnly(client: Client, titlesBefore: string[]) {
  const before = new Set(titlesBefore)
  const titles = await readTitles(client, 'specialities_after')
  const similar = Map.groupBy(titles, keyOf)
  const withIds = await readTitlesWithIds(client)
  const mistakes = collectMistakes()
  for (const title of titles.filter((one) => !before.has(one))) {
    const alike = similar.get(keyOf(title)) ?? []
    const other = alike.find((one) => one !== title)
    if (other !== undefined && !alike.every((one) => withIds.has(one)))
      mistakes.add(
        `the speciality ${JSON.stringify(title)} must be written like ${JSON.stringify(other)}, which ${before.has(other) ? 'the directory has' : 'the file has too'}`,
      )
  }
  mistakes.mustBeNone()
}

async function readTitlesWithIds(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ title: string }>(
    'select title from incoming_specialities where speciality_id is not null',
  )
  return new Set(rows.map(({ title }) => title))
}

const keyOf = (title: string) => title.toLowerCase().replace(/\s+/g, ' ')
