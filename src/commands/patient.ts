// `rounds patient` and `rounds access-log`: what the owner of the database does with the data of one patient, or with old
// entries of the log. What cannot be taken back asks first.
import { open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { finished } from 'node:stream/promises'
import type { ReadStream, WriteStream } from 'node:tty'
import { ConfigError } from '../config/config.ts'
import { codeOf } from '../db/database-errors.ts'
import { erasePatient, findHoldings, type Holdings } from '../modules/casesheet/operators/erase-patient.ts'
import { exportPatient } from '../modules/casesheet/operators/export-patient.ts'
import { countOldAccesses, trimAccessLog } from '../modules/casesheet/operators/trim-access-log.ts'
import { createPatientDigests } from '../modules/casesheet/patient-digest.ts'
import { CommandError } from '../refusal.ts'
import { showProgress } from './progress.ts'

type Options = {
  by?: string | undefined
  yes?: boolean | undefined
  'dry-run'?: boolean | undefined
  output?: string | undefined
  before?: string | undefined
  'refuse-until'?: string | undefined
  rewrite?: boolean | undefined
}

type Terminal = { input: ReadStream; output: WriteStream; errors: WriteStream }

type Surroundings = Terminal & { databaseUrl: string }

type PatientSurroundings = Surroundings & {
  /** The key of the digests that stay of an erased patient; a mistake in it is reported where it is needed. */
  readKey: () => Buffer
  now: number
}

/** Does what was asked and returns what to say of it. */
export async function runPatientCommand(
  [verb, patientUid, ...others]: string[],
  options: Options,
  surroundings: PatientSurroundings,
): Promise<string> {
  if (!patientUid || others.length > 0 || (verb !== 'erase' && verb !== 'export'))
    throw new ConfigError('Say "rounds patient export UID --by YOU" or "rounds patient erase UID --by YOU".')
  if (verb === 'erase' && options.output !== undefined)
    throw new ConfigError('"rounds patient erase" writes no file. Export the patient first.')
  if (verb === 'export' && (options.yes || options['dry-run']))
    throw new ConfigError('"rounds patient export" changes nothing: leave out --yes and --dry-run.')
  if (verb === 'export' && (options.rewrite || options['refuse-until'] !== undefined))
    throw new ConfigError('--rewrite and --refuse-until belong to "rounds patient erase".')
  return verb === 'erase'
    ? erase(patientUid, options, surroundings)
    : exportTo(patientUid, options, surroundings)
}

async function erase(patientUid: string, options: Options, surroundings: PatientSurroundings) {
  const { databaseUrl, readKey, now, ...terminal } = surroundings
  const erasedBy = whoAsks(options)
  const refuseUntil = readRefuseUntil(options['refuse-until'], now)
  const digests = createPatientDigests(readKey())
  const held = await findHoldings(databaseUrl, patientUid, digests)
  const before = describeErasures(held)
  if (options['dry-run']) return `${before}Nothing was changed; an erasure would do this:\n${describe(held)}`
  await mustBeConfirmed(
    `${before}This cannot be taken back:\n${describe(held)}`,
    patientUid,
    options,
    terminal,
  )
  const isRewritten = options.rewrite === true
  const progress = showProgress(terminal.errors)
  const erased = await erasePatient({
    databaseUrl,
    patientUid,
    erasedBy,
    digests,
    refuseUntil,
    isRewritten,
    onProgress: progress.show,
  }).finally(progress.end)
  const refused = refuseUntil ? `\nAdds for this patient are refused until ${refuseUntil.toISOString()}.` : ''
  return `The patient was erased:\n${describe(erased)}${refused}\n${isRewritten ? REWRITTEN : LEFT_OVER}`
}

const LEFT_OVER =
  'Their bytes stay in free space of the data files until it is used again (--rewrite removes them), and in the WAL and in ' +
  'backups until those expire.'
const REWRITTEN =
  'The data files that held them were written anew. Their bytes stay in the WAL and in backups until those expire.'

const MAX_REFUSAL_DAYS = 400
const DAY_MS = 86_400_000

/** A day, which begins at midnight UTC, or an instant with its offset. */
function readRefuseUntil(text: string | undefined, now: number): Date | undefined {
  if (text === undefined) return undefined
  const until = new Date(isDay(text) ? `${text}T00:00:00Z` : text)
  const isInstant =
    isDay(text) || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  // Written so that what is no time at all fails too.
  if (isInstant && until.valueOf() > now && until.valueOf() <= now + MAX_REFUSAL_DAYS * DAY_MS) return until
  throw new ConfigError(
    `--refuse-until must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z, at most ${MAX_REFUSAL_DAYS} days from now.`,
  )
}

function describeErasures({ erasedAt, uncheckedErasures }: Holdings): string {
  const known = erasedAt.map((at) => `Erased before, at ${at}.\n`).join('')
  return uncheckedErasures === 0
    ? known
    : `${known}${uncheckedErasures} erasures are recorded under another ERASURE_KEY: whether they were of this patient is unknown.\n`
}

type Counts = Pick<Holdings, 'readings' | 'ownAccesses' | 'otherAccesses'>

function describe({ readings, ownAccesses, otherAccesses }: Counts): string {
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
