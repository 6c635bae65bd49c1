import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../test/until.ts'
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
  await pause(20)
  assert.deepEqual(seen, [true, false, true])
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

test('what onConnection is must be a function', () => {
  const client = createRoundsClient({ url: 'https://rounds.example', token: 'token' })
  const options = { onChange: () => undefined, onReset: () => undefined, onConnection: true }
  assert.throws(() => client.watch(options as never), /onConnection/)
})
