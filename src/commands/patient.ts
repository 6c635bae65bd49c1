// `rounds patient`: what the owner of the database does with the data of one patient. What cannot be taken back asks first.
import { ConfigError, readDatabaseUrl, readErasureKey, readErasureKeyIfSet } from '../config/config.ts'
import type { Erased, Holdings } from '../modules/operators/erase-patient.ts'
import { CommandError } from '../refusal.ts'
import { type Deps, defineCommand } from './command.ts'
import { isDay, mustBeConfirmed, whoAsks } from './confirm.ts'
import { writeOutput } from './output.ts'
import { showProgress } from './progress.ts'

const HELP = `rounds patient export UID --by YOU [--output FILE]: write everything that is held of a patient.
rounds patient erase UID --by YOU [--refuse-until TIME] [--announce-days DAYS] [--rewrite] [--dry-run | --yes]: remove everything that is held of a patient.
rounds patient lift-refusals UID | --all [--yes]: let a patient add readings again, or all who were refused.

  --by YOU                  who you are, for the record: your name or your address

export writes lines of JSON: {"export":…}, a {"reading":…,"addedBy":…} for each reading as it was sent, then the rows of the tables
(docs/tables.md): a {"correction":…} for each withdrawal and restoration, a {"target":…}, {"targetChange":…}, {"review":…}, {"rule":…},
{"ruleChange":…}, {"grant":…}, {"grantChange":…}, {"alert":…} and {"alertEvent":…} for each of them (notes for doctors only are left
out), an {"access":…} for each row of the access log, and {"end":…}, which counts the others. It is a read, and the access log records it first. Both commands end with 1 if nothing is held under UID; an export then leaves no file and no entry, and an erasure with
--refuse-until still refuses adds, as one with --rewrite still rewrites what held a patient who was erased before.

  --output FILE             a new file, which only you may read (standard output)

erase deletes the readings, the targets, the reviews, the rules, the alerts, the grants, and the patient's own reads from the access log. Reads by doctors and staff stay,
without the patient's name and without the reason that staff gave. Endpoints of webhooks that name the patient forget the id when the
announcement is over.
A row of casesheet.erasures keeps when, who, how many, and an HMAC of UID. Take the patient's tokens away at the issuer first,
or refuse adds: else a device that sends again stores its readings anew. The WAL and backups hold the patient until they
expire, and so does free space of the data files until it is used again, unless --rewrite is given.

  --refuse-until TIME       refuse adds for this patient until then, for at most 400 days: a day such as 2027-01-31 (from
                            0:00 UTC), or a time such as 2027-01-31T12:00:00Z. Give ERASURE_KEY to every server first:
                            the command refuses while a running server lacks it
  --announce-days DAYS      how long readings/changes shows the patient's id to services, so that they erase the
                            patient too; 0 to 400 (30)
  --rewrite                 write the tables of grants, targets, reviews, alerts and lists and the three partitions that held the patient into new
                            files. Meanwhile reads of all patients wait, changes of those tables, and adds of those
                            in the partitions. First it waits up to a minute for older transactions in any database of the
                            cluster, and fails if they stay
  --dry-run                 change nothing, only report what would be removed
  --yes                     do not ask for confirmation

lift-refusals ends what --refuse-until began; servers follow within ten seconds. With --all it needs no key, so it also helps
when the key is lost. Nothing of the erasures themselves is undone.

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"; the serving role may do none of this
  ERASURE_KEY               for erase (not with --dry-run) and lift-refusals UID: at least 32 random bytes in base64 or hex ("openssl rand -base64 32"). Keep it outside
                            the database and its backups, and keep it: under another key, no erasure is found again

Examples:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds patient export patient-1 --by me@clinic.example --output patient-1.ndjson
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds patient erase patient-1 --by me@clinic.example --dry-run
`

type Options = {
  by?: string | undefined
  yes?: boolean | undefined
  'dry-run'?: boolean | undefined
  output?: string | undefined
  'refuse-until'?: string | undefined
  'announce-days'?: string | undefined
  rewrite?: boolean | undefined
  all?: boolean | undefined
}

export const patientCommand = defineCommand({
  summary: `rounds patient export UID       write everything that is held of a patient
  rounds patient erase UID        remove everything that is held of a patient
  rounds patient lift-refusals    let erased patients add readings again`,
  help: HELP,
  options: {
    by: { type: 'string' },
    yes: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    output: { type: 'string' },
    'refuse-until': { type: 'string' },
    'announce-days': { type: 'string' },
    rewrite: { type: 'boolean' },
    all: { type: 'boolean' },
  },
  async run({ args: [verb, patientUid, ...others], options }, deps) {
    if (verb === 'lift-refusals' && others.length === 0) return lift(patientUid, options, deps)
    if (options.all) throw new ConfigError('--all belongs to "rounds patient lift-refusals".')
    if (!patientUid || others.length > 0 || (verb !== 'erase' && verb !== 'export'))
      throw new ConfigError(
        'Say "rounds patient export UID --by YOU", "rounds patient erase UID --by YOU" or "rounds patient lift-refusals UID".',
      )
    if (verb === 'erase' && options.output !== undefined)
      throw new ConfigError('"rounds patient erase" writes no file. Export the patient first.')
    if (verb === 'export' && (options.yes || options['dry-run']))
      throw new ConfigError('"rounds patient export" changes nothing: leave out --yes and --dry-run.')
    const ofErase = [options.rewrite, options['refuse-until'], options['announce-days']]
    if (verb === 'export' && ofErase.some((option) => option !== undefined))
      throw new ConfigError('--rewrite, --refuse-until and --announce-days belong to "rounds patient erase".')
    return verb === 'erase' ? erase(patientUid, options, deps) : exportTo(patientUid, options, deps)
  },
})

async function erase(patientUid: string, options: Options, { env, ...terminal }: Deps) {
  const databaseUrl = readDatabaseUrl(env)
  const erasedBy = whoAsks(options.by)
  const announcedForDays = readAnnounceDays(options['announce-days'])
  const refuseUntil = readRefuseUntil(options['refuse-until'], Date.now())
  const [{ erasePatient, findHoldings }, { NOTHING_HELD }, { createPatientDigests }] = await Promise.all([
    import('../modules/operators/erase-patient.ts'),
    import('../modules/operators/export-patient.ts'),
    import('../modules/casesheet/patient-digest.ts'),
  ])
  const key = options['dry-run'] ? readErasureKeyIfSet(env) : readErasureKey(env)
  const digests = key && createPatientDigests(key)
  const held = await findHoldings(databaseUrl, patientUid, digests)
  const before = describeErasures(held)
  const isNothingHeld =
    held.readings + held.targets + held.reviews + held.rules + held.alerts + held.grants === 0 &&
    held.ownAccesses + held.otherAccesses === 0
  // For a patient who was erased before, adds may still be refused and the data files be rewritten.
  const isMoreToDo = refuseUntil !== undefined || (options.rewrite === true && held.erasedAt.length > 0)
  if (isNothingHeld && !isMoreToDo) throw new CommandError(`${before}${NOTHING_HELD}`)
  const planned = describe(held)
  if (options['dry-run'] || !digests)
    return `${before}Nothing was changed; an erasure would do this:\n${planned}`
  if (!options.yes)
    await mustBeConfirmed(`${before}This cannot be taken back:\n${planned}`, patientUid, terminal)
  const isRewritten = options.rewrite === true
  const progress = showProgress(terminal.errors)
  const erased = await erasePatient({
    databaseUrl,
    patientUid,
    erasedBy,
    digests,
    refuseUntil,
    announcedForDays,
    isRewritten,
    onProgress: progress.show,
  }).finally(progress.end)
  const refused = refuseUntil ? `\nAdds for this patient are refused until ${refuseUntil.toISOString()}.` : ''
  const announced = erased.announcedUntil ? `\n${describeNotice(erased.announcedUntil)}` : ''
  return `The patient was erased:\n${describe(erased)}${refused}${announced}\n${isRewritten ? REWRITTEN : LEFT_OVER}`
}

async function lift(
  patientUid: string | undefined,
  { all, yes, ...others }: Options,
  { env, ...terminal }: Deps,
): Promise<string> {
  if (Object.values(others).some((option) => option !== undefined))
    throw new ConfigError('"rounds patient lift-refusals" knows only --all and --yes.')
  if ((patientUid !== undefined) === (all === true))
    throw new ConfigError('Say "rounds patient lift-refusals UID", or --all for every patient.')
  const databaseUrl = readDatabaseUrl(env)
  const [{ liftRefusals }, { createPatientDigests }] = await Promise.all([
    import('../modules/operators/refuse-patient.ts'),
    import('../modules/casesheet/patient-digest.ts'),
  ])
  const ofPatient =
    patientUid === undefined ? undefined : { patientUid, digests: createPatientDigests(readErasureKey(env)) }
  if (all && !yes) await mustBeConfirmed('All erased patients may add readings again.', 'all', terminal)
  const lifted = await liftRefusals(databaseUrl, ofPatient)
  if (lifted === 0 && ofPatient)
    throw new CommandError('This patient is not refused, or was refused under another ERASURE_KEY.')
  return `${lifted} ${lifted === 1 ? 'refusal was' : 'refusals were'} lifted. Servers follow within ten seconds.`
}

const describeNotice = (until: string) =>
  `The patient's id stays in casesheet.erasure_notices until ${until}: readings/changes shows it to services, so that they ` +
  'erase the patient too.'

const LEFT_OVER =
  'A later vacuum removes the rows that transactions older than the erasure can still read. ' +
  'Their bytes stay in free space of the data files until it is used again (--rewrite removes them), and in the WAL and in ' +
  'backups until those expire.'
const REWRITTEN =
  'The data files that held them were written anew. Their bytes stay in the WAL and in backups until those expire.'

const DEFAULT_ANNOUNCE_DAYS = 30
const MAX_ANNOUNCE_DAYS = 400

function readAnnounceDays(text = String(DEFAULT_ANNOUNCE_DAYS)): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= MAX_ANNOUNCE_DAYS) return Number(text)
  throw new ConfigError(`--announce-days must be a whole number from 0 to ${MAX_ANNOUNCE_DAYS}.`)
}

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

function describe({ readings, targets, reviews, grants, ownAccesses, otherAccesses, ...alerted }: Erased) {
  return [
    `  readings deleted                                  ${readings}`,
    `  targets deleted, with their history               ${targets}`,
    `  reviews deleted                                   ${reviews}`,
    `  rules deleted, with their history                 ${alerted.rules}`,
    `  alerts deleted, with their events                 ${alerted.alerts}`,
    `  grants deleted, with their history                ${grants}`,
    `  reads by the patient deleted                      ${ownAccesses}`,
    `  reads by others kept, without the patient's name  ${otherAccesses}`,
  ].join('\n')
}

async function exportTo(
  patientUid: string,
  options: Options,
  { env, output, errors }: Deps,
): Promise<string> {
  const databaseUrl = readDatabaseUrl(env)
  const exportedBy = whoAsks(options.by)
  const { exportPatient } = await import('../modules/operators/export-patient.ts')
  const { output: path } = options
  const progress = showProgress(errors)
  const exported = await writeOutput(path, output, (write) =>
    exportPatient({ databaseUrl, patientUid, exportedBy, write, onProgress: progress.show }).finally(
      progress.end,
    ),
  )
  if (path === undefined) return ''
  const many = (counted: string) => `${exported[counted] ?? 0} ${counted}`
  const counts = ['readings', 'targets', 'reviews', 'rules', 'alerts', 'grants'].map(many).join(', ')
  return `Exported ${counts} and ${exported['accesses'] ?? 0} entries of the access log to ${path}.`
}
