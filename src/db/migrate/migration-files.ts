// The files of migrations/, and which of them a database still needs.
//
// NNNN-words.sql is for every database, MODULE.sql is what one module alone needs. What follows a line "-- no transaction" in a file is a
// migration of its own.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../refusal.ts'

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations')
const MIGRATION = /^(\d{4}-.+|[a-z]+)\.sql$/

export type Migration = { name: string; sha256: string; text: string }

/** In order, those that a server of these modules needs. */
export async function readMigrations(modules: string[], dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const files = (await readdir(dir)).flatMap((file) => MIGRATION.exec(file)?.[1] ?? []).toSorted()
  const needed = files.filter((name) => /^\d/.test(name) || modules.includes(name))
  const migrations = needed.map(async (name) => {
    const parts = (await readFile(join(dir, `${name}.sql`), 'utf8')).split(/^(?=-- no transaction$)/m)
    return parts.map((text, index) => ({
      name: index === 0 ? name : `${name}-${index + 1}`,
      sha256: createHash('sha256').update(text).digest('hex'),
      text,
    }))
  })
  return (await Promise.all(migrations)).flat()
}

/** What is still to be applied to a database that has these. Refuses one that was made by other files. */
export function pendingOf(migrations: Migration[], applied: Omit<Migration, 'text'>[]): Migration[] {
  const sha256Of = new Map(applied.map(({ name, sha256 }) => [name, sha256]))
  const other = migrations.find(({ name, sha256 }) => sha256 !== (sha256Of.get(name) ?? sha256))
  if (other)
    throw new CommandError(
      `The database was made by another build: its migration ${other.name} is not the one of this build, which cannot bring it up to date.`,
    )
  return migrations.filter(({ name }) => !sha256Of.has(name))
}
