// The language in which the console speaks: the one that was chosen in Settings, else English. It is the browser's, not the person's,
// and holds from the start of the page on, so that formats can be made once. How a language counts, lists and writes dates is from
// Intl; en-GB or en-US, de-DE or de-CH as the browser has it.
const KEY = 'rounds.language'

const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Each is called what its speakers call it. */
export const languages = Object.entries(LANGUAGES) as [Language, string][]

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text)

// Tests in Node have no storage.
const stored = globalThis.localStorage?.getItem(KEY) ?? null

export const LANGUAGE: Language = isLanguage(stored) ? stored : 'en'

/** As the browser writes this language. */
const DIALECTS: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }
export const LOCALE = navigator.language.startsWith(LANGUAGE) ? navigator.language : DIALECTS[LANGUAGE]

/** All that is shown is made anew. */
export function chooseLanguage(language: Language) {
  localStorage.setItem(KEY, language)
  location.reload()
}

/** Of whoever used this browser before: all that is shown is made anew, in English. */
export function forgetLanguage() {
  localStorage.removeItem(KEY)
  location.reload()
}

/** For someone who has chosen none: whether the browser speaks another one that we have. */
export function languageOfBrowser(): Language | undefined {
  const [tag = ''] = navigator.language.split('-')
  return stored === null && isLanguage(tag) && tag !== LANGUAGE ? tag : undefined
}

// Formats of dates and times by Intl. Each is made once, because making one is slow.
const formats = new Map<string, Intl.DateTimeFormat>()

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, known)
  return known
}

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const kinds = new Intl.PluralRules(LOCALE)

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form that belongs to a number: "reading waits" or "readings wait". */
export const formFor = (count: number, forms: Forms): string => forms[kinds.select(count)] ?? forms.other

/** "1 reading", "1,204 readings". */
export const counted = (count: number, forms: Forms): string =>
  `${whole.format(count)} ${formFor(count, forms)}`

/** "heart rate, steps and sleep": as British English and German write it, without a comma before "and". */
const lists = new Intl.ListFormat(DIALECTS[LANGUAGE])
export const listed = (parts: Iterable<string>): string => lists.format(parts)
