// `rounds patient` and `rounds access-log`: what the owner of the database does with the data of one patient, or with old
// entries of the log. What cannot be taken back asks first.
import { open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { finished } from 'node:stream/promises'
import type { ReadStream, WriteStream } from 'node:tty'
import { ConfigError } from './config.ts'
import { codeOf } from './db/database-errors.ts'
import { erasePatient, findHoldings, type Holdings } from './modules/casesheet/erase-patient.ts'
import { exportPatient } from './modules/casesheet/export-patient.ts'
import { countOldAccesses, trimAccessLog } from './modules/casesheet/trim-access-log.ts'
import { showProgress } from './progress.ts'
import { CommandError } from './refusal.ts'

type Options = {
  by?: string | undefined
  yes?: boolean | undefined
  'dry-run'?: boolean | undefined
  output?: string | undefined
  before?: string | undefined
}

type Surroundings = { databaseUrl: string; input: ReadStream; output: WriteStream; errors: WriteStream }

/** Does what was asked and returns what to say of it. */
export async function runPatientCommand(
  [verb, patientUid, ...others]: string[],
  options: Options,
  surroundings: Surroundings,
): Promise<string> {
  if (!patientUid || others.length > 0 || (verb !== 'erase' && verb !== 'export'))
    throw new ConfigError('Say "rounds patient export UID --by YOU" or "rounds patient erase UID --by YOU".')
  if (verb === 'erase' && options.output !== undefined)
    throw new ConfigError('"rounds patient erase" writes no file. Export the patient first.')
  if (verb === 'export' && (options.yes || options['dry-run']))
    throw new ConfigError('"rounds patient export" changes nothing: leave out --yes and --dry-run.')
  return verb === 'erase'
    ? erase(patientUid, options, surroundings)
    : exportTo(patientUid, options, surroundings)
}

async function erase(patientUid: string, options: Options, { databaseUrl, ...terminal }: Surroundings) {
  const erasedBy = whoAsks(options)
  const held = await findHoldings(databaseUrl, patientUid)
  const before = held.erasedAt.map((at) => `Erased before, at ${at}.\n`).join('')
  if (options['dry-run']) return `${before}Nothing was changed; an erasure would do this:\n${describe(held)}`
  await mustBeConfirmed(
    `${before}This cannot be taken back:\n${describe(held)}`,
    patientUid,
    options,
    terminal,
  )
  const progress = showProgress(terminal.errors)
  const erased = await erasePatient({
    databaseUrl,
    patientUid,
    erasedBy,
    onProgress: progress.show,
  }).finally(progress.end)
  return `The patient was erased:\n${describe(erased)}`
}

function describe({ readings, ownAccesses, otherAccesses }: Omit<Holdings, 'erasedAt'>): string {
  return [
    `  readings deleted                                  ${readings}`,
    `  reads by the patient deleted                      ${ownAccesses}`,
    `  reads by others kept, without the patient's name  ${otherAccesses}`,
  ].join('\n')
}

async function exportTo(
  patientUid: string,
  options: Options,
  { databaseUrl, output, errors }: Surroundings,
): Promise<string> {
  const exportedBy = whoAsks(options)
  const { output: path } = options
  const file = path === undefined ? undefined : await createFile(path)
  const progress = showProgress(errors)
  try {
    const { readings, accesses } = await exportPatient({
      databaseUrl,
      patientUid,
      exportedBy,
      // A reader that goes away shows in the next write.
      output: (file ?? output).on('error', () => {}),
      onProgress: progress.show,
    }).finally(progress.end)
    if (file) await finished(file.end())
    return file ? `Exported ${readings} readings and ${accesses} entries of the access log to ${path}.` : ''
  } catch (error) {
    if (path !== undefined) await rm(path, { force: true })
    throw error
  }
}

/** A new file that nobody else may read. One that is there already is left alone. */
async function createFile(path: string) {
  const handle = await open(path, 'wx', 0o600).catch((cause: Error) => {
    const reason = codeOf(cause) === 'EEXIST' ? ': it must not be there yet' : ` (${codeOf(cause)})`
    throw new CommandError(`The file ${path} cannot be made${reason}.`, { cause })
  })
  return handle.createWriteStream()
}

export async function runAccessLogCommand(
  [verb, ...others]: string[],
  options: Options,
  { databaseUrl, ...terminal }: Surroundings,
): Promise<string> {
  const { before = '' } = options
  const at = `${before}T00:00:00Z`
  if (verb !== 'trim' || others.length > 0 || !isDay(before))
    throw new ConfigError(
      'Say "rounds access-log trim --before DAY --by YOU", with a day such as 2020-12-31.',
    )
  const trimmedBy = whoAsks(options)
  const question = `${await countOldAccesses(databaseUrl, at)} entries of the access log are from before ${before} (UTC).`
  if (options['dry-run']) return `Nothing was changed. ${question}`
  await mustBeConfirmed(`${question} They will be deleted for good.`, before, options, terminal)
  const progress = showProgress(terminal.errors)
  const count = await trimAccessLog({
    databaseUrl,
    before: at,
    trimmedBy,
    onProgress: progress.show,
  }).finally(progress.end)
  return `Deleted ${count} entries of the access log from before ${before} (UTC).`
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.valueOf()) && at.toISOString().startsWith(text)
}

/** The record of what was done names a person, not the role or the machine that everybody uses. */
function whoAsks({ by }: Options): string {
  if (!by?.trim())
    throw new ConfigError('Say with --by who you are: it is kept in the record of what you do.')
  return by.trim()
}

async function mustBeConfirmed(
  question: string,
  word: string,
  { yes }: Options,
  { input, errors }: { input: ReadStream; errors: WriteStream },
) {
  if (yes) return
  if (!input.isTTY) throw new ConfigError('Nobody can be asked here. Say --yes if it is meant.')
  const lines = createInterface({ input, output: errors })
  const answer = await lines.question(`${question}\nType ${word} to go on: `)
  lines.close()
  if (answer !== word) throw new CommandError('Nothing was changed.')
}
