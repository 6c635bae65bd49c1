// Whether a double can hold a number as it was written.

/**
 * Whether the nearest double keeps what was written: printed in its shortest form, or with as many digits as were
 * written, it must read the same. So 36.600000000000001, which is how many devices print 36.6, passes, as does every
 * number that a language prints of a double; 9007199254740993 does not. Text that is no number passes: the parser refuses it.
 */
export function isExact(token: string): boolean {
  const value = Number(token)
  if (Number.isNaN(value) || String(value) === token) return true
  const digits = digitsOf(token)
  // The text of Infinity equals no digits.
  if (digitsOf(String(value)) === digits) return true
  // JavaScript prints 100 digits at most; of a whole number it can print all of up to 309.
  return digits.length <= 100
    ? digitsOf(value.toPrecision(digits.length)) === digits
    : Number.isInteger(value) && digitsOf(String(BigInt(value))) === digits
}

/** The digits that count, without those zeros that only say how large the number is. */
function digitsOf(number: string): string {
  const exponentAt = Math.max(number.indexOf('e'), number.indexOf('E'))
  let end = exponentAt === -1 ? number.length : exponentAt
  let start = number.startsWith('-') ? 1 : 0
  const pointAt = number.indexOf('.')
  while (start < end && isZeroOrPoint(number.charCodeAt(start))) start++
  while (end > start && isZeroOrPoint(number.charCodeAt(end - 1))) end--
  return pointAt > start && pointAt < end
    ? number.slice(start, pointAt) + number.slice(pointAt + 1, end)
    : number.slice(start, end)
}

const isZeroOrPoint = (code: number) => code === 0x30 || code === 0x2e
