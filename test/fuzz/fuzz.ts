// Sends requests made by chance from the OpenAPI document to the whole of Rounds, and holds each answer, and the data
// afterwards, against what is promised. The same seed makes the same requests.
import fc from 'fast-check'
import { type ApiDocument, readDocument } from '../api-document.ts'
import { fillDirectory } from '../directory.ts'
import type { Rounds } from '../harness.ts'
import { inventedDoctor, inventedSpeciality } from '../invented-directory.ts'
import { watchData } from './accepted-data.ts'
import { createJudge } from './judge.ts'
import { type FuzzRequest, requestsOf, type World } from './requests.ts'
import type { Schema } from './schema-values.ts'
import { createSender } from './send.ts'

const CHUNK = 500
const CONNECTIONS = 16

const PATIENTS = ['patient-1', 'kid-1', 'Zoë ?&="<;>\' 😀']
const PATIENTS_OF: Record<string, string[]> = { patient: ['patient-1'], carer: PATIENTS }

export type Findings = { requests: number; seconds: number; statuses: Map<number, number> }

export async function fuzz(
  rounds: Rounds,
  { requests, seed }: { requests: number; seed: number },
): Promise<Findings> {
  await fillDirectory(rounds.ownerUrl, {
    specialities: [0, 1, 2].map(inventedSpeciality),
    doctors: Array.from({ length: 40 }, (_, n) => inventedDoctor(n, 3)),
  })
  const document = await readDocument(rounds)
  const tokens = await tokensOf(rounds)
  const world = await worldOf(rounds, document, tokens)
  const { send, close } = createSender(rounds.url, tokens, CONNECTIONS)
  const { judge } = createJudge(document, PATIENTS_OF)
  const data = await watchData(rounds)
  const arbitrary = requestsOf(world)
  const statuses = new Map<number, number>()

  async function faultsWith(request: FuzzRequest): Promise<string[]> {
    const answer = await send(request)
    data.note(request, answer)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return judge(request, answer)
  }

  const started = performance.now()
  for (let first = 0; first < requests; first += CHUNK) {
    const chunkSeed = seed * 1_000_003 + first
    const all = fc.sample(arbitrary, { seed: chunkSeed, numRuns: Math.min(CHUNK, requests - first) })
    const queue = all.entries()
    const work = async () => {
      for (const [index, request] of queue) {
        const faults = await faultsWith(request).catch((error: Error) => [
          `the connection failed: ${error.message}`,
        ])
        if (faults.length === 0) continue
        const smaller = await smallest({ seed: chunkSeed, path: String(index) })
        throw new Error(
          `Request ${first + index} of seed ${seed}: ${faults.join('; ')}\n${printed(request)}${smaller}`,
        )
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    await data.mustBeExplained()
  }
  close()
  return { requests, seconds: (performance.now() - started) / 1000, statuses }

  /** The smallest request that has a fault too, as far as fast-check finds one. */
  async function smallest(where: { seed: number; path: string }): Promise<string> {
    const property = fc.asyncProperty(arbitrary, async (request) => (await faultsWith(request)).length === 0)
    const { counterexample } = await fc.check(property, { ...where, numRuns: 1 })
    return counterexample ? `\nMade smaller:\n${printed(counterexample[0])}` : ''
  }
}

/** A request for people to read; the token is told by its name. */
function printed({ body, ...request }: FuzzRequest): string {
  return JSON.stringify({ ...request, body: body?.toString('latin1') }, null, 2)
}

async function tokensOf(rounds: Rounds): Promise<Record<string, string | undefined>> {
  const good = await rounds.token({ patientUid: PATIENTS[0] })
  return {
    patient: good,
    carer: await rounds.token({ patientUid: PATIENTS }),
    staff: await rounds.token({ scope: 'readings:read' }),
    service: await rounds.token({ scope: 'openid' }),
    stranger: await rounds.token({ patientUid: 'somebody-else' }),
    nobody: await rounds.token({}),
    expired: await rounds.token({ patientUid: PATIENTS[0], exp: 1_762_000_000 }),
    foreign: await rounds.token({ patientUid: PATIENTS[0], aud: 'another-service' }),
    forged: `${good.slice(0, -4)}AAAA`,
    garbage: 'a.b.c',
    none: undefined,
  }
}

/** What requests are made from, with a cursor of each list that comes in pages. */
async function worldOf(rounds: Rounds, document: ApiDocument, tokens: Record<string, string | undefined>) {
  const token = tokens['patient'] ?? ''
  const world: World = {
    operations: document.operations,
    schemas: document.components.schemas as Record<string, Schema>,
    patients: PATIENTS,
    tokens: Object.keys(tokens),
    cursors: ['invented', 'YXNj'],
  }
  const body = Array.from({ length: 20 }, (_, n) => ({
    patientUid: PATIENTS[0],
    readingType: 'fuzz.first',
    timestamp: n,
    n,
  }))
  await rounds.call('/casesheet/readings/add', { token, body })
  for (const { path } of document.operations.filter(({ parameters = [] }) =>
    parameters.some(({ name }) => name === 'cursor'),
  )) {
    for (let time = 0; time < 2; time++) {
      const { nextCursor } = (await rounds.call(`${path}?limit=1`, { token })).json
      if (nextCursor) world.cursors.push(nextCursor)
    }
  }
  return world
}
