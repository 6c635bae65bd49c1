// Two processes of `rounds serve` on one database, and invented patients and doctors who use both of them.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { fillDirectory } from '../support/directory.ts'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { serveForLoad } from '../support/process.ts'
import { NOTE, type SharedPatient } from './reads.ts'

export type Answered = { status: number; headers: Headers; text: string }
export type Stage = Awaited<ReturnType<typeof startStage>>

export async function startStage(doctorIds: string[], processes = 2) {
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  await fillDirectory(database.ownerUrl, {
    doctors: doctorIds.map((doctorId) => ({
      doctorId,
      name: `Dr. ${doctorId} (invented)`,
      specialities: [],
    })),
  })
  const FHIR_ID_KEY = randomBytes(32).toString('base64')
  const servers = await Promise.all(
    Array.from({ length: processes }, () =>
      serveForLoad({
        DATABASE_URL: database.serveUrl,
        AUTH_ISSUER: issuer.url,
        AUTH_AUDIENCE: AUDIENCE,
        MODULES: 'appointments,casesheet,care,fhir',
        FHIR_ID_KEY,
        RATE_LIMIT_REFUSED_PER_MINUTE: '1000000000',
        MAX_REQUESTS_WHEN_BUSY: '10000',
      }),
    ),
  )
  const urls = servers.map(({ url }) => url)

  /** Sends a request to the n-th process; a body makes it a POST. */
  async function call(
    nth: number,
    path: string,
    { token, body, headers = {} }: { token: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answered> {
    const response = await fetch(`${urls[nth % urls.length]}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** A patient with readings of these types, one after the other, each with a note that names its type. */
  async function newPatient(types: string[]): Promise<SharedPatient> {
    const patientUid = randomUUID()
    const token = await issuer.token({ sub: patientUid, patientUid })
    const body = types.map((readingType, index) => ({
      patientUid,
      readingType,
      timestamp: 1_700_000_000 + index,
      value: 61 + index,
      note: NOTE(readingType),
    }))
    const added = await call(0, '/casesheet/readings/add', { token, body })
    assert.equal(added.status, 200, added.text)
    const page = await call(0, `/casesheet/readings/get?patientUid=${patientUid}&limit=2`, { token })
    const found = await call(0, `/fhir/Observation?patient=${patientUid}&_sort=date`, { token })
    const { entry } = JSON.parse(found.text) as { entry: { resource: { id: string } }[] }
    const { nextCursor } = JSON.parse(page.text) as { nextCursor: string }
    return {
      patientUid,
      token,
      types,
      secondPage: nextCursor,
      observations: entry.map((one) => one.resource.id),
    }
  }

  /** The patient gives the doctor a grant, or takes it back. */
  const give = (nth: number, { patientUid, token }: SharedPatient, grant: Record<string, unknown>) =>
    call(nth, '/casesheet/grants/add', { token, body: { patientUid, permission: 'view', ...grant } })
  const revoke = (nth: number, { patientUid, token }: SharedPatient, doctorId: string) =>
    call(nth, '/casesheet/grants/revoke', { token, body: { patientUid, doctorId } })

  const doctorToken = (doctorId: string) => issuer.token({ sub: `subject-of-${doctorId}`, doctorId })
  return { ...database, issuer, servers, urls, call, newPatient, give, revoke, doctorToken }
}
