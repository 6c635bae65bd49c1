// Processes that send webhooks are killed, frozen and stopped at every step of a delivery, while readings are added and withdrawn and
// alerts open: another process goes on within five seconds, the copy of the receiver equals the database, no event of an alert is lost, and
// only the message under way comes twice.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { AUDIENCE, runSql, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { serveInProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import { ANSWERS, keyOf } from '../support/webhook-receiver.ts'
import { managementOf, untilCopied } from '../support/webhooks.ts'

const MAX_GAP_MS = 5_000

type Stage = Awaited<ReturnType<typeof startStage>>

/** Two processes that send, one endpoint, and patients whose readings reach the database through a process that does not send. */
async function startStage() {
  const rounds = await startRounds()
  const { ownerUrl, issuer } = rounds
  const processes = new Map<string, Awaited<ReturnType<typeof serveInProcess>>>()
  const ids = async () =>
    (
      await runSql<{ id: string }>(
        ownerUrl,
        "select process_id as id from casesheet.follower_processes where prefix = 'webhook:'",
      )
    ).map(({ id }) => id)
  /** Known by the id under which it holds its lease. */
  async function start() {
    const before = await ids()
    const process = await serveInProcess({
      DATABASE_URL: rounds.serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      LOG_LEVEL: 'warn',
      ...WITH_WEBHOOKS,
    })
    let id: string | undefined
    await until(async () => (id = (await ids()).find((each) => !before.includes(each))) !== undefined)
    processes.set(id ?? '', process)
    return process
  }
  const { url } = await start()
  await start()
  const events = ['readings.changed', 'patient.erased', 'alert.opened']
  const endpoint = await managementOf({ url, issuer, ownerUrl }).follow({ events })
  const holderId = async () => {
    const [row] = await runSql<{ held_by: string | null }>(
      ownerUrl,
      "select held_by from casesheet.followers where starts_with(name, 'webhook:')",
    )
    return row?.held_by ?? ''
  }
  const holder = async () => {
    const id = await holderId()
    const process = processes.get(id)
    assert.ok(process, `no process is known as ${id}`)
    return { id, process }
  }
  await until(async () => (await holderId()) !== '')

  const patientUids = Array.from({ length: 4 }, () => `patient-${randomUUID()}`)
  const tokens = await Promise.all(patientUids.map((patientUid) => rounds.token({ patientUid })))
  const post = async (patient: number, verb: string, body: object | object[]) => {
    const path = `/casesheet/readings/${verb}`
    const { status, text } = await rounds.call(path, { token: tokens[patient] ?? '', body })
    assert.equal(status, 200, text)
  }
  const over = new AbortController()
  async function keepChanging() {
    const withdrawn = new Set<string>()
    for (let turn = 0; !over.signal.aborted; turn++) {
      const patient = turn % patientUids.length
      const patientUid = patientUids[patient] ?? ''
      const reading = { patientUid, readingType: 'acme.step', timestamp: turn }
      await post(patient, 'add', turn % 5 ? reading : [reading, { ...reading, readingType: 'acme.other' }])
      // Only what was delivered, and never back: so each state of a reading is to come once.
      const [delivered] = endpoint.received.statesOf(patientUid)
      const [readingId = '', state] = delivered?.split(' ') ?? []
      const timestamp = endpoint.received.copy.get(patientUid)?.get(readingId)?.reading?.timestamp
      if (turn % 3 === 0 && state === 'present' && !withdrawn.has(readingId)) {
        withdrawn.add(readingId)
        await post(patient, 'withdraw', { patientUid, readingId, timestamp, reason: 'mistyped' })
      }
      if (turn % 5 === 0) await runSql(ownerUrl, OPEN_ALERT, [patientUid])
      await pause(15)
    }
  }
  const changing = keepChanging()
  return {
    ownerUrl,
    endpoint,
    patientUids,
    start,
    holder,
    holderId,
    async stop() {
      over.abort()
      await changing
    },
  }
}

const OPEN_ALERT = `
  insert into casesheet.alert_events
    (event_id, patient_uid, alert_id, rule_id, event, is_announced, author_kind, author_id, severity, reading_type, at)
  values (gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), 'opened', true, 'doctor', 'doctor-1', 'urgent', 'acme.step', now())`

/** Strikes the process that holds the endpoint; the time is when it was struck. */
type Strike = (stage: Stage) => Promise<number>

function kill({ process }: Awaited<ReturnType<Stage['holder']>>): number {
  process.child.kill('SIGKILL')
  return performance.now()
}

const WAITS = "wait_event_type = 'Lock' and datname = current_database()"

/** Waits until a statement waits for a lock that another session of this test holds. */
async function untilLocked(ownerUrl: string) {
  await until(async () => (await runSql(ownerUrl, `select from pg_stat_activity where ${WAITS}`)).length > 0)
}

async function sessionOf(ownerUrl: string) {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  after(() => client.end())
  return client
}

/** Strikes when a message has come, and leaves it unanswered unless the strike answers. */
const whenReceived = async (
  { endpoint }: Stage,
  strike: (answer: () => void) => number | Promise<number>,
  { isStored = true } = {},
) => {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  endpoint.answer((response, store) => {
    if (isStored) store()
    const answered = () => void response.writeHead(204).end()
    return Promise.resolve(strike(answered)).then(resolve, reject)
  }, ANSWERS.accepts)
  return promise
}

const STRIKES: Record<string, { strike: Strike; repeated: number }> = {
  'before a page is read': {
    repeated: 0,
    async strike({ ownerUrl, holder }) {
      const victim = await holder()
      const session = await sessionOf(ownerUrl)
      await session.query('begin; lock table webhooks.endpoints in access exclusive mode')
      await untilLocked(ownerUrl)
      const at = kill(victim)
      await session.query('commit')
      return at
    },
  },
  // The session of the dead process ends its statement, and so has begun a page that nobody sends.
  'while a page is read': {
    repeated: 0,
    async strike({ ownerUrl, holder }) {
      const victim = await holder()
      const letGo = await slowInserts(ownerUrl, 'casesheet.access_log')
      await until(
        async () =>
          (
            await runSql(
              ownerUrl,
              "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
            )
          ).length > 0,
      )
      const at = kill(victim)
      await letGo()
      return at
    },
  },
  'between page and message': {
    repeated: 0,
    async strike({ endpoint, holder }) {
      const victim = await holder()
      const connected = Promise.withResolvers<number>()
      endpoint.server.once('connection', (socket) => {
        connected.resolve(kill(victim))
        socket.destroy()
      })
      const closing = setInterval(() => endpoint.server.closeIdleConnections(), 1)
      return connected.promise.finally(() => clearInterval(closing))
    },
  },
  'when a message has come and is not stored': {
    repeated: 0,
    async strike(stage) {
      const victim = await stage.holder()
      return whenReceived(stage, () => kill(victim), { isStored: false })
    },
  },
  'when a message is stored and not answered': {
    repeated: 1,
    async strike(stage) {
      const victim = await stage.holder()
      return whenReceived(stage, () => kill(victim))
    },
  },
  'when a message is answered and the position not written': {
    repeated: 1,
    async strike(stage) {
      const { ownerUrl } = stage
      const victim = await stage.holder()
      const session = await sessionOf(ownerUrl)
      return whenReceived(stage, async (answer) => {
        await session.query(
          'begin; select from webhooks.endpoints for update; select from casesheet.followers for update',
        )
        answer()
        await untilLocked(ownerUrl)
        const at = kill(victim)
        // Its session would write the position although the process is dead.
        await runSql(ownerUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${WAITS}`)
        await session.query('commit')
        return at
      })
    },
  },
  // It is not dead, only late: what it does when it goes on must change nothing.
  'frozen when a message is stored, and thawed when another sends': {
    repeated: 1,
    async strike(stage) {
      const { id, process } = await stage.holder()
      const { messages } = stage.endpoint.received
      const thaw = async () => {
        await until(async () => ![id, ''].includes(await stage.holderId()))
        const count = messages.length
        await until(() => messages.length > count + 2)
        process.child.kill('SIGCONT')
      }
      return whenReceived(stage, (answer) => {
        process.child.kill('SIGSTOP')
        const at = performance.now()
        void thaw().then(answer)
        return at
      })
    },
  },
  'asked to stop': {
    repeated: 0,
    async strike({ holder }) {
      const { process } = await holder()
      process.child.kill('SIGTERM')
      return performance.now()
    },
  },
}

async function strikeAll(names: string[], say: (line: string) => void) {
  const stage = await startStage()
  const { received } = stage.endpoint
  for (const name of names) {
    const { strike, repeated } = STRIKES[name] ?? assert.fail(name)
    const before = await stage.holderId()
    const seen = received.messages.length
    await until(() => received.messages.length > seen + 2)
    const first = received.messages.length
    const struckAt = await strike(stage)
    await until(async () => ![before, ''].includes(await stage.holderId()), 20_000)
    await until(() => (received.messages.at(-1)?.at ?? 0) > struckAt + 50, 20_000)
    const gapMs = (received.messages.find(({ at }) => at > struckAt + 50)?.at ?? 0) - struckAt
    await stage.start()
    const repeats = repeatsIn(received.messages, first)
    say(`${name}: another goes on after ${(gapMs / 1_000).toFixed(1)} s, ${repeats} messages came again`)
    assert.ok(gapMs <= MAX_GAP_MS, `${name}: ${gapMs} ms`)
    assert.equal(repeats, repeated, name)
    assert.deepEqual(received.wrong, [], name)
  }
  await stage.stop()
  await untilCopied(stage.endpoint, stage.ownerUrl, stage)
  await untilTold(stage)
  assert.equal(Math.max(...received.times.values()) <= 2, true)
  await mustBeLogged(stage)
}

/** Every event of an alert came, and is said to have. */
async function untilTold({ ownerUrl, endpoint }: Stage) {
  const told = () => new Set(endpoint.received.changes().map(({ eventId }) => eventId))
  await until(async () => {
    const rows = await runSql<{ event_id: string; state: string }>(
      ownerUrl,
      'select event_id, state from casesheet.alert_events left join casesheet.alert_deliveries using (patient_uid, event_id)',
    )
    const came = told()
    return rows.length > 0 && rows.every(({ event_id, state }) => state === 'accepted' && came.has(event_id))
  })
}

/** How many of the messages from a number on hold changes that had been stored before. */
function repeatsIn(messages: Stage['endpoint']['received']['messages'], first: number): number {
  const stored = new Set<string>()
  let repeats = 0
  for (const [index, message] of messages.entries()) {
    if (!message.isStored) continue
    const keys = message.changes.map(keyOf)
    if (index >= first && keys.some((key) => stored.has(key))) repeats++
    for (const key of keys) stored.add(key)
  }
  return repeats
}

/** Every change that was delivered was logged before. */
async function mustBeLogged({ ownerUrl, patientUids, endpoint }: Stage) {
  for (const patientUid of patientUids) {
    const [row] = await runSql<{ count: number }>(
      ownerUrl,
      'select coalesce(sum(readings_count), 0)::integer as count from casesheet.access_log where patient_uid = $1 and request_id = $2',
      [patientUid, endpoint.endpointId],
    )
    const delivered = new Set(
      endpoint.received
        .changes()
        .filter((change) => change.reading?.patientUid === patientUid)
        .map(keyOf),
    ).size
    assert.ok((row?.count ?? 0) >= delivered, `${row?.count} logged, ${delivered} delivered`)
  }
}

// Two databases, so that the leases of both run out at the same time.
const names = Object.keys(STRIKES)
const halves = [names.filter((_, index) => index % 2 === 0), names.filter((_, index) => index % 2 === 1)]
test('a process that sends is struck at every step, and another goes on', async (t) => {
  await Promise.all(halves.map((half) => strikeAll(half, (line) => t.diagnostic(line))))
})
