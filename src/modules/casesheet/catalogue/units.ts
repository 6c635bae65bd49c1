// Units of measure (UCUM) and what each is in the first unit of its kind.
export type Unit =
  | '/min'
  | 'mm[Hg]'
  | '%'
  | 'Cel'
  | '[degF]'
  | 'mmol/L'
  | 'mg/dL'
  | 'kg'
  | 'g'
  | '[lb_av]'
  | 'cm'
  | '[in_i]'
  | 'kg/m2'
  | '{steps}'
  | 'kcal'
  | 'ms'
  | 'L/min'
  | 'L'
  | 'min'
  | '{score}'

/** value in the first unit = (value − offset) × factor. mg/dL is that of glucose, the only one here. */
const TO_FIRST: Partial<Record<Unit, { factor: number; offset: number }>> = {
  '[degF]': { factor: 5 / 9, offset: 32 },
  'mg/dL': { factor: 1 / 18.0156, offset: 0 },
  g: { factor: 0.001, offset: 0 },
  '[lb_av]': { factor: 0.45359237, offset: 0 },
  '[in_i]': { factor: 2.54, offset: 0 },
}

/** How a value in one unit becomes one in another of the same kind: (value + shift) × factor + offset, in this order. */
export type Conversion = { shift: number; factor: number; offset: number }

export function conversionBetween(from: Unit, to: Unit): Conversion {
  if (from === to) return { shift: 0, factor: 1, offset: 0 }
  const [source, target] = [TO_FIRST[from], TO_FIRST[to]]
  return {
    shift: -(source?.offset ?? 0),
    factor: (source?.factor ?? 1) / (target?.factor ?? 1),
    offset: target?.offset ?? 0,
  }
}

export function convert(value: number, { shift, factor, offset }: Conversion): number {
  return (value + shift) * factor + offset
}
