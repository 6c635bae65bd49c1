// What the answers of care are written with.
import { type Static, Type } from 'typebox'

export const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
export const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })
export const instant = (description: string) => Type.String({ format: 'date-time', description })
export const instantOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
export const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }], description })
export const oneOf = <const Words extends string[]>(description: string, ...words: Words) =>
  Type.Unsafe<Words[number]>(Type.Enum(words, { type: 'string', description }))
/** Has no other properties. */
export const closed = <Properties extends Type.TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })
