// Which of the formats a file is, by its content: names of files are translated and changed.
import { headOf } from './file-text.ts'
import {
  findHealthData,
  isHealthData,
  readAppleXml,
  readAppleZip,
} from './formats/apple-health/apple-health.ts'
import { clarityHead, readDexcomClarity } from './formats/dexcom-clarity.ts'
import { libreViewHead, readLibreView } from './formats/libreview.ts'
import { readNightscout } from './formats/nightscout.ts'
import { readRoundsCsv, readRoundsNdjson } from './formats/rounds.ts'
import type { ImportFormat, Input, ReadFormat } from './import-contract.ts'
import { ImportError } from './import-error.ts'
import { isZip } from './zip.ts'

const HEAD_CHARS = 65_536

export type Format = { format: ImportFormat; read: ReadFormat }

export async function findFormat(input: Input): Promise<Format> {
  const first = await firstBytes(input)
  const other = OTHERS.find(({ begins }) => begins.every((byte, at) => first[at] === byte))
  if (other) throw unknown(`This is ${other.name}. Export the readings themselves: ${KNOWN}.`)
  if (isZip(first)) {
    await findHealthData(input)
    return { format: 'apple-health', read: readAppleZip }
  }
  const head = (await headOf(input.text(), HEAD_CHARS)).trimStart()
  if (head === '') throw unknown('The file is empty. Export it again.')
  const found = head.startsWith('<') ? ofXml(head) : /^[[{]/.test(head) ? ofJson(head) : ofCsv(head)
  if (found) return found
  throw unknown(`The file is none of these: ${KNOWN}.`)
}

/** What people choose by mistake, by its first bytes. */
const OTHERS = [
  { name: 'a PDF', begins: [0x25, 0x50, 0x44, 0x46] },
  { name: 'a picture', begins: [0xff, 0xd8, 0xff] },
  { name: 'a picture', begins: [0x89, 0x50, 0x4e, 0x47] },
]

async function firstBytes(input: Input): Promise<Uint8Array> {
  for await (const piece of input.bytes()) if (piece.length >= 4) return piece
  return new Uint8Array(0)
}

function ofXml(head: string): Format | undefined {
  if (isHealthData(head)) return { format: 'apple-health', read: readAppleXml }
  if (!head.includes('<ClinicalDocument')) return undefined
  throw unknown(
    'This is export_cda.xml of Apple Health. Bring in export.zip, or the other XML that is in it.',
  )
}

function ofJson(head: string): Format | undefined {
  const [first = ''] = head.split(/\r?\n/, 1)
  if (head.startsWith('{') && /"readingType"\s*:/.test(first))
    return { format: 'rounds-ndjson', read: readRoundsNdjson }
  const [entry = ''] = /\{[^{}]*/.exec(head) ?? []
  const isEntry = /"(?:sgv|mbg|dateString)"\s*:/.test(head) || /"type"\s*:\s*"cal"/.test(entry)
  return isEntry || /^\[\s*\]\s*$/.test(head) ? { format: 'nightscout', read: readNightscout } : undefined
}

function ofCsv(head: string): Format | undefined {
  if (/^patientUid,readingType,timestamp(?:,|\r?\n|$)/.test(head))
    return { format: 'rounds-csv', read: readRoundsCsv }
  if (clarityHead(head)) return { format: 'dexcom-clarity', read: readDexcomClarity }
  return libreViewHead(head) ? { format: 'libreview', read: readLibreView } : undefined
}

const KNOWN =
  'export.zip of Apple Health, a CSV export of LibreView, Dexcom Clarity or Rounds, entries.json of Nightscout, NDJSON of Rounds'

const unknown = (message: string) => new ImportError('UnknownFormat', message)
