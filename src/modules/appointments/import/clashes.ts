// Rows that each are well-formed but cannot stand together, or beside the directory: each kind is a query that finds
// them and a sentence about one.
import type { Client } from 'pg'
import { collectMistakes } from './mistakes.ts'

type Found = { row: number; other: number; holder: string }

export type Clash = { sql: string; say: (found: Found) => string }

export async function mustNotClash(client: Client, clashes: Clash[]) {
  const mistakes = collectMistakes()
  for (const { sql, say } of clashes) {
    const { rows } = await client.query<Found>(`${sql} order by row limit 20`)
    for (const found of rows) mistakes.add(say(found))
  }
  mistakes.mustBeNone()
}
