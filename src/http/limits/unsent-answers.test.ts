import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { until } from '../../../test/support/until.ts'
import { boundUnsentAnswers } from './unsent-answers.ts'

test('answers to clients that had disconnected before them take no room: a slow reader is not cut for them', async () => {
  const app = Fastify()
  boundUnsentAnswers(app)
  const mayAnswer = Promise.withResolvers<void>()
  let [arrived, closed, answered] = [0, 0, 0]
  app.addHook('onSend', async () => void answered++)
  app.get('/late', async (_request, reply) => {
    arrived++
    reply.raw.once('close', () => closed++)
    await mayAnswer.promise
    return 'x'.repeat(1_048_576)
  })
  app.get('/large', async () => 'x'.repeat(16 * 1_048_576))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  after(() => app.close())

  const leaving = Array.from({ length: 80 }, () => get(`${url}/late`, { agent: false }).on('error', () => {}))
  await until(() => arrived === leaving.length)
  for (const request of leaving) request.destroy()
  await until(() => closed === leaving.length)
  mayAnswer.resolve()
  await until(() => answered === leaving.length)

  const received = await new Promise<number>((done, fail) => {
    get(`${url}/large`, { agent: false }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => done(bytes)).on('error', fail)
    }).on('error', fail)
  })
  assert.equal(received, 16 * 1_048_576)
})
