// `rounds webhook`: which other systems are called with changes.
import { ConfigError, readDatabaseUrl, readWebhookKey, readWebhookNetworks } from '../config/config.ts'
import { version } from '../config/version.ts'
import { defineCommand, readWholeNumber } from './command.ts'

const HELP = `rounds webhook add URL [options]: have another system called with every change. The answer has its secret.
rounds webhook list: show the endpoints, and since when they are behind.
rounds webhook attempts ID: show what became of the newest attempts to deliver, by minute.
rounds webhook test ID: send a test message from here, once. Exit with 1 if it fails.
rounds webhook pause ID: send nothing more; nothing is lost.
rounds webhook resume ID: go on from there, at once.
rounds webhook replay ID --since TIME: send changes again.
rounds webhook skip ID --message MESSAGE: pass the page that its receiver keeps refusing.
rounds webhook rotate-secret ID [--overlap-hours HOURS]: make a new secret.
rounds webhook remove ID: delete the endpoint, its secret and its place in the sequence of changes.

It prints the answer of the operation as JSON. Servers with the module webhooks (MODULES) send the messages; they notice changes
within seconds. An endpoint gets signed POST requests (Standard Webhooks), in order, until it answers 2xx: docs/webhooks.md.

  --by YOU                  who you are, for the record (operator)

add: URL begins with https://
  --description TEXT        what it is for
  --event EVENT             readings.changed, patient.erased, grant.changed (these three), alert.opened, alert.reopened,
                            alert.acknowledged or alert.ended; several times for several
  --reading-type TYPE       only readings and alerts of this type; several times for several (all)
  --patient UID             only changes of this patient; several times for several (all)
  --thin                    messages name what changed, without its content
  --from beginning          first all that is stored; without it, what changes from now on

Others:
  --cursor CURSOR           list and attempts: the page after the one with this nextCursor
  --since TIME              replay: a time such as 2026-11-17T00:00:00Z, or "beginning"
  --message MESSAGE         skip: lastMessageId of the newest failure that attempts shows
  --overlap-hours HOURS     rotate-secret: how long messages are also signed with the secret before: 0 to 168 (24); 0 if it is known to others

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"
  WEBHOOK_KEY               the key that the servers have
  WEBHOOK_ALLOW_NETWORKS    for add and test, where the servers have it

Examples:
  npx rounds webhook add https://receiver.example/rounds --event readings.changed --reading-type bloodPressure
  npx rounds webhook replay 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20 --since 2026-11-17T00:00:00Z
`

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
  rounds webhook remove ID        delete an endpoint`,
  help: HELP,
  options: {
    description: { type: 'string' },
    event: { type: 'string', multiple: true },
    'reading-type': { type: 'string', multiple: true },
    patient: { type: 'string', multiple: true },
    thin: { type: 'boolean' },
    from: { type: 'string' },
    since: { type: 'string' },
    message: { type: 'string' },
    'overlap-hours': { type: 'string' },
    cursor: { type: 'string' },
    by: { type: 'string' },
  },
  async run({ args: [verb = '', subject, ...others], options }, { env }) {
    if ((subject === undefined) !== (verb === 'list') || others.length > 0) throw notUnderstood()
    const { event: events, 'reading-type': readingTypes, patient: patientUids, message: messageId } = options
    const { description, thin, from, since, cursor, by } = options
    const overlapHours = readWholeNumber(options['overlap-hours'], OVERLAP_HOURS)
    const filters = { description, events, readingTypes, patientUids, thin, from }
    const named = verb === 'add' ? { url: subject } : { endpointId: subject }
    const all = Object.entries({ ...named, ...filters, cursor, since, messageId, overlapHours })
    const given = Object.fromEntries(all.filter(([, value]) => value !== undefined))
    const { callAsOwner } = await import('../modules/webhooks/call-as-owner.ts')
    const [databaseUrl, key, networks] = [readDatabaseUrl(env), readWebhookKey(env), readWebhookNetworks(env)]
    const answer = await callAsOwner(verb, given, {
      databaseUrl,
      key,
      networks,
      userAgent: `rounds/${version}`,
      by: by?.trim() || 'operator',
    })
    if (!answer) throw notUnderstood()
    if ('attempt' in answer && answer.attempt.error !== undefined) process.exitCode = 1
    return JSON.stringify(answer, null, 2)
  },
})

const OVERLAP_HOURS = { name: '--overlap-hours', min: 0, max: 168 }

const notUnderstood = () =>
  new ConfigError(
    'Say "rounds webhook list", "rounds webhook add URL", or "rounds webhook VERB ID" as in "rounds webhook --help".',
  )
