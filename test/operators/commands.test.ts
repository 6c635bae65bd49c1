import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { messagesIn, runCommand, serveInProcess } from '../support/process.ts'

test('help names every command, and each command has help of its own', async () => {
  const { code, output } = await runCommand(['--help']).ended
  assert.equal(code, 0)
  const commands = [...output.matchAll(/^ {2}rounds ([a-z-]+(?: [a-z][a-z-]*)?)/gm)].map(
    ([, name = '']) => name,
  )
  assert.deepEqual(commands, [
    'dev',
    'token',
    'token check',
    'serve',
    'migrate',
    'directory import',
    'directory export',
    'patient export',
    'patient erase',
    'patient lift-refusals',
    'import',
    'access-log trim',
    'care rebuild',
    'webhook add',
    'webhook list',
    'webhook attempts',
    'webhook test',
    'webhook pause',
    'webhook resume',
    'webhook replay',
    'webhook skip',
    'webhook rotate-secret',
    'webhook remove',
    'simulate',
    'sizing',
  ])
  for (const name of commands) {
    const help = await runCommand([...name.split(' '), '--help']).ended
    assert.equal(help.code, 0)
    assert.match(help.output, new RegExp(`^rounds ${name}`, 'm'))
  }
})

test('an unknown command is a sentence and exit code 1', async () => {
  // The second is a property of every object.
  for (const name of ['sevre', 'constructor']) {
    const { code, output } = await runCommand([name]).ended
    assert.equal(code, 1)
    assert.equal(output, `There is no command "${name}". "rounds --help" lists them.\n`)
  }
})

test('every bad setting is named in one message, and no value is repeated', async () => {
  const { code, output } = await runCommand(['serve'], {
    DATABASE_URL: 'mysql://secret@somewhere',
    PORT: '99999',
    MODULES: 'appointments,billing',
    CASESHEET_PATH: 'casesheet/',
    LOG_LEVEL: 'loud',
    CORS_ORIGINS: 'https://app.example/path',
    RATE_LIMIT_PER_MINUTE: 'many',
    RATE_LIMIT_BYTES_PER_MINUTE: '4194303',
    RATE_LIMIT_REFUSED_PER_MINUTE: '0',
    PATIENT_BYTES_PER_DAY: '1k',
    MAX_READING_AHEAD_SECONDS: '-1',
    STOP_DELAY_SECONDS: '-1',
    TRUST_PROXY: '10.0.0.0/33',
    ERASURE_KEY: 'short-and-secret',
  }).ended
  assert.equal(code, 1)
  const named = [...messagesIn(output).matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name = '']) => name)
  assert.deepEqual(named.toSorted(), [
    'AUTH_AUDIENCE',
    'AUTH_ISSUER',
    'CASESHEET_PATH',
    'CORS_ORIGINS',
    'DATABASE_URL',
    'ERASURE_KEY',
    'LOG_LEVEL',
    'MAX_READING_AHEAD_SECONDS',
    'MODULES',
    'PATIENT_BYTES_PER_DAY',
    'PORT',
    'RATE_LIMIT_BYTES_PER_MINUTE',
    'RATE_LIMIT_PER_MINUTE',
    'RATE_LIMIT_REFUSED_PER_MINUTE',
    'STOP_DELAY_SECONDS',
    'TRUST_PROXY',
  ])
  assert.doesNotMatch(output, /secret|99999|billing|loud|many\b/)
})

test('a certificate that cannot be read, a port that serves twice and paths that clash are reported at the start', async () => {
  const { code, output } = await runCommand(['serve'], {
    DATABASE_URL: 'postgres://api@localhost/rounds?sslmode=verify-full&sslrootcert=/nowhere/secret.pem',
    AUTH_ISSUER: 'https://id.example,https://other.example',
    AUTH_AUDIENCE: 'rounds',
    AUTH_JWKS_URL: 'https://id.example/jwks',
    PORT: '8080',
    ADMIN_PORT: '8080',
    CASESHEET_PATH: '/appointments',
  }).ended
  assert.equal(code, 1)
  assert.deepEqual(
    [...messagesIn(output).matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name = '']) => name),
    ['DATABASE_URL', 'AUTH_JWKS_URL', 'APPOINTMENTS_PATH', 'PORT'],
  )
  assert.doesNotMatch(output, /secret|nowhere/)
})

test('migrate brings an empty database up to date and then has nothing to do', async () => {
  const { ownerUrl } = await createDatabase()
  const { code, output } = await runCommand(['migrate'], { DATABASE_URL: ownerUrl }).ended
  assert.deepEqual([code, output], [0, 'The database is up to date.\n'])
})

test('one module can be served alone, under a path of its own', async () => {
  const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const server = await serveInProcess({
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    MODULES: 'casesheet',
    CASESHEET_PATH: '/api/readings-of',
  })
  const headers = { authorization: `Bearer ${await issuer.token({ patientUid: 'p1' })}` }
  assert.equal((await fetch(`${server.url}/api/readings-of/readings/get`, { headers })).status, 200)
  assert.equal((await fetch(`${server.url}/casesheet/readings/get`, { headers })).status, 404)
  assert.equal((await fetch(`${server.url}/appointments/doctors/list`, { headers })).status, 404)
  server.child.kill('SIGINT')
  assert.equal((await server.ended).code, 0)
  await issuer.stop()
})

test('a port that is taken is a sentence and exit code 1, and nothing stays behind', async () => {
  const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const { code, output } = await runCommand(['serve'], {
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    HOST: '127.0.0.1',
    PORT: new URL(issuer.url).port,
    ADMIN_PORT: '0',
  }).ended
  assert.equal(code, 1)
  const sentence = 'Rounds cannot listen where HOST, PORT, ADMIN_HOST and ADMIN_PORT say (EADDRINUSE).\n'
  assert.ok(messagesIn(output).includes(sentence), output)
  assert.deepEqual(
    lifeIn(output).map(({ msg }) => msg),
    ['starting', 'stopping', 'stopped'],
  )
})

test('serve logs that it is starting, started, stopping and why, and stopped, with the time that each took', async () => {
  const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const server = await serveInProcess({
      DATABASE_URL: serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
    })
    server.child.kill(signal)
    const { code, output } = await server.ended
    assert.equal(code, 0)
    const [starting, started, stopping, stopped, ...others] = lifeIn(output)
    assert.deepEqual(
      [starting?.msg, started?.msg, stopping?.msg, stopped?.msg, others],
      ['starting', 'started', 'stopping', 'stopped', []],
    )
    assert.match(String(starting?.version), /^\d+\.\d+\.\d+$/)
    assert.match(String(starting?.commit), /^[0-9a-f]{7}(, changed)?$/)
    assert.deepEqual(
      [started?.url, started?.adminUrl, stopping?.reason],
      [server.url, server.adminUrl, signal],
    )
    for (const line of [started, stopped]) assert.ok(Number(line?.ms) >= 0 && Number(line?.ms) < 60_000)
  }
  await issuer.stop()
})

type LifeLine = Record<'msg' | 'version' | 'commit' | 'url' | 'adminUrl' | 'reason' | 'ms', unknown>

/** The lines of the log that are about the process itself. */
function lifeIn(output: string): LifeLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LifeLine)
    .filter(({ msg }) => /^(start|stop)(ing|ed|ped|ping)$/.test(String(msg)))
}

test('SIGTERM finishes what is in flight and ends with exit code 0, idle connections or not', async () => {
  const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const server = await serveInProcess({
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
  })
  const token = await issuer.token({ patientUid: 'p1' })
  const { hostname, port } = new URL(server.url)
  const body = JSON.stringify({ patientUid: 'p1', readingType: 'acme.x', timestamp: 1 })
  const head = `POST /casesheet/readings/add HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  // A keep-alive connection that has had its answer, and one whose request is half sent when the signal comes.
  const idle = connect(Number(port), hostname).on('error', () => {})
  idle.write(head + body)
  await new Promise((answered) => idle.once('data', answered))
  const busy = connect(Number(port), hostname)
  busy.write(head + body.slice(0, 5))
  const untilAnswered = new Promise<string>((answered) => busy.setEncoding('utf8').once('data', answered))
  // The server has the half request once it has answered a whole one that was sent after it.
  assert.equal((await fetch(`${server.url}/openapi.json`)).status, 200)
  const started = Date.now()
  server.child.kill('SIGTERM')
  busy.write(body.slice(5))
  assert.match(await untilAnswered, /^HTTP\/1\.1 200 OK/)
  const { code } = await server.ended
  assert.equal(code, 0)
  assert.ok(Date.now() - started < 5_000)
  await issuer.stop()
})
