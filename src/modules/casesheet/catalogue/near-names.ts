// Names that are one of the catalogue but for case and separators: `blood_glucose`, `Heart Rate`. Stored as it is, such a type would be one of
// its own that no check, chart or statistic knows. Any other type is accepted.

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
