// The end of a grant: an instant as RFC 3339 writes it.
import { END_OF_9999 } from '../epoch-time.ts'

export const INSTANT_FORM =
  '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$'

/**
 * Of a text in that form, the instant in epoch milliseconds; undefined where no clock shows it, as on the 30th of February and in
 * leap seconds, and where it is beyond the year 9999 in UTC.
 */
export function instantIn(text: string): number | undefined {
  const [written, instant] = [text.slice(0, 19), text].map((part) => part.toUpperCase())
  const shown = Date.parse(`${written}Z`)
  // V8 takes the 30th of February for the 2nd of March.
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(`${written}.`)) return undefined
  const milliseconds = Date.parse(String(instant))
  return milliseconds <= END_OF_9999 ? milliseconds : undefined
}
