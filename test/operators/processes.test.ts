// `PROCESSES=2 rounds serve`: one service to its clients, to Prometheus and to a service manager.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/dev.ts'
import { AUDIENCE, createDatabase, listen, runSql, startIssuer } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { mustHaveLostNothing, playPatients } from '../support/patient-phone.ts'
import {
  type Command,
  messagesIn,
  runCommand,
  runProgram,
  serveForLoad,
  serveInProcess,
  untilSaid,
} from '../support/process.ts'
import { find, scrape } from '../support/scrape.ts'
import { until } from '../support/until.ts'

const issuer = await startIssuer()
const GET = '/casesheet/readings/get'

async function settingsOf(others: Record<string, string> = {}) {
  const { ownerUrl, serveUrl } = await createDatabase()
  const settings = {
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    PROCESSES: '2',
  }
  return { ownerUrl, settings: { ...settings, ...others } }
}

type Line = { msg: string; pid?: number; ended?: number; time: number }

const linesOf = ({ output }: Pick<Command, 'output'>, pattern: RegExp): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => pattern.test(msg))

const pidsOf = (command: Pick<Command, 'output'>, said = /^started$/) =>
  linesOf(command, said).map(({ pid = 0 }) => pid)

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Each request has a connection of its own, so that all processes get some. */
async function send(url: string, { token, body }: { token: string; body?: object }) {
  const asked = request(url, {
    agent: new Agent(),
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  asked.end(body && JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: await text(answer) }
}

async function readiness(adminUrl: string) {
  const answer = await fetch(`${adminUrl}/readyz`)
  const { checks } = (await answer.json()) as { checks: Record<string, boolean> }
  return { status: answer.status, checks }
}

const readingOf = (patientUid: string, value: number) => ({
  patientUid,
  readingType: 'acme.count',
  value,
  timestamp: 1_700_000_000_000 + value,
})

const valuesOf = async (ownerUrl: string, patientUid: string) => {
  const rows = await runSql<{ value: number }>(
    ownerUrl,
    `select (details->>'value')::integer as value
     from casesheet.readings
     where patient_uid = $1
     order by measured_at`,
    [patientUid],
  )
  return rows.map(({ value }) => value)
}

test('SIGHUP replaces all processes, fails no request and loses no count', { timeout: 180_000 }, async () => {
  const { ownerUrl, settings } = await settingsOf({ LOG_LEVEL: 'info' })
  const rounds = await serveForLoad(settings)
  await until(() => pidsOf(rounds).length === 2)
  const before = pidsOf(rounds)
  let isOver = false
  const patients = playPatients(rounds.url, 4, {
    tokenOf: (patientUid) => issuer.token({ patientUid }),
    isOver: () => isOver,
  })
  rounds.child.kill('SIGHUP')
  const isReplaced = () => linesOf(rounds, /^every process was replaced$/).length === 1
  // Two starts and two stops, on a machine that may have more to do.
  await until(isReplaced, 110_000, { what: () => rounds.output().slice(-3_000) })
  isOver = true
  const played = await patients
  await mustHaveLostNothing(played, ownerUrl, 20, { maxConnections: Infinity })
  assert.equal(new Set(pidsOf(rounds)).size, 4)
  assert.deepEqual(before.filter(isAlive), [])

  const samples = await scrape(rounds.adminUrl)
  const answered = find(samples, 'rounds_http_request_duration_seconds_count')
  const sent = played.reduce((sum, { requests }) => sum + requests, 0)
  assert.equal(
    answered.reduce((sum, { value }) => sum + value, 0),
    sent,
  )
  const added = played.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  assert.equal(find(samples, 'rounds_readings_total', { outcome: 'stored' })[0]?.value, added)
  // What both have together: each has three connections of its own for followers.
  for (const [name, value] of Object.entries({
    rounds_pool_limit: 10 + 2 * 3,
    rounds_queue_limit: 1_000,
    rounds_streams_limit: 5_000,
    rounds_build_info: 1,
    rounds_processes: 2,
  }))
    assert.deepEqual([name, ...find(samples, name).map((sample) => sample.value)], [name, value])
  assert.equal(find(samples, 'rounds_ready', { check: 'database' })[0]?.value, 1)
  assert.equal((await fetch(`${rounds.adminUrl}/livez`)).status, 200)
  rounds.child.kill('SIGTERM')
  assert.equal((await rounds.ended).code, 0, rounds.output())
})

test('a process that is killed is started again, and a client that repeats loses and doubles nothing', async () => {
  const { ownerUrl, settings } = await settingsOf({ LOG_LEVEL: 'info' })
  const rounds = await serveForLoad(settings)
  const token = await issuer.token({ patientUid: 'p' })
  await until(() => pidsOf(rounds).length === 2)
  const [victim = 0] = pidsOf(rounds)
  let [value, repeats] = [0, 0]
  const isBack = () => pidsOf(rounds).length === 3
  while (!isBack() || value < 60) {
    if (value === 20) process.kill(victim, 'SIGKILL')
    // Eight at once, so that the killed process has some under way.
    const all = Array.from({ length: 8 }, () => value++)
    await Promise.all(
      all.map(async (one) => {
        for (;;) {
          const body = readingOf('p', one)
          const answer = await send(`${rounds.url}/casesheet/readings/add`, { token, body }).catch(
            () => undefined,
          )
          if (answer?.status === 200) return
          repeats++
        }
      }),
    )
    if (value === 16) value = 20
  }
  const stored = await valuesOf(ownerUrl, 'p')
  assert.equal(stored.length, new Set(stored).size)
  assert.equal(stored.length, value - 4)
  assert.ok(repeats < 100, `${repeats} requests were repeated`)
  const [ended] = linesOf(rounds, /^a process has ended/)
  assert.equal(ended?.ended, victim)
  await until(async () => (await readiness(rounds.adminUrl)).checks['processes'] === true)
  const counts = find(await scrape(rounds.adminUrl), 'rounds_processes')
  assert.deepEqual(
    counts.map((sample) => sample.value),
    [2],
  )
  rounds.child.kill('SIGINT')
  assert.equal((await rounds.ended).code, 0)
})

test('on SIGTERM, also to the whole group, every request under way is answered', async () => {
  const { ownerUrl, settings } = await settingsOf()
  const rounds = await serveInProcess(settings)
  const token = await issuer.token({ patientUid: 'p' })
  const letGo = await slowInserts(ownerUrl)
  const values = [1, 2, 3, 4, 5, 6]
  const answers = values.map((value) =>
    send(`${rounds.url}/casesheet/readings/add`, { token, body: readingOf('p', value) }),
  )
  await until(async () => {
    const queries = `select from pg_stat_activity where datname = current_database() and query like '%insert%' and state = 'active'`
    return (await runSql(ownerUrl, `${queries} and pid <> pg_backend_pid()`)).length >= 2
  })
  await until(() => pidsOf(rounds).length === 2)
  for (const pid of [...pidsOf(rounds), rounds.child.pid ?? 0]) process.kill(pid, 'SIGTERM')
  await until(() => linesOf(rounds, /^stopping$/).length === 2)
  await letGo()
  for (const { status, text: body } of await Promise.all(answers)) assert.equal(status, 200, body)
  assert.equal((await rounds.ended).code, 0, rounds.output())
  assert.deepEqual(await valuesOf(ownerUrl, 'p'), values)
})

test('a caller gets no more from two processes than its limit', async () => {
  const { settings } = await settingsOf({ RATE_LIMIT_PER_MINUTE: '20' })
  const rounds = await serveInProcess(settings)
  const minute = () => Math.floor(Date.now() / 60_000)
  let [began, statuses] = [0, [0 as number | undefined]]
  do {
    const token = await issuer.token({ sub: `caller-${Date.now()}`, patientUid: 'p' })
    began = minute()
    statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await send(rounds.url + GET, { token })).status),
    )
    // Minutes are counted on the clock.
  } while (minute() !== began)
  const served = statuses.filter((status) => status === 200).length
  // Each process serves half of the limit; which of them gets a connection is chance.
  assert.ok(served >= 10 && served <= 20, `${served} were served`)
  assert.equal(statuses.filter((status) => status === 429).length, 60 - served)
  rounds.child.kill('SIGINT')
  await rounds.ended
})

test('a process that cannot start is tried again at growing intervals, and the others serve', async () => {
  const { settings } = await settingsOf({ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' })
  const { DATABASE_URL: url, ...others } = settings
  const [file, node] = ['url', 'node'].map((name) => join(temporaryDirectory(), name)) as [string, string]
  writeFileSync(file, url)
  copyFileSync(process.execPath, node)
  const rounds = runProgram(node, ['src/cli.ts', 'serve'], { ...others, DATABASE_URL_FILE: file })
  const [, at = '', adminUrl = ''] = await untilSaid(rounds, /answers at ([^,]+),.* health at (\S+)\/readyz/)
  const token = await issuer.token({ patientUid: 'p' })
  await until(() => pidsOf(rounds).length === 2)
  for (const [missing, why] of [
    [file, /: .*DATABASE_URL_FILE/s],
    [node, /: spawn .* ENOENT/],
  ] as const) {
    renameSync(missing, `${missing}.away`)
    process.kill(pidsOf(rounds).find(isAlive) ?? 0, 'SIGKILL')
    const failures = () => linesOf(rounds, /^a process could not start: /).filter(({ msg }) => why.test(msg))
    await until(() => failures().length === 3)
    const [first, second, third] = failures().map(({ time }) => time)
    assert.ok(Number(second) - Number(first) >= 1_000)
    assert.ok(Number(third) - Number(second) >= 2_000)
    assert.equal((await send(at + GET, { token })).status, 200)
    const { status, checks } = await readiness(adminUrl)
    assert.deepEqual([status, checks['processes'], checks['database']], [200, false, true])
    rounds.child.kill('SIGHUP')
    const refusals = () => linesOf(rounds, /^the processes were not replaced: /)
    await until(() => refusals().some(({ msg }) => why.test(msg)))
    assert.equal((await send(at + GET, { token })).status, 200, 'what cannot be replaced serves on')
    renameSync(`${missing}.away`, missing)
    await until(async () => (await readiness(adminUrl)).checks['processes'] === true)
  }
  rounds.child.kill('SIGINT')
  assert.equal((await rounds.ended).code, 0)
})

test('no process outlives its primary, whenever that ends', async () => {
  const { settings } = await settingsOf({ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' })
  for (const [signal, starting, code] of [
    ['SIGTERM', 1, 0],
    ['SIGINT', 2, 0],
    ['SIGKILL', 1, null],
    ['SIGKILL', 2, null],
  ] as const) {
    const rounds = runCommand(['serve'], settings)
    const pids = () => pidsOf(rounds, /^starting$/)
    await until(() => pids().length === starting)
    rounds.child.kill(signal)
    await until(() => !pids().some(isAlive), 30_000, {
      what: () => `${signal} ${starting} ${rounds.output()}`,
    })
    assert.equal((await rounds.ended).code, code, rounds.output())
  }
})

test('SIGHUP during the start, and the end of a process that is being replaced, leave as many as asked for', async () => {
  const { settings } = await settingsOf({ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' })
  const rounds = runCommand(['serve'], settings)
  const all = () => pidsOf(rounds, /^starting$/)
  await until(() => all().length === 1)
  rounds.child.kill('SIGHUP')
  await until(() => all().length === 3, 60_000, { what: rounds.output })
  const [victim = 0] = all()
  process.kill(victim, 'SIGKILL')
  await untilSaid(rounds, /every process was replaced/)
  assert.deepEqual(
    linesOf(rounds, /^a process has ended/).map(({ ended }) => ended),
    [victim],
  )
  assert.equal(all().length, 4)
  assert.deepEqual(all().map(isAlive), [false, false, true, true])
  rounds.child.kill('SIGINT')
  assert.equal((await rounds.ended).code, 0)
})

test('what keeps one process from starting ends several with the same message, once', async () => {
  const { settings } = await settingsOf()
  const taken = createServer()
  const { port } = new URL(await listen(taken))
  for (const wrong of [{ AUTH_AUDIENCE: '' }, { PORT: port }, { PORT: '0', ADMIN_PORT: port }]) {
    const [one, two] = await Promise.all(
      ['1', '2'].map(async (processes) => {
        const environment = {
          ...settings,
          HOST: '127.0.0.1',
          ...wrong,
          LOG_LEVEL: 'fatal',
          PROCESSES: processes,
        }
        const { code, output } = await runCommand(['serve'], environment).ended
        return { code, said: messagesIn(output) }
      }),
    )
    assert.deepEqual(two, one)
    assert.equal(one?.code, 1)
    assert.match(one?.said ?? '', /AUTH_AUDIENCE is missing|Rounds cannot listen where/)
  }
  taken.close()
})
