// English as the browser writes it, such as en-IN or en-US; the texts of the console are English.
export const LOCALE = navigator.language.startsWith('en') ? navigator.language : 'en-GB'

// Formats of dates and times by Intl. Each is made once, because making one is slow.
const formats = new Map<string, Intl.DateTimeFormat>()

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, known)
  return known
}
