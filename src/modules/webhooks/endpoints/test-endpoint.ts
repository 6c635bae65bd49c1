// POST endpoints/test: the process that answers sends a message of its own to the endpoint, now, also where it is paused.
import { Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { OpenOfSubject } from '../../../db/open-of-subject.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { noteAttempt, resultOf } from '../attempts/attempt.ts'
import { type SendDeps, sendSigned } from '../delivery/send-signed.ts'
import { messageIdOf } from '../delivery/signature.ts'
import { EndpointNamed, endpointNotFound, MAY_NOT_CHANGE } from './endpoint.ts'

export const TEST_EVENT = 'endpoint.test'
const MESSAGE = 'The test is over; attempt says how it ended.'

const EXAMPLE_TEST = { status: 204, durationMs: 38, messageId: 'msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp' }

const Tested = Type.Object(
  {
    status: Type.Optional(Type.Integer({ description: 'The HTTP status of the answer, if there was one.' })),
    durationMs: Type.Integer({ description: 'How long it took.' }),
    error: Type.Optional(
      Type.String({ description: 'Why it failed, in one word as in attempts/list; left out if it did not.' }),
    ),
    messageId: Type.String({ description: 'webhook-id of the message.' }),
  },
  { additionalProperties: false },
)

export const testEndpointContract = {
  tags: ['webhooks'],
  operationId: 'testEndpoint',
  summary: 'Send a test message to an endpoint',
  description:
    'Sends a signed message of the type endpoint.test at once, and answers when the receiver has, or after 15 seconds. It tries once; no ' +
    'change is delivered by it. Also for a paused endpoint.',
  body: EndpointNamed,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), attempt: Tested },
      {
        additionalProperties: false,
        description: 'The message was sent, or could not be.',
        examples: [{ code: 'Ok', message: MESSAGE, attempt: EXAMPLE_TEST }],
      },
    ),
    ...errorAnswers(
      () => checkFor(EndpointNamed)({ endpointId: '1' }),
      ...MAY_NOT_CHANGE,
      'EndpointNotFound',
    ),
  },
}

export function createTestEndpoint(db: Queries, deps: SendDeps) {
  // Each may take as long as the receiver likes, and is not counted among requests meanwhile.
  const underWay = new OpenOfSubject('tests of endpoints')
  async function send(endpointId: string, subject: string) {
    const find = { name: 'find-receiver', text: FIND_RECEIVER, values: [endpointId] }
    const [endpoint] = await db.query<Row>(find, { subject })
    if (!endpoint) throw endpointNotFound()
    const timestamp = new Date(deps.now()).toISOString()
    const data = { message: 'This is a test of the endpoint. Nothing has changed.' }
    const body = JSON.stringify({ type: TEST_EVENT, timestamp, data })
    const messageId = messageIdOf({ endpointId, replays: endpoint.replays, place: TEST_EVENT }, body)
    const { url, secret, previous_secret: previous } = endpoint
    const receiver = { endpointId, url, secrets: previous ? [secret, previous] : [secret] }
    const { status, error, durationMs } = resultOf(await sendSigned(receiver, { messageId, body }, deps))
    const bytes = Buffer.byteLength(body)
    const values = [endpointId, TEST_EVENT, status, error, 0, bytes, durationMs, messageId]
    await db.query({ name: 'note-test', text: NOTE_TEST, values }, { subject })
    return { ...(status > 0 && { status }), durationMs, ...(error !== '' && { error }), messageId }
  }
  return async ({ endpointId }: EndpointNamed, subject: string) => {
    const attempt = await underWay.during(subject, () => send(endpointId, subject))
    return { code: 'Ok' as const, message: MESSAGE, attempt }
  }
}

type Row = { url: string; replays: number; secret: Buffer; previous_secret: Buffer | null }

const FIND_RECEIVER = `
  select url, replays, secret, case when previous_until > now() then previous_secret end as previous_secret
  from webhooks.endpoints
  where endpoint_id = $1::uuid`

// A statement that is sent again after a lost connection counts once. An endpoint that was removed meanwhile has no attempts.
const NOTE_TEST = `
  ${noteAttempt(`
    select endpoint_id, $2, $3::integer, $4, $5::bigint, $6::bigint, $7::integer, $8
    from webhooks.endpoints
    where endpoint_id = $1::uuid
    for key share`)}
  where attempts.last_message_id <> excluded.last_message_id`
