// `rounds directory`.
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import type { CurrentGrants } from '../modules/operators/end-grants.ts'
import { CommandError } from '../refusal.ts'
import { type Deps, defineCommand, readWholeNumber, type Terminal } from './command.ts'
import { isConfirmed } from './confirm.ts'
import { writeOutput } from './output.ts'
import { showProgress } from './progress.ts'

const HELP = `rounds directory import FILE [--dry-run | --end-grants N]: fill the doctor directory from a file.
rounds directory export [--output FILE] [--format json|csv]: write the directory as a file that can be imported.

Specialities and doctors in the file are added, or replaced as a whole where they are known already: a field that the file
leaves out is emptied, and the report counts those. Others stay as they are. Importing the same file again changes nothing.
A file with a mistake changes nothing either. The rest is written in short steps, so that clients
that follow changes of readings do not wait: readers may see a part of it meanwhile. After an interruption import the file again.

A doctor whom the file has inactive still reads what patients share: the issuer must end the doctor's tokens. The report counts
the grants that are current of such doctors. At a terminal it asks whether to end them; patients see that "the doctor left the
directory". Making a doctor active again gives none back.

  --dry-run                 change nothing, only report what would be changed
  --end-grants N            after the import end those grants, without asking, if they are N; else end none, and exit with 1

FILE is JSON:
  { "specialities": [{ "title": "Cardiology" }],
    "doctors": [{ "name": "Dr. Invented Example", "specialities": ["Cardiology"], "city": "Pune" }] }
or, where its name ends in .csv, CSV of doctors in UTF-8: a header line, commas between columns, ";" between the items of a
list; or, as spreadsheets of many countries write it, ";" between columns and "|" between items. samples/ has both.

  speciality  title; isActive (true), specialityId
  doctor      name, specialities; doctorId, gender, qualifications, registrationNumber, languages (such as en-IN),
              experienceYears, city, photoUrl, isActive (true)

A doctor is the same one when doctorId is; without it, registrationNumber; without that, name and specialities. A new title
that differs from another one in upper and lower case or white space only is refused.

export writes everything, with every id; as CSV the doctors only.

  --output FILE             a new file (standard output)
  --format FORMAT           json or csv (json, or csv where FILE ends in .csv)

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"

Examples:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds directory import samples/directory.json --dry-run
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds directory export --output doctors.csv
`

type Options = {
  'dry-run'?: boolean | undefined
  'end-grants'?: string | undefined
  output?: string | undefined
  format?: string | undefined
}

export const directoryCommand = defineCommand({
  summary: `rounds directory import FILE    fill the doctor directory from a JSON or CSV file (--dry-run: only report changes)
  rounds directory export         write the doctor directory as such a file`,
  help: HELP,
  options: {
    'dry-run': { type: 'boolean' },
    'end-grants': { type: 'string' },
    output: { type: 'string' },
    format: { type: 'string' },
  },
  async run({ args: [verb, ...files], options }, deps) {
    const hasImportOptions = options['dry-run'] || options['end-grants'] !== undefined
    if (verb === 'export' && files.length === 0 && !hasImportOptions) return exportTo(options, deps)
    const [file, ...others] = files
    const hasExportOptions = options.output !== undefined || options.format !== undefined
    if (verb !== 'import' || file === undefined || others.length > 0 || hasExportOptions)
      throw new ConfigError(
        'Say "rounds directory import FILE", with one file, or "rounds directory export --output FILE".',
      )
    return importFrom(file, options, deps)
  },
})

async function importFrom(file: string, options: Options, { env, ...terminal }: Deps): Promise<string> {
  const databaseUrl = readDatabaseUrl(env)
  const isDryRun = options['dry-run'] === true
  const toEnd = readWholeNumber(options['end-grants'], { name: '--end-grants', min: 0, max: 9_999_999_999 })
  if (isDryRun && toEnd !== undefined)
    throw new ConfigError('Give one of --dry-run and --end-grants: the first changes nothing.')
  const [{ importDirectory }, { describeReport }] = await Promise.all([
    import('../modules/appointments/import/import-directory.ts'),
    import('../modules/appointments/import/report.ts'),
  ])
  const progress = showProgress(terminal.errors)
  const report = await importDirectory({ databaseUrl, file, isDryRun, onProgress: progress.show }).finally(
    progress.end,
  )
  const imported = describeReport(report, isDryRun)
  if (report.inactive.length === 0 && toEnd === undefined) return imported
  const { findGrants } = await import('../modules/operators/end-grants.ts')
  const current = await findGrants(databaseUrl, report.inactive)
  const found = `${imported}${describeGrants(current)}`
  if (isDryRun) return found
  if (toEnd !== undefined && toEnd !== current.count)
    throw new CommandError(`${found}\nNo grant was ended: ${current.count} are current, and not ${toEnd}.`)
  if (current.count === 0) return found
  return `${found}\n${await endGrantsIfConfirmed(current, { databaseUrl, isSure: toEnd !== undefined, terminal })}`
}

const describeGrants = ({ count, patientsOf: { size: doctors } }: CurrentGrants) =>
  count === 0
    ? ''
    : `\n  grants        ${count} current, of ${doctors} ${doctors === 1 ? 'doctor' : 'doctors'} whom the file has inactive`

/** They are those of a directory that is imported already. */
async function endGrantsIfConfirmed(
  current: CurrentGrants,
  { databaseUrl, isSure, terminal }: { databaseUrl: string; isSure: boolean; terminal: Terminal },
): Promise<string> {
  const { count } = current
  const question = `The file was imported.${describeGrants(current)}\nPatients would have to share again. End these grants?`
  const isToEnd = isSure || (terminal.input.isTTY && (await isConfirmed(question, String(count), terminal)))
  if (!isToEnd) return `No grant was ended. To end them, import again with --end-grants ${count}.`
  const { endGrants } = await import('../modules/operators/end-grants.ts')
  return `Grants that were ended: ${await endGrants(databaseUrl, current)}.`
}

async function exportTo({ output: path, format }: Options, { env, output }: Deps): Promise<string> {
  const databaseUrl = readDatabaseUrl(env)
  const chosen = readFormat(path, format)
  const { exportDirectory } = await import('../modules/appointments/export/export-directory.ts')
  const { specialities, doctors } = await writeOutput(path, output, (write) =>
    exportDirectory({ databaseUrl, format: chosen, write }),
  )
  if (path === undefined) return ''
  return chosen === 'csv'
    ? `Exported ${doctors} doctors to ${path}.`
    : `Exported ${doctors} doctors and ${specialities} specialities to ${path}.`
}

/** An import goes by the name of the file, so an export that went against it could not be imported. */
function readFormat(path: string | undefined, format: string | undefined): 'json' | 'csv' {
  const byName = path === undefined ? undefined : /\.csv$/i.test(path) ? 'csv' : 'json'
  const chosen = format ?? byName ?? 'json'
  if (chosen !== 'json' && chosen !== 'csv') throw new ConfigError('--format must be json or csv.')
  if (byName !== undefined && byName !== chosen)
    throw new ConfigError('The name of the file must end in .csv with --format csv, and only then.')
  return chosen
}
