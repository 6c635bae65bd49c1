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
import { createIncomingTables, doctorRow, INCOMING, specialityRow } from './incoming.ts'
import { addNamedSpecialities, mergeSpecialities, writeSpecialities } from './merge-specialities.ts'
import { collectMistakes, DirectoryError } from './mistakes.ts'
import { CHECK_OF, type DoctorRecord, type SpecialityRecord } from './record.ts'
import type { ImportReport } from './report.ts'
import { mustNotDifferInCaseOnly, readTitles } from './similar-titles.ts'
import { inSteps } from './steps.ts'
import { compareDoctors, moveRegistrationNumbers, writeDoctors } from './write-doctors.ts'

const MAX_UNSEEN_MS = 3_000
const LOCK_NOT_AVAILABLE = '55P03'
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
  await inTransaction(client, async () => {
    await writeSpecialities(client)
    await moveRegistrationNumbers(client)
  })
  await inSteps(lastRow, (from, to) => inTransaction(client, () => writeDoctors(client, from, to)))
}

/** The locks, in this order, come before anything is written: who waits for them holds nobody back. Readers do not wait. */
async function inTransaction(client: Client, work: () => Promise<void>) {
  await client.query(`
    begin;
    lock table appointments.specialities, appointments.doctors, appointments.doctor_specialities
    in share row exclusive mode`)
  await work()
  await client.query('commit')
}

/** Lists the doctors that are not, also those of an import that was interrupted. */
async function listDoctors(client: Client) {
  const { rows } = await client.query<{ count: number; is_any: boolean }>(`
    select count(*)::integer as count,
      coalesce(bool_or(listed.doctor_id is null), false) as is_any
    from appointments.doctors
    left join appointments.listed_doctors as listed using (doctor_id)`)
  const [{ count, is_any: isAny } = { count: 0, is_any: false }] = rows
  if (!isAny) return
  let last: string | null = null
  await inSteps(count - 1, async (from, to) => {
    const upTo: string | null = await idBehind(client, last, to - from)
    await client.query('select appointments.list_doctors($1, $2)', [last, upTo])
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
  if (code === UNIQUE_VIOLATION)
    return new DirectoryError('Another process changed the directory meanwhile. Import again.', {
      cause: error,
    })
  if (isTransient(error))
    return new DirectoryError(
      `The database cannot be reached, or the connection was lost. ${isExport ? 'Export again.' : 'Import again: repeating an import is safe.'}`,
      { cause: error },
    )
  return error
}
