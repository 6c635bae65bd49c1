// POST endpoints/rotate-secret: a new secret. Until the overlap is over, messages are signed with the one before too, so that the receiver
// can change over at any moment between.
import { type Static, Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import type { Secrets } from '../delivery/secrets.ts'
import {
  EndpointId,
  EndpointOfAnswer,
  type EndpointRow,
  EXAMPLE_ENDPOINT,
  EXAMPLE_SECRET,
  MAY_NOT_CHANGE,
  mustBeEndpoint,
} from './endpoint.ts'
import { changeEndpoint } from './pause-endpoint.ts'

const DEFAULT_HOURS = 24
const MAX_HOURS = 168

const { endpointId } = EXAMPLE_ENDPOINT
const MESSAGE = 'The endpoint has a new secret. Keep it: it is shown once.'

const RotateBody = Type.Object(
  {
    endpointId: EndpointId,
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_HOURS,
        default: DEFAULT_HOURS,
        description: 'How long messages are signed with the secret before too; 0 if it is known to others.',
        examples: [DEFAULT_HOURS],
        'x-mustBe': `a whole number from 0 to ${MAX_HOURS}`,
      }),
    ),
  },
  { additionalProperties: false, examples: [{ endpointId, overlapHours: DEFAULT_HOURS }] },
)
type RotateBody = Static<typeof RotateBody>

export const rotateSecretContract = {
  tags: ['webhooks'],
  operationId: 'rotateEndpointSecret',
  summary: 'Give an endpoint a new secret',
  description:
    'Messages carry two signatures until the overlap is over. A rotation within the overlap ends the older of the two secrets. The new ' +
    'secret is in this answer only: if it did not arrive, rotate again.',
  body: RotateBody,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        endpoint: EndpointOfAnswer,
        secret: Type.String({ description: 'The key of the signatures, as Standard Webhooks writes it.' }),
      },
      {
        additionalProperties: false,
        description: 'Committed.',
        examples: [
          {
            code: 'Ok',
            message: MESSAGE,
            endpoint: { ...EXAMPLE_ENDPOINT, previousSecretUntil: '2026-11-18T08:15:30.125Z' },
            secret: EXAMPLE_SECRET,
          },
        ],
      },
    ),
    ...errorAnswers(
      () => checkFor(RotateBody)({ endpointId, overlapHours: MAX_HOURS + 1 }),
      ...MAY_NOT_CHANGE,
      'EndpointNotFound',
    ),
  },
}

export function createRotateSecret(db: Queries, secrets: Secrets) {
  return async ({ endpointId: id, overlapHours = DEFAULT_HOURS }: RotateBody, subject: string) => {
    const secret = secrets.newSecret()
    const values = [id, secrets.encrypt(secret, id), secrets.keyId, overlapHours]
    const statement = { name: 'rotate-secret', text: ROTATE_SECRET, values }
    const endpoint = mustBeEndpoint(await db.query<EndpointRow>(statement, { subject }))
    return { code: 'Ok' as const, message: MESSAGE, endpoint, secret }
  }
}

/**
 * SQL: the value that becomes the previous one, unless there is no overlap, or the statement has run before. A secret that is stored under
 * another key cannot sign, and would keep the new one from signing.
 */
const previous = (column: string, value: string) => `previous_${column} = case
        when secret = $2::bytea then previous_${column}
        when $4::integer > 0 and key_id = $3 then ${value}
      end`

const ROTATE_SECRET = changeEndpoint(`${previous('secret', 'secret')},
      ${previous('key_id', 'key_id')},
      ${previous('until', "now() + $4 * interval '1 hour'")},
      secret = $2,
      key_id = $3`)
