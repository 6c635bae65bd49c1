// `Prefer` (RFC 7240): what a client would like, which a service may follow or not.
import { nameAndValue, partsOf } from '../header-parts.ts'

/**
 * Whether a preference has this value, in any case and whatever its parameters. Of one that is sent twice only the first
 * counts, as the RFC says.
 */
export function prefers(header: string | undefined, name: string, value: string): boolean {
  for (const element of partsOf(header ?? '', ',')) {
    const [sentName, sentValue] = nameAndValue(partsOf(element, ';')[0] ?? '')
    if (sentName === name) return sentValue.toLowerCase() === value
  }
  return false
}
