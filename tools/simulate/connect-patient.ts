// The typed client as one simulated patient holds it: with that patient's token, patient enough to outlast a restart of
// the service, counting what it does, and dropping answers where that is asked for.
import { createRoundsClient, type Fetch, type RoundsClient } from '../../clients/typescript/src/client.ts'
import { ConfigError } from '../../src/config/config.ts'
import type { Simulation } from './options.ts'
import type { SimulatedPatient } from './patient.ts'
import type { Tally } from './tally.ts'

// What the client does not repeat.
const REFUSALS = new Set([400, 403, 404, 413])

/** An access token that names this patient. */
export type RequestToken = (patientUid: string) => Promise<string>

type Connection = { simulation: Simulation; requestToken: RequestToken; tally: Tally }

export function connectPatient(
  { simulation, requestToken, tally }: Connection,
  { patientUid, randomFor }: SimulatedPatient,
  { attempts = Number.MAX_SAFE_INTEGER } = {},
): RoundsClient {
  const { url, faults } = simulation
  const random = randomFor('answers')
  let held: string | undefined
  return createRoundsClient({
    url,
    attempts,
    fetch: countedFetch,
    async token(refused) {
      if (held === undefined || held === refused) held = await requestToken(patientUid).catch(explain)
      return held
    },
  })

  async function countedFetch(...[address, init]: Parameters<Fetch>): Promise<Response> {
    try {
      const response = await (init.method === 'POST' ? post(address, init) : fetch(address, init))
      if (!response.ok && !REFUSALS.has(response.status)) tally.retries++
      return response
    } catch (error) {
      if (!init.signal?.aborted) tally.retries++
      throw error
    }
  }
  async function post(...[address, init]: Parameters<Fetch>): Promise<Response> {
    const isAdd = address.endsWith('/add')
    if (isAdd) tally.addRequests++
    const startedAt = performance.now()
    const { status, headers, body } = await fetch(address, init).then(readWhole)
    if (status === 200) {
      if (isAdd)
        tally.addMicroseconds.record(Math.max(1, Math.round((performance.now() - startedAt) * 1_000)))
      if (random.chance(faults.droppedShare)) {
        // The service has committed: this is where a phone loses its network.
        tally.droppedAnswers++
        throw new Error('The answer was dropped on purpose.')
      }
    }
    return new Response(body, { status, headers })
  }
}

async function readWhole(response: Response) {
  return { status: response.status, headers: response.headers, body: await response.text() }
}

function explain(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new ConfigError(`No access token for the simulated patients: ${reason}`, { cause })
}
