// `rounds import`. What a file holds, and how it becomes readings, is in the client: clients/typescript/src/import.
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { ImportOptions } from '../../clients/typescript/src/import/import-readings.ts'
import { ConfigError } from '../config/config.ts'
import { CommandError } from '../refusal.ts'
import { defineCommand } from './command.ts'
import { mustBeConfirmed } from './confirm.ts'
import { showProgress } from './progress.ts'
import { stopSignal } from './signals.ts'

const HELP = `rounds import FILE --patient UID [--zone ZONE] [--day-first | --month-first] [--unit UNIT] [--dry-run] [--undo TIME] [--yes] [--url URL]: add the readings of a file that a patient already has, through the API.

FILE may be export.zip (or its XML) of Apple Health, a CSV export of LibreView, Dexcom Clarity or Rounds, entries.json of
Nightscout, or NDJSON of Rounds. First it prints as JSON what it would add and leave out, then it asks. Importing a file
again stores nothing twice, so it goes on after an interruption or a limit. It ends with 0 if all of it is stored, else 1.

  --patient UID             whose readings they are
  --zone ZONE               the IANA time zone, such as Europe/Berlin, of a file whose times are local (LibreView, Clarity)
  --day-first, --month-first   how to read 03-04-2026: needed where no date of the file shows it
  --unit UNIT               mg/dL or mmol/L: needed where values of Nightscout may be either
  --dry-run                 print what the file holds, and change nothing
  --undo TIME               withdraw the readings of the file that were stored since this time, which an import prints
  --yes                     do not ask
  --url URL                 where Rounds answers; readings go to URL/casesheet (http://127.0.0.1:8080)

Needed, but for --dry-run:
  ROUNDS_TOKEN              an access token that names the patient, such as $(npx rounds token --patient UID)
`

export const importCommand = defineCommand({
  summary:
    'rounds import FILE              add readings: Apple Health, LibreView, Clarity, Nightscout, Rounds',
  help: HELP,
  options: {
    patient: { type: 'string' },
    zone: { type: 'string' },
    'day-first': { type: 'boolean' },
    'month-first': { type: 'boolean' },
    unit: { type: 'string' },
    'dry-run': { type: 'boolean' },
    undo: { type: 'string' },
    yes: { type: 'boolean' },
    url: { type: 'string' },
  },
  async run({ args: [path, ...others], options }, { env, ...terminal }) {
    const { patient: patientUid, zone: timeZone, unit, undo, yes, 'dry-run': isDryRun } = options
    const { 'day-first': isDayFirst, 'month-first': isMonthFirst, url = 'http://127.0.0.1:8080' } = options
    if (path === undefined || others.length > 0 || !patientUid)
      throw new ConfigError('Say "rounds import FILE --patient UID", as in "rounds import --help".')
    if (isDayFirst && isMonthFirst) throw new ConfigError('Say either --day-first or --month-first.')
    if (unit !== undefined && unit !== 'mg/dL' && unit !== 'mmol/L')
      throw new ConfigError('--unit must be mg/dL or mmol/L.')
    if (undo !== undefined && !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(undo))
      throw new ConfigError('--undo must be a time with its zone, such as 2026-11-18T10:00:00Z.')
    const [imports, { createRoundsClient }, { READING_TYPES }] = await Promise.all([
      import('../../clients/typescript/src/import/import-readings.ts'),
      import('../../clients/typescript/src/client.ts'),
      import('../modules/casesheet/catalogue/list-catalogue.ts'),
    ])
    const stats = await stat(path).catch(() => undefined)
    if (!stats?.isFile()) throw new CommandError(`There is no file ${path}.`)
    const blob = await openAsBlob(path)
    // V8 lets the space for new objects grow to 100 MiB for the texts of the file; at its first size it takes as long.
    setFlagsFromString('--semi-space-growth-factor=1')
    const file = { name: basename(path), size: blob.size, stream: () => blob.stream() }
    const progress = showProgress(terminal.errors)
    const given: ImportOptions = {
      patientUid,
      timeZone,
      unit,
      dayFirst: isDayFirst || (isMonthFirst ? false : undefined),
      types: JSON.parse(READING_TYPES.body.toString()).data,
      signal: stopSignal(env),
      onProgress: ({ phase, found, bytesRead, bytes }) =>
        progress.show({ stage: phase, share: bytesRead / Math.max(1, bytes), details: `${found} found` }),
    }
    const during = <Result>(work: Promise<Result>) =>
      work.finally(progress.end).catch((cause: unknown) => {
        if (given.signal?.aborted) throw new CommandError('Stopped. What was done stays: do the same again.')
        throw cause instanceof imports.ImportError ? new CommandError(cause.message, { cause }) : cause
      })
    const mustBeSure = async (question: string) => yes || mustBeConfirmed(question, patientUid, terminal)
    const preview = await during(imports.previewImport(file, given))
    terminal.output.write(`${inJson(preview)}\n`)
    if (isDryRun) return 'Nothing was changed.'
    if (preview.doubt !== undefined) throw new CommandError(preview.doubt)
    const open = preview.needs?.map((need) => NEEDED[need]).join(' and ')
    if (open) throw new ConfigError(`Say with ${open} what the file leaves open.`)
    if (preview.types.length === 0) throw new CommandError('The file holds nothing that can be added.')
    if (!env['ROUNDS_TOKEN']) throw new ConfigError('ROUNDS_TOKEN is missing: it must be an access token.')
    const service = { ...given, client: createRoundsClient({ url, token: env['ROUNDS_TOKEN'] }) }
    if (undo !== undefined) {
      const { imported } = await during(imports.findImported(file, service))
      const chosen = imported.filter(({ receivedAt }) => Date.parse(receivedAt) >= Date.parse(undo))
      await mustBeSure(`${chosen.length} readings in the record of ${patientUid} are withdrawn.`)
      const { withdrawn, stopped } = await during(imports.withdrawImported(chosen, service))
      if (stopped) throw new CommandError(stopped.message, { cause: stopped.cause })
      return `${withdrawn} withdrawn.`
    }
    await mustBeSure(`They become readings of ${patientUid}.`)
    // By the clock of the server, which says when a reading was stored.
    const head = await fetch(url, { method: 'HEAD', redirect: 'manual' }).catch(() => undefined)
    const beganAt = new Date(head?.headers.get('date') ?? Date.now()).toISOString()
    const { stored, duplicates, rejected, stopped } = await during(imports.importReadings(file, service))
    if (stopped || rejected.count > 0) process.exitCode = 1
    const counts = `${stored} stored, ${duplicates} there already, ${rejected.count} refused.`
    const refused = rejected.count > 0 ? [inJson(rejected.examples)] : []
    const back = stored > 0 ? [`To take that back, run this again with --undo ${beganAt}`] : []
    return [counts, ...refused, stopped?.message ?? [], ...back].flat().join('\n')
  },
})

const NEEDED = { timeZone: '--zone', dayFirst: '--day-first or --month-first', unit: '--unit' }
/** What could steer a terminal, and JSON does not escape. */
const STEERING = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

const inJson = (value: object) => JSON.stringify(value, null, 2).replaceAll(STEERING, ' ')
