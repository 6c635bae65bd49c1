// What is wrong with a directory file, in sentences that name the row. Several are collected before giving up, so that
// a person need not import again for each.
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'

const MAX_MISTAKES = 20

/** The file cannot be imported as it is, or not from here; nothing was changed. */
export class DirectoryError extends CommandError {}

export const CHANGED_MEANWHILE = 'Another process changed the directory meanwhile. Import again.'

export type Mistakes = { add: (sentence: string) => void; mustBeNone: () => void }

export function collectMistakes(): Mistakes {
  const found: string[] = []
  function mustBeNone() {
    if (found.length === 0) return
    const more = found.length >= MAX_MISTAKES ? '\n  (There may be more.)' : ''
    throw new DirectoryError(
      `The directory was not changed. Fix these and import again:\n  ${found.join('\n  ')}${more}`,
    )
  }
  return {
    add(sentence) {
      found.push(sentence)
      if (found.length >= MAX_MISTAKES) mustBeNone()
    },
    mustBeNone,
  }
}

/** A row that another row, or the directory, contradicts. */
type Found = { row: number; other: number; holder: string }

/** A kind of contradiction: a query that finds such rows, and a sentence about one. */
export type Clash = { sql: string; say: (found: Found) => string }

export async function mustNotClash(client: Client, clashes: Clash[]) {
  const mistakes = collectMistakes()
  for (const { sql, say } of clashes) {
    const { rows } = await client.query<Found>(`${sql} order by row limit 20`)
    for (const found of rows) mistakes.add(say(found))
  }
  mistakes.mustBeNone()
}
