// The formats in which readings/get answers, and which of them a request asks for.
import { preferredMediaType } from '../../http/accept.ts'
import { CSV_HEAD, printCsv } from './print-csv.ts'
import { type PrintReadings, printLines, printList } from './print-readings.ts'

export type Format = {
  contentType: string
  /** The ending of the file that a browser saves; null where the answer is for a program. */
  fileEnding: string | null
  print: PrintReadings
  /** What stands before the first page, between pages, and at the end. */
  begin: string
  between: string
  end: (nextCursor: string | null) => string
}

export const READINGS_MESSAGE = 'Readings obtained successfully.'

const JSON_ENVELOPE: Format = {
  contentType: 'application/json; charset=utf-8',
  fileEnding: null,
  print: printList,
  begin: `{"code":"Ok","message":"${READINGS_MESSAGE}","data":[`,
  between: ',',
  end: (nextCursor) => `],"nextCursor":${JSON.stringify(nextCursor)}}`,
}

const FORMATS = {
  'application/json': JSON_ENVELOPE,
  'text/csv': {
    contentType: 'text/csv; charset=utf-8; header=present',
    fileEnding: 'csv',
    print: printCsv,
    begin: CSV_HEAD,
    between: '',
    end: () => '',
  },
  'application/x-ndjson': {
    contentType: 'application/x-ndjson',
    fileEnding: 'ndjson',
    print: (listed, count, patientUid) => {
      const { text, last } = printLines(listed, count, patientUid)
      return { text: text === '' ? '' : `${text}\n`, last }
    },
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
