// entries.json of Nightscout: a JSON list of what uploaders sent. `sgv` (sensor) and `mbg` (meter) are in mg/dL, always.
import type { Findings, ReadFormat } from '../import-contract.ts'
import { jsonElementsOf } from '../json-elements.ts'
import { faultOfJson } from '../json-text.ts'
import { NO_TIME } from '../local-time.ts'
import { importedFrom } from '../source-text.ts'
import { NO_VALUE } from './csv-head.ts'

// Below it, a sensor writes codes of its errors; Nightscout itself shows this very number as LOW, and 401 as HIGH.
const LOW = 39
const HIGH = 401

const ERROR_CODE = 'It is an error code of the sensor (below 39), and no value.'

type Entry = Record<string, unknown>

export const readNightscout: ReadFormat = async ({ text }, found) => {
  let count = 0
  for await (const entries of jsonElementsOf(text())) {
    for (const entry of entries) takeEntry(entry, ++count, found)
  }
}

function takeEntry(text: string, number: number, found: Findings) {
  const example = `entry ${number}`
  const fault = faultOfJson(text)
  if (fault !== undefined) return found.skipped(fault, example)
  const entry = parsed(text)
  if (!entry) return found.skipped('It is no JSON.', example)
  const { type, direction, device } = entry
  if (type !== 'sgv' && type !== 'mbg')
    return found.notUnderstood(typeof type === 'string' ? type : 'entries without a type')
  const value = entry[type]
  if (typeof value !== 'number') return found.skipped(NO_VALUE, example)
  const timestamp = timeOf(entry)
  if (timestamp === undefined) return found.skipped(NO_TIME, example)
  const source = importedFrom({
    device: { name: typeof device === 'string' ? device : undefined },
    app: { name: 'Nightscout' },
  })
  if (type === 'mbg')
    return found.reading({ readingType: 'bloodGlucose', timestamp, value, unit: 'mg/dL', source }, number)
  if (value < LOW) return found.skipped(ERROR_CODE, `${example}: ${value}`)
  const outOfRange = value === LOW ? 'low' : value >= HIGH ? 'high' : undefined
  const trend = typeof direction === 'string' && /^[A-Za-z]{1,40}$/.test(direction) && direction !== 'NONE'
  return found.reading(
    {
      readingType: 'interstitialGlucose',
      timestamp,
      value,
      unit: 'mg/dL',
      ...(trend ? { trend: direction } : {}),
      ...(outOfRange === undefined ? {} : { outOfRange }),
      source,
    },
    number,
  )
}

/** `date` is the instant in milliseconds; of old uploaders only the text has it. */
function timeOf({ date, dateString }: Entry): number | undefined {
  if (typeof date === 'number') return Number.isFinite(date) && date > 0 ? date : undefined
  if (typeof dateString !== 'string' || !/\d(?:Z|[+-]\d\d:?\d\d)$/.test(dateString)) return undefined
  const at = Date.parse(dateString)
  return Number.isNaN(at) ? undefined : at
}

function parsed(text: string): Entry | undefined {
  try {
    return JSON.parse(text) as Entry
  } catch {
    return undefined
  }
}
