// Why staff reads a patient, in words that the patient sees in the access log.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { exampleBeside } from '../../../http/openapi.ts'
import { Refusal } from '../../../refusal.ts'
import { ONE_LINE_FORM } from '../reading.ts'

const [MIN_CHARS, MAX_CHARS] = [3, 200]

/** The header, as contracts of reads describe it. */
export const AccessReason = {
  'x-access-reason': Type.Optional(
    Type.String({
      description:
        `Why staff reads, for the access log, which shows it to the patient: ${MIN_CHARS} to ${MAX_CHARS} characters in ` +
        'percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored.',
      ...exampleBeside('Unconscious%20in%20the%20emergency%20ward'),
    }),
  ),
}

/** The reason that the request gives; refuses one that is malformed, and none where it is required. */
export function mustGiveReason({
  caller,
  headers,
}: Pick<FastifyRequest, 'caller' | 'headers'>): string | null {
  const sent = headers['x-access-reason']
  if (sent === undefined && caller.needsReason)
    throw new Refusal('ReasonRequired', 'Staff must give a reason: send it in the header x-access-reason.')
  return sent === undefined ? null : reasonFrom(String(sent))
}

function reasonFrom(sent: string): string {
  const reason = decode(sent).trim()
  const { length } = Array.from(reason)
  if (length >= MIN_CHARS && length <= MAX_CHARS && ONE_LINE_FORM.test(reason)) return reason
  throw new Refusal(
    'ValidationFailed',
    `The header x-access-reason must be ${MIN_CHARS} to ${MAX_CHARS} characters in percent-encoded UTF-8, without control characters.`,
  )
}

/** Nothing where it is not percent-encoded: Node takes bytes beyond ASCII for Latin-1. */
function decode(sent: string): string {
  try {
    return /^[ -~]*$/.test(sent) ? decodeURIComponent(sent) : ''
  } catch {
    return ''
  }
}
