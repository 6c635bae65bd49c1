import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createMetrics } from '../../metrics/metrics.ts'
import { compressFor } from './compress.ts'
import { answerErrors, countRefusals } from './errors.ts'

test('a reader who goes away stops the source of what is compressed', async () => {
  async function* endless() {
    for (;;) yield 'x'.repeat(10_000)
  }
  const source = Readable.from(endless())
  const { stream } = compressFor('gzip', source)
  const closed = new Promise((done) => source.once('close', done))
  stream.once('data', () => stream.destroy())
  await closed
  assert.ok(source.destroyed)
})

test('a stream that fails before its first byte leaves no word of what it would have been', async () => {
  const app = Fastify()
  answerErrors(app, countRefusals(createMetrics()))
  app.get('/', (_, reply) =>
    reply
      .headers({ 'content-encoding': 'gzip', 'content-disposition': 'attachment; filename="readings.csv"' })
      .send(
        new Readable({
          read() {
            this.destroy(new Error('failed'))
          },
        }),
      ),
  )
  const { statusCode, headers } = await app.inject('/')
  assert.equal(statusCode, 500)
  assert.deepEqual([headers['content-encoding'], headers['content-disposition']], [undefined, undefined])
  await app.close()
})
