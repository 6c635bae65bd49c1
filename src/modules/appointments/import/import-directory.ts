// `rounds directory import`: a file into the doctor directory. The file streams through COPY into temporary tables; what it says is
// then compared with the directory in SQL, as sets, and only a file without mistakes is written. Listed specialities and doctors are
// replaced as a whole; those that are not listed stay as they are.
//
// Everything is done in steps, each a short transaction, because a long one that writes would hold back all who follow changes of
// readings. What was written when an import was interrupted stays, and the next import writes the rest.
import type { Client } from 'pg'
import { isTransient } from '../../../db/database-errors.ts'
import { withSession } from '../../../db/session.ts'
import { codeOf } from '../../../error-code.ts'
import { TAKE_OTHER_VERSIONS } from '../cached-pages.ts'
import { copyRows } from './copy.ts'
import { type DirectoryFile, openDirectoryFile } from './directory-file.ts'
import { identifyDoctors, listInactive } from './identify-doctors.ts'
import { inTransaction } from './in-transaction.ts'
import { createIncomingTables, doctorRow, INCOMING, specialityRow } from './incoming.ts'
import { listDoctors, unlistDoctorsOf } from './list-doctors.ts'
import {
  addNamedSpecialities,
  listRenamed,
  mergeSpecialities,
  writeSpecialities,
} from './merge-specialities.ts'
import { CHANGED_MEANWHILE, collectMistakes, DirectoryError } from './mistakes.ts'
import { CHECK_OF, type DoctorRecord, type SpecialityRecord } from './record.ts'
import type { ImportReport } from './report.ts'
import { mustNotDifferInCaseOnly, readTitles } from './similar-titles.ts'
import { inSteps } from './steps.ts'
import { compareDoctors, moveRegistrationNumbers, writeDoctors } from './write-doctors.ts'

const MAX_UNSEEN_MS = 3_000
const LOCK_NOT_AVAILABLE = '55P03'
const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'

export type DirectoryImport = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  file: string
  /** Reports what would change. */
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
    const lastRow = await readLastRow(client)
    const report = await compare(client, source, { lastRow, onProgress })
    if (isDryRun) return report
    onProgress({ stage: 'writing' })
    await write(client, lastRow)
    await listDoctors(client)
    if (hasChanges(report)) {
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
// locks, whatever isolation the role has. Another import waits here until this one has ended.
async function begin(client: Client) {
  await client.query(`
    set default_transaction_isolation = 'read committed';
    set statement_timeout = 0;
    set lock_timeout = 0;
    set idle_session_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    set work_mem = '64MB';
    set temp_buffers = '64MB';
    set maintenance_work_mem = '128MB';
    select pg_advisory_lock(hashtextextended('rounds directory import', 0))`)
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
    // While the file is read on, no transaction is open.
    await copy.close()
  }
  mistakes.mustBeNone()
}

async function readLastRow(client: Client): Promise<number> {
  const { rows } = await client.query<{ last: number | null }>(
    'select max(row) as last from incoming_doctors',
  )
  return rows[0]?.last ?? -1
}

/** Finds every mistake and every change, and writes only temporary tables. */
async function compare(
  client: Client,
  { nameOf }: DirectoryFile,
  { lastRow, onProgress }: { lastRow: number; onProgress: (progress: Progress) => void },
): Promise<ImportReport> {
  onProgress({ stage: 'comparing' })
  await client.query('analyze incoming_specialities')
  await client.query('analyze incoming_doctors')
  const titlesBefore = await readTitles(client, 'appointments.specialities')
  const listed = await mergeSpecialities(client, (row) => nameOf('specialities', row))
  const namedByDoctors = await addNamedSpecialities(client)
  await mustNotDifferInCaseOnly(client, titlesBefore)
  await identifyDoctors(client, lastRow, (row) => nameOf('doctors', row))
  const inactive = await listInactive(client)
  const { doctors, emptied } = await compareDoctors(client, lastRow)
  const specialities = { ...listed, added: listed.added + namedByDoctors.length }
  return { specialities, doctors, emptied, namedByDoctors, inactive }
}

async function write(client: Client, lastRow: number) {
  await unlistDoctorsOf(client, await listRenamed(client))
  await inTransaction(client, () => writeSpecialities(client))
  await inTransaction(client, () => moveRegistrationNumbers(client))
  await inSteps(lastRow, (from, to) => inTransaction(client, () => writeDoctors(client, from, to)))
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
  if (code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION)
    return new DirectoryError(CHANGED_MEANWHILE, { cause: error })
  if (isTransient(error))
    return new DirectoryError(
      `The database cannot be reached, or the connection was lost. ${isExport ? 'Export again.' : 'Import again: repeating an import is safe.'}`,
      { cause: error },
    )
  return error
}
