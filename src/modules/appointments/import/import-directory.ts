// `rounds directory import`: a file into the doctor directory, in one transaction. The file streams through COPY into
// temporary tables; what it says is then compared with the directory and merged in SQL, as sets. Listed specialities
// and doctors are replaced as a whole; those that are not listed stay as they are.
import type { Client } from 'pg'
import { isTransient } from '../../../db/database-errors.ts'
import { withSession } from '../../../db/session.ts'
import { codeOf } from '../../../error-code.ts'
import { TAKE_OTHER_VERSIONS } from '../cached-pages.ts'
import { copyRows } from './copy.ts'
import { type DirectoryFile, openDirectoryFile } from './directory-file.ts'
import { withoutIndexesIfEmpty } from './first-fill.ts'
import { identifyDoctors } from './identify-doctors.ts'
import { createIncomingTables, doctorRow, INCOMING, specialityRow } from './incoming.ts'
import { addNamedSpecialities, mergeSpecialities } from './merge-specialities.ts'
import { collectMistakes, DirectoryError } from './mistakes.ts'
import { CHECK_OF, type DoctorRecord, type SpecialityRecord } from './record.ts'
import type { ImportReport } from './report.ts'
import { mustNotDifferInCaseOnly, readTitles } from './similar-titles.ts'
import { writeDoctors } from './write-doctors.ts'

const MAX_UNSEEN_MS = 3_000
const LOCK_NOT_AVAILABLE = '55P03'

export type DirectoryImport = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  file: string
  /** Does everything, reports what would change, and takes it all back. */
  isDryRun?: boolean
  onProgress?: (progress: Progress) => void
}

/** What is being done, and how much of it is done where that is known. */
type Progress = { stage: 'reading' | 'comparing' | 'writing' | 'tidying up'; share?: number }

export async function importDirectory({
  databaseUrl,
  file,
  isDryRun = false,
  onProgress = () => {},
}: DirectoryImport): Promise<ImportReport> {
  const source = await openDirectoryFile(file, (bytes, ofBytes) =>
    onProgress({ stage: 'reading', share: ofBytes > 0 ? bytes / ofBytes : 1 }),
  )
  return withSession(databaseUrl, 'rounds directory import', async (client) => {
    await begin(client)
    await copyFile(client, source)
    const report = await merge(client, source, onProgress)
    await client.query(isDryRun ? 'rollback' : 'commit')
    if (!isDryRun && hasChanges(report)) {
      await untilReplaced(client)
      onProgress({ stage: 'tidying up' })
      await tidyUp(client)
    }
    return report
  }).catch((error: unknown) => {
    throw withMeaning(error)
  })
}

// An import takes as long as it takes, whatever limits the role has for its statements, and sees what was committed before its
// locks, whatever isolation the role has.
async function begin(client: Client) {
  await client.query(`
    begin isolation level read committed;
    set local statement_timeout = 0;
    set local lock_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local work_mem = '64MB';
    set local maintenance_work_mem = '128MB'`)
  await createIncomingTables(client)
}

async function copyFile(client: Client, { records, nameOf }: DirectoryFile) {
  const mistakes = collectMistakes()
  const copy = copyRows(client)
  for await (const batch of records) {
    const good = batch.filter(({ list, row, value }) => {
      const faults = CHECK_OF[list](value).map(
        ({ pointer, message }) => `${nameOf(list, row, pointer)} ${message}`,
      )
      for (const fault of new Set(faults)) mistakes.add(fault)
      return faults.length === 0
    })
    const specialities = good.filter(({ list }) => list === 'specialities')
    const doctors = good.filter(({ list }) => list === 'doctors')
    await copy.write(
      INCOMING.specialities,
      specialities.map(({ row, value }) => specialityRow(row, value as SpecialityRecord)),
    )
    await copy.write(
      INCOMING.doctors,
      doctors.map(({ row, value }) => doctorRow(row, value as DoctorRecord)),
    )
  }
  mistakes.mustBeNone()
  await copy.close()
}

async function merge(
  client: Client,
  { nameOf }: DirectoryFile,
  onProgress: (progress: Progress) => void,
): Promise<ImportReport> {
  onProgress({ stage: 'comparing' })
  // Another import waits here until this one has ended; readers do not.
  await client.query(`
    lock table appointments.specialities, appointments.doctors, appointments.doctor_specialities
    in share row exclusive mode;
    analyze incoming_specialities;
    analyze incoming_doctors`)
  const titlesBefore = await readTitles(client)
  const listed = await mergeSpecialities(client, (row) => nameOf('specialities', row))
  const namedByDoctors = await addNamedSpecialities(client)
  await mustNotDifferInCaseOnly(client, titlesBefore)
  await identifyDoctors(client, (row) => nameOf('doctors', row))
  onProgress({ stage: 'writing' })
  const { doctors, emptied } = await withoutIndexesIfEmpty(client, () => writeDoctors(client))
  await client.query('select appointments.list_doctors()')
  const specialities = { ...listed, added: listed.added + namedByDoctors.length }
  return { specialities, doctors, emptied, namedByDoctors }
}

function hasChanges({ specialities, doctors }: ImportReport): boolean {
  return [specialities, doctors].some(({ added, changed }) => added + changed > 0)
}

/**
 * Until every server has had the announcement, so that its next request sees the change. One that does not answer in this time
 * has read the version by itself meanwhile, or will when it goes on.
 */
async function untilReplaced(client: Client) {
  await client.query(`begin; set local lock_timeout = '${MAX_UNSEEN_MS}ms'`)
  await client.query(TAKE_OTHER_VERSIONS).catch((error: Error) => {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
  })
  await client.query('rollback')
}

// Fresh statistics for good plans at once, and a visibility map, without which a walk along an index visits the table.
async function tidyUp(client: Client) {
  await client.query(
    'vacuum (analyze) appointments.specialities, appointments.doctors, appointments.doctor_specialities, appointments.listed_doctors',
  )
}

/** What an operator can fix becomes a sentence. */
export function withMeaning(error: unknown, isExport = false): unknown {
  const code = error instanceof Error ? codeOf(error) : ''
  if (code === '42P01' || code === '3F000')
    return new DirectoryError('The database has no directory yet. Run "rounds migrate" first.', {
      cause: error,
    })
  if (code === '42883')
    return new DirectoryError('The database is older than this release. Run "rounds migrate" first.', {
      cause: error,
    })
  if (code === '42501')
    return new DirectoryError(
      `The role of DATABASE_URL may not ${isExport ? 'read' : 'change'} the directory. Use the role that ran "rounds migrate".`,
      { cause: error },
    )
  if (isTransient(error))
    return new DirectoryError(
      `The database cannot be reached, or the connection was lost. ${isExport ? 'Export again.' : 'Import again: repeating an import is safe.'}`,
      { cause: error },
    )
  return error
}
