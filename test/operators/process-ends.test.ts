// A process ends when it is asked to: whatever it is connected to, and with all of its output.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryDirectory } from '../support/dev.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { type Command, messagesIn, runCommand, serveInProcess, untilSaid } from '../support/process.ts'

/** Accepts connections and leads each to `target`, or nowhere; frozen, it passes nothing on and closes nothing. */
async function startGate(target?: string) {
  const sockets = new Set<Socket>()
  let isFrozen = target === undefined
  const gate = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => {}))
    if (target === undefined) return
    const other = connect({ path: target, allowHalfOpen: true }).on('error', () => {})
    sockets.add(other)
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const)
      from.on('data', (data) => isFrozen || to.write(data)).on('end', () => isFrozen || to.end())
  })
  await new Promise<void>((done) => gate.listen(0, '127.0.0.1', done))
  after(() => {
    gate.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    host: `127.0.0.1:${(gate.address() as AddressInfo).port}`,
    freeze: () => void (isFrozen = true),
  }
}

type Ending = { ended: Promise<{ code: number | null; output: string }>; kill: () => void }

/** How it ended after a signal, within this time. */
async function endWithin({ ended, kill }: Ending, seconds: number) {
  kill()
  const late = pause(seconds * 1_000, undefined, { ref: false }).then(() => assert.fail('it goes on'))
  return Promise.race([ended, late])
}

/** Stops a server: it ends with 0 and leaves nothing, as soon as its log says that it has stopped. */
async function mustEndWhenItSaysSo(serving: Command) {
  serving.child.kill('SIGTERM')
  await untilSaid(serving, /"msg":"stopped"/, 30_000)
  const saidAt = performance.now()
  const { code, output } = await endWithin({ ended: serving.ended, kill: () => {} }, 30)
  const livedMs = performance.now() - saidAt
  assert.equal(code, 0, output)
  assert.doesNotMatch(output, /something was left/)
  assert.ok(livedMs < 2_000, `it lived for ${livedMs} ms more`)
}

const SETTINGS = { AUTH_AUDIENCE: AUDIENCE, STOP_DELAY_SECONDS: '0', REQUEST_DEADLINE_SECONDS: '2' }

async function serveAt(databaseUrl: string, issuer: string, more: Record<string, string> = {}) {
  const serving = await serveInProcess({
    ...SETTINGS,
    DATABASE_URL: databaseUrl,
    AUTH_ISSUER: issuer,
    ...more,
  })
  return { ...serving, kill: () => void serving.child.kill('SIGTERM') }
}

test('serve stops, with 0, although neither its database nor its issuer ever answers', async () => {
  const { host } = await startGate()
  const serving = await serveAt(`postgres://api@${host}/rounds`, `http://${host}`)
  await mustEndWhenItSaysSo(serving)
})

test('serve stops, with 0, when the database freezes while its connections are idle', async () => {
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const { hostname, pathname, username } = new URL(database.serveUrl)
  const gate = await startGate(join(decodeURIComponent(hostname), '.s.PGSQL.5432'))
  const serving = await serveAt(`postgres://${username}@${gate.host}${pathname}`, issuer.url)
  const token = await issuer.token({ patientUid: 'p1' })
  for (const path of ['/casesheet/readings/get', '/appointments/doctors/list'])
    await fetch(`${serving.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  gate.freeze()
  await mustEndWhenItSaysSo(serving)
})

/** Clients that hold a server in every way: none of them ends by itself. */
async function holdConnections(url: string, { adminUrl, token }: { adminUrl: string; token: string }) {
  const { hostname, port } = new URL(url)
  const head = (method: string, path: string) =>
    `${method} /casesheet/readings/${path} HTTP/1.1\r\nhost: rounds\r\nauthorization: Bearer ${token}\r\n`
  const add = `${head('POST', 'add')}content-type: application/json\r\ncontent-length: 60000\r\n\r\n{`
  const held = ['', 'GET / HT', add, `${head('GET', 'stream')}\r\n`, `${head('GET', 'get')}\r\n`]
  const sockets = held.flatMap((sent) =>
    [1, 2, 3].map(() => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.write(sent)
      return socket
    }),
  )
  // The admin port keeps connections too.
  const admin = connect(Number(new URL(adminUrl).port), hostname).on('error', () => {})
  admin.write('GET /metrics HTTP/1.1\r\nhost: rounds\r\n\r\n')
  sockets.push(admin)
  after(() => sockets.forEach((socket) => socket.destroy()))
  const isAnswered = (socket: Socket) => new Promise((done) => socket.once('data', done))
  await Promise.all(sockets.slice(9).map(isAnswered))
}

test('a stopped process ends when its log says so, whatever its clients hold open', async () => {
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const serving = await serveAt(database.serveUrl, issuer.url, { STOP_DELAY_SECONDS: '2' })
  const { url, adminUrl } = serving
  const token = await issuer.token({ patientUid: 'p1' })
  await holdConnections(url, { adminUrl, token })
  // A request that waits for a lock of the database until its deadline.
  const letGo = await slowInserts(database.ownerUrl)
  const adding = fetch(`${url}/casesheet/readings/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ patientUid: 'p1', readingType: 'acme.step', timestamp: 1 }),
  }).then(({ status }) => status)
  await mustEndWhenItSaysSo(serving)
  assert.equal(await adding, 503)
  await letGo()
})

test('serve ends itself, with 1 and a line in the log, when its stop never ends', async () => {
  const hang = join(temporaryDirectory(), 'hang.cjs')
  const driver = join(import.meta.dirname, '../../node_modules/pg')
  writeFileSync(hang, `require(${JSON.stringify(driver)}).Pool.prototype.end = () => new Promise(() => {})`)
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const serving = await serveAt(database.serveUrl, issuer.url, { NODE_OPTIONS: `--require=${hang}` })
  const { code, output } = await endWithin(serving, 60)
  assert.equal(code, 1, output)
  assert.match(output, /"left":\{.*"msg":"the stop took too long: the process ends itself"/)
  assert.match(messagesIn(output), /^Rounds did not stop in time\. The log says what was left\.$/m)
})

test('a handle that is left when everything has stopped is cut, and named', async () => {
  const leave = join(temporaryDirectory(), 'leave.cjs')
  writeFileSync(leave, 'setInterval(() => {}, 1_000)')
  const { ended } = runCommand(['--version'], { NODE_OPTIONS: `--require=${leave}` })
  const { code, output } = await endWithin({ ended, kill: () => {} }, 60)
  assert.equal(code, 0, output)
  assert.match(output, /^rounds \d.*\nThe process ends although something was left: .*Timeout/)
})

test('a command ends, with a sentence, although the database never answers', async () => {
  const { host } = await startGate()
  const DATABASE_URL = `postgres://owner@${host}/rounds`
  const commands = [
    ['migrate'],
    ['access-log', 'trim', '--before', '2020-01-01', '--by', 'test', '--dry-run'],
    ['directory', 'export'],
  ]
  await Promise.all(
    commands.map(async (args) => {
      const { ended } = runCommand(args, { DATABASE_URL })
      const { code, output } = await endWithin({ ended, kill: () => {} }, 90)
      assert.equal(code, 1, `${args.join(' ')}: ${output}`)
      assert.match(output, /^The database .*\.$/m)
    }),
  )
})

test('a command whose output is read slowly ends after all of it was read', async () => {
  const { ownerUrl } = await createDatabase()
  await runSql(
    ownerUrl,
    `insert into appointments.specialities (speciality_id, title) select n, 'Invented speciality ' || repeat('x', 200) || n from generate_series(1, 3000) n`,
  )
  const startExport = () =>
    spawn(process.execPath, ['src/cli.ts', 'directory', 'export'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], DATABASE_URL: ownerUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    }).stdout
  const specialitiesIn = async (output: Readable) =>
    (JSON.parse(await text(output)) as { specialities: unknown[] }).specialities.length
  const slowly = startExport()
  await once(slowly, 'readable')
  // Meanwhile another export begins, is read, and ends.
  assert.equal(await specialitiesIn(startExport()), 3_000)
  assert.equal(await specialitiesIn(slowly), 3_000)
})
