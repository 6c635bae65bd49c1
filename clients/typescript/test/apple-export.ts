// What Apple Health exports, invented: nobody's watch measured these values.

export const XML_HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
]>
<HealthData locale="de_DE">
 <ExportDate value="2026-03-01 09:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
`
export const XML_END = '</HealthData>\n'

/** The address of the device is another one in each export. */
const watch = (address: string) =>
  `&lt;&lt;HKDevice: 0x${address}&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1&gt;`

type Fields = {
  value?: string
  unit?: string
  start: string
  end?: string
  source?: string
  address?: string
}

export function record(
  type: string,
  { value, unit, start, end = start, source, address = '28' }: Fields,
  inner = '',
): string {
  const kind = type === 'SleepAnalysis' ? 'Category' : 'Quantity'
  const from =
    source === undefined
      ? `sourceName="Invented’s Apple&#160;Watch" sourceVersion="10.1" device="${watch(address)}"`
      : `sourceName="${source}"`
  const attributes =
    ` <Record type="HK${kind}TypeIdentifier${type}" ${from}` +
    `${unit === undefined ? '' : ` unit="${unit}"`} creationDate="${end}" startDate="${start}" endDate="${end}"` +
    (value === undefined ? '' : ` value="${value}"`)
  return inner === '' ? `${attributes}/>\n` : `${attributes}>\n${inner} </Record>\n`
}

const two = (number: number) => String(number).padStart(2, '0')

/** Heart rates, a second apart, until there are so many bytes: as most of a large export is. */
export function* largeExport(
  bytes: number,
): Generator<string, { readings: number; bytes: number }, undefined> {
  yield XML_HEAD
  let written = XML_HEAD.length + XML_END.length
  let readings = 0
  while (written < bytes) {
    let piece = ''
    while (piece.length < 65_536) {
      const day = new Date(Date.UTC(2020, 0, 1) + readings * 1_000)
      const start = `${day.getUTCFullYear()}-${two(day.getUTCMonth() + 1)}-${two(day.getUTCDate())} ${two(day.getUTCHours())}:${two(day.getUTCMinutes())}:${two(day.getUTCSeconds())} +0000`
      piece += record(
        'HeartRate',
        { value: String(50 + ((readings * 7_919) % 97)), unit: 'count/min', start },
        readings % 3 === 0 ? MOTION : '',
      )
      readings++
    }
    written += Buffer.byteLength(piece)
    yield piece
  }
  yield XML_END
  return { readings, bytes: written }
}

const MOTION = '  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>\n'
