// POST endpoints/remove: the system is not called any more. It may be repeated, and where there is no such endpoint it changes nothing.
import { Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { EndpointNamed, FOLLOWER_PREFIX, MAY_NOT_CHANGE } from './endpoint.ts'

const MESSAGE = 'The endpoint is removed.'

export const removeEndpointContract = {
  tags: ['webhooks'],
  operationId: 'removeEndpoint',
  summary: 'Remove an endpoint',
  description:
    'With its secret, its place in the sequence of changes and its attempts. A message that is on its way may still arrive. May be ' +
    'repeated, also where there is no such endpoint.',
  body: EndpointNamed,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String() },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE }] },
    ),
    ...errorAnswers(() => checkFor(EndpointNamed)({ endpointId: '1' }), ...MAY_NOT_CHANGE),
  },
}

export function createRemoveEndpoint(db: Queries) {
  return async ({ endpointId }: EndpointNamed, subject: string) => {
    const statement = { name: 'remove-endpoint', text: REMOVE_ENDPOINT, values: [endpointId] }
    await db.query(statement, { subject })
    return { code: 'Ok' as const, message: MESSAGE }
  }
}

// The follower first, as in every statement that changes both.
const REMOVE_ENDPOINT = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), locked as materialized (
    select name
    from casesheet.followers
    where name = '${FOLLOWER_PREFIX}' || $1::uuid
    for update
  ), unfollowed as (
    delete from casesheet.followers
    where name in (select name from locked)
  ), removed as (
    delete from webhooks.endpoints
    where endpoint_id = $1
      and (select count(*) from locked) >= 0
    returning endpoint_id
  ), given_up as (
    update casesheet.alert_deliveries
    set is_pending = false, state = 'failed', at = now()
    where endpoint_id = $1
      and is_pending
      and (select count(*) from removed) >= 0
  )
  select
  from durable`
