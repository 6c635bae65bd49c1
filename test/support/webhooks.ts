// Webhooks of a Rounds in tests: their management over HTTP, and receivers that are endpoints.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createAnswerCheck } from './check-answer.ts'
import { runSql } from './harness.ts'
import { find, scrape } from './scrape.ts'
import { until } from './until.ts'
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const checkAnswer = createAnswerCheck()

export type Endpoint = {
  endpointId: string
  state: 'active' | 'paused'
  pausedBecause?: string
  behindSince: string | null
  failures: number
  nextAttemptAt?: string
  previousSecretUntil?: string
  replays: number
}

/** Any process that serves the module, and how a token for it is signed. */
export type Managed = {
  url: string
  issuer: { token: (claims: { sub: string; scope: string }) => Promise<string> }
  ownerUrl: string
}

export function managementOf({ url, issuer, ownerUrl }: Managed) {
  async function ask(path: string, body?: object) {
    const token = await issuer.token({ sub: 'integrations', scope: 'webhooks:manage' })
    const method = body ? 'POST' : 'GET'
    const response = await fetch(`${url}/webhooks/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.equal(response.status, 200, `${path}: ${text}`)
    const { status, headers } = response
    const json = JSON.parse(text)
    await checkAnswer({ method, path: `/webhooks/${path}` }, { status, headers, text, json })
    return json as { endpoint: Endpoint; secret: string; data: Endpoint[] }
  }
  /** A receiver that is an endpoint, until the tests of the file are over. */
  async function follow(filter: object = {}) {
    const receiver = await startReceiver()
    after(() => receiver.stop())
    const { endpoint, secret } = await ask('endpoints/add', { url: receiver.url, ...filter })
    receiver.trust(secret)
    const { endpointId } = endpoint
    const about = async () => {
      const { data } = await ask('endpoints/list?limit=100')
      const found = data.find((each) => each.endpointId === endpointId)
      assert.ok(found, 'the endpoint is listed')
      return found
    }
    return {
      ...receiver,
      endpointId,
      about,
      manage: (verb: string, more: object = {}) => ask(`endpoints/${verb}`, { endpointId, ...more }),
      /** The next attempt is due now, whatever the attempts before have led to. */
      hurry: () =>
        runSql(ownerUrl, 'update webhooks.endpoints set next_attempt_at = now() where endpoint_id = $1', [
          endpointId,
        ]),
    }
  }
  return { ask, follow }
}

/** Waits until the only process has read the states of all endpoints again: it counts one that was paused meanwhile. */
export async function untilStatesAreRead(managed: Managed & { adminUrl: string }) {
  const isCounted = async () => {
    const paused = await runSql(managed.ownerUrl, "select from webhooks.endpoints where state = 'paused'")
    const [counted] = find(await scrape(managed.adminUrl), 'rounds_webhook_endpoints', { state: 'paused' })
    return counted?.value === paused.length
  }
  const witness = await managementOf(managed).follow({ patientUids: ['witness'] })
  await until(isCounted)
  await witness.manage('pause')
  await until(isCounted)
  await witness.manage('remove')
}

/** What the database holds of each patient, in order: `readingId state`. */
async function storedStates(ownerUrl: string, patientUids: string[]): Promise<Record<string, string[]>> {
  const rows = await runSql<{ patient_uid: string; listed: string }>(
    ownerUrl,
    `select patient_uid, reading_id || case when withdrawn_at is null then ' present' else ' withdrawn' end as listed
     from casesheet.readings
     where patient_uid = any ($1)
     order by changed_xid, reading_id`,
    [patientUids],
  )
  const of = (uid: string) => rows.filter((row) => row.patient_uid === uid).map(({ listed }) => listed)
  return Object.fromEntries(patientUids.map((uid) => [uid, of(uid)]))
}

/** Waits until the copy equals the database, in order per patient; then nothing that came was wrong. */
export async function untilCopied(
  { received }: Pick<WebhookReceiver, 'received'>,
  ownerUrl: string,
  { patientUids, withinMs = 20_000 }: { patientUids: string[]; withinMs?: number },
) {
  const stored = await storedStates(ownerUrl, patientUids)
  const held = () => Object.fromEntries(patientUids.map((uid) => [uid, received.statesOf(uid)]))
  const isCopied = () => JSON.stringify(held()) === JSON.stringify(stored)
  const what = () => `the copy is that of the database: ${firstDifference(held(), stored)}`
  await until(isCopied, withinMs, { what })
  assert.deepEqual(received.wrong, [])
}

function firstDifference(held: Record<string, string[]>, stored: Record<string, string[]>): string {
  const uid = Object.keys(stored).find((each) => String(held[each]) !== String(stored[each])) ?? ''
  const at = stored[uid]?.findIndex((state, index) => state !== held[uid]?.[index]) ?? -1
  return `of ${stored[uid]?.length} readings, ${held[uid]?.length} came; number ${at} is ${held[uid]?.[at]} instead of ${stored[uid]?.[at]}`
}
