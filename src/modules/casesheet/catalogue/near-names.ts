// Names that are nearly one of the catalogue: `blood_glucose`, `units`, `systolc`. Stored as they are, they would be a type or
// a field of their own that no check, chart or statistic knows. Only what is hardly meant otherwise counts as near, since any
// other type and any other field is accepted.

const MAX_CHARS = 100
/** White space and dashes of every kind, and characters that are not shown. */
const SEPARATORS = /[\s_\uff3f\p{Pd}\p{Cf}\p{Default_Ignorable_Code_Point}\u2212\u2800]/gu
/** Letters of the catalogue's names, also in the full-width forms of East Asian keyboards. */
const LATIN = /^[\x21-\x7e\uff01-\uff5e]*$/

/**
 * A name without what people write differently: case, white space, dashes, underscores. Other scripts stay as they are: there
 * NFKC makes up to 18 letters of one, which for every field of a large body would take seconds.
 */
export function plainName(name: string): string {
  const text = name.replace(SEPARATORS, '')
  return (LATIN.test(text) ? text.normalize('NFKC') : text).toLowerCase()
}

/** Finds which of these names a text means that differs from it only in case or separators. */
export function createNameFinder(names: Iterable<string>) {
  const nameOf = new Map([...names].map((name) => [plainName(name), name]))
  return (text: unknown): string | undefined =>
    typeof text === 'string' && text.length <= MAX_CHARS ? nameOf.get(plainName(text)) : undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Finds which of these fields another field of the same reading nearly is, if any. */
export function createFieldFinder(fieldNames: string[]) {
  const fields = fieldNames.map((name) => ({ name, plain: plainName(name) }))
  const firstLetters = new Set(fields.map(({ plain }) => plain.charCodeAt(0)))

  return (text: string, reading: Fields): string | undefined => {
    if (text.length > MAX_CHARS || startsOtherwise(text)) return undefined
    const plain = plainName(text)
    const value = reading[text]
    // A list or an object, such as `values` beside `value`, is no number or unit under a wrong name.
    const mayBeMistyped = typeof value !== 'object' || value === null
    const near = fields.find(
      (field) =>
        plain === field.plain ||
        (mayBeMistyped && plain === `${field.plain}s`) ||
        // A sender who knows the right name means something else by the other.
        (mayBeMistyped && !(field.name in reading) && isMistyped(plain, field.plain)),
    )
    return near?.name
  }

  /** Decides most names by one character: whatever is near has the same first letter. */
  function startsOtherwise(text: string): boolean {
    const lower = text.charCodeAt(0) | 0x20
    return lower >= 0x61 && lower <= 0x7a && text.charCodeAt(0) < 0x80 && !firstLetters.has(lower)
  }
}

/**
 * Whether a name is another with one mistake: a letter too many or missing, two neighbours swapped, or in a long name one letter
 * wrong. In a short name that makes words of their own: `side` is no mistyped `site`, nor `awoke` `awake`. Digits are no
 * mistakes either: `pulse2` is a second pulse.
 */
function isMistyped(plain: string, right: string): boolean {
  const isCandidate = right.length >= 4 && plain[0] === right[0] && /^\p{L}+$/u.test(plain)
  if (!isCandidate || Math.abs(plain.length - right.length) > 1) return false
  const at = firstDifference(plain, right)
  if (plain.length > right.length) return plain.slice(at + 1) === right.slice(at)
  if (plain.length < right.length) return plain.slice(at) === right.slice(at + 1)
  const isSwapped = plain[at] === right[at + 1] && plain[at + 1] === right[at]
  if (isSwapped) return plain.slice(at + 2) === right.slice(at + 2)
  return right.length >= 8 && plain.slice(at + 1) === right.slice(at + 1)
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
