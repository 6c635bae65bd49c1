// What people call the types and fields of readings.
import { words } from '../words/words.ts'

/** Of a type or a field. One that nobody named is shown as its device wrote it, in words where it is camelCase. */
export function nameOf(word: string): string {
  const types: Readonly<Record<string, string>> = words.names.types
  const known = Object.hasOwn(types, word) ? types[word] : undefined
  if (known !== undefined) return known
  if (!/^[a-z]+([A-Z][a-z]+)*$/.test(word)) return word
  const text = word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The same within a sentence: "heart rate", but "FEV1". */
export const nameWithin = (word: string): string => words.names.within(nameOf(word))
