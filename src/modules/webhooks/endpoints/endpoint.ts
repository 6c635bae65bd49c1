// An endpoint: an address of another system that is called with every change, and which changes it gets. Each endpoint is a follower
// of the sequence of changes.
import { type Static, Type } from 'typebox'
import { Refusal } from '../../../refusal.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { ONE_VISIBLE_LINE, PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'

/** What an endpoint gets if it names no events. */
export const USUAL_EVENTS = ['readings.changed', 'patient.erased', 'grant.changed'] as const

export const EVENTS = [
  ...USUAL_EVENTS,
  'alert.opened',
  'alert.reopened',
  'alert.acknowledged',
  'alert.ended',
] as const

export const MAX_URL_CHARS = 2_000
const MAX_DESCRIPTION_CHARS = 200
const MAX_TYPES = 50
export const MAX_PATIENTS = 1_000

export const EXAMPLE_ENDPOINT = {
  endpointId: '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20',
  url: 'https://receiver.example/rounds',
  description: 'Copy for the data warehouse',
  events: ['readings.changed', 'patient.erased'],
  readingTypes: ['bloodPressure', 'heartRate'],
  thin: false,
  state: 'active',
  behindSince: null,
  failures: 0,
  replays: 0,
  addedBy: 'integration-service',
  addedAt: '2026-11-17T08:15:30.125Z',
} as const

/** Standard Webhooks: `whsec_` and random bytes in base64. This one is of an example. */
export const EXAMPLE_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

export const EndpointId = Type.String({
  pattern: UUID_FORM.source,
  description: 'Id of the endpoint, as endpoints/add gave it.',
  examples: [EXAMPLE_ENDPOINT.endpointId],
  'x-mustBe': 'the endpointId of an endpoint, as endpoints/add gave it',
})

const Event = Type.Enum([...EVENTS], { type: 'string', 'x-mustBe': `one of ${EVENTS.join(', ')}` })

/** What an endpoint says, as it is added and listed. */
export const TERMS = {
  description: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_DESCRIPTION_CHARS,
      pattern: ONE_VISIBLE_LINE,
      description: 'What it is for.',
      examples: [EXAMPLE_ENDPOINT.description],
      'x-mustBe': `a text of 1 to ${MAX_DESCRIPTION_CHARS} characters on one line, without control characters`,
    }),
  ),
  readingTypes: Type.Optional(
    Type.Array(ReadingType, {
      minItems: 1,
      maxItems: MAX_TYPES,
      uniqueItems: true,
      description: 'Only readings and alerts of these types. All types if it is left out.',
      examples: [EXAMPLE_ENDPOINT.readingTypes],
      'x-mustBe': `a list of 1 to ${MAX_TYPES} different types`,
    }),
  ),
}

export const Events = Type.Array(Event, {
  minItems: 1,
  maxItems: EVENTS.length,
  uniqueItems: true,
  description:
    'readings.changed: readings that were added, withdrawn or restored. patient.erased: patients whose data was erased. ' +
    'grant.changed: what patients share with doctors. alert.…: what becomes of alerts, where they are switched on. The first three if it is ' +
    'left out.',
  examples: [EXAMPLE_ENDPOINT.events],
  'x-mustBe': `a list of one or several of ${EVENTS.join(', ')}`,
})

const instant = (description: string) => Type.String({ format: 'date-time', description })

export const Endpoint = Type.Object(
  {
    endpointId: EndpointId,
    url: Type.String({ format: 'uri', description: 'The address that is called.' }),
    ...TERMS,
    events: Events,
    patientUids: Type.Optional(
      Type.Array(PatientUid, {
        maxItems: MAX_PATIENTS,
        description:
          'Only changes of these patients. All patients if it is left out; none if it is empty, because all were erased.',
      }),
    ),
    thin: Type.Boolean({ description: 'Whether messages name what changed without its content.' }),
    state: Type.Enum(['active', 'paused'], { type: 'string' }),
    pausedBecause: Type.Optional(
      Type.Enum(['asked', 'gone'], {
        type: 'string',
        description: 'asked: endpoints/pause was called. gone: the receiver answered 410.',
      }),
    ),
    behindSince: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Since when changes wait to be delivered; null if none do, and while it is paused by endpoints/pause.',
    }),
    failures: Type.Integer({ description: 'Attempts that failed since the last one that did not.' }),
    failingSince: Type.Optional(instant('When the first of these failures was.')),
    nextAttemptAt: Type.Optional(instant('When the next attempt is due, after a failure.')),
    previousSecretUntil: Type.Optional(
      instant('Until when messages are also signed with the secret before.'),
    ),
    replays: Type.Integer({ description: 'How often the endpoint was set back to an earlier change.' }),
    addedBy: Type.String({ description: 'Who added it: the subject of the token.' }),
    addedAt: instant('When that was, in UTC.'),
  },
  {
    $id: 'Endpoint',
    additionalProperties: false,
    description: 'A system that is called with changes.',
    examples: [EXAMPLE_ENDPOINT],
  },
)
export type Endpoint = Static<typeof Endpoint>

/** The endpoint in an answer. */
export const EndpointOfAnswer = Type.Unsafe<Endpoint>({ $ref: 'Endpoint#' })

/** The body of an operation that needs no more than the endpoint. */
export const EndpointNamed = Type.Object(
  { endpointId: EndpointId },
  { additionalProperties: false, examples: [{ endpointId: EXAMPLE_ENDPOINT.endpointId }] },
)
export type EndpointNamed = Static<typeof EndpointNamed>

/** How every operation with a body is refused. */
export const MAY_NOT_CHANGE = [
  'MalformedJson',
  'ScopeMissing',
  'BodyTooLarge',
  'UnsupportedMediaType',
] as const

export type EndpointRow = {
  endpoint_id: string
  url: string
  description: string | null
  events: Endpoint['events']
  reading_types: string[] | null
  patient_uids: string[] | null
  is_thin: boolean
  state: Endpoint['state']
  paused_because: 'asked' | 'gone' | null
  behind_since: string | null
  failures: number
  failing_since: string | null
  next_attempt_at: string | null
  previous_until: string | null
  replays: number
  added_by: string
  added_at: string
}

/** SQL: the columns of `webhooks.endpoints` that ENDPOINT_COLUMNS needs, for a `returning`. */
export const STORED_COLUMNS = `endpoints.endpoint_id, endpoints.url, endpoints.description, endpoints.events, endpoints.reading_types,
      endpoints.patient_uids, endpoints.is_thin, endpoints.state, endpoints.paused_because, endpoints.failures,
      endpoints.failing_since, endpoints.next_attempt_at, endpoints.previous_until, endpoints.replays, endpoints.added_by,
      endpoints.added_at`

/**
 * SQL, about a row of `endpoints` and its follower: since when it is behind. The process that delivers to it renews `caught_up_at` every
 * five seconds while nothing is left to deliver. An endpoint that its receiver paused, by 410, counts too: nobody here has asked for it.
 */
const BEHIND_SINCE = `case
        when endpoints.paused_because is distinct from 'asked' and followers.caught_up_at < now() - interval '15 seconds'
        then followers.caught_up_at
      end`

/** SQL: the columns of an EndpointRow, from `withFollower`. The driver takes ten times as long for an array as for JSON. */
export const ENDPOINT_COLUMNS = `endpoints.endpoint_id, endpoints.url, endpoints.description, endpoints.events,
      endpoints.reading_types, to_json(endpoints.patient_uids) as patient_uids, endpoints.is_thin, endpoints.state,
      endpoints.paused_because,
      (${BEHIND_SINCE})::text as behind_since,
      endpoints.failures, endpoints.failing_since::text as failing_since,
      case when endpoints.failures > 0 and endpoints.state = 'active' and isfinite(endpoints.next_attempt_at)
        then endpoints.next_attempt_at::text
      end as next_attempt_at,
      case when endpoints.previous_until > now() then endpoints.previous_until::text end as previous_until,
      endpoints.replays, endpoints.added_by, endpoints.added_at::text as added_at`

/** The name of the follower of an endpoint is this and its id. */
export const FOLLOWER_PREFIX = 'webhook:'

/** SQL: the rows of a table or CTE with these columns, with their followers. */
export const withFollower = (rows: string) =>
  `${rows} as endpoints
      left join casesheet.followers on followers.name = '${FOLLOWER_PREFIX}' || endpoints.endpoint_id`

export function endpointFrom(row: EndpointRow): Endpoint {
  const instantOrNone = (text: string | null) => (text === null ? undefined : instantFrom(text, 3))
  const optional = {
    description: row.description ?? undefined,
    readingTypes: row.reading_types ?? undefined,
    patientUids: row.patient_uids ?? undefined,
    pausedBecause: row.paused_because ?? undefined,
    failingSince: instantOrNone(row.failing_since),
    nextAttemptAt: instantOrNone(row.next_attempt_at),
    previousSecretUntil: instantOrNone(row.previous_until),
  }
  return {
    endpointId: row.endpoint_id,
    url: row.url,
    events: row.events,
    thin: row.is_thin,
    state: row.state,
    behindSince: instantOrNone(row.behind_since) ?? null,
    failures: row.failures,
    replays: row.replays,
    addedBy: row.added_by,
    addedAt: instantFrom(row.added_at, 3),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<Endpoint>),
  }
}

/** The endpoint that a statement found or changed. */
export function mustBeEndpoint([row]: EndpointRow[]): Endpoint {
  if (!row) throw endpointNotFound()
  return endpointFrom(row)
}

export function endpointNotFound(): Refusal {
  return new Refusal('EndpointNotFound', 'There is no such endpoint.')
}
