// Units of measure as people write them. The API has them in UCUM.
const SIGNS: Record<string, string> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
  'kg/m2': 'kg/m²',
  '{steps}': 'steps',
  '{score}': 'of 10',
}

export function unitSign(unit: string): string {
  return Object.hasOwn(SIGNS, unit) ? (SIGNS[unit] ?? unit) : unit
}
