// What is said of files and of what became of them.
import type { ImportFormat } from '../../../../typescript/src/import/import-readings.ts'
import type { Counts } from '../../bring-in/bring-in.ts'
import { bytesText, countText } from '../../format/numbers.ts'

const FORMATS: Record<ImportFormat, string> = {
  'apple-health': 'Apple Health',
  libreview: 'LibreView',
  'dexcom-clarity': 'Dexcom Clarity',
  nightscout: 'Nightscout',
  'rounds-csv': 'Rounds, CSV',
  'rounds-ndjson': 'Rounds, NDJSON',
}

/** Such as "export.zip, Apple Health, 4.2 MB". */
export const fileText = ({ size }: File, format?: ImportFormat) =>
  [...(format === undefined ? [] : [FORMATS[format]]), bytesText(size)].join(' · ')

export function unreadableText(error: unknown, { name }: File): { title: string; advice: string } {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  const said = typeof message === 'string' ? message : ''
  switch (code) {
    case 'NotReadableError':
    case 'NotFoundError':
      return {
        title: `${name} could not be read.`,
        advice: 'It was moved, changed or removed meanwhile. Choose it again.',
      }
    case 'Fault':
      return {
        title: 'Something in this page failed.',
        advice: 'Reload the page. If it happens again, report it.',
      }
    default:
      return { title: `${name} cannot be imported.`, advice: said }
  }
}

/** What the service said, as sentences: "1,204 readings were stored. 3 were there already. What was withdrawn stays withdrawn." */
export function countsText({ stored, duplicates, rejected }: Counts): string {
  const sentences = [
    stored > 0 || duplicates + rejected === 0
      ? `${countText(stored, 'reading was', 'readings were')} stored.`
      : 'Nothing new was stored.',
    duplicates > 0 && `${countText(duplicates, 'was', 'were')} there already.`,
    rejected > 0 && `${countText(rejected, 'was', 'were')} refused.`,
    duplicates > 0 && 'What was withdrawn stays withdrawn.',
  ]
  return sentences.filter((one) => one !== false).join(' ')
}
