// The words of an import.
import type { Reading, ReadingTypeEntry } from '../contract.ts'

/** A `File` or `Blob` with a name is one. In Node: `{ name, size, stream: () => blob.stream() }` of `openAsBlob(path)`. */
export type ImportFile = { name: string; size: number; stream: () => ReadableStream<Uint8Array> }

export type ImportFormat =
  | 'apple-health'
  | 'libreview'
  | 'dexcom-clarity'
  | 'nightscout'
  | 'rounds-csv'
  | 'rounds-ndjson'

export type GlucoseUnit = 'mg/dL' | 'mmol/L'
/** What a file may leave open. */
export type Need = 'timeZone' | 'dayFirst' | 'unit'

export type ImportOptions = {
  /** Whose readings the file holds. */
  patientUid: string
  /** The IANA zone, such as `Europe/Berlin`, of a file whose times are local. */
  timeZone?: string | undefined
  /** Whether 03-04-2026 is the 3rd of April, where the file itself does not show it. */
  dayFirst?: boolean | undefined
  /** The unit of glucose, where the file does not say it (Nightscout). */
  unit?: GlucoseUnit | undefined
  /** The catalogue of the service (`listReadingTypes`): with it, numbers that the service would refuse are left out and counted. */
  types?: readonly ReadingTypeEntry[] | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: ImportProgress) => void) | undefined
}

export type ImportProgress = {
  phase: 'preview' | 'import'
  /** Of the file as it is stored, so of the zip. */
  bytesRead: number
  bytes: number
  /** Readings that were understood so far. */
  found: number
  stored: number
  duplicates: number
  rejected: number
}

/** Times are ISO 8601 in UTC. They are missing as long as `needs` names something. */
export type ImportedType = {
  readingType: string
  unit?: string
  count: number
  from?: string
  to?: string
}

export type ImportPreview = {
  format: ImportFormat
  /** What is brought in, the most frequent first. */
  types: ImportedType[]
  /** What the file holds and Rounds has no type or unit for, by the names of the file. */
  notUnderstood: { name: string; count: number }[]
  /** What is left out although its kind is understood, and why. */
  skipped: { reason: string; count: number; example: string }[]
  /** What `importReadings` must be told for this file. */
  needs?: Need[]
  /** Why none of it should be brought in, in a sentence: most of its numbers are impossible. Only where `types` are given. */
  doubt?: string
  /** A local time as the file writes it, to ask people what it means. */
  writtenTime?: string
  /** A value as the file writes it, where its unit is not known. */
  writtenValue?: string
  /** Whose readings they are, as the file says. It is not sent. */
  writtenName?: string
  from?: string
  to?: string
}

export type ImportResult = ImportPreview & {
  stored: number
  /** They were there already, or stand in the file twice. */
  duplicates: number
  /** An example of each message, up to 20. */
  rejected: { count: number; examples: { line?: number; message: string }[] }
  /**
   * The import ended before the end of the file, because the service took no more. What is counted is stored. The message says
   * what to do; importing the same file again goes on.
   */
  stopped?: { message: string; retryAfterMs?: number; cause: unknown }
}

/** What a reading becomes when the patient is known. */
export type FoundReading = Omit<Reading, 'patientUid'> & { readingType: string; timestamp: number }

/** What a format reports of a file, in the order of the file. */
export type Findings = {
  /** `line` helps people to find it; `unit` is what the preview shows, if the reading itself holds none. */
  reading: (reading: FoundReading, line?: number) => void
  notUnderstood: (name: string, count?: number) => void
  skipped: (reason: string, example: string, count?: number) => void
}

/** What a format reads. */
export type Input = {
  options: ImportOptions
  /** The text of the file, in pieces of up to 64 Ki characters. Each call reads the file from its beginning. */
  text: () => AsyncGenerator<string, void, undefined>
  /** The same of the bytes, as they are stored. */
  bytes: () => AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>
  /** Between two pieces, what was found in the first is sent on. `text` does so itself. */
  pieces: <Piece>(source: AsyncIterable<Piece>) => AsyncGenerator<Piece, void, undefined>
  file: ImportFile
  /** Called by a format whose times are local, whose dates need an order or whose values a unit: says what is missing. */
  need: (what: Need) => void
  /** What the preview shows as the file has it; the first of each counts. */
  wrote: (what: 'writtenTime' | 'writtenName' | 'writtenValue', text: string) => void
}

export type ReadFormat = (input: Input, found: Findings) => Promise<void>
