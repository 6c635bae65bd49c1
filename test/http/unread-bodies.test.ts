// What can be decided without the body is decided before it is read: the answer comes while most of the body has not been sent.
// What follows is dropped, and the connection can be used again.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startRounds } from '../support/harness.ts'

const rounds = await startRounds({ CORS_ORIGINS: 'https://app.example' })
const { hostname, port } = new URL(rounds.url)
const BODY = Buffer.alloc(4 * 1_024 * 1_024, ' ')
const ADD = '/casesheet/readings/add'

const patient = await rounds.token({ patientUid: 'p1' })
const staff = await rounds.token({ scope: 'readings:read' })

const CASES: Record<string, [method: string, path: string, token: string | undefined, code: string]> = {
  'an address where nothing is': ['POST', '/nothing', undefined, 'NotFound'],
  'another method': ['PUT', ADD, undefined, 'MethodNotAllowed'],
  'no token': ['POST', ADD, undefined, 'TokenMissing'],
  'a token that is not valid': ['POST', ADD, `${patient.slice(0, -4)}AAAA`, 'TokenInvalid'],
  'a token that names no patient': ['POST', ADD, staff, 'PatientNotInToken'],
  'a query that is not known': ['POST', `${ADD}?a=1`, patient, 'ValidationFailed'],
}

for (const [name, [method, path, token, code]] of Object.entries(CASES)) {
  test(`${name} is answered before the body is read`, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const call = request({
      agent,
      hostname,
      port,
      method,
      path,
      headers: {
        'content-type': 'application/json',
        'content-length': BODY.length,
        origin: 'https://app.example',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    })
    call.write(BODY.subarray(0, 1_000))
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    assert.equal((await json(answer)).code, code)
    assert.equal(answer.headers['access-control-allow-origin'], 'https://app.example')
    call.end(BODY.subarray(1_000))
    await once(call, 'close')

    const next = request({ agent, hostname, port, path: '/nothing' }).end()
    const [second] = (await once(next, 'response')) as [IncomingMessage]
    assert.deepEqual([next.reusedSocket, second.statusCode], [true, 404])
    agent.destroy()
  })
}

async function json(answer: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as { code: string }
}
