// entries.json of Nightscout: a JSON list of what uploaders sent. `sgv` (sensor) and `mbg` (meter) are in mg/dL, unless `units` of the
// entry says mmol (API v3 has that field; Nightscout itself stores mg/dL). Tools convert files without a word, so where an entry
// that names no unit has a value that only mmol/L has, the person is asked.
import type { Findings, GlucoseUnit, Input, ReadFormat } from '../import-contract.ts'
import { jsonElementsOf } from '../json-elements.ts'
import { faultOfJson } from '../json-text.ts'
import { NO_TIME } from '../local-time.ts'
import { importedFrom } from '../source-text.ts'
import { NO_VALUE } from './csv-head.ts'

// Below it, a sensor writes codes of its errors; Nightscout itself shows this very number as LOW, and 401 as HIGH.
const LOW = 39
const HIGH = 401
const MG_PER_MMOL = 18.0156

const ERROR_CODE = 'It is an error code of the sensor (below 39), and no value.'

type Entry = Record<string, unknown>

export const readNightscout: ReadFormat = async (input, found) => {
  let count = 0
  for await (const entries of jsonElementsOf(input.text())) {
    for (const entry of entries) takeEntry(entry, ++count, { input, found })
  }
}

type Taking = { input: Input; found: Findings }

function takeEntry(text: string, number: number, { input, found }: Taking) {
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
  const unit = unitOf(entry['units'], value, input)
  if (unit === undefined) return found.skipped(OTHER_UNIT, example)
  const source = importedFrom({
    device: { name: typeof device === 'string' ? device : undefined },
    app: { name: 'Nightscout' },
  })
  if (type === 'mbg')
    return found.reading({ readingType: 'bloodGlucose', timestamp, value, unit, source }, number)
  const inMg = unit === 'mg/dL' ? value : Math.round(value * MG_PER_MMOL)
  if (inMg < LOW) return found.skipped(ERROR_CODE, `${example}: ${value}`)
  // In mmol/L, 2.2 is 39 and 40.
  const isLow = unit === 'mg/dL' && value === LOW
  const outOfRange = isLow ? 'low' : inMg >= HIGH ? 'high' : undefined
  const trend = typeof direction === 'string' && /^[A-Za-z]{1,40}$/.test(direction) && direction !== 'NONE'
  return found.reading(
    {
      readingType: 'interstitialGlucose',
      timestamp,
      value,
      unit,
      ...(trend ? { trend: direction } : {}),
      ...(outOfRange === undefined ? {} : { outOfRange }),
      source,
    },
    number,
  )
}

const OTHER_UNIT = 'Its unit is neither mg/dL nor mmol/L.'

/** Codes of errors are whole numbers: a fraction below the lowest value of a sensor is mmol/L, or a mistake. */
function unitOf(written: unknown, value: number, { options, need, wrote }: Input): GlucoseUnit | undefined {
  if (typeof written === 'string' && written.trim() !== '') {
    const [name = ''] = written.trim().toLowerCase().split('/')
    return name === 'mmol' ? 'mmol/L' : name === 'mg' ? 'mg/dL' : undefined
  }
  if (options.unit === undefined && value < LOW && !Number.isInteger(value)) {
    wrote('writtenValue', String(value))
    need('unit')
  }
  return options.unit ?? 'mg/dL'
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
