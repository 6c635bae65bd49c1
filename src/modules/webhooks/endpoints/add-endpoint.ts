// POST endpoints/add: another system is to be called with changes. The id and the secret are made here and not in the database, so
// that a statement that is sent again after a lost connection finds the row that it added the first time.
import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { textArray } from '../../../db/array.ts'
import type { Queries } from '../../../db/db.ts'
import { codeOf } from '../../../error-code.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import type { AddressRules } from '../delivery/allowed-address.ts'
import type { Secrets } from '../delivery/secrets.ts'
import {
  ENDPOINT_COLUMNS,
  EndpointOfAnswer,
  type EndpointRow,
  Events,
  EXAMPLE_ENDPOINT,
  EXAMPLE_SECRET,
  endpointFrom,
  FOLLOWER_PREFIX,
  MAX_PATIENTS,
  MAX_URL_CHARS,
  MAY_NOT_CHANGE,
  STORED_COLUMNS,
  TERMS,
  USUAL_EVENTS,
  withFollower,
} from './endpoint.ts'

const { url: exampleUrl, description, events, readingTypes } = EXAMPLE_ENDPOINT
const EXAMPLE = { url: exampleUrl, description, events, readingTypes }

const AddBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: MAX_URL_CHARS,
      description:
        'The https address to call. Addresses that are not public are refused unless the operator allows them.',
      examples: [exampleUrl],
      'x-mustBe': `an https address of at most ${MAX_URL_CHARS} characters`,
    }),
    ...TERMS,
    events: Type.Optional(Events),
    patientUids: Type.Optional(
      Type.Array(PatientUid, {
        minItems: 1,
        maxItems: MAX_PATIENTS,
        uniqueItems: true,
        description: 'Only changes of these patients. All patients if it is left out.',
        'x-mustBe': `a list of 1 to ${MAX_PATIENTS} different ids of patients`,
      }),
    ),
    thin: Type.Optional(
      Type.Boolean({ description: 'Messages name what changed, without its content.', default: false }),
    ),
    from: Type.Optional(
      Type.Enum(['now', 'beginning'], {
        type: 'string',
        default: 'now',
        description:
          'now: what changes from now on. beginning: first all that is stored, but for events of alerts, which it gets from now on.',
        'x-mustBe': 'now or beginning',
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type AddBody = Static<typeof AddBody>

const MESSAGE = 'The endpoint is added. Keep the secret: it is shown once.'

export const addEndpointContract = {
  tags: ['webhooks'],
  operationId: 'addEndpoint',
  summary: 'Have another system called with changes',
  description:
    'The address gets signed POST requests (Standard Webhooks) with changes, in order, until it answers 2xx. There is one endpoint per ' +
    'address, at most 1,000 in all, and at most 100,000 patients are named by them. The secret is in this answer only: if it did not arrive, call endpoints/rotate-secret.',
  body: AddBody,
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
        examples: [{ code: 'Ok', message: MESSAGE, endpoint: EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET }],
      },
    ),
    ...errorAnswers(
      () => checkFor(AddBody)({ ...EXAMPLE, events: ['readings'] }),
      ...MAY_NOT_CHANGE,
      'EndpointExists',
      'TooManyEndpoints',
    ),
  },
}

/** What an endpoint needs to be added. */
export type AddDeps = { secrets: Secrets; rules: AddressRules }

/** Another request that adds the same address at the same time may be seen only by the next statement. */
const MAX_ATTEMPTS = 8

export function createAddEndpoint(db: Queries, { secrets, rules }: AddDeps) {
  return async (body: AddBody, subject: string) => {
    const url = mustBeAddress(body.url, rules)
    const endpointId = randomUUID()
    const secret = secrets.newSecret()
    const encrypted = secrets.encrypt(secret, endpointId)
    const endpoint = { ...body, url, endpointId, addedBy: subject, secret: encrypted }
    const statement = addStatement(endpoint, secrets.keyId)
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const [row] = await db.query<EndpointRow>(statement, { subject }).catch((error: unknown) => {
        throw codeOf(error) === TOO_MANY ? tooManyEndpoints() : error
      })
      if (row && row.endpoint_id !== endpointId) throw endpointExists()
      if (row) return { code: 'Ok' as const, message: MESSAGE, endpoint: endpointFrom(row), secret }
    }
    throw new Error('The endpoint could not be read after it was added.')
  }
}

/** The address as it will be called, so that two spellings of it are one endpoint. */
function mustBeAddress(text: string, rules: AddressRules): string {
  const sentence = rules.refuseUrl(text)
  if (sentence !== undefined) {
    const message = sentence.replace(/^The URL /, '').replace(/\.$/, '')
    throw refuseFields([{ pointer: '/url', message }])
  }
  const { href } = new URL(text)
  if (href.length > MAX_URL_CHARS)
    throw refuseFields([{ pointer: '/url', message: `must have at most ${MAX_URL_CHARS} characters` }])
  return href
}

// SQLSTATE that webhooks.limit_endpoints raises.
const TOO_MANY = '22E03'

function tooManyEndpoints(): Refusal {
  return new Refusal(
    'TooManyEndpoints',
    'There are 1,000 endpoints already, or they name 100,000 patients. Remove one first.',
  )
}

function endpointExists(): Refusal {
  return new Refusal('EndpointExists', 'There is an endpoint with this url already.')
}

type EndpointToAdd = AddBody & { endpointId: string; addedBy: string; secret: Buffer }

function addStatement(endpoint: EndpointToAdd, keyId: string) {
  const { patientUids, readingTypes: types } = endpoint
  return {
    name: 'add-endpoint',
    text: ADD_ENDPOINT,
    values: [
      endpoint.endpointId,
      endpoint.url,
      endpoint.description ?? null,
      textArray(endpoint.events ?? USUAL_EVENTS),
      types ? textArray(types) : null,
      patientUids ? textArray(patientUids) : null,
      endpoint.thin ?? false,
      endpoint.secret,
      keyId,
      endpoint.addedBy,
      endpoint.from ?? 'now',
    ],
  }
}

// The empty message makes the commit wait for the standby, also where an earlier run of the statement has added the endpoint. All
// transactions below the snapshot's xmin have ended: what they changed is not new.
const ADD_ENDPOINT = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), added as (
    insert into webhooks.endpoints
      (endpoint_id, url, description, events, reading_types, patient_uids, is_thin, secret, key_id, added_by)
    select $1::uuid, $2, $3, $4::text[], $5::text[], $6::text[], $7::boolean, $8::bytea, $9, $10
    from durable
    on conflict do nothing
    returning ${STORED_COLUMNS}
  ), followed as (
    insert into casesheet.followers (name, generation, xid, id)
    select '${FOLLOWER_PREFIX}' || added.endpoint_id, feed.generation,
      case $11 when 'beginning' then '0'::xid8 else pg_snapshot_xmin(pg_current_snapshot()) end,
      '${LOWEST_ID}'
    from added
    cross join casesheet.feed
  ), found as (
    select ${STORED_COLUMNS.replaceAll('endpoints.', 'added.')}
    from added
    union all
    select ${STORED_COLUMNS}
    from webhooks.endpoints
    where url = $2
      and not exists (select from added)
  )
  select ${ENDPOINT_COLUMNS}
  from ${withFollower('found')}`
