import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const key = Buffer.from(process.env['WEBHOOK_SECRET']?.split('whsec_')[1] ?? '', 'base64')
if (key.length < 24) throw new Error('WEBHOOK_SECRET must be the secret of the endpoint.')
const db = new DatabaseSync('copy.db', { timeout: 5_000 })
db.exec('create table if not exists copy (id text primary key, change text)')
const sqlFor: Record<string, string> = {
  'readings.changed': `replace into copy select value -> 'reading' ->> 'readingId', value
    from json_each(?, '$.data.changes')`,
  'patient.erased': `delete from copy where change -> 'reading' ->> 'patientUid' in
    (select value ->> 'patientUid' from json_each(?, '$.data.changes'))`,
  'feed.reset': 'delete from copy where ? is not null',
}
const hmac = (text: string) => createHmac('sha256', key).update(text).digest()
createServer(async (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = request.headers
  if (!(Number(request.headers['content-length']) <= 1e6)) return response.writeHead(413).end()
  const body = Buffer.concat(await request.toArray().catch(() => [])).toString()
  const right = hmac(`v1,${hmac(`${id}.${time}.${body}`).toString('base64')}`)
  const isSigned = `${given}`.split(' ').some((each) => timingSafeEqual(hmac(each), right))
  const isNow = Math.abs(Date.now() / 1000 - Number(time)) <= 300
  if (isSigned && isNow) db.prepare(sqlFor[JSON.parse(body).type] ?? 'select ?').run(body)
  response.writeHead(isSigned && isNow ? 204 : 401).end()
}).listen(8000, '127.0.0.1')
