// Which of the formats a file is, by its content: names of files are translated and changed.
import { headOf } from './file-text.ts'
import { readRoundsCsv, readRoundsNdjson } from './formats/rounds.ts'
import { ImportError } from './import-error.ts'
import type { ImportFormat, Input, ReadFormat } from './import-types.ts'

const HEAD_CHARS = 65_536

export type Format = { format: ImportFormat; read: ReadFormat }

export async function findFormat(input: Input): Promise<Format> {
  const head = (await headOf(input.text(), HEAD_CHARS)).trimStart()
  if (head === '') throw unknown('The file is empty. Export it again.')
  const [first = ''] = head.split(/\r?\n/, 1)
  if (/^patientUid,readingType,timestamp(,|$)/.test(first))
    return { format: 'rounds-csv', read: readRoundsCsv }
  if (first.startsWith('{') && /"readingType"\s*:/.test(first))
    return { format: 'rounds-ndjson', read: readRoundsNdjson }
  throw unknown(`The file is none of these: ${KNOWN}.`)
}

const KNOWN =
  'export.zip of Apple Health, a CSV export of LibreView, Dexcom Clarity or Rounds, entries.json of Nightscout, NDJSON of Rounds'

const unknown = (message: string) => new ImportError('UnknownFormat', message)
