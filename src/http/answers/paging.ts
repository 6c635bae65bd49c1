// What every list that comes in pages has in common: its query parameters and its nextCursor.
import { Type } from 'typebox'
import { exampleBeside } from '../openapi.ts'

export function limitParameter(options: { description: string; default?: number }) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      examples: [20],
      'x-mustBe': 'a whole number from 1 to 1000',
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
