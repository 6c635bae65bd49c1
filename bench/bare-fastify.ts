// A yardstick: Fastify answering each path with the same bytes every time, from a file "<path> <file>" a line.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const app = Fastify()
for (const line of readFileSync(process.env['ROUTES'] ?? '', 'utf8')
  .trim()
  .split('\n')) {
  const [path = '', file = ''] = line.split(' ')
  const body = readFileSync(file)
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once('SIGTERM', () => process.exit(0))
