// `rounds directory`.
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import { type Deps, defineCommand } from './command.ts'
import { writeOutput } from './output.ts'
import { showProgress } from './progress.ts'

const HELP = `rounds directory import FILE [--dry-run]: fill the doctor directory from a file.
rounds directory export [--output FILE] [--format json|csv]: write the directory as a file that can be imported.

Specialities and doctors in the file are added, or replaced as a whole where they are known already: a field that the file
leaves out is emptied, and the report counts those. Others stay as they are. Importing the same file again changes nothing.
A file with a mistake changes nothing either. The rest is written in steps of a few hundred milliseconds, so that nobody who
follows changes of readings waits: readers may see a part of it meanwhile. After an interruption import the file again.

  --dry-run                 change nothing, only report what would be changed

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
  output?: string | undefined
  format?: string | undefined
}

export const directoryCommand = defineCommand({
  summary: `rounds directory import FILE    fill the doctor directory from a JSON or CSV file (--dry-run: only report changes)
  rounds directory export         write the doctor directory as such a file`,
  help: HELP,
  options: { 'dry-run': { type: 'boolean' }, output: { type: 'string' }, format: { type: 'string' } },
  async run({ args: [verb, ...files], options }, deps) {
    if (verb === 'export' && files.length === 0 && !options['dry-run']) return exportTo(options, deps)
    const [file, ...others] = files
    const hasExportOptions = options.output !== undefined || options.format !== undefined
    if (verb !== 'import' || file === undefined || others.length > 0 || hasExportOptions)
      throw new ConfigError(
        'Say "rounds directory import FILE", with one file, or "rounds directory export --output FILE".',
      )
    return importFrom(file, options['dry-run'] === true, deps)
  },
})

async function importFrom(file: string, isDryRun: boolean, { env, errors }: Deps): Promise<string> {
  const databaseUrl = readDatabaseUrl(env)
  const [{ importDirectory }, { describeReport }] = await Promise.all([
    import('../modules/appointments/import/import-directory.ts'),
    import('../modules/appointments/import/report.ts'),
  ])
  const progress = showProgress(errors)
  const report = await importDirectory({ databaseUrl, file, isDryRun, onProgress: progress.show }).finally(
    progress.end,
  )
  return describeReport(report, isDryRun)
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
