// Traces, as deploy/monitoring/traces.mjs sends them: a real server with that file, and a receiver of OTLP in JSON.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { AUDIENCE, closeServer, createDatabase, listen, runSql, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
}
type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

const SECRET = `secret-${randomUUID()}`

async function startReceiver() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  after(() => closeServer(server))
  const spans = () =>
    bodies
      .flatMap((body) => (JSON.parse(body) as Sent).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  return { url: await listen(server), text: () => bodies.join('\n'), spans }
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

test('requests and their statements are traced, and no person is in any span', async () => {
  const [receiver, database, issuer] = await Promise.all([startReceiver(), createDatabase(), startIssuer()])
  const rounds = await serveInProcess({
    DATABASE_URL: database.serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    NODE_OPTIONS: '--import ./deploy/monitoring/traces.mjs',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  })
  const token = await issuer.token({ patientUid: SECRET, sub: `${SECRET}-subject` })
  const send = async (path: string, headers: Record<string, string> = {}, body?: object) => {
    const response = await fetch(rounds.url + path, {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': SECRET,
        ...headers,
      },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    await response.text()
    return response.status
  }
  const add = '/casesheet/readings/add'
  const reading = { patientUid: SECRET, readingType: 'acme.note', timestamp: 1, note: SECRET }
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  assert.equal(await send(add, { traceparent: `00-${traceId}-b7ad6b7169203331-01` }, reading), 200)
  assert.equal(await send(`/casesheet/readings/get?patientUid=${SECRET}`), 200)
  assert.equal(await send(`/appointments/doctors/list?q=${SECRET}`), 200)
  assert.equal(await send(`/nothing/${SECRET}`), 404)
  await runSql(
    database.ownerUrl,
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'not %', new.patient_uid; end $$;
     create trigger refuse before insert on casesheet.readings for each row execute function refuse()`,
  )
  assert.equal(await send(add, {}, { ...reading, timestamp: 2 }), 500)
  rounds.child.kill('SIGTERM')
  assert.equal((await rounds.ended).code, 0)

  const spans = receiver.spans()
  const spanOf = (name: string) => spans.find((span) => span.name === name) ?? assert.fail(`no span ${name}`)
  for (const [route, statement] of [
    ['GET /casesheet/readings/get', /casesheet\.access_log/],
    ['GET /appointments/doctors/list', /appointments\.doctors/],
    [`POST ${add}`, /insert into casesheet\.readings/],
  ] as const) {
    const request = spanOf(route)
    const below = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId).map(attributesOf)
    assert.ok(
      below.some((attributes) => statement.test(String(attributes['db.query.text']))),
      route,
    )
  }
  assert.equal(spanOf(`POST ${add}`).traceId, traceId)
  const { 'http.request.method': method, 'http.response.status_code': status } = attributesOf(spanOf('GET'))
  assert.deepEqual([method, status], ['GET', 404])
  assert.ok(spans.some((span) => attributesOf(span)['http.response.status_code'] === 500))
  for (const secret of [SECRET, token]) assert.equal(receiver.text().includes(secret), false, secret)
})

test('the packages of the image with traces are those that were tried', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
  const named = [
    ...read('deploy/monitoring/traces.dockerfile').matchAll(/(@opentelemetry\/[\w-]+)@([\d.]+)/g),
  ]
  assert.deepEqual(
    named.map(([, name, version]) => [name, version]),
    Object.entries(devDependencies).filter(([name]) => name.startsWith('@opentelemetry/')),
  )
})
