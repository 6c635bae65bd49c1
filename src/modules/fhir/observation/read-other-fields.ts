// Fields that stand as JSON in an extension → fields of a reading. The text is read as strictly as a body is.
import { newScan, scanValue } from '../../../http/json/scan-json.ts'
import { MAX_BODY_VALUES, MAX_FIELDS, parseStrictJson } from '../../../http/json/strict-json.ts'
import { Refusal } from '../../../refusal.ts'
import { FHIR_LIMITS } from '../fhir-limits.ts'
import { refuseAt } from '../refuse-at.ts'
import { OTHER_FIELDS } from '../systems.ts'

/** The fields of a reading, in the bytes of an Observation: control characters are written as escapes here. */
const EXTENSION_LIMITS = { ...FHIR_LIMITS, fields: MAX_FIELDS }

/** How many values such texts may still hold, in all Observations of a body together: as many as a body of readings. */
export type Budget = { values: number }

export const newBudget = (): Budget => ({ values: MAX_BODY_VALUES })

export function readOtherFields(
  extension: unknown,
  { path, budget }: { path: string; budget: Budget },
  set: (name: string, value: unknown) => void,
) {
  if (!Array.isArray(extension)) return
  const found: unknown[] = extension.filter((one) => Object(one).url === OTHER_FIELDS)
  if (found.length === 0) return
  const [first, ...others] = found
  const { url, valueString, ...rest }: Record<string, unknown> = Object(first)
  const place = `${path}.extension`
  if (url === undefined || typeof valueString !== 'string' || others.length + Object.keys(rest).length > 0) {
    throw refuseAt(place, `of ${OTHER_FIELDS} must be there once, with a valueString`)
  }
  const json = Buffer.from(valueString)
  budget.values -= valuesIn(json, budget.values)
  if (budget.values < 0) {
    throw new Refusal(
      'BodyTooLarge',
      `The extensions ${OTHER_FIELDS} of a body may hold ${MAX_BODY_VALUES} values together, counted at every depth. ` +
        'Send it in parts.',
    )
  }
  for (const [name, value] of Object.entries(fieldsIn(json, place))) set(name, value)
}

function fieldsIn(json: Buffer, path: string): object {
  let fields: unknown
  try {
    fields = parseStrictJson(json, EXTENSION_LIMITS)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw refuseAt(path, `of ${OTHER_FIELDS} must be JSON within the limits of a reading`)
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw refuseAt(path, `of ${OTHER_FIELDS} must be a JSON object`)
  }
  return fields
}

/** How many values a text holds; more than `max` where it would take longer to count. */
function valuesIn(json: Buffer, max: number): number {
  const scan = newScan()
  scanValue(json, { start: 0, depth: 0, maxCost: max }, scan)
  return scan.cost
}
