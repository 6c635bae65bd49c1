import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { createRoundsClient, RoundsError } from '../src/client.ts'

/** A stream that is open until it is cut. */
function streamOf(answers: ReadableStreamDefaultController<Uint8Array>[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      answers.push(controller)
      controller.enqueue(new TextEncoder().encode('retry: 500\nid: 1\nevent: open\ndata: {}\n\n'))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

test('watch says when the stream is open, when it is lost, and nothing after it was stopped', async () => {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const seen: boolean[] = []
  const client = createRoundsClient({
    url: 'https://rounds.example',
    token: 'token',
    fetch: async () => streamOf(streams),
  })
  const stop = client.watch({
    patientUid: 'patient-1',
    onChange: () => undefined,
    onReset: () => undefined,
    onConnection: (isOpen) => void seen.push(isOpen),
  })
  await until(() => seen.length === 1)
  streams[0]?.close()
  await until(() => seen.length === 3)
  stop()
  streams[1]?.error(new Error('cut'))
  // Another one is opened and cut afterwards, and says both.
  const others: boolean[] = []
  const stopOther = client.watch({
    onChange: () => undefined,
    onReset: () => undefined,
    onConnection: (isOpen) => void others.push(isOpen),
  })
  await until(() => others.length === 1)
  streams[2]?.error(new Error('cut'))
  await until(() => others.length === 2)
  stopOther()
  assert.deepEqual(
    [seen, others],
    [
      [true, false, true],
      [true, false],
    ],
  )
})

test('a stream that is refused was never open', async () => {
  const seen: boolean[] = []
  const refusal = { status: 'error', code: 'PatientMismatch', message: 'Another patient.', requestId: 'r' }
  const client = createRoundsClient({
    url: 'https://rounds.example',
    token: 'token',
    fetch: async () => Response.json(refusal, { status: 403 }),
  })
  const error = await new Promise((onEnd) => {
    client.watch({
      onChange: () => undefined,
      onReset: () => undefined,
      onConnection: (isOpen) => void seen.push(isOpen),
      onEnd,
    })
  })
  assert.ok(error instanceof RoundsError && error.status === 403)
  assert.deepEqual(seen, [])
})

/** An answer as React Native has it: without a body that could be read piece by piece. */
function withoutStream(): Response {
  const response = new Response('', { headers: { 'content-type': 'text/event-stream' } })
  Object.defineProperty(response, 'body', { value: null })
  return response
}

test('without streams the caller reads again and again, and a failed read is tried again', async () => {
  const seen: boolean[] = []
  let [requests, reads] = [0, 0]
  const client = createRoundsClient({
    url: 'https://rounds.example',
    token: 'token',
    fetch: async () => {
      requests++
      return withoutStream()
    },
  })
  const stop = client.watch({
    onChange: () => assert.fail('there is no stream'),
    onReset: () => {
      reads++
      if (reads === 2)
        throw new RoundsError({ code: 'ConnectionFailed', message: 'Offline.', retryable: true })
    },
    onConnection: (isOpen) => void seen.push(isOpen),
    onEnd: (error) => assert.fail(String(error)),
    pollMs: 5,
  })
  await until(() => reads >= 5)
  stop()
  const readsAtStop = reads
  // Another one reads as often meanwhile.
  let others = 0
  const stopOther = createRoundsClient({
    url: 'https://rounds.example',
    token: 'token',
    fetch: async () => withoutStream(),
  }).watch({ onChange: () => undefined, onReset: () => void others++, pollMs: 5 })
  await until(() => others >= 5)
  stopOther()
  assert.deepEqual([requests, reads - readsAtStop], [1, 0])
  assert.deepEqual(seen, [true, false, true])
})

test('where the platform has no streams none is asked for, and what does not pass ends the watch', async (t) => {
  const body = Object.getOwnPropertyDescriptor(Response.prototype, 'body')
  assert.ok(body)
  Reflect.deleteProperty(Response.prototype, 'body')
  t.after(() => Object.defineProperty(Response.prototype, 'body', body))
  const client = createRoundsClient({
    url: 'https://rounds.example',
    token: 'token',
    fetch: async () => assert.fail('a stream would never be answered'),
  })
  const refusal = new RoundsError({
    code: 'PatientMismatch',
    message: 'Another.',
    retryable: false,
    status: 403,
  })
  let reads = 0
  const error = await new Promise((onEnd) => {
    client.watch({
      onChange: () => undefined,
      onReset: () => {
        if (++reads === 3) throw refusal
      },
      onEnd,
      pollMs: 5,
    })
  })
  assert.deepEqual([error, reads], [refusal, 3])
})

test('what pollMs is must be a time', () => {
  const client = createRoundsClient({ url: 'https://rounds.example', token: 'token' })
  const options = { onChange: () => undefined, onReset: () => undefined, pollMs: 0 }
  assert.throws(() => client.watch(options), /pollMs/)
})

test('what onConnection is must be a function', () => {
  const client = createRoundsClient({ url: 'https://rounds.example', token: 'token' })
  const options = { onChange: () => undefined, onReset: () => undefined, onConnection: true }
  assert.throws(() => client.watch(options as never), /onConnection/)
})
