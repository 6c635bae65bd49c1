// The export of Apple Health: a zip with one large XML, whose name is in the language of the phone, beside ECGs, routes of workouts and
// the same data as CDA. The XML alone can be brought in too. Records are taken one by one, from the devices and apps that wrote them:
// several may have counted the same steps. A blood pressure is a Correlation; its two values stand in the file as Records as well.
import { headOf, textOf } from '../../file-text.ts'
import type { Findings, Input, ReadFormat } from '../../import-contract.ts'
import { ImportError } from '../../import-error.ts'
import { NO_TIME } from '../../local-time.ts'
import { contentOf, readZipDirectory, type ZipEntry } from '../../zip.ts'
import { NO_VALUE } from '../csv-head.ts'
import { appleTypeOf, scaledNumber, shortName } from './quantities.ts'
import { createSleeps } from './sleep.ts'
import { createSources } from './sources.ts'
import { instantIn } from './times.ts'
import { type Attributes, type ElementHandler, readXml } from './xml.ts'

const HEAD_CHARS = 65_536
const MAX_XML_LOOKED_AT = 10
const SYSTOLIC = 'BloodPressureSystolic'
const DIASTOLIC = 'BloodPressureDiastolic'

export const isHealthData = (head: string) => /<HealthData[\s>]/.test(head)

/** The whole of what the zip holds, with the XML found by its content. */
export async function findHealthData(input: Input): Promise<{ xml: ZipEntry; others: ZipEntry[] }> {
  const entries = (await readZipDirectory(input)).filter(({ name }) => !name.endsWith('/'))
  const isCandidate = ({ name }: ZipEntry) =>
    /^(?:[^/]+\/)?[^/]+\.xml$/i.test(name) && !/_cda\.xml$/i.test(name)
  for (const xml of entries.filter(isCandidate).slice(0, MAX_XML_LOOKED_AT)) {
    const head = await headOf(textOf(contentOf(input, xml)), HEAD_CHARS)
    if (isHealthData(head)) return { xml, others: entries.filter((entry) => entry !== xml) }
  }
  throw new ImportError(
    'UnknownFormat',
    'The zip holds no export of Apple Health. If another export is in it, unzip it and bring in that file.',
  )
}

export const readAppleXml: ReadFormat = (input, found) => readRecords(input.text(), found)

export const readAppleZip: ReadFormat = async (input, found) => {
  const { xml, others } = await findHealthData(input)
  for (const { name } of others) found.notUnderstood(nameOfOther(name))
  await readRecords(input.pieces(textOf(contentOf(input, xml))), found)
}

/** Files in a folder of their own, such as ECGs, count together. */
function nameOfOther(path: string): string {
  const parts = path.split('/')
  const [file = '', folder, top] = [parts.at(-1), parts.at(-2), parts.at(-3)]
  if (/_cda\.xml$/i.test(file)) return `${file} (the same data in another form)`
  return top === undefined || folder === undefined ? file : `${folder} (files)`
}

async function readRecords(text: AsyncIterable<string>, found: Findings) {
  const records = createRecords(found)
  await readXml(text, records)
  records.end()
}

type Correlation = { attributes: Attributes; values: Map<string, Attributes> }

function createRecords(found: Findings): ElementHandler & { end: () => void } {
  const sourceOf = createSources()
  const sleeps = createSleeps(found)
  // Of blood pressures: how many stand as Records, and how many within Correlations.
  const alone = { [SYSTOLIC]: 0, [DIASTOLIC]: 0 }
  let correlation: Correlation | undefined

  function takeRecord(attributes: Attributes) {
    const { type = '' } = attributes
    const name = shortName(type)
    if (name === SYSTOLIC || name === DIASTOLIC) alone[name]++
    else if (name === 'SleepAnalysis') sleeps.take(attributes, sourceOf(attributes))
    else takeQuantity(name, attributes)
  }
  function takeQuantity(name: string, attributes: Attributes) {
    const { unit = '', startDate, endDate, value: text } = attributes
    const type = appleTypeOf(name)
    const scaled = type && Object.hasOwn(type.units, unit) ? type.units[unit] : undefined
    if (!type) return found.notUnderstood(name)
    if (!scaled) return found.notUnderstood(`${name} in ${unit || 'no unit'}`)
    const value = scaledNumber(text, scaled.factor)
    if (value === undefined) return found.skipped(NO_VALUE, `${name} ${startDate ?? ''}`)
    const [from, to] = [instantIn(startDate), instantIn(endDate)]
    const timestamp = type.isOverTime ? to : from
    if (timestamp === undefined || from === undefined)
      return found.skipped(NO_TIME, `${name} ${startDate ?? ''}`)
    const { readingType } = type
    const source = sourceOf(attributes)
    found.reading(
      type.isOverTime
        ? { readingType, timestamp, startedAt: from, value, unit: scaled.unit, source }
        : { readingType, timestamp, value, unit: scaled.unit, source },
    )
  }
  function takeCorrelation({ attributes, values }: Correlation) {
    const name = shortName(attributes['type'] ?? '')
    if (name !== 'BloodPressure') return found.notUnderstood(`${name} (correlation)`)
    const [upper, lower] = [values.get(SYSTOLIC), values.get(DIASTOLIC)]
    for (const part of [SYSTOLIC, DIASTOLIC] as const) if (values.has(part)) alone[part]--
    const [systolic, diastolic] = [pressureIn(upper), pressureIn(lower)]
    if (systolic === undefined || diastolic === undefined)
      return found.skipped(
        'It is a blood pressure without both values in mmHg.',
        attributes['startDate'] ?? '',
      )
    const timestamp = instantIn(attributes['startDate'])
    if (timestamp === undefined) return found.skipped(NO_TIME, attributes['startDate'] ?? '')
    const source = sourceOf({ ...upper, ...attributes })
    found.reading({ readingType: 'bloodPressure', timestamp, systolic, diastolic, unit: 'mm[Hg]', source })
  }
  return {
    open(name, attributes, depth) {
      if (depth === 2 && name === 'Record') takeRecord(attributes)
      else if (depth === 2 && name === 'Correlation') correlation = { attributes, values: new Map() }
      else if (depth === 2 && !ABOUT_THE_EXPORT.has(name)) found.notUnderstood(name)
      else if (depth === 3 && name === 'Record' && correlation)
        correlation.values.set(shortName(attributes['type'] ?? '').slice(0, 100), attributes)
    },
    close(_name, depth) {
      if (depth !== 2 || !correlation) return
      takeCorrelation(correlation)
      correlation = undefined
    },
    end() {
      sleeps.end()
      const left = Math.max(alone[SYSTOLIC], 0) + Math.max(alone[DIASTOLIC], 0)
      if (left > 0)
        found.skipped(
          'It is one value of a blood pressure, without the other.',
          `${SYSTOLIC}, ${DIASTOLIC}`,
          left,
        )
    },
  }
}

const ABOUT_THE_EXPORT = new Set(['ExportDate', 'Me'])

function pressureIn(attributes: Attributes | undefined): number | undefined {
  return attributes?.['unit'] === 'mmHg' ? scaledNumber(attributes['value'], 1) : undefined
}
