// Reads settings one by one, and remembers each mistake, so that all of them can be told at once.

/** Readers that note each mistake and go on, so that an operator sees all of them at once. A value is never echoed. */
export function readerOf(environment: Record<string, string | undefined>) {
  const mistakes: string[] = []
  function text(
    name: string,
    otherwise: string,
    isGood: (value: string) => boolean = isAnything,
    wanted = '',
  ) {
    const value = environment[name]?.trim() || otherwise
    if (value !== otherwise && !isGood(value)) mistakes.push(`${name} must be ${wanted}.`)
    return value
  }
  function required(name: string, isGood: (value: string) => boolean, wanted: string) {
    const value = environment[name]?.trim() ?? ''
    if (value === '') mistakes.push(`${name} is missing: it must be ${wanted}.`)
    else if (!isGood(value)) mistakes.push(`${name} must be ${wanted}.`)
    return value
  }
  function number(name: string, bounds: { default: number; min: number; max: number }) {
    const value = environment[name]?.trim() || String(bounds.default)
    const parsed = Number(value)
    if (!/^\d+$/.test(value) || parsed < bounds.min || parsed > bounds.max) {
      mistakes.push(`${name} must be a whole number from ${bounds.min} to ${bounds.max}.`)
    }
    return parsed
  }
  function list<T extends string>(
    name: string,
    otherwise: string | undefined,
    isGood: (value: string) => value is T,
    wanted: string,
  ): T[]
  function list(
    name: string,
    otherwise: string | undefined,
    isGood: (value: string) => boolean,
    wanted: string,
  ): string[]
  function list(
    name: string,
    otherwise: string | undefined,
    isGood: (value: string) => boolean,
    wanted: string,
  ) {
    const value = environment[name]?.trim() || otherwise
    const items = (value ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    if (value === undefined || (items.length === 0 && value !== ''))
      mistakes.push(`${name} is missing: it must be ${wanted}.`)
    if (!items.every((item) => isGood(item))) mistakes.push(`${name} must be ${wanted}.`)
    return items
  }
  return { text, required, number, list, done: () => mistakes }
}

export const isAnything = () => true
