// Where a page of a list ended, as text for the caller to send back: a few parts in base64url. A cursor holds no secret and
// gives no right. It never expires, and an app may keep one across an update, so the form of a list's cursors does not change.
// A cursor that the list would not have written itself is refused.
import { Refusal } from '../../refusal.ts'

const FORMS = {
  /** No part may hold a space. */
  words: { join: (parts: string[]) => parts.join(' '), split: (text: string) => text.split(' ') },
  /** Parts may hold any text. */
  json: { join: (parts: string[]) => JSON.stringify(parts), split: textsIn },
}

/** What a list says of its positions. `Within` are the parameters that a position depends on, such as the order. */
type Positions<Position, Within extends unknown[]> = {
  form: keyof typeof FORMS
  partsOf: (position: Position, ...within: Within) => string[]
  /** The position that the parts mean; undefined where they mean none, or one that the caller may not reach. */
  positionFrom: (parts: string[], ...within: Within) => Position | undefined
}

export function createCursors<Position, Within extends unknown[] = []>({
  form,
  partsOf,
  positionFrom,
}: Positions<Position, Within>) {
  const { join, split } = FORMS[form]

  const cursorOf = (position: Position, ...within: Within): string =>
    Buffer.from(join(partsOf(position, ...within))).toString('base64url')

  function positionOf(cursor: string, ...within: Within): Position {
    const position = positionFrom(split(Buffer.from(cursor, 'base64url').toString()), ...within)
    const isOurs = position !== undefined && cursorOf(position, ...within) === cursor
    if (!isOurs) throw new Refusal('InvalidCursor', 'The cursor is not one that this query was given.')
    return position
  }
  return { cursorOf, positionOf }
}

function textsIn(json: string): string[] {
  try {
    const parts: unknown = JSON.parse(json)
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : []
  } catch {
    return []
  }
}
