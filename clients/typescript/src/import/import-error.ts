/**
 * - `UnknownFormat`: it is none of the files that can be brought in.
 * - `Damaged`: it ends too early, is not what it says it is, or holds something larger than any real export does.
 * - `TimeZoneNeeded`: its times are local; pass `timeZone`.
 * - `DayFirstNeeded`: its dates can be read in two ways; pass `dayFirst`.
 * - `UnitNeeded`: its values may be of two units; pass `unit`.
 */
export type ImportErrorCode = 'UnknownFormat' | 'Damaged' | 'TimeZoneNeeded' | 'DayFirstNeeded' | 'UnitNeeded'

/** The file cannot be brought in. The message is a sentence for people: what is wrong, and what to do. */
export class ImportError extends Error {
  readonly code: ImportErrorCode
  /** How many readings this import had stored before; they stay, and the next import finds them there. */
  stored = 0

  constructor(code: ImportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ImportError'
    this.code = code
  }
}

export const damaged = (message: string, cause?: unknown) =>
  new ImportError('Damaged', message, cause === undefined ? {} : { cause })
