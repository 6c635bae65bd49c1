// A grant may be limited to some types of readings: which of those asked for are read, and how the answer says so.
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Reader } from '../reader.ts'

type Limited = Pick<Reader, 'limitedTo'>

/** The types to read; null for all, and none where the grant holds none of those asked for. */
export function typesFor({ limitedTo }: Limited, asked: string[] | null): string[] | null {
  if (limitedTo === null) return asked
  return asked?.filter((type) => limitedTo.includes(type)) ?? limitedTo
}

const HEADER = 'x-limited-to'

/** In every format; types hold no comma. */
export function sayLimitedTo(reply: Pick<FastifyReply, 'header'>, { limitedTo }: Limited) {
  if (limitedTo !== null) void reply.header(HEADER, limitedTo.join())
}

/** The last field of an envelope, as text. */
export function printLimitedTo({ limitedTo }: Limited): string {
  return limitedTo === null ? '' : `,"limitedTo":${JSON.stringify(limitedTo)}`
}

export const LimitedTo = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other ' +
      'types are not in the answer.',
  }),
)

export const limitedToHeader = {
  [HEADER]: Type.String({
    description: 'The same types as limitedTo, with commas; only for a doctor to whom not all are shared.',
  }),
}
