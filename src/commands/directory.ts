// `rounds directory`.
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import { defineCommand } from './command.ts'
import { showProgress } from './progress.ts'

const HELP = `rounds directory import FILE [--dry-run]: fill the doctor directory from a file, all of it or nothing.

Specialities and doctors in the file are added, or replaced as a whole where they are known already; others stay as
they are. Importing the same file again changes nothing.

  --dry-run                 change nothing, only say what would be changed

FILE is JSON:
  { "specialities": [{ "title": "Cardiology" }],
    "doctors": [{ "name": "Dr. Invented Example", "specialities": ["Cardiology"], "city": "Pune" }] }
or, where its name ends in .csv, CSV of doctors: a header line, commas between columns, ";" between items of a list.

  speciality  title; isActive (true), specialityId
  doctor      name, specialities; doctorId, gender, qualifications, registrationNumber, languages (such as en-IN),
              experienceYears, city, photoUrl, isActive (true)

A doctor is the same one when doctorId is; without it, registrationNumber; without that, name and specialities.

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"

Example:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds directory import samples/directory.json --dry-run
`

export const directoryCommand = defineCommand({
  summary:
    'rounds directory import FILE    fill the doctor directory from a JSON or CSV file (--dry-run: only say what would change)',
  help: HELP,
  options: { 'dry-run': { type: 'boolean' } },
  async run({ args: [verb, file, ...others], options }, { env, errors }) {
    if (verb !== 'import' || file === undefined || others.length > 0)
      throw new ConfigError('Say "rounds directory import FILE", with one file.')
    const databaseUrl = readDatabaseUrl(env)
    const isDryRun = options['dry-run'] === true
    const [{ importDirectory }, { describeReport }] = await Promise.all([
      import('../modules/appointments/import/import-directory.ts'),
      import('../modules/appointments/import/report.ts'),
    ])
    const progress = showProgress(errors)
    const report = await importDirectory({ databaseUrl, file, isDryRun, onProgress: progress.show }).finally(
      progress.end,
    )
    return describeReport(report, isDryRun)
  },
})
