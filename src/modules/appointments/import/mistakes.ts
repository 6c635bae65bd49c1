// What is wrong with a directory file, in sentences that name the row. Several are collected before giving up, so that
// a person need not import again for each.
import { CommandError } from '../../../refusal.ts'

const MOST = 20

/** The file cannot be imported as it is, or not from here; nothing was changed. */
export class DirectoryError extends CommandError {}

export type Mistakes = { add: (sentence: string) => void; mustBeNone: () => void }

export function collectMistakes(): Mistakes {
  const found: string[] = []
  function mustBeNone() {
    if (found.length === 0) return
    const more = found.length >= MOST ? '\n  (There may be more.)' : ''
    throw new DirectoryError(
      `The directory was not changed. Fix these and import again:\n  ${found.join('\n  ')}${more}`,
    )
  }
  return {
    add(sentence) {
      found.push(sentence)
      if (found.length >= MOST) mustBeNone()
    },
    mustBeNone,
  }
}
