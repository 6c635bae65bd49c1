// docs/reading-types.md: what a developer needs to know of the catalogue, with a table made from it.
import {
  CATALOGUE,
  type CatalogueType,
  type Limits,
  type Quantity,
} from '../src/modules/casesheet/catalogue/catalogue.ts'
import { printTable } from './print-table.ts'

const SYMPTOM = ['symptom', 'symptoms', '–', '–', '–']

export function printReadingTypes(): string {
  return `<!-- Made by \`npm run generate:docs\` from the catalogue and scripts/print-catalogue.ts. Do not edit. -->

# The catalogue of reading types

\`GET readings/types\` serves the types that Rounds knows to any valid token: units (UCUM), LOINC codes, ranges, an
example and the JSON Schema (2020-12) that \`readings/add\` applies. Its strong \`ETag\` in \`If-None-Match\` gets 304 while
nothing has changed. Any other type is accepted with any fields. [FHIR mapping](fhir-mapping.md) lists the LOINC codes;
their licence is in [NOTICE](../NOTICE).

${printTable(
  ['readingType', 'fields (? may be left out)', 'units', 'possible', 'plausible'],
  [SYMPTOM, ...Object.entries(CATALOGUE).map(([name, type]) => rowOf(name, type))],
)}

Ranges are in the first unit, deliberately wide, and no clinical advice. A number outside \`possible\` is refused. Outside
\`plausible\`, ask the person who typed it whether it is right. \`plausible\` is no reference range: do not draw it, and do
not call a value within it normal.

- Where a type has several units, \`unit\` is required: a glucose of 45 is a severe hypoglycaemia in \`mg/dL\`, and cannot
  be told from 45 \`mmol/L\`. An older reading without one has the first unit. With one unit, it may be left out.
- Units are written as listed. Usual spellings (\`mg/dl\`, \`bpm\`, \`°C\`, \`lbs\`) are refused with the right one.
- A type or a field that nearly is one of these (\`blood_glucose\`, \`units\`, \`pusle\`) is refused with the right name.
  Fields of \`symptom\` and of other types are not compared.
- Limits in another unit are converted and widened to two decimals: 20 to 46 \`Cel\` is 68 to 114.8 \`[degF]\`.
- \`diastolic\` must be below \`systolic\`. \`painScore\` is a whole number. \`pulse\` is 1 to 350 \`/min\`. The stages of
  \`sleep\` have the limits of its \`value\`. \`outOfRange\` is \`low\` or \`high\`. \`startedAt\` is a time like \`timestamp\`. Other
  optional fields are a text, a number, true or false.
- Leave out what was not measured: neither 0 nor \`null\` stands for it. Other fields are kept as they were sent.
`
}

function rowOf(name: string, type: CatalogueType): string[] {
  const { units, quantities, notes = {} } = type
  const numbers = Object.entries(quantities).map(([field, { isOptional }]) =>
    isOptional ? `${field}?` : field,
  )
  return [
    name,
    [...numbers, ...Object.keys(notes).map((field) => `${field}?`)].join(', '),
    units.map((unit) => `\`${unit}\``).join(', '),
    limitsText(type, ({ possible }) => possible),
    limitsText(type, ({ plausible }) => plausible),
  ]
}

/** The limits of each number; by name, where there are several. Those of optional ones follow from the others. */
function limitsText({ quantities }: CatalogueType, limitsOf: (quantity: Quantity) => Limits | undefined) {
  const required = Object.entries(quantities).filter(([, { isOptional }]) => !isOptional)
  const texts = required.flatMap(([field, quantity]) => {
    const limits = limitsOf(quantity)
    if (!limits) return []
    const text = limits.map((limit) => limit.toLocaleString('en')).join('–')
    return [required.length > 1 ? `${field} ${text}` : text]
  })
  return texts.join(', ') || '–'
}
