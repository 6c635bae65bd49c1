// The query parameters of every list that comes in pages.
import { Type } from 'typebox'

export function limitParameter(options: { description: string; default?: number }) {
  return Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, 'x-mustBe': 'a whole number from 1 to 1000', ...options }),
  )
}

export const CursorParameter = Type.Optional(
  Type.String({ description: 'nextCursor of the page before, with the same other parameters.' }),
)
