// @rounds/client/import: files that people already have → readings. A file is read as a stream, in memory that does not grow
// with it. The same file and options always give the same readings, and a reading's identity is its content, so importing a file
// again stores nothing.
import type { RoundsClient } from '../client.ts'
import { bytesOf, textOf } from './file-text.ts'
import { findFormat } from './find-format.ts'
import type {
  Findings,
  FoundReading,
  ImportFile,
  ImportOptions,
  ImportPreview,
  ImportProgress,
  ImportResult,
  Input,
  Need,
} from './import-contract.ts'
import { ImportError } from './import-error.ts'
import { createSender, type SendingClient, SendingStopped } from './send-readings.ts'
import { stoppedBy } from './stopped.ts'
import { createTally } from './tally.ts'
import { createFinder, type Imported } from './undo-import.ts'
import { createDoubt, createRangeCheck } from './within-ranges.ts'

export type {
  GlucoseUnit,
  ImportedType,
  ImportFile,
  ImportFormat,
  ImportOptions,
  ImportPreview,
  ImportProgress,
  ImportResult,
} from './import-contract.ts'
export { ImportError, type ImportErrorCode } from './import-error.ts'
export { type Imported, type UndoOptions, type UndoResult, withdrawImported } from './undo-import.ts'

const PROGRESS_EVERY_MS = 100
const MAX_WRITTEN = 120

/** What an import of this file would bring in, and what it would leave out. Nothing is sent. */
export async function previewImport(file: ImportFile, options: ImportOptions): Promise<ImportPreview> {
  const { preview } = await read(file, options)
  return preview
}

/** Adds what the file holds, with the client's retries. It may be repeated: what is stored already counts as a duplicate. */
export async function importReadings(
  file: ImportFile,
  { client, ...options }: ImportOptions & { client: SendingClient },
): Promise<ImportResult> {
  const sender = createSender(client, options.patientUid, options.signal)
  try {
    const { preview, stopped } = await read(file, options, sender)
    return { ...preview, ...sender.sent, ...(stopped === undefined ? {} : { stopped }) }
  } catch (error) {
    if (error instanceof ImportError) error.stored = sender.sent.stored
    throw error
  }
}

/** What of the file is in the record and not withdrawn, oldest first: for `withdrawImported`. */
export async function findImported(
  file: ImportFile,
  { client, ...options }: ImportOptions & { client: Pick<RoundsClient, 'getReadings'> },
): Promise<{ preview: ImportPreview; imported: Imported[] }> {
  const finder = createFinder(options.patientUid)
  const { preview } = await read(file, options, finder)
  return { preview, imported: await finder.find({ client, signal: options.signal }) }
}

/** Where the readings of a file go: to the service, or to who looks for them. */
type Sink = {
  add: (reading: FoundReading, line: number | undefined) => void
  flush: (all?: boolean) => Promise<void>
  sent?: Pick<ImportResult, 'stored' | 'duplicates' | 'rejected'>
}

async function read(file: ImportFile, options: ImportOptions, sender?: Sink) {
  const tally = createTally()
  const needs = new Set<Need>()
  const written: Pick<ImportPreview, 'writtenTime' | 'writtenName' | 'writtenValue'> = {}
  const report = createReport(file, options, () => progressOf(tally.found(), sender))
  const faultOf = createRangeCheck(options.types ?? [])
  const doubt = createDoubt()
  // Between two pieces of the file, what was found in the piece before is sent: so the file is read no faster than that.
  async function* pieces<Piece>(source: AsyncIterable<Piece>): AsyncGenerator<Piece, void, undefined> {
    for await (const piece of source) {
      yield piece
      await sender?.flush()
    }
  }
  const bytes = () => report.counting(bytesOf(file, options.signal))
  const input: Input = {
    file,
    options,
    bytes,
    text: () => pieces(textOf(bytes())),
    pieces,
    need(what) {
      if (sender) throw needed(what)
      needs.add(what)
    },
    wrote(what, text) {
      if (written[what] === undefined && text.trim() !== '') written[what] = text.trim().slice(0, MAX_WRITTEN)
    },
  }
  const found: Findings = {
    ...tally,
    reading(reading, line) {
      const fault = faultOf(reading)
      doubt.count(reading, fault !== undefined)
      if (fault)
        return tally.skipped(fault.reason, `${line === undefined ? '' : `line ${line}: `}${fault.value}`)
      tally.reading(reading)
      sender?.add(reading, line)
    },
  }
  const { format, read: readFormat } = await findFormat(input)
  let stopped: ImportResult['stopped']
  try {
    report.begin()
    await readFormat(input, found)
    await sender?.flush(true)
  } catch (error) {
    if (!(error instanceof SendingStopped)) throw error
    stopped = stoppedBy(error.cause, sender?.sent?.stored ?? 0)
  }
  report.end()
  const why = doubt.sentence()
  const preview: ImportPreview = {
    format,
    ...tally.summary(needs.size === 0),
    ...written,
    ...(needs.size === 0 ? {} : { needs: [...needs] }),
    ...(why === undefined ? {} : { doubt: why }),
  }
  return { preview, stopped }
}

const NEEDED = {
  timeZone: ['TimeZoneNeeded', 'The times of this file are local. Say in which time zone they were taken.'],
  dayFirst: [
    'DayFirstNeeded',
    'The dates of this file can be read in two ways. Say whether the day or the month stands first.',
  ],
  unit: ['UnitNeeded', 'Values of this file may be in mg/dL or in mmol/L. Say which.'],
} as const

function needed(what: Need): ImportError {
  const [code, message] = NEEDED[what]
  return new ImportError(code, message)
}

function progressOf(found: number, sender: Sink | undefined) {
  const { stored, duplicates, rejected } = sender?.sent ?? {
    stored: 0,
    duplicates: 0,
    rejected: { count: 0 },
  }
  const phase: ImportProgress['phase'] = sender?.sent ? 'import' : 'preview'
  return { phase, found, stored, duplicates, rejected: rejected.count }
}

/** Progress now and then, and at the end. */
function createReport(
  { size }: ImportFile,
  { onProgress }: ImportOptions,
  counts: () => Omit<ImportProgress, 'bytesRead' | 'bytes'>,
) {
  let bytesRead = 0
  let lastAt = -Infinity
  const tell = () => onProgress?.({ ...counts(), bytesRead: Math.min(bytesRead, size), bytes: size })
  return {
    /** What was read to find the format does not count. */
    begin: () => {
      bytesRead = 0
    },
    async *counting(source: AsyncIterable<Uint8Array<ArrayBuffer>>) {
      bytesRead = 0
      for await (const piece of source) {
        bytesRead += piece.length
        if (performance.now() - lastAt >= PROGRESS_EVERY_MS) {
          lastAt = performance.now()
          tell()
        }
        yield piece
      }
    },
    end: tell,
  }
}
