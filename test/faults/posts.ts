// A receiver of webhooks that builds a copy through the fault, and now and then fails although it has stored a message. At the end
// the copy must be what readings/get gives, and the changes of each patient must have come in order, none twice but those of a page
// that was under way.
import type { StoredReading } from '../../clients/typescript/src/client.ts'
import { requestToken } from '../../tools/dev/request-token.ts'
import { differencesBetween } from '../../tools/simulate/keep-copy.ts'
import { until } from '../support/until.ts'
import { ANSWERS, readingOf, startReceiver } from '../support/webhook-receiver.ts'
import type { State } from './order.ts'
import type { Service } from './service.ts'

/** How long a message may be late: another process takes over, and attempts that failed are repeated. */
const MAX_DELAY_MS = 30_000
const FAILS_EVERY = 20

export async function startPosts({ url, issuer }: Service) {
  const receiver = await startReceiver()
  const { received } = receiver
  receiver.answer((response, store) => {
    const isGood = received.messages.length % FAILS_EVERY > 0
    return (isGood ? ANSWERS.accepts : ANSWERS.storesThenFails)(response, store)
  })
  async function ask(verb: string, body: object) {
    const token = await requestToken(issuer.source, { scopes: ['webhooks:manage'] })
    const response = await fetch(`${url}/webhooks/endpoints/${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`endpoints/${verb}: ${await response.text()}`)
    return (await response.json()) as { endpoint: { endpointId: string }; secret: string }
  }
  const { endpoint, secret } = await ask('add', { url: receiver.url })
  receiver.trust(secret)
  const copyOf = (patientUid: string) =>
    new Map(
      [...(received.copy.get(patientUid) ?? [])].map(([id, { reading }]) => [id, reading as StoredReading]),
    )
  return {
    /** Messages that no receiver should have to accept. */
    wrong: received.wrong,
    /** Readings that the copy lacks, has otherwise, or has beyond what is stored, once it had time to catch up. */
    async compare(patientUid: string, stored: StoredReading[]): Promise<number> {
      const differences = () => differencesBetween(copyOf(patientUid), stored).length
      // What is wrong then is counted.
      await until(() => differences() === 0, MAX_DELAY_MS).catch(() => {})
      return differences()
    },
    /** The changes of a patient, without those that came again with the page that was under way. */
    changesOf(patientUid: string): { number: number; state: State }[] {
      const changes: { number: number; state: State }[] = []
      let before = new Set<string>()
      for (const message of received.ofType('readings.changed').filter(({ isStored }) => isStored)) {
        const ofPatient = message.changes.filter((change) => readingOf(change).patientUid === patientUid)
        for (const change of ofPatient.filter((each) => !before.has(JSON.stringify(each)))) {
          const { number } = change.reading as StoredReading
          changes.push({ number: Number(number), state: change.state as State })
        }
        before = new Set(message.changes.map((change) => JSON.stringify(change)))
      }
      return changes
    },
    /** The next run has an endpoint of its own. */
    remove: () => ask('remove', { endpointId: endpoint.endpointId }),
    stop: () => receiver.stop(),
  }
}
