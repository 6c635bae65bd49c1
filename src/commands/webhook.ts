// `rounds webhook`: which other systems are called with changes. It does in the database what the operations of {webhooks_url}/endpoints/… do.
import type { TSchema } from 'typebox'
import { ConfigError, readDatabaseUrl, readWebhookKey, readWebhookNetworks } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { Statement } from '../db/statement.ts'
import type { Attempt } from '../modules/webhooks/attempts/attempt.ts'
import type { FoundAttempt } from '../modules/webhooks/attempts/list-attempts.ts'
import type { AddBody } from '../modules/webhooks/endpoints/add-endpoint.ts'
import type { Endpoint, EndpointRow } from '../modules/webhooks/endpoints/endpoint.ts'
import type { ListedRow } from '../modules/webhooks/endpoints/list-endpoints.ts'
import type { SkippedRow } from '../modules/webhooks/endpoints/skip-page.ts'
import { CommandError, Refusal, refuseFields } from '../refusal.ts'
import { type Deps, defineCommand, readWholeNumber } from './command.ts'

const HELP = `rounds webhook add URL [options]: have another system called with every change.
rounds webhook list [--json]: show the endpoints, and whether they are behind.
rounds webhook attempts ID: show what became of the newest attempts to deliver, by minute.
rounds webhook test ID: send a test message from here, once.
rounds webhook pause ID: send nothing more; nothing is lost.
rounds webhook resume ID: go on from there, at once.
rounds webhook replay ID --since TIME: send changes again.
rounds webhook skip ID [--by YOU]: pass the page that its receiver keeps refusing; attempts lists it.
rounds webhook rotate-secret ID [--overlap-hours HOURS]: make a new secret.
rounds webhook remove ID: forget the endpoint, its secret and its place in the sequence of changes.

Servers with the module webhooks (MODULES) send the messages; they notice what these commands change within seconds. An
endpoint gets signed POST requests (Standard Webhooks), in order, until it answers 2xx. docs/webhooks.md has receivers.

add: URL begins with https://. The secret is printed once.
  --description TEXT        what it is for
  --event EVENT             readings.changed, patient.erased, grant.changed (these three), alert.opened, alert.reopened,
                            alert.acknowledged, alert.resolved or alert.retracted; several times for several
  --reading-type TYPE       only readings and alerts of this type; several times for several (all)
  --patient UID             only changes of this patient; several times for several (all)
  --thin                    messages name what changed, without its content
  --from beginning          first all that is stored; without it, what changes from now on
  --by YOU                  who you are, for the list (operator); also for skip

replay:
  --since TIME              a time such as 2026-11-17T00:00:00Z, or "beginning"

rotate-secret:
  --overlap-hours HOURS     how long messages are also signed with the secret before: 0 to 168 (24); 0 if it is known to others

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"
  WEBHOOK_KEY               for add, test and rotate-secret: the key that the servers have
  WEBHOOK_ALLOW_NETWORKS    for add and test, where the servers have it

Examples:
  npx rounds webhook add https://receiver.example/rounds --event readings.changed --reading-type bloodPressure
  npx rounds webhook replay 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20 --since 2026-11-17T00:00:00Z
`

type Options = {
  description?: string | undefined
  event?: string[] | undefined
  'reading-type'?: string[] | undefined
  patient?: string[] | undefined
  thin?: boolean | undefined
  from?: string | undefined
  by?: string | undefined
  json?: boolean | undefined
  since?: string | undefined
  'overlap-hours'?: string | undefined
}

type Work = (subject: string, options: Options, deps: Deps) => Promise<string>

/** What each verb does, and the options that it knows. */
const VERBS: Record<string, { work: Work; knows: (keyof Options)[] }> = {
  add: {
    work: add,
    knows: ['description', 'event', 'reading-type', 'patient', 'thin', 'from', 'by'],
  },
  list: { work: list, knows: ['json'] },
  attempts: { work: attempts, knows: [] },
  test: { work: sendTest, knows: [] },
  pause: { work: pause, knows: [] },
  resume: { work: resume, knows: [] },
  replay: { work: replay, knows: ['since'] },
  skip: { work: skip, knows: ['by'] },
  'rotate-secret': { work: rotate, knows: ['overlap-hours'] },
  remove: { work: remove, knows: [] },
}

export const webhookCommand = defineCommand({
  summary: `rounds webhook add URL          have another system called with every change
  rounds webhook list             show the endpoints, and whether they are behind
  rounds webhook attempts ID      show what became of attempts to deliver
  rounds webhook test ID          send a test message
  rounds webhook pause ID         send nothing more for now
  rounds webhook resume ID        go on from there
  rounds webhook replay ID        send changes again
  rounds webhook skip ID          pass a page that is always refused
  rounds webhook rotate-secret ID make a new secret
  rounds webhook remove ID        forget an endpoint`,
  help: HELP,
  options: {
    description: { type: 'string' },
    event: { type: 'string', multiple: true },
    'reading-type': { type: 'string', multiple: true },
    patient: { type: 'string', multiple: true },
    thin: { type: 'boolean' },
    from: { type: 'string' },
    by: { type: 'string' },
    json: { type: 'boolean' },
    since: { type: 'string' },
    'overlap-hours': { type: 'string' },
  },
  async run({ args: [verb = '', subject, ...others], options }, deps) {
    const named = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
    const isComplete = (subject !== undefined) !== (verb === 'list')
    if (!named || !isComplete || others.length > 0)
      throw new ConfigError(
        `Say "rounds webhook list", "rounds webhook add URL", or one of ${VERBS_OF_ID} with the id of an endpoint.`,
      )
    const unknown = Object.keys(options).find((name) => !named.knows.includes(name as keyof Options))
    if (unknown !== undefined)
      throw new ConfigError(`--${unknown} does not belong to "rounds webhook ${verb}".`)
    return withoutRefusals(() => named.work(subject ?? '', options, deps))
  },
})

const VERBS_OF_ID = Object.keys(VERBS)
  .filter((verb) => !['add', 'list'].includes(verb))
  .join(', ')

/** What the operation refuses is for the person to fix. */
async function withoutRefusals(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(error.message, { cause: error }) : error
  }
}

type Run = <Row>(statement: Statement) => Promise<Row[]>

/** Runs statements as the owner of the tables. */
async function asOwner<T>({ env }: Deps, work: (run: Run) => Promise<T>): Promise<T> {
  const databaseUrl = readDatabaseUrl(env)
  const { withOwnerSession } = await import('../modules/casesheet/owner/owner-session.ts')
  return withOwnerSession(databaseUrl, (client) =>
    work(async <Row>(statement: Statement) => (await client.query(statement)).rows as Row[]),
  )
}

/** The body of an operation, as its contract wants it. */
async function mustFit<Body extends object>(schema: TSchema, body: Body): Promise<Body> {
  const { checkFor } = await import('../http/json/validation.ts')
  const errors = checkFor(schema)(body)
  if (errors.length > 0) throw refuseFields(errors)
  return body
}

async function add(url: string, options: Options, deps: Deps): Promise<string> {
  const { secrets, rules } = await whatSends(deps)
  const { addEndpoint, addEndpointContract } = await import('../modules/webhooks/endpoints/add-endpoint.ts')
  const {
    description,
    event: events,
    'reading-type': readingTypes,
    patient: patientUids,
    thin,
    from,
  } = options
  const given = Object.entries({ url, description, events, readingTypes, patientUids, thin, from })
  const body = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as AddBody
  await mustFit(addEndpointContract.body, body)
  const addedBy = nameOf(options)
  const { endpoint, secret } = await asOwner(deps, (run) =>
    addEndpoint(body, addedBy, { secrets, rules }, (statement) => run<EndpointRow>(statement)),
  )
  return `The endpoint ${endpoint.url} was added, with the id ${endpoint.endpointId}.
Its secret, which is shown only now:
  ${secret}
The receiver verifies each message with it, by any library of Standard Webhooks.`
}

const nameOf = ({ by }: Options) => by?.trim() || 'operator'

async function whatSends({ env }: Deps) {
  const [key, networks] = [readWebhookKey(env), readWebhookNetworks(env)]
  const [{ createSecrets }, { createAddressRules }] = await Promise.all([
    import('../modules/webhooks/delivery/secrets.ts'),
    import('../modules/webhooks/delivery/allowed-address.ts'),
  ])
  return { secrets: createSecrets(key), rules: createAddressRules(networks) }
}

async function list(_none: string, { json: isJson }: Options, deps: Deps): Promise<string> {
  const { listStatement, pageFrom } = await import('../modules/webhooks/endpoints/list-endpoints.ts')
  const endpoints: Endpoint[] = []
  await asOwner(deps, async (run) => {
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = pageFrom(await run<ListedRow>(listStatement(cursor ? { cursor } : {})))
      endpoints.push(...page.data)
      cursor = page.nextCursor
    }
  })
  if (isJson) return JSON.stringify(endpoints, undefined, 2)
  if (endpoints.length === 0) return 'There are no endpoints.'
  return printTable(
    ['ID', 'STATE', 'BEHIND SINCE', 'FAILURES', 'URL'],
    endpoints.map((endpoint) => [
      endpoint.endpointId,
      endpoint.pausedBecause ? `paused (${endpoint.pausedBecause})` : endpoint.state,
      endpoint.behindSince ?? '-',
      String(endpoint.failures),
      endpoint.url,
    ]),
  )
}

async function attempts(id: string, _options: Options, deps: Deps): Promise<string> {
  const [{ attemptsStatement, listAttemptsContract, mustBeAttempts }, { attemptFrom }] = await Promise.all([
    import('../modules/webhooks/attempts/list-attempts.ts'),
    import('../modules/webhooks/attempts/attempt.ts'),
  ])
  const query = await mustFit(listAttemptsContract.querystring, { endpointId: id })
  const rows = await asOwner(deps, (run) => run<FoundAttempt>(attemptsStatement(query)))
  const found = mustBeAttempts(rows).map(attemptFrom)
  if (found.length === 0) return 'Nothing was sent to this endpoint in the last 30 days.'
  const cellsOf = ({ at, outcome, error, skipped, status, event, ...counts }: Attempt) => [
    at,
    outcome,
    error ?? (skipped ? `by ${skipped.by}` : '-'),
    String(status ?? '-'),
    event,
    ...[counts.attempts, counts.changes, counts.bytes, counts.longestMs].map(String),
  ]
  return printTable(
    ['MINUTE', 'OUTCOME', 'ERROR', 'STATUS', 'EVENT', 'ATTEMPTS', 'CHANGES', 'BYTES', 'LONGEST MS'],
    found.map(cellsOf),
  )
}

async function sendTest(id: string, _options: Options, deps: Deps): Promise<string> {
  const { secrets, rules } = await whatSends(deps)
  const [{ testEndpoint, testEndpointContract }, { createSender }] = await Promise.all([
    import('../modules/webhooks/endpoints/test-endpoint.ts'),
    import('../modules/webhooks/delivery/send.ts'),
  ])
  const { endpointId } = await mustFit(testEndpointContract.body, { endpointId: id })
  const sender = createSender({ rules })
  const sending = { secrets, sender, userAgent: `rounds/${version}`, now: Date.now }
  const { status, error, durationMs, messageId } = await asOwner(deps, (run) =>
    testEndpoint(endpointId, sending, (statement) => run<object>(statement)),
  ).finally(() => sender.close())
  const answered = status === undefined ? 'did not answer' : `answered ${status}`
  const text = `The receiver ${answered} after ${durationMs} ms to ${messageId}`
  if (error === undefined) return `${text}.`
  throw new CommandError(`${text}: the test failed (${error}).`)
}

async function pause(id: string, _options: Options, deps: Deps): Promise<string> {
  const { pauseEndpointContract, pauseStatement } = await import(
    '../modules/webhooks/endpoints/pause-endpoint.ts'
  )
  const { endpointId } = await mustFit(pauseEndpointContract.body, { endpointId: id })
  const { url } = await change(pauseStatement(endpointId), deps)
  return `The endpoint ${url} is paused.`
}

async function resume(id: string, _options: Options, deps: Deps): Promise<string> {
  const { resumeEndpointContract, resumeStatement } = await import(
    '../modules/webhooks/endpoints/pause-endpoint.ts'
  )
  const { endpointId } = await mustFit(resumeEndpointContract.body, { endpointId: id })
  const { url } = await change(resumeStatement(endpointId), deps)
  return `The endpoint ${url} is active.`
}

async function replay(id: string, { since }: Options, deps: Deps): Promise<string> {
  if (since === undefined)
    throw new ConfigError(
      'Say with --since from when on: a time such as 2026-11-17T00:00:00Z, or "beginning".',
    )
  const { replayEndpointContract, replayStatement } = await import(
    '../modules/webhooks/endpoints/replay-endpoint.ts'
  )
  const body = await mustFit(replayEndpointContract.body, { endpointId: id, since })
  const { url } = await change(replayStatement(body, Date.now()), deps)
  const from = since === 'beginning' ? 'from the beginning' : `since ${since}`
  return `The endpoint ${url} gets the changes ${from} again.`
}

async function skip(id: string, options: Options, deps: Deps): Promise<string> {
  const [{ EndpointNamed }, { failedMessageStatement, skipAnswer, skipStatement }] = await Promise.all([
    import('../modules/webhooks/endpoints/endpoint.ts'),
    import('../modules/webhooks/endpoints/skip-page.ts'),
  ])
  const { endpointId } = await mustFit(EndpointNamed, { endpointId: id })
  const rows = await asOwner(deps, async (run) => {
    const [last] = await run<{ failed_message_id: string | null }>(failedMessageStatement(endpointId))
    const messageId = last?.failed_message_id ?? ''
    return run<SkippedRow>(skipStatement({ endpointId, messageId }, nameOf(options)))
  })
  return skipAnswer(rows).message
}

async function rotate(id: string, { 'overlap-hours': hours }: Options, deps: Deps): Promise<string> {
  const { secrets } = await whatSends(deps)
  const { rotateSecretContract, rotation } = await import('../modules/webhooks/endpoints/rotate-secret.ts')
  const overlapHours = readWholeNumber(hours, { name: '--overlap-hours', min: 0, max: 168 }) ?? 24
  const body = await mustFit(rotateSecretContract.body, { endpointId: id, overlapHours })
  const { secret, statement } = rotation(body, secrets)
  const { url, previousSecretUntil } = await change(statement, deps)
  const overlap = previousSecretUntil
    ? `Messages are also signed with the secret before until ${previousSecretUntil}.`
    : 'The secret before is over.'
  return `The endpoint ${url} has a new secret, which is shown only now:\n  ${secret}\n${overlap}`
}

async function remove(id: string, _options: Options, deps: Deps): Promise<string> {
  const { removeEndpointContract, removeStatement } = await import(
    '../modules/webhooks/endpoints/remove-endpoint.ts'
  )
  const { endpointId } = await mustFit(removeEndpointContract.body, { endpointId: id })
  const [removed] = await asOwner(deps, (run) => run<{ was_there: boolean }>(removeStatement(endpointId)))
  return removed?.was_there ? 'The endpoint was removed.' : 'There is no such endpoint.'
}

async function change(statement: Statement, deps: Deps): Promise<Endpoint> {
  const { mustBeEndpoint } = await import('../modules/webhooks/endpoints/endpoint.ts')
  return mustBeEndpoint(await asOwner(deps, (run) => run<EndpointRow>(statement)))
}

/** Columns as wide as their longest cell, two blanks between. */
function printTable(head: string[], rows: string[][]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
