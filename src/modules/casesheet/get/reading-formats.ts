// The formats in which readings/get answers, and which of them a request asks for.
import { preferredMediaType } from '../../../http/preferences.ts'
import { printLimitedTo } from '../grants/limited-to.ts'
import type { Reader } from '../reader.ts'
import { CSV_HEAD, printCsv } from './print-csv.ts'
import { type PrintPage, printLines, printList } from './print-page.ts'

export type Format = {
  contentType: string
  /** The ending of the file that a browser saves; null where the answer is for a program. */
  fileEnding: string | null
  print: PrintPage
  /**
   * Bytes of stored readings in a page with a limit, and in one of a stream. A page is printed in one go: in JSON a mebibyte takes
   * about 3 ms. In CSV each reading is parsed, and may grow to more than four times its size: 256 KiB may take 30 ms and become
   * 1.1 MiB.
   */
  maxPageBytes: number
  maxStreamedBytes: number
  /** How much longer a byte takes to print than in JSON: all pages that share a statement are printed in one go. */
  costOfByte: number
  /** What stands before the first page, between pages, and at the end, for this reader. */
  begin: string
  between: string
  end: (nextCursor: string | null, reader: Pick<Reader, 'limitedTo'>) => string
}

export const READINGS_MESSAGE = 'Readings obtained successfully.'

const KIB = 1_024
const SPLICED = { maxPageBytes: 1_024 * KIB, maxStreamedBytes: 256 * KIB, costOfByte: 1 }

const JSON_ENVELOPE: Format = {
  contentType: 'application/json; charset=utf-8',
  fileEnding: null,
  print: printList,
  ...SPLICED,
  begin: `{"code":"Ok","message":"${READINGS_MESSAGE}","data":[`,
  between: ',',
  end: (nextCursor, reader) => `],"nextCursor":${JSON.stringify(nextCursor)}${printLimitedTo(reader)}}`,
}

const FORMATS = {
  'application/json': JSON_ENVELOPE,
  'text/csv': {
    contentType: 'text/csv; charset=utf-8; header=present',
    fileEnding: 'csv',
    print: printCsv,
    maxPageBytes: 256 * KIB,
    maxStreamedBytes: 128 * KIB,
    costOfByte: 8,
    begin: CSV_HEAD,
    between: '',
    end: () => '',
  },
  'application/x-ndjson': {
    contentType: 'application/x-ndjson',
    fileEnding: 'ndjson',
    print: printLines,
    ...SPLICED,
    begin: '',
    between: '',
    end: () => '',
  },
} as const satisfies Record<string, Format>

const MEDIA_TYPES = Object.keys(FORMATS) as (keyof typeof FORMATS)[]

/**
 * The format that `Accept` asks for. One that asks for nothing of ours gets JSON and not 406: the interface says nothing
 * of this header, so no value of it may turn an answer into a refusal.
 */
export function formatFor(accept: string | undefined): Format {
  if (accept === undefined || accept === '*/*') return JSON_ENVELOPE
  return FORMATS[preferredMediaType(accept, MEDIA_TYPES) ?? 'application/json']
}
