// POST endpoints/pause and endpoints/resume: an endpoint is left alone, and is called again from where it was. Both may be repeated.
import { Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import {
  ENDPOINT_COLUMNS,
  EndpointNamed,
  EndpointOfAnswer,
  type EndpointRow,
  EXAMPLE_ENDPOINT,
  MAY_NOT_CHANGE,
  mustBeEndpoint,
  STORED_COLUMNS,
  withFollower,
} from './endpoint.ts'

const PAUSED = 'The endpoint is paused.'
const RESUMED = 'The endpoint is active.'

/** The answer of an operation that changed an endpoint. */
export const endpointAnswer = (message: string, endpoint: object) =>
  Type.Object(
    { code: Type.Literal('Ok'), message: Type.String(), endpoint: EndpointOfAnswer },
    {
      additionalProperties: false,
      description: 'Committed.',
      examples: [{ code: 'Ok', message, endpoint }],
    },
  )

const REFUSALS = errorAnswers(
  () => checkFor(EndpointNamed)({ endpointId: '1' }),
  ...MAY_NOT_CHANGE,
  'EndpointNotFound',
)

export const pauseEndpointContract = {
  tags: ['webhooks'],
  operationId: 'pauseEndpoint',
  summary: 'Pause an endpoint',
  description:
    'Nothing more is sent until it is resumed, and nothing is lost. A message that is on its way may still arrive. May be repeated.',
  body: EndpointNamed,
  response: {
    200: endpointAnswer(PAUSED, { ...EXAMPLE_ENDPOINT, state: 'paused', pausedBecause: 'asked' }),
    ...REFUSALS,
  },
}

export const resumeEndpointContract = {
  tags: ['webhooks'],
  operationId: 'resumeEndpoint',
  summary: 'Resume an endpoint',
  description:
    'It gets everything since it was paused, in order. An endpoint that waits after a failure is tried at once. May be repeated.',
  body: EndpointNamed,
  response: { 200: endpointAnswer(RESUMED, EXAMPLE_ENDPOINT), ...REFUSALS },
}

export function createPauses(db: Queries) {
  const change =
    (name: string, text: string, message: string) =>
    async ({ endpointId }: EndpointNamed, subject: string) => {
      const rows = await db.query<EndpointRow>({ name, text, values: [endpointId] }, { subject })
      return { code: 'Ok' as const, message, endpoint: mustBeEndpoint(rows) }
    }
  return {
    pause: change('pause-endpoint', PAUSE_ENDPOINT, PAUSED),
    resume: change('resume-endpoint', RESUME_ENDPOINT, RESUMED),
  }
}

/** SQL: changes the endpoint $1, and answers with it. The empty message makes the commit wait for the standby in every case. */
export const changeEndpoint = (change: string) => `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), changed as (
    update webhooks.endpoints
    set ${change}
    from durable
    where endpoint_id = $1::uuid
    returning ${STORED_COLUMNS}
  )
  select ${ENDPOINT_COLUMNS}
  from ${withFollower('changed')}`

// One that the receiver has ended stays ended by the receiver.
const PAUSE_ENDPOINT = changeEndpoint(`state = 'paused',
      paused_because = coalesce(paused_because, 'asked')`)

const RESUME_ENDPOINT = changeEndpoint(`state = 'active',
      paused_because = null,
      failures = 0,
      failing_since = null,
      next_attempt_at = '-infinity'`)
