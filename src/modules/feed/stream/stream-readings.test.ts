import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds()

type Event = {
  id: string
  event: string
  data: { state?: string; reading?: Record<string, unknown>; reason?: string }
}

/** Opens a stream and gives its events one by one. */
async function watch(
  token: string,
  { lastEventId, patientUid }: { lastEventId?: string; patientUid?: string } = {},
) {
  const leaving = new AbortController()
  const query = patientUid === undefined ? '' : `?patientUid=${patientUid}`
  const response = await fetch(`${rounds.url}/casesheet/readings/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    // A transaction of another test may hold events back for a moment.
    signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]),
  })
  assert.equal(response.status, 200)
  assert.match(String(response.headers.get('content-type')), /^text\/event-stream/)
  assert.ok(response.body)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let id = lastEventId ?? ''
  async function next(): Promise<Event> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end === -1) {
        const { value, done } = await reader.read()
        if (done) throw new Error('The stream has ended.')
        text += value
        continue
      }
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      text = text.slice(end + 2)
      if (fields['id']) id = fields['id']
      // A transaction of another test may hold the feed back.
      if (fields['event'] === 'delay') continue
      if (fields['event']) return { id, event: fields['event'], data: JSON.parse(fields['data'] ?? '{}') }
    }
  }
  return { next, leave: () => leaving.abort(), lastId: () => id }
}

async function patient() {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid, sub: `phone-${patientUid}` })
  const post = (verb: string, body: object) => rounds.call(`/casesheet/readings/${verb}`, { token, body })
  const add = async (timestamp: number) => {
    const { status } = await post('add', { patientUid, readingType: 'acme.step', timestamp, steps: 5 })
    assert.equal(status, 200)
  }
  const stored = async () => (await rounds.call('/casesheet/readings/get', { token })).json.data
  return { patientUid, token, post, add, stored }
}

test('a reading appears on the screen once it is committed, and again when it is withdrawn', async () => {
  const { add, stored, token, post, patientUid } = await patient()
  const { next, leave } = await watch(token)
  assert.equal((await next()).event, 'open')
  await add(1_000)
  const [reading] = await stored()
  const added = await next()
  assert.deepEqual([added.event, added.data], ['change', { state: 'present', reading }])
  await post('withdraw', { patientUid, readingId: reading?.['readingId'], timestamp: 1_000, reason: 'twice' })
  const withdrawn = await next()
  assert.equal(withdrawn.data.state, 'withdrawn')
  leave()
})

test('only the changes of the patient are shown, and the access log says to whom', async () => {
  const [one, other] = [await patient(), await patient()]
  const { next, leave } = await watch(one.token)
  await next()
  await other.add(1)
  await one.add(2)
  const { data } = await next()
  assert.equal(data.reading?.['patientUid'], one.patientUid)
  leave()
  const { json } = await rounds.call('/casesheet/readings/access-log', { token: one.token })
  const entry = json.data.find(({ operation }) => operation === 'readings/stream')
  assert.deepEqual(
    [entry?.['readBy'], entry?.['readingsCount'], entry?.['allowedAs']],
    [`phone-${one.patientUid}`, 1, 'patient'],
  )
})

test('a stream goes on behind the last event, and one that lies too far back is reset', async () => {
  const { add, token } = await patient()
  const first = await watch(token)
  await first.next()
  await add(1)
  await first.next()
  first.leave()
  await add(2)
  await add(3)
  const second = await watch(token, { lastEventId: first.lastId() })
  assert.equal((await second.next()).event, 'open')
  const missed = [await second.next(), await second.next()]
  assert.deepEqual(
    missed.map(({ data }) => data.reading?.['timestamp']),
    [2, 3],
  )
  second.leave()
  for (const lastEventId of ['made-up', `99.1.${randomUUID()}`]) {
    const third = await watch(token, { lastEventId })
    assert.deepEqual([(await third.next()).event, (await third.next()).event], ['open', 'reset'])
    third.leave()
  }
})

test('the rights are those of readings/get', async () => {
  const [one, other] = [await patient(), await patient()]
  const call = (token: string) =>
    rounds.call(`/casesheet/readings/stream?patientUid=${one.patientUid}`, { token })
  assertRefused(await call(other.token), 403, 'PatientMismatch')
  const staff = await watch(await rounds.token({ scope: 'readings:read' }), { patientUid: one.patientUid })
  assert.equal((await staff.next()).event, 'open')
  staff.leave()
})

test('a stream ends when its token expires', async () => {
  const { patientUid } = await patient()
  const token = await rounds.token({ patientUid, exp: Math.floor(Date.now() / 1_000) + 60 })
  const { next } = await watch(token)
  await next()
  rounds.skip(61_000)
  assert.deepEqual((await next()).data, { reason: 'expired' })
  rounds.skip(-61_000)
})

test('one subject may open twenty streams, and no more', async () => {
  const { token } = await patient()
  const open = await Promise.all(Array.from({ length: 20 }, () => watch(token)))
  assertRefused(await rounds.call('/casesheet/readings/stream', { token }), 429, 'RateLimited')
  for (const { leave } of open) leave()
})

test('streams end at once when the server stops', async () => {
  const { token } = await patient()
  const { next } = await watch(token)
  await next()
  const stopping = rounds.stop()
  assert.deepEqual((await next()).data, { reason: 'stopping' })
  await stopping
})
