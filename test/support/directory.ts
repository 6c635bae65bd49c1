// Directories for tests: a file with the given content, imported the way the command does it. People are invented.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { importDirectory } from '../../src/modules/appointments/import/import-directory.ts'
import { DirectoryError } from '../../src/modules/appointments/import/mistakes.ts'
import { runSql } from './harness.ts'

const dir = await mkdtemp(join(tmpdir(), 'rounds-directory-'))
// Whatever a test file awaits must come before its first test, or this runs too early.
after(() => rm(dir, { recursive: true }))

/** An object becomes a JSON file; a text or bytes become a file as they are, of the given kind. */
export async function directoryFile(content: object | string | Buffer, extension = 'json'): Promise<string> {
  const path = join(dir, `${randomUUID()}.${extension}`)
  const isReady = typeof content === 'string' || Buffer.isBuffer(content)
  await writeFile(path, isReady ? content : JSON.stringify(content))
  return path
}

export async function fillDirectory(databaseUrl: string, content: object | string, extension?: string) {
  return importDirectory({ databaseUrl, file: await directoryFile(content, extension) })
}

/** Asserts that a file is refused and changes no row, and returns the sentences. */
export async function whyRefused(
  databaseUrl: string,
  content: object | string | Buffer,
  extension?: string,
): Promise<string> {
  const before = await rowsOf(databaseUrl)
  const file = await directoryFile(content, extension)
  const error: unknown = await importDirectory({ databaseUrl, file }).then(
    () => assert.fail('it was imported'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DirectoryError, String(error))
  assert.deepEqual(await rowsOf(databaseUrl), before)
  return error.message
}

/** Every row of the directory with the transaction that wrote it. */
export function rowsOf(databaseUrl: string) {
  return runSql(
    databaseUrl,
    `select 'speciality' as kind, xmin::text, to_json(specialities)::text as row
    from appointments.specialities
    union all
    select 'doctor', xmin::text, to_json(doctors)::text
    from appointments.doctors
    union all
    select 'entry', xmin::text, to_json(doctor_specialities)::text
    from appointments.doctor_specialities
    order by 1, 3`,
  )
}
