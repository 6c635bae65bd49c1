// Whether the text of a JSON value may be parsed and sent on: not nested too deeply, and no number that would change.

// The service accepts 16.
const MAX_DEPTH = 16

/** What is wrong with it, or nothing. Whether it is JSON at all is for the parser to say. */
export function faultOfJson(text: string): string | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return 'It is nested too deeply.'
    } else if (code === 0x7d || code === 0x5d) depth--
    else if (code >= 0x30 && code <= 0x39) {
      const end = endOfNumber(text, at)
      if (!isExact(text.slice(at, end)))
        return 'It holds a number with more digits than can be stored exactly.'
      at = end - 1
    }
  }
  return undefined
}

/** The index of its closing quote. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 0x22) return end
    if (code === 0x5c) end++
  }
  return text.length
}

function endOfNumber(text: string, at: number): number {
  let end = at
  while (end < text.length && /[\d.eE+-]/.test(text.charAt(end))) end++
  return end
}

/** Whether a double holds the number as it was written. */
export function isExact(token: string): boolean {
  if (token.length < 16) return true
  const written = digitsOf(token)
  const value = Number(token)
  if (!Number.isFinite(value) || written.length > 100) return false
  return (
    digitsOf(String(value)) === written ||
    digitsOf(value.toPrecision(Math.max(1, written.length))) === written
  )
}

/** The digits that count, without zeros at the ends. */
function digitsOf(token: string): string {
  const [number = ''] = token.split(/[eE]/, 1)
  const digits = number.replace(/[-.]/g, '')
  let [start, end] = [0, digits.length]
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  return digits.slice(start, end)
}
