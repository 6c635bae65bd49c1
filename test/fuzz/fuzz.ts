// Sends requests made by chance from the OpenAPI document to the whole of Rounds, and holds each answer, and the data
// afterwards, against what is promised. The same seed makes the same requests.
import fc, { type IAsyncProperty } from 'fast-check'
import { type ApiDocument, readDocument } from '../support/api-document.ts'
import { fillDirectory } from '../support/directory.ts'
import { type Rounds, runSql } from '../support/harness.ts'
import { inventedDoctor, inventedSpeciality } from '../support/invented-directory.ts'
import { watchData } from './accepted-data.ts'
import { createJudge } from './judge.ts'
import { type FuzzRequest, requestsOf, type World } from './requests.ts'
import type { Schema } from './schema-values.ts'
import { createSender } from './send.ts'

const CHUNK = 500
const CONNECTIONS = 16

/** Each chunk has patients of its own, or whole ranges would grow with the run. */
const patientsOf = (chunk: number) => [`patient-${chunk}`, `kid-${chunk}`, `Zoë ?&="<;>' 😀 ${chunk}`]

export type Findings = {
  requests: number
  seconds: number
  statuses: Map<number, number>
  /** The most CPU that the event loop took without a pause. */
  longestMs: number
}

export async function fuzz(
  rounds: Rounds,
  { requests, seed }: { requests: number; seed: number },
): Promise<Findings> {
  await fillDirectory(rounds.ownerUrl, {
    specialities: [0, 1, 2].map(inventedSpeciality),
    doctors: Array.from({ length: 40 }, (_, n) => inventedDoctor(n, 3)),
  })
  const document = await readDocument(rounds)
  const { send, close } = createSender(rounds.url, CONNECTIONS)
  const judge = createJudge(document)
  const data = await watchData(rounds)
  const statuses = new Map<number, number>()

  async function faultsWith(request: FuzzRequest, { tokens, patientsIn }: World): Promise<string[]> {
    const answer = await send(request, tokens[request.token])
    data.note(request, answer)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return judge(request, answer, patientsIn[request.token] ?? [])
  }

  let longestMs = 0
  const started = performance.now()
  for (let first = 0; first < requests; first += CHUNK) {
    const chunkSeed = seed * 1_000_003 + first
    const world = await worldOf(rounds, document, first)
    const arbitrary = requestsOf(world)
    await data.begin()
    const all = fc.sample(arbitrary, { seed: chunkSeed, numRuns: Math.min(CHUNK, requests - first) })
    const queue = all.entries()
    const work = async () => {
      for (const [index, request] of queue) {
        const faults = await faultsWith(request, world).catch((error: Error) => [
          `the connection failed: ${error.message}`,
        ])
        if (faults.length === 0) continue
        const property = fc.asyncProperty(
          arbitrary,
          async (other) => (await faultsWith(other, world)).length === 0,
        )
        const smaller = await smallest(property, { seed: chunkSeed, path: String(index) })
        throw new Error(
          `Request ${first + index} of seed ${seed}: ${faults.join('; ')}\n${printed(request)}${smaller}`,
        )
      }
    }
    const longest = watchLoop()
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    longestMs = Math.max(longestMs, longest())
    await data.mustBeExplained()
  }
  close()
  return { requests, seconds: (performance.now() - started) / 1000, statuses, longestMs }
}

/** Watches how much CPU the event loop takes between two looks at its timers, until the maximum is asked for. */
function watchLoop() {
  let longestMs = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }, 1)
  return () => {
    clearInterval(timer)
    return longestMs
  }
}

/** The smallest request that has a fault too, as far as fast-check finds one. */
async function smallest(property: IAsyncProperty<[FuzzRequest]>, where: { seed: number; path: string }) {
  const { counterexample } = await fc.check(property, { ...where, numRuns: 1 })
  return counterexample ? `\nMade smaller:\n${printed(counterexample[0])}` : ''
}

/** A request for people to read; the token is told by its name. */
function printed({ body, ...request }: FuzzRequest): string {
  return JSON.stringify({ ...request, body: body?.toString('latin1') }, null, 2)
}

async function tokensOf(rounds: Rounds, patients: string[]): Promise<Record<string, string | undefined>> {
  const [patientUid] = patients
  const good = await rounds.token({ patientUid })
  return {
    patient: good,
    carer: await rounds.token({ patientUid: patients }),
    staff: await rounds.token({ scope: 'readings:read' }),
    service: await rounds.token({ scope: 'openid' }),
    clinician: await rounds.token({ scope: 'readings:read readings:withdraw' }),
    consumer: await rounds.token({ sub: 'consumer', scope: 'readings:changes' }),
    manager: await rounds.token({ sub: 'manager', scope: 'webhooks:manage' }),
    doctor: await rounds.token({ sub: 'doctor', doctorId: DOCTOR_ID }),
    stranger: await rounds.token({ patientUid: 'somebody-else' }),
    nobody: await rounds.token({}),
    expired: await rounds.token({ patientUid, exp: 1_762_000_000 }),
    foreign: await rounds.token({ patientUid, aud: 'another-service' }),
    forged: `${good.slice(0, -4)}AAAA`,
    garbage: 'a.b.c',
    none: undefined,
  }
}

/** A doctor whom the first patient lets manage. */
const DOCTOR_ID = 'fuzz-doctor'

/** What requests are made from, with readings for more than one page, and a cursor of each list that comes in pages. */
async function worldOf(
  rounds: Rounds,
  { operations, components }: ApiDocument,
  chunk: number,
): Promise<World> {
  const patients = patientsOf(chunk)
  const [patientUid = ''] = patients
  const tokens = await tokensOf(rounds, patients)
  const token = tokens['patient'] ?? ''
  const body = Array.from({ length: 300 }, (_, n) => ({
    patientUid,
    readingType: `fuzz.${n % 5}`,
    timestamp: n,
    value: n,
  }))
  await rounds.call('/casesheet/readings/add', { token, body })
  const { json } = await rounds.call('/casesheet/readings/get?limit=20', { token })
  const stored = json.data.map(({ readingId, timestamp }) => ({ readingId, timestamp }))
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by) values ($1, $2, 'manage', '', 'fuzz')`,
    [patientUid, DOCTOR_ID],
  )
  const endpointIds = await addEndpoints(rounds, tokens['manager'] ?? '', chunk)
  const cursors = ['invented', 'YXNj']
  for (const { path, parameters = [] } of operations) {
    if (!parameters.some(({ name }) => name === 'cursor')) continue
    const as =
      tokens[
        path.endsWith('/changes') ? 'consumer' : path.startsWith('/webhooks/') ? 'manager' : 'patient'
      ] ?? ''
    await rounds.call(`${path}?limit=1`, { token: as })
    const { nextCursor } = (await rounds.call(`${path}?limit=1`, { token: as })).json
    if (nextCursor) cursors.push(nextCursor)
  }
  return {
    operations,
    schemas: components.schemas as Record<string, Schema>,
    patients,
    tokens,
    patientsIn: { patient: [patientUid], carer: patients },
    cursors,
    stored,
    endpointIds,
  }
}

/** Endpoints for requests to name. Nothing listens there, and those of the chunk before are gone. */
async function addEndpoints(rounds: Rounds, token: string, chunk: number): Promise<string[]> {
  await runSql(rounds.ownerUrl, 'delete from webhooks.endpoints')
  await runSql(rounds.ownerUrl, "delete from casesheet.followers where name like 'webhook:%'")
  const urls = Array.from({ length: 20 }, (_, n) => `https://127.0.0.1:1/${chunk}-${n}`)
  const answers = await Promise.all(
    urls.map((url) =>
      rounds.call('/webhooks/endpoints/add', { token, body: { url, events: ['patient.erased'] } }),
    ),
  )
  return answers.map(({ json }) => Object(json).endpoint.endpointId as string)
}
