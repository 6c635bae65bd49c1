// What one subject can do to others: it fills no queue, and holds up nobody but itself.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openStream } from '../support/event-stream.ts'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'
import { until } from '../support/until.ts'

const MAX_OF_SUBJECT = 20
const STATISTICS = '/casesheet/readings/statistics?readingType=acme.step&from=0&to=2000'

const rounds = await startRounds()
const tokenOf = (uid: string) => rounds.token({ sub: uid, patientUid: uid })
// Everything that one subject reads takes long: its access-log rows are written slowly.
await runSql(
  rounds.ownerUrl,
  `create function public.take_long() returns trigger language plpgsql security definer as $$
  begin
    perform pg_sleep(0.2);
    return new;
  end
  $$;
  create trigger take_long before insert on casesheet.access_log
  for each row when (new.read_by = 'hasty' and new.operation <> 'readings/get') execute function public.take_long()`,
)
const hasty = await tokenOf('hasty')

/** Sends so many requests of the hasty subject at once; counts those that have an answer. */
function sendMany(path: string, count: number) {
  let answered = 0
  const answers = Array.from({ length: count }, () =>
    rounds.call(path, { token: hasty }).then((answer) => {
      if (answer.status === 200) answered++
      return answer
    }),
  )
  return { answers, answered: () => answered }
}

/** Some may arrive when the first have their answers already. */
function mustServeAFew(answers: { status: number }[]) {
  const countOf = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  const [served, refused] = [countOf(200), countOf(429)]
  assert.equal(served + refused, answers.length)
  assert.ok(served >= MAX_OF_SUBJECT && served <= 2 * MAX_OF_SUBJECT, `${served} were served`)
}

test('of 64 statistics of one subject a few are served, and others get theirs in turn', async () => {
  const other = await newPatient(rounds)
  await other.addAt([1, 2, 3])
  const stream = await openStream(rounds.url, other.token)
  const { answers, answered } = sendMany(STATISTICS, 64)
  await until(() => answered() >= 1)
  for (let round = 0; round < 3; round++) {
    const before = answered()
    const { status, text } = await rounds.call(STATISTICS, { token: other.token })
    assert.equal(status, 200, text)
    assert.ok(answered() - before <= 3, `${answered() - before} of the hasty subject were served before`)
    assert.equal((await other.add(other.symptom(100 + round))).status, 200)
    assert.equal((await other.get()).status, 200)
  }
  const all = await Promise.all(answers)
  mustServeAFew(all)
  const refused = all.find(({ status }) => status !== 200) ?? assert.fail()
  assertRefused(refused, 429, 'RateLimited')
  assert.equal(refused.headers.get('retry-after'), '1')
  await until(() => stream.text().includes('"timestamp":102'))
  assert.ok(!stream.text().includes('event: end'))
  stream.socket.destroy()
})

for (const path of ['/casesheet/readings/access-log', '/casesheet/readings/latest']) {
  test(`${path}: 64 requests of one subject hold up no other`, async () => {
    const other = await newPatient(rounds)
    await other.addAt([1])
    const { answers, answered } = sendMany(path, 64)
    await until(() => answered() >= 1)
    const before = answered()
    assert.equal((await rounds.call(path, { token: other.token })).status, 200)
    // As many as fit the statements before and beside it.
    assert.ok(answered() - before <= MAX_OF_SUBJECT, `${answered() - before} were served before`)
    mustServeAFew(await Promise.all(answers))
  })
}

/** Asks for a whole range, and reads nothing of it. */
async function askForAll(token: string): Promise<Socket> {
  const { hostname, port } = new URL(rounds.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  after(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET /casesheet/readings/get HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

test('one subject has so many whole ranges at a time, also if it reads none, and others have theirs', async () => {
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'hasty', to_timestamp(1600000000 + n), gen_random_uuid(), 'acme.step', 1600000000 + n,
       json_build_object('note', repeat(md5(n::text), 500)), 'test'
     from generate_series(1, 2000) n`,
  )
  const sockets: Socket[] = []
  for (let asked = 0; asked < MAX_OF_SUBJECT; asked++) {
    const socket = await askForAll(hasty)
    sockets.push(socket)
    // The answer has begun; the rest stays unread.
    await once(socket, 'readable')
  }
  assertRefused(await rounds.call('/casesheet/readings/get', { token: hasty }), 429, 'RateLimited')
  assert.equal((await rounds.call('/casesheet/readings/get?limit=1', { token: hasty })).status, 200)
  const other = await newPatient(rounds)
  await other.addAt([1])
  assert.equal((await other.get()).json.data.length, 1)
  // Those that end, or whose clients leave while their first page is read, make room.
  sockets.forEach((socket) => socket.destroy())
  for (let left = 0; left < 2 * MAX_OF_SUBJECT; left++) (await askForAll(hasty)).destroy()
  await until(
    async () => (await rounds.call('/casesheet/readings/get?to=1', { token: hasty })).status === 200,
  )
  await until(async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_OF_SUBJECT }, () =>
        rounds.call('/casesheet/readings/get?to=1', { token: hasty }),
      ),
    )
    return answers.every(({ status }) => status === 200)
  })
})
