// Lists that come in pages: their query parameters, their nextCursor, and what a cursor is.
//
// A cursor is where a page ended, as text for the caller to send back: a few parts in base64url. It holds no secret and
// gives no right. It never expires, and an app may keep one across an update, so the form of a list's cursors does not change.
// A cursor that the list would not have written itself is refused.
import { Type } from 'typebox'
import { Refusal } from '../refusal.ts'
import { exampleBeside } from './openapi.ts'

export function limitParameter(options: { description: string; default?: number; maximum?: number }) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      examples: [20],
      'x-mustBe': `a whole number from 1 to ${options.maximum ?? 1_000}`,
      ...options,
    }),
  )
}

export function cursorParameter(example: string) {
  return Type.Optional(
    Type.String({
      description: 'nextCursor of the page before, with the same other parameters.',
      ...exampleBeside(example),
    }),
  )
}

export const NextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Send it as cursor for the next page; null on the last.',
})

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

  /** Null, where the list begins, without a cursor. */
  function positionOf(cursor: string | undefined, ...within: Within): Position | null {
    if (cursor === undefined) return null
    const position = positionFrom(split(Buffer.from(cursor, 'base64url').toString()), ...within)
    const isOurs = position !== undefined && cursorOf(position, ...within) === cursor
    if (!isOurs) throw new Refusal('InvalidCursor', 'The cursor is not one that this query was given.')
    return position
  }
  return { cursorOf, positionOf }
}

/** A page of the rows, of which one more was read, and the cursor of its last row where there are more. */
export function cutPage<Row>(rows: Row[], limit: number, cursorOf: (last: Row) => string) {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, nextCursor: last === undefined ? null : cursorOf(last) }
}

function textsIn(json: string): string[] {
  try {
    const parts: unknown = JSON.parse(json)
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : []
  } catch {
    return []
  }
}

/** Whether PostgreSQL can take a text of a cursor. Checksums are no secret, so a caller could send any. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
