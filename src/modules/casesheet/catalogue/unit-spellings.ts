// The usual ways of writing a unit that is not UCUM. A refusal names the right one; nothing is translated, since a reading comes
// back as it was sent. Case and blanks do not count, so `MG/DL` and `mm Hg` are not listed. No spelling may mean two units:
// `cal` (a thousandth of what is often meant by it), `gr` (grain or gram) and `m` are left out.
import { plainName } from './near-names.ts'
import type { Unit } from './units.ts'

/** Divided by vertical bars. */
const SPELLINGS: Readonly<Record<Unit, string>> = {
  '/min':
    'bpm|b/min|beat/min|beats/min|beats/minute|beats per minute|beats per min|{beats}/min|1/min|min-1|min^-1|/minute|' +
    'per minute|per min|count/min|counts/min|brpm|breaths/min|breaths/minute|breaths per minute|{breaths}/min',
  'mm[Hg]': 'mmHg|mm(Hg)|millimeters of mercury|millimetres of mercury',
  '%': 'percent|per cent|pct|percentage|% SpO2',
  Cel:
    'C|°C|[degC]|deg C|degree C|degrees C|celsius|°celsius|degree celsius|degrees celsius|centigrade|' +
    'degrees centigrade',
  '[degF]': 'F|°F|deg F|degree F|degrees F|fahrenheit|°fahrenheit|degree fahrenheit|degrees fahrenheit',
  'mmol/L':
    'mmoll|mmol/liter|mmol/litre|mmol per l|mmol per liter|mmol per litre|mmol l^-1|millimol/L|millimole/L|' +
    'millimoles/L|millimoles per liter|millimoles per litre|mmol<180.1558800000541>/L',
  'mg/dL':
    'mgdl|mg%|mg/100ml|mg/deciliter|mg/decilitre|mg per dl|mg per deciliter|mg per decilitre|mg dl^-1|' +
    'milligrams/deciliter|milligrams per deciliter|milligrams per decilitre',
  kg: 'kgs|kilo|kilos|kilogram|kilograms|kilogramme|kilogrammes',
  g: 'gm|gms|gram|grams|gramme|grammes',
  '[lb_av]': 'lb|lbs|pound|pounds|lb_av|avoirdupois pound|avoirdupois pounds',
  cm: 'cms|centimeter|centimeters|centimetre|centimetres',
  '[in_i]': 'in|ins|inch|inches|in_i|"',
  'kg/m2': 'kg/m^2|kg/m**2|kg/sqm|kg/(m2)|kg m^-2|kg per m2',
  '{steps}': 'step|steps|{step}|count|counts',
  kcal: 'kcals|kilocalorie|kilocalories|kilo calories',
  ms: 'msec|msecs|millisecond|milliseconds|millis',
  'L/min':
    'lpm|l/minute|l per min|l per minute|l min^-1|liter/min|liters/min|litre/min|litres/min|liters/minute|' +
    'litres/minute|liters per minute|litres per minute',
  L: 'liter|liters|litre|litres|ltr',
  min: 'mins|minute|minutes',
  '{score}': 'score|scores|point|points',
}

export const UNIT_SPELLINGS: readonly (readonly [Unit, ...string[]])[] = (
  Object.entries(SPELLINGS) as [Unit, string][]
).map(([unit, spellings]) => [unit, ...spellings.split('|')])

const MAX_CHARS = 50

const UNIT_OF: ReadonlyMap<string, Unit> = new Map(
  UNIT_SPELLINGS.flatMap((spellings) => spellings.map((text) => [plainSpelling(text), spellings[0]])),
)

/** The unit that a text means in one of the usual spellings, if it is one of `units`. */
export function unitMeantBy(text: unknown, units: readonly Unit[]): Unit | undefined {
  if (typeof text !== 'string' || text.length > MAX_CHARS) return undefined
  const unit = UNIT_OF.get(plainSpelling(text))
  return unit !== undefined && units.includes(unit) ? unit : undefined
}

/** With one sign for each of those that look alike: degrees, slashes, primes, the ways of writing a power. */
function plainSpelling(text: string): string {
  const oneSign = text
    .replace(/[º˚]/g, '°')
    .replace(/[∕⁄÷]/g, '/')
    .replace(/[”“″]/g, '"')
    .replace(/[·⋅∙*.]/g, '·')
    .replace(/[⁻−]/g, '-')
  return plainName(oneSign.normalize('NFKC')).replace(/[\^·]/g, '')
}
