// Languages by name. The directory has them as tags of BCP 47.
import { LOCALE } from '../../words/locale.ts'

const names = new Intl.DisplayNames(LOCALE, { type: 'language', fallback: 'code' })

/** Spoken by most people; a link may name any other. */
const TAGS =
  'am ar as az bg bn bs ca ckb cs cy da de el en es et eu fa fi fil fr ga gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko lo lt lv ml mr ms my ne nl no or pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th ti tr uk ur uz vi yo zh zu'.split(
    ' ',
  )

export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}

export function languageChoices(chosen: string | null): { tag: string; name: string }[] {
  const tags = chosen === null || TAGS.includes(chosen) ? TAGS : [chosen, ...TAGS]
  return tags
    .map((tag) => ({ tag, name: languageName(tag) }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
}
