// `rounds import`. What a file holds, and how it becomes readings, is in the client: clients/typescript/src/import.
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type {
  Imported,
  ImportFile,
  ImportOptions,
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../clients/typescript/src/import/import-readings.ts'
import { ConfigError, readTokenSource } from '../config/config.ts'
import { codeOf } from '../error-code.ts'
import { CommandError } from '../refusal.ts'
import { type Deps, defineCommand } from './command.ts'
import { mustBeConfirmed } from './confirm.ts'
import { showProgress } from './progress.ts'
import { stopSignal } from './signals.ts'

const HELP = `rounds import FILE --patient UID [--zone ZONE] [--day-first | --month-first] [--unit UNIT] [--dry-run] [--undo --since TIME] [--yes] [--url URL]: add the readings of a file that a patient already has, through the API.

FILE may be export.zip (or its XML) of Apple Health, a CSV export of LibreView, Dexcom Clarity or Rounds, entries.json of
Nightscout, or NDJSON of Rounds. Which it is, is found by its content. First it prints what it would add and
what it leaves out, then it asks. Importing a file again stores nothing twice: so after an interruption, or when a limit was
reached, run the same command again. A file that was a mistake is taken back with --undo and the same options.

  --patient UID             whose readings they are
  --zone ZONE               the IANA time zone, such as Europe/Berlin, of a file whose times are local (LibreView, Clarity)
  --day-first               03-04-2026 is the 3rd of April. Needed only where no date of the file shows the order
  --month-first             03-04-2026 is the 4th of March
  --unit UNIT               mg/dL or mmol/L: needed where values of Nightscout may be either
  --dry-run                 print what the file holds, and add nothing
  --undo                    withdraw the readings of the file that are in the record, one request each. It may be repeated
  --since TIME              with --undo: those that were stored at this time or later, such as 2026-11-18T10:00:00Z; an import
                            prints when it began
  --yes                     do not ask
  --url URL                 where Rounds answers; readings go to URL/casesheet (http://127.0.0.1:8080)

It ends with 0 if everything that was understood is stored, else with 1. Progress goes to standard error.

The token comes from the "rounds dev" that runs on the port of --url.

Optional, for another server:
  ROUNDS_TOKEN              an access token that names the patient
  AUTH_ISSUER               or an issuer that issues tokens for any patient: its address, as for "rounds serve"
  AUTH_CLIENT_SECRET        the secret of its client
  AUTH_CLIENT_ID            its client (rounds-dev)

Examples:
  npx rounds import export.zip --patient patient-1 --dry-run
  npx rounds import libreview.csv --patient patient-1 --zone Europe/Berlin --day-first
`

export const importCommand = defineCommand({
  summary:
    'rounds import FILE              add the readings of a file: Apple Health, LibreView, Clarity, Nightscout, Rounds',
  help: HELP,
  options: {
    patient: { type: 'string' },
    zone: { type: 'string' },
    'day-first': { type: 'boolean' },
    'month-first': { type: 'boolean' },
    unit: { type: 'string' },
    'dry-run': { type: 'boolean' },
    undo: { type: 'boolean' },
    since: { type: 'string' },
    yes: { type: 'boolean' },
    url: { type: 'string' },
  },
  async run({ args: [path, ...others], options }, { env, ...terminal }) {
    const { patient: patientUid, zone: timeZone, 'day-first': dayFirst, 'month-first': monthFirst } = options
    if (path === undefined || others.length > 0 || !patientUid)
      throw new ConfigError(
        'Say "rounds import FILE --patient UID". "rounds import --help" lists the formats.',
      )
    if (dayFirst && monthFirst) throw new ConfigError('Say either --day-first or --month-first.')
    if (options.since !== undefined && !options.undo) throw new ConfigError('--since goes with --undo.')
    const since = readTime(options.since)
    const unit = readUnit(options.unit)
    const file = await openFile(path)
    const url = readUrl(options.url)
    const [imports, types] = await Promise.all([
      import('../../clients/typescript/src/import/import-readings.ts'),
      readCatalogue(),
    ])
    keepHeapSmall()
    const signal = stopSignal(env)
    const progress = showProgress(terminal.errors)
    let last: ImportProgress | undefined
    const given: ImportOptions = {
      patientUid,
      timeZone,
      dayFirst: dayFirst ? true : monthFirst ? false : undefined,
      unit,
      types,
      signal,
      onProgress: (now) => {
        last = now
        progress.show(inWords(now))
      },
    }
    const sayWhy = (error: unknown): never => {
      if (signal.aborted)
        throw new CommandError(
          last?.phase === 'import'
            ? `Stopped. At least ${soFar(last.stored)}`
            : 'Stopped. Nothing was changed.',
        )
      if (!(error instanceof imports.ImportError)) throw error
      throw new CommandError(`${error.message}${error.stored === 0 ? '' : ` ${soFar(error.stored)}`}`, {
        cause: error,
      })
    }
    const preview = await imports.previewImport(file, given).catch(sayWhy).finally(progress.end)
    terminal.output.write(describePreview(preview, timeZone))
    mustBeComplete(preview)
    if (options.undo) {
      const client = await clientOf(url, patientUid, env)
      const { imported } = await imports.findImported(file, { ...given, client }).catch(sayWhy)
      const chosen = storedSince(imported, since)
      if (chosen.length === 0) return 'Nothing of this file is in the record, or all of it is withdrawn.'
      const found = `${readings(chosen.length)} of this file ${chosen.length === 1 ? 'is' : 'are'} in the record of ${patientUid}.`
      if (options['dry-run']) return `${found} Nothing was changed.`
      if (!options.yes) await mustBeConfirmed(`${found} All of that is withdrawn.`, patientUid, terminal)
      const onWithdrawn = (done: number, of: number) =>
        progress.show({ stage: 'Withdrawing', share: done / of })
      const { withdrawn, stopped } = await imports
        .withdrawImported(chosen, { client, patientUid, signal, onWithdrawn })
        .catch(sayWhy)
        .finally(progress.end)
      if (stopped) process.exitCode = 1
      return `${readings(withdrawn)} withdrawn.${stopped ? ` ${stopped.message}` : ''}`
    }
    if (options['dry-run']) return 'Nothing was added.'
    if (preview.doubt !== undefined) throw new CommandError(preview.doubt)
    if (preview.types.length === 0) throw new CommandError('The file holds nothing that can be added.')
    if (!options.yes) await mustBeConfirmed(`They become readings of ${patientUid}.`, patientUid, terminal)
    const client = await clientOf(url, patientUid, env)
    const beganAt = await serverTime(url)
    const result = await imports
      .importReadings(file, { ...given, client })
      .catch(sayWhy)
      .finally(progress.end)
    if (result.stopped || result.rejected.count > 0) process.exitCode = 1
    return describeResult(result, beganAt)
  },
})

/**
 * Texts of the file are needed for a moment, and there are many. V8 lets the space for new objects grow to 100 MiB for them; at its
 * first size it takes as long.
 */
const keepHeapSmall = () => setFlagsFromString('--semi-space-growth-factor=1')

async function openFile(path: string): Promise<ImportFile> {
  const unreadable = (why: string, cause?: unknown) =>
    new CommandError(`The file ${path} cannot be read: ${why}.`, cause === undefined ? {} : { cause })
  const stats = await stat(path).catch((cause: unknown) => {
    throw unreadable(codeOf(cause) === 'ENOENT' ? 'it is not there' : codeOf(cause), cause)
  })
  if (!stats.isFile()) throw unreadable('it is no file')
  const blob = await openAsBlob(path)
  return { name: basename(path), size: blob.size, stream: () => blob.stream() }
}

function readUrl(text = 'http://127.0.0.1:8080'): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/$/, '')
  throw new ConfigError('--url must be an address such as http://127.0.0.1:8080.')
}

/** By the clock of the server, which says when a reading was stored. A server that cannot be reached is reported by the import. */
async function serverTime(url: string): Promise<string> {
  const answer = await fetch(url, { method: 'HEAD', redirect: 'manual' }).catch(() => undefined)
  const at = Date.parse(answer?.headers.get('date') ?? '')
  return new Date(Number.isNaN(at) ? Date.now() : at).toISOString()
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at) || !/\d(?:Z|[+-]\d\d:\d\d)$/.test(text))
    throw new ConfigError('--since must be a time with its zone, such as 2026-11-18T10:00:00Z.')
  return at
}

function readUnit(text: string | undefined): ImportOptions['unit'] {
  if (text === undefined || text === 'mg/dL' || text === 'mmol/L') return text
  throw new ConfigError('--unit must be mg/dL or mmol/L.')
}

/** Of this very release: a preview needs no server. */
async function readCatalogue(): Promise<NonNullable<ImportOptions['types']>> {
  const { READING_TYPES } = await import('../modules/casesheet/catalogue/list-catalogue.ts')
  const { data } = JSON.parse(READING_TYPES.body.toString()) as { data: NonNullable<ImportOptions['types']> }
  return data
}

const LONGEST_PAUSE_MS = 3_600_000

const MAX_RUNS_SHOWN = 10

/** A device, an app or an earlier import may have stored the same readings: so the person says from when on they are meant. */
function storedSince(imported: readonly Imported[], since: number | undefined): readonly Imported[] {
  if (since !== undefined) return imported.filter(({ receivedAt }) => Date.parse(receivedAt) >= since)
  if (imported.length === 0) return []
  const times = imported.map(({ receivedAt }) => Date.parse(receivedAt)).toSorted((one, other) => one - other)
  const runs = times.filter((at, index) => at - (times[index - 1] ?? -Infinity) > LONGEST_PAUSE_MS)
  const lines = runs.map((at, index) => {
    const many = times.filter((one) => one >= at && one < (runs[index + 1] ?? Infinity)).length
    return `  ${count(many).padStart(10)}  from ${new Date(at).toISOString()}`
  })
  throw new ConfigError(
    `Readings of this file were stored at these times:\n${lines.slice(-MAX_RUNS_SHOWN).join('\n')}\n` +
      'Say with --since TIME from when on they are withdrawn. What a device or an app stored may be among them.',
  )
}

async function clientOf(url: string, patientUid: string, env: Deps['env']) {
  const { createRoundsClient } = await import('../../clients/typescript/src/client.ts')
  const given = env['ROUNDS_TOKEN']?.trim()
  if (given) return createRoundsClient({ url, token: given })
  const [{ findRunningIssuer }, { requestToken }] = await Promise.all([
    import('../../tools/dev/running-issuer.ts'),
    import('../../tools/dev/request-token.ts'),
  ]).catch((cause: unknown) => {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new CommandError('Without a clone of the sources, it needs an access token in ROUNDS_TOKEN.', {
      cause,
    })
  })
  const issuer = env['AUTH_ISSUER']
    ? readTokenSource(env)
    : await findRunningIssuer(Number(new URL(url).port))
  let token: string | undefined
  return createRoundsClient({
    url,
    token: async (refused) => {
      if (token === undefined || refused !== undefined)
        token = await requestToken(issuer, { patientUids: [patientUid] })
      return token
    },
  })
}

function mustBeComplete({ needs = [] }: ImportPreview) {
  const options = {
    timeZone:
      'The times of this file are local. Say with --zone which time zone they are of, such as --zone Europe/Berlin.',
    dayFirst:
      'Its dates can be read in two ways. Say --day-first if 03-04-2026 is the 3rd of April, else --month-first.',
    unit: 'Some of its values look like mmol/L, others do not say. Say --unit mmol/L or --unit mg/dL.',
  }
  if (needs.length > 0) throw new ConfigError(needs.map((need) => options[need]).join('\n'))
}

const count = (number: number) => number.toLocaleString('en-US')
const readings = (number: number) => `${count(number)} ${number === 1 ? 'reading' : 'readings'}`
const soFar = (stored: number) =>
  `${readings(stored)} ${stored === 1 ? 'was' : 'were'} stored. Import the same file again to go on: nothing is stored twice.`

function inWords({ phase, bytesRead, bytes, found, stored, duplicates }: ImportProgress) {
  const share = bytes === 0 ? 1 : bytesRead / bytes
  return phase === 'preview'
    ? { stage: 'Reading', share, details: `${readings(found)} found` }
    : { stage: 'Adding', share, details: `${count(stored)} stored, ${count(duplicates)} there already` }
}

const NAMES: Record<ImportPreview['format'], string> = {
  'apple-health': 'an export of Apple Health',
  libreview: 'an export of LibreView',
  'dexcom-clarity': 'an export of Dexcom Clarity',
  nightscout: 'entries of Nightscout',
  'rounds-csv': 'CSV of Rounds',
  'rounds-ndjson': 'NDJSON of Rounds',
}

/** Days are those of `zone`. */
function describePreview(
  { format, types, notUnderstood, skipped, writtenName, doubt }: ImportPreview,
  zone = 'UTC',
): string {
  const day = (time: string | undefined) =>
    time === undefined ? '' : new Date(time).toLocaleDateString('sv-SE', { timeZone: zone })
  const rows = types.map(({ readingType, unit = '', count: many, from, to }) => [
    oneLine(readingType),
    oneLine(unit),
    count(many),
    day(from),
    day(to),
  ])
  const parts = [
    `This is ${NAMES[format]}.\n`,
    rows.length === 0 ? '' : table([['Type', 'Unit', 'Readings', `From (${zone})`, 'To'], ...rows]),
    notUnderstood.length === 0
      ? ''
      : `Of a kind or unit that Rounds does not take:\n${lines(notUnderstood.map(({ name, count: many }) => [many, name]))}`,
    skipped.length === 0
      ? ''
      : `Left out:\n${lines(skipped.map(({ reason, count: many, example }) => [many, `${reason} (${example})`]))}`,
    writtenName === undefined
      ? ''
      : `The file itself names ${oneLine(writtenName)}. Check that this is the same person.\n`,
    doubt === undefined ? '' : `${doubt}\n`,
  ]
  return parts.filter(Boolean).join('\n')
}

/** A file must not be able to steer the terminal. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu, ' ')

const lines = (entries: [many: number, text: string][]) =>
  entries.map(([many, text]) => `  ${count(many).padStart(10)}  ${oneLine(text)}\n`).join('')

/** Numbers stand to the right. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row.map((cell, column) =>
      column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
  return rows.map((row) => `  ${line(row).join('  ').trimEnd()}\n`).join('')
}

function describeResult({ stored, duplicates, rejected, stopped }: ImportResult, beganAt: string): string {
  const examples = rejected.examples.map(
    ({ line, message }) => `  ${line === undefined ? '' : `line ${line}: `}${oneLine(message)}\n`,
  )
  return [
    `${readings(stored)} stored, ${count(duplicates)} there already, ${count(rejected.count)} refused.\n`,
    examples.length === 0 ? '' : `Refused, such as:\n${examples.join('')}`,
    duplicates > 0 ? 'What was there and withdrawn stays withdrawn.\n' : '',
    stopped ? `Not the whole file was added. ${stopped.message}\n` : '',
    stored > 0 ? `To take that back, run this again with --undo --since ${beganAt}\n` : '',
  ].join('')
}
