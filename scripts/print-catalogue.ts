// docs/reading-types.md: what a developer needs to know of the catalogue, with a list made from it.
import {
  CATALOGUE,
  type CatalogueType,
  type Limits,
  type Quantity,
} from '../src/modules/casesheet/catalogue/catalogue.ts'

export function printReadingTypes(): string {
  return `<!-- Made by \`npm run generate:docs\` from the catalogue and scripts/print-catalogue.ts. Do not edit. -->

# The catalogue of reading types

Any type is accepted. Rounds checks these, which \`GET readings/types\` serves to any valid token, with an example and the
JSON Schema (2020-12) that \`readings/add\` applies. The licence of LOINC is in [NOTICE](../NOTICE).

Each has its units, and its fields (\`?\` may be left out) with their possible and, in brackets, plausible range.

- symptom: symptoms
- note: text, of 1 to 500 characters; it is never judged
${Object.entries(CATALOGUE).map(lineOf).join('\n')}

Ranges are in the first unit, deliberately wide, and no clinical advice. A number outside \`possible\` is refused. Outside
\`plausible\`, ask the person who typed it whether it is right. \`plausible\` is no reference range: do not draw it, and do
not call a value within it normal.

- With several units, \`unit\` is required: a glucose of 45 could be \`mg/dL\`, a severe hypoglycaemia, or \`mmol/L\`. An
  older reading without one has the first unit. With one unit, it may be left out.
- Other spellings of units (\`mg/dl\`, \`bpm\`, \`°C\`, \`lbs\`), and names close to those of a type or field
  (\`blood_glucose\`, \`units\`, \`pusle\`), are refused with the right one.
- \`diastolic\` must be below \`systolic\`. \`painScore\` is a whole number. \`pulse\` is in \`/min\`. \`outOfRange\` is \`low\`
  or \`high\`. \`startedAt\` is a time like \`timestamp\`. Other optional fields are a text, a number, true or false.
- Leave out what was not measured: neither 0 nor \`null\` stands for it. Other fields are stored as sent.
`
}

function lineOf([name, { units, quantities, notes = {} }]: [string, CatalogueType]): string {
  const numbers = Object.entries(quantities).map(
    ([field, quantity]) => `${field}${quantity.isOptional ? '?' : ''} ${rangesText(quantity)}`,
  )
  const fields = [...numbers, ...Object.keys(notes).map((field) => `${field}?`)]
  return `- ${name} (${units.map((unit) => `\`${unit}\``).join(', ')}): ${fields.join(', ')}`
}

const rangesText = ({ possible, plausible }: Quantity) =>
  plausible ? `${rangeText(possible)} (${rangeText(plausible)})` : rangeText(possible)

const rangeText = (limits: Limits) => limits.map((limit) => limit.toLocaleString('en')).join('–')
