// Every sentence that a person reads, apart from the screens that show it. A screen says `words.account.signOut` or
// `words.account.readingsWait(3)`, and holds no text of its own.
//   - A subject is one file in each language: en/account.ts, de/account.ts. A sentence is a text, or a function of what it names; it
//     puts whole sentences together and never parts of them, because languages order them differently. Numbers come as numbers:
//     `counted`, `formFor` and `listed` of language.ts choose the form. Where a part is an element (a link, a bold name), the function
//     takes it and returns an array, which Preact shows.
//   - en.ts and de.ts collect the subjects. The type of each language is that of English, so a missing sentence does not compile.
//   - A language is loaded apart, while the configuration and the session are. So words are there when anything is shown, and not
//     while modules are loaded: a table of texts at the top of a module is a function. Tests in Node import test/words.ts.
// Names, units, ids and whatever people or devices wrote are not words. Say "Export" and "Import", names and never ids.
import type { english } from './en.ts'
import { LANGUAGE, type Language } from './language.ts'

type Words = typeof english

const LOADERS: Record<Language, () => Promise<Words>> = {
  en: async () => (await import('./en.ts')).english,
  de: async () => (await import('./de.ts')).german,
}

export let words: Words

let loaded = false

export async function loadWords() {
  words = await LOADERS[LANGUAGE]()
  loaded = true
}

export const areWordsThere = () => loaded

export const WITHOUT_WORDS =
  'Rounds could not be loaded. Reload the page. · Rounds konnte nicht geladen werden. Laden Sie die Seite neu.'
