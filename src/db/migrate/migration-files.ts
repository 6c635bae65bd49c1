// The files of migrations/, and how they compare with what a database has.
//
// NNNN-words.sql is for every database. MODULE-NNNN-words.sql is what one module alone needs: it is applied after the others, where
// MODULES has the module, or the database has a file of it already.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../refusal.ts'

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations')
const MIGRATION = /^(?:[a-z]+-)?\d{4}-.+\.sql$/

export class MigrationError extends CommandError {}

export type Migration = { name: string; sha256: string }
export type MigrationFile = Migration & { text: string }

/** In order, also those of modules that are not served. */
export async function readMigrationFiles(dir = MIGRATIONS_DIR): Promise<MigrationFile[]> {
  const files = (await readdir(dir)).filter((file) => MIGRATION.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(dir, file), 'utf8')
      return {
        name: file.slice(0, -'.sql'.length),
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
      }
    }),
  )
}

/** The names of those that a server of these modules needs. */
export async function migrationNames(modules: string[]): Promise<string[]> {
  const names = (await readMigrationFiles()).map(({ name }) => name)
  return names.filter((name) => ['', ...modules].includes(moduleOf(name)))
}

/** The module that alone needs this file; empty for what all need. */
export const moduleOf = (name: string) => /^[a-z]*/.exec(name)?.[0] ?? ''

/** What is still to be applied for these modules, and what a newer build has applied. Throws where the database was made by other files. */
export function compareMigrations(files: MigrationFile[], applied: Migration[], modules: string[]) {
  const pending: MigrationFile[] = []
  const newer: string[] = []
  for (const module of new Set(['', ...modules, ...applied.map(({ name }) => moduleOf(name))])) {
    const isOfModule = ({ name }: Migration) => moduleOf(name) === module
    const ofBuild = files.filter(isOfModule)
    const ofDatabase = applied.filter(isOfModule)
    for (const [index, file] of ofBuild.entries()) {
      const { name, sha256 } = ofDatabase[index] ?? file
      if (name !== file.name || sha256 !== file.sha256)
        throw new MigrationError(
          `The database has migration ${name} where this build has another, ${file.name}: it was made by another build, and cannot be brought up to date by this one.`,
        )
    }
    pending.push(...ofBuild.slice(ofDatabase.length))
    newer.push(...ofDatabase.slice(ofBuild.length).map(({ name }) => name))
  }
  return { pending, newer }
}
