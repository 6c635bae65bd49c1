// Numbers as the reader's language writes them.
import { LOCALE } from '../words/language.ts'
import { words } from '../words/words.ts'

const exact = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 })
const rounded = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 4 })
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })

/** A number that was measured, as it was sent: nothing is rounded away. */
export function numberText(value: number): string {
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude >= 1e15 || magnitude < 1e-6)) return String(value)
  return exact.format(value)
}

/** A number that was brought to another unit, or that names an axis: as many digits as a reader needs. */
export function roundedText(value: number): string {
  if (Math.abs(value) >= 1_000 && Math.abs(value) < 1e15) return whole.format(value)
  return rounded.format(value)
}

export function countText(count: number, one: string, several = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : several}`
}

/** Bytes as people know them from files. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return words.names.bytes(whole.format(bytes), bytes === 1)
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${rounded.format(Number(size.toPrecision(3)))} ${unit}`
}
