// The files of migrations/, named NNNN-some-words.sql, and how they compare with what a database has.
//
// A file is applied in one transaction, unless its first line is "-- no transaction": then each of its statements is
// applied by itself, as psql would, since some (create index concurrently) cannot run in a transaction. Such a file may be
// stopped anywhere and is then run again from its start, so each statement must be one that may run twice. A select that
// ends in \gexec yields statements, which are run one by one; that too is as in psql.
//
// What one module alone needs stands in modules/MODULE-NNNN-some-words.sql. It is applied after the others, where MODULES has the
// module, or the database has a file of it already.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../refusal.ts'

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations')

const SQL = /\.sql$/
const MIGRATION = /^(modules\/[a-z]+-)?\d{4}(-[a-z0-9]+)+\.sql$/

export class MigrationError extends CommandError {}

export type MigrationFile = { name: string; text: string; sha256: string }

export type AppliedMigration = { name: string; sha256: string }

/** All of them, also of modules that are not served. */
export async function readMigrationFiles(dir = MIGRATIONS_DIR): Promise<MigrationFile[]> {
  const names = await allNames(dir)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(dir, `${name}.sql`), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** The names of those that a server of these modules needs. */
export async function migrationNames(modules: readonly string[]): Promise<string[]> {
  return (await allNames(MIGRATIONS_DIR)).filter(isFor(modules))
}

/** The module that alone needs this file; undefined for what all need. */
const moduleOf = (name: string) => /^modules\/([a-z]+)-/.exec(name)?.[1]

const isFor = (modules: readonly string[]) => (name: string) => {
  const module = moduleOf(name)
  return module === undefined || modules.includes(module)
}

/**
 * The names of all files that end in .sql, in order; those of modules come last. A name that says nothing of its place is an error: it
 * would run in some order, once, and could never be renamed. Other files, such as notes and what editors leave behind, are ignored.
 * Numbers may be left out, so that two branches can take the next ones.
 */
async function allNames(dir: string): Promise<string[]> {
  const files = (await readdir(dir, { recursive: true })).filter((file) => file.endsWith('.sql')).toSorted()
  const wrong = files.find((file) => !MIGRATION.test(file))
  if (wrong !== undefined)
    throw new MigrationError(
      `migrations/${wrong} must be named by four digits and words in lower case, such as 0042-some-words.sql.`,
    )
  const numberOf = (file = '') => /^(modules\/[a-z]+-)?\d{4}/.exec(file)?.[0]
  const second = files.find((file, index) => numberOf(file) === numberOf(files[index - 1]))
  if (second !== undefined)
    throw new MigrationError(`Two files of migrations/ have the number of ${second}. Give it a later one.`)
  return files.map((file) => file.replace(SQL, ''))
}

/**
 * What is still to be applied for these modules, and what a newer build has applied already. Throws when the database was made by
 * other files than these: what stands in it is then not what they say.
 */
export function compareMigrations(
  files: MigrationFile[],
  applied: AppliedMigration[],
  modules: readonly string[],
) {
  const fileOf = new Map(files.map((file) => [file.name, file]))
  const isOfSame = (name: string) => (other: { name: string }) => moduleOf(other.name) === moduleOf(name)
  const isAfterLast = (name: string) => name > (files.findLast(isOfSame(name))?.name ?? '')
  const newer = applied.map(({ name }) => name).filter((name) => !fileOf.has(name) && isAfterLast(name))
  for (const { name, sha256 } of applied) {
    const file = fileOf.get(name)
    if (!file && !newer.includes(name))
      throw new MigrationError(`Migration ${name} was applied, but its file is missing.`)
    if (file && file.sha256 !== sha256)
      throw new MigrationError(
        `Migration ${name} was changed after it was applied. Restore it and add a new one instead.`,
      )
  }
  const isApplied = new Set(applied.map(({ name }) => name))
  const isNeeded = isFor([...modules, ...applied.flatMap(({ name }) => moduleOf(name) ?? [])])
  const pending = files.filter(({ name }) => !isApplied.has(name) && isNeeded(name))
  for (const { name } of pending) {
    const later = applied.filter(isOfSame(name)).find((other) => other.name > name)
    if (later)
      throw new MigrationError(
        `Migration ${name} comes before ${later.name}, which was applied already. Give it a later number.`,
      )
  }
  return { pending, newer }
}

export function isInTransaction({ text }: MigrationFile): boolean {
  return !text.startsWith('-- no transaction\n')
}

export type MigrationStatement = { text: string; yieldsStatements: boolean }

/** The statements of a file that runs without a transaction: each ends a line with a semicolon or with \gexec. */
export function statementsOf({ name, text }: MigrationFile): MigrationStatement[] {
  const parts = text.replace(/^[ \t]*--.*$/gm, '').split(/(;|\\gexec)[ \t]*$/m)
  const rest = parts.pop()
  if (rest?.trim()) throw new MigrationError(`Migration ${name} must end with a semicolon or with \\gexec.`)
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? [{ text: part.trim(), yieldsStatements: parts[index + 1] !== ';' }] : [],
  )
}
