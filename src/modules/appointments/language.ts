// Languages are BCP 47 tags, stored in their canonical form (`EN-in` is `en-IN`, `iw` is `he`) and compared in lower case.

export const LANGUAGE_TAG = 'a language tag of BCP 47 such as en or en-IN'

export type Language = {
  tag: string
  /** The tag in lower case and every shorter form of it: `en-IN` is found as `en-in` and as `en`. The last is its own. */
  keys: string[]
}

const MAX_CACHED = 1_000
const cached = new Map<string, Language | undefined>()

/** The language of a tag, or undefined where the text is none. An import asks millions of times for the same few. */
export function languageOf(tag: string): Language | undefined {
  if (cached.has(tag)) return cached.get(tag)
  const language = readLanguage(tag)
  if (cached.size < MAX_CACHED) cached.set(tag, language)
  return language
}

function readLanguage(text: string): Language | undefined {
  const tag = canonicalTag(text)
  if (tag === undefined) return undefined
  const parts = tag.toLowerCase().split('-')
  return { tag, keys: parts.map((_, last) => parts.slice(0, last + 1).join('-')) }
}

function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}
