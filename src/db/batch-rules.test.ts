// More of the rules at the top of batch.ts, in virtual time: how many are out, what is measured, and what is left behind.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startVirtualTime } from '../../test/support/virtual-time.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { type Sharing, shareStatements } from './batch.ts'
import { STATEMENT_TIMEOUT_MS } from './connections.ts'

type Item = { id: number; patient: string }
type Out = { ids: number[]; on: string; answer: () => Promise<void>; fail: (code: string) => Promise<void> }

const settle = () => new Promise<void>((resume) => setImmediate(resume))
const codeOf = (error: { code: string }) => error.code

function startSharing(
  t: Pick<TestContext, 'after'>,
  sharing: Partial<Sharing<Item, Item, number>> = {},
  deadlineMs = 10_000,
) {
  const time = startVirtualTime(t)
  const metrics = createMetrics()
  const out: Out[] = []
  const attempt = ({ values }: { values: unknown[] }, on = 'shared') =>
    new Promise<{ rows: never[]; rowCount: number }>((resolve, reject) =>
      out.push({
        ids: (values as Item[]).map(({ id }) => id),
        on,
        answer() {
          resolve({ rows: values as never[], rowCount: values.length })
          return settle()
        },
        fail(code) {
          reject(Object.assign(new Error(code), { code }))
          return settle()
        },
      }),
    )
  const ask = shareStatements<Item, Item, number>(
    { attempt, maxWaiting: 20, maxWhenBusy: 10, deadlineMs, metrics, queues: new Set() },
    {
      kind: 'test',
      statementFor: (items) => ({ name: 'x', text: 'x', values: items }),
      answersFrom: (rows) => rows.map(({ id }) => id),
      weightOf: () => 1,
      keysOf: ({ patient }) => [patient],
      maxWeight: 100,
      maxInFlight: 1,
      ...sharing,
    },
  )
  let id = 0
  const askFor = (patient = 'a', isGone = () => false) => ask({ id: id++, patient }, isGone).catch(codeOf)
  const next = () => out.shift() ?? assert.fail('no statement is out')
  const read = async (name: string) => {
    const text = await metrics.registry.getSingleMetricAsString(`rounds_${name}`)
    return Object.fromEntries(
      [...text.matchAll(/^rounds_(\w+)\{([^}]*)\} (\S+)$/gm)].map(([, found, , value]) => [
        found,
        Number(value),
      ]),
    )
  }
  return { time, out, next, ask, askFor, read }
}

test('statements go out side by side until as many requests are out, and then one at a time', async (t) => {
  const { askFor, out, next } = startSharing(t, { maxInFlight: 10, maxParallelRequests: 3 })
  for (let asked = 0; asked < 6; asked++) void askFor()
  const idsOut = () => out.map(({ ids }) => ids)
  assert.deepEqual(idsOut(), [[0], [1], [2]])
  await next().answer()
  assert.deepEqual(idsOut(), [[1], [2], [3, 4, 5]])
  await next().answer()
  void askFor()
  assert.deepEqual(idsOut(), [[2], [3, 4, 5]])
  await next().answer()
  void askFor()
  assert.deepEqual(idsOut(), [[3, 4, 5]])
  await next().answer()
  assert.deepEqual(idsOut(), [[6, 7]])
})

test('a request that has its answer leaves no timer behind', async (t) => {
  const { askFor, next, time } = startSharing(t)
  const answer = askFor()
  await next().answer()
  assert.equal(await answer, 0)
  assert.equal(await time.step(), false)
})

test('a request of a blocked patient does not wait for the statement that is out', async (t) => {
  const { askFor, next, out } = startSharing(t)
  void askFor('blocked')
  await next().fail('55P03')
  void askFor('b')
  void askFor('blocked')
  assert.deepEqual(
    out.map(({ ids, on }) => [...ids, on]),
    [
      [1, 'shared'],
      [2, 'retry'],
    ],
  )
})

test('what need not be repeated as it is leaves for the connections for retries', async (t) => {
  const isPermanent = (error: unknown) => Object(error).code === '57P01'
  const { askFor, next, time } = startSharing(t, { isPermanent, on: 'search' })
  const answers = [askFor(), askFor()]
  const first = next()
  assert.equal(first.on, 'search')
  await first.fail('57P01')
  assert.deepEqual([next().ids, await time.step()], [[1], true])
  const repeated = next()
  assert.deepEqual([repeated.ids, repeated.on], [[0], 'retry'])
  await repeated.answer()
  assert.equal(await answers[0], 0)
})

test('requests whose statement failed count among those that wait, until they have their answers', async (t) => {
  const { askFor, next } = startSharing(t)
  for (let asked = 0; asked < 13; asked++) void askFor()
  await next().answer()
  await next().fail('22P02')
  // One goes out, and with the twelve there may be twenty.
  for (let asked = 0; asked < 9; asked++) void askFor()
  assert.throws(() => askFor(), { code: 'Overloaded' })
  // Two of the twelve were sent together.
  await next().answer()
  for (let asked = 0; asked < 2; asked++) void askFor()
  assert.throws(() => askFor(), { code: 'Overloaded' })
})

test('a request whose caller has disconnected before it could be sent is refused, and others go on', async (t) => {
  const { askFor, next } = startSharing(t)
  assert.equal(await askFor('a', () => true), 'RequestTimeout')
  const other = askFor()
  await next().answer()
  assert.equal(await other, 1)
})

test('queued requests, statements, their waits and their retries are measured', async (t) => {
  const { askFor, next, read, time } = startSharing(t)
  setTimeout(() => {}, 1_000)
  await time.step()
  const answers = [askFor(), askFor(), askFor()]
  assert.deepEqual(await read('queue_requests'), { queue_requests: 2 })
  setTimeout(() => {}, 2_000)
  await time.step()
  await next().answer()
  const { statement_batch_size_sum: requests, statement_batch_size_count: statements } =
    await read('statement_batch_size')
  assert.deepEqual([requests, statements], [3, 2])
  const { queue_wait_seconds_sum: waited } = await read('queue_wait_seconds')
  assert.equal(waited, 2)
  const { statement_duration_seconds_sum: took, statement_duration_seconds_count: count } = await read(
    'statement_duration_seconds',
  )
  assert.deepEqual([count, took], [1, 2])
  await next().fail('57P01')
  assert.deepEqual(await read('statement_retries_total'), { statement_retries_total: 0 })
  await time.step()
  await settle()
  assert.deepEqual(await read('statement_retries_total'), { statement_retries_total: 1 })
  await next().fail('22P02')
  // They left the queue and are not answered yet.
  answers.push(askFor('b'), askFor('b'))
  assert.deepEqual(await read('queue_requests'), { queue_requests: 3 })
})

test('pauses between repeats grow, and no request is sent after its deadline', async (t) => {
  const { askFor, next, time, out } = startSharing(t)
  const answer = askFor()
  const pauses: number[] = []
  for (let attempt = 0; attempt < 4; attempt++) {
    const began = time.now()
    await next().fail('57P01')
    await time.step()
    await settle()
    pauses.push(time.now() - began)
  }
  for (const [attempt, pause] of pauses.entries()) {
    const longest = 50 * 2 ** attempt
    assert.ok(pause >= longest / 2 && pause <= longest, `${pauses.join()} ms`)
  }
  // The deadline comes while the statement is out.
  const last = next()
  await time.step()
  assert.deepEqual([await answer, time.now()], ['57P01', 10_000])
  await last.fail('57P01')
  while (await time.step());
  assert.equal(out.length, 0)
})

/** Lets so many milliseconds pass, and all that happens in them. */
async function passMs(time: { step: () => Promise<boolean>; now: () => number }, ms: number) {
  const end = time.now() + ms
  setTimeout(() => {}, ms)
  while (time.now() < end) await time.step()
  await settle()
}

test('a request that waited until its deadline while the database answered others is Overloaded', async (t) => {
  const { askFor, next, time, out } = startSharing(t, { maxWeight: 1 })
  const answers = [askFor(), askFor(), askFor()]
  await passMs(time, 6_000)
  await next().answer()
  await passMs(time, 4_000)
  assert.deepEqual(await Promise.all(answers), [0, 'Overloaded', 'Overloaded'])
  // The second was in flight; the third is never sent.
  assert.equal(out.length, 1)
})

test('so is one that waited behind statements that the server cancelled or refused', async (t) => {
  for (const code of ['57014', '22P02']) {
    const { askFor, next, time } = startSharing(t, { maxWeight: 1 })
    const answers = [askFor(), askFor(), askFor()]
    await passMs(time, 6_000)
    await next().fail(code)
    await passMs(time, 4_000)
    assert.deepEqual(await Promise.all(answers), [code, 'Overloaded', 'Overloaded'])
  }
})

test('a request that waited while the database answered nobody is told that it is unavailable', async (t) => {
  const { askFor, next, time } = startSharing(t, { maxWeight: 1 })
  const first = askFor()
  await next().answer()
  await passMs(time, 1)
  const answers = [askFor(), askFor()]
  await passMs(time, 10_000)
  assert.deepEqual(await Promise.all([first, ...answers]), [0, 'DatabaseUnavailable', 'DatabaseUnavailable'])
})

test('an answer of long ago does not excuse a database that hangs now', async (t) => {
  const { askFor, next, time } = startSharing(t, { maxWeight: 1 }, 60_000)
  const answers = [askFor(), askFor(), askFor()]
  await passMs(time, 1_000)
  await next().answer()
  await passMs(time, 59_000)
  assert.deepEqual(await Promise.all(answers), [0, 'DatabaseUnavailable', 'DatabaseUnavailable'])
})

test('subjects are served in turn, and the one with most loses its newest request where the queue is full', async (t) => {
  const { ask, next } = startSharing(t, { maxWeight: 1, subjectOf: ({ patient }) => patient })
  const outcomes: string[] = []
  let id = 0
  const askAs = (subject: string) =>
    ask({ id: id++, patient: subject }, () => false).then(
      (answer) => void outcomes.push(`${subject} ${answer}`),
      (error: { code: string }) => void outcomes.push(`${subject} ${error.code}`),
    )
  // One is sent and twenty are queued.
  for (let asked = 0; asked < 21; asked++) void askAs('hasty')
  assert.throws(() => askAs('hasty'), { code: 'Overloaded' })
  void askAs('b')
  void askAs('c')
  await settle()
  assert.deepEqual(outcomes.splice(0), ['hasty Overloaded', 'hasty Overloaded'])
  for (let answered = 0; answered < 5; answered++) await next().answer()
  assert.deepEqual(outcomes, ['hasty 0', 'hasty 1', 'b 22', 'c 23', 'hasty 2'])
})

test('where each subject has one request, a full queue refuses the next one', async (t) => {
  const { ask } = startSharing(t, { subjectOf: ({ patient }) => patient })
  for (let asked = 0; asked < 21; asked++) void ask({ id: asked, patient: `p${asked}` }, () => false)
  assert.throws(() => ask({ id: 21, patient: 'next' }, () => false), { code: 'Overloaded' })
})

test('a subject has so many requests at a time, queued or sent, and one more once it has an answer', async (t) => {
  const { askFor, next } = startSharing(t, { maxOfSubject: 3, subjectOf: ({ patient }) => patient })
  const answers = [askFor(), askFor(), askFor()]
  assert.throws(() => askFor(), { code: 'RateLimited', headers: { 'retry-after': '1' } })
  void askFor('b')
  await next().answer()
  assert.equal(await answers[0], 0)
  void askFor()
  assert.throws(() => askFor(), { code: 'RateLimited' })
})

test('a request that is left of a statement that failed is sent alone, and not blamed for one that was refused meanwhile', async (t) => {
  const { askFor, next, time } = startSharing(t)
  const answers = [askFor()]
  const first = next()
  answers.push(askFor('late'))
  await passMs(time, 9_000)
  answers.push(askFor('left'))
  await first.answer()
  const shared = next()
  assert.deepEqual(shared.ids, [1, 2])
  await passMs(time, 1_000)
  await shared.fail('22P02')
  const alone = next()
  assert.deepEqual([alone.ids, alone.on], [[2], 'retry'])
  await alone.answer()
  assert.deepEqual(await Promise.all(answers), [0, 'Overloaded', 2])
})

test('a statement that failed is divided into eight, larger parts go first, two are out, and one request has the error', async (t) => {
  const { askFor, next, out } = startSharing(t)
  const answers = Array.from({ length: 21 }, () => askFor())
  await next().answer()
  await next().fail('22P02')
  const sent: number[][] = []
  while (out.length > 0) {
    assert.ok(out.length <= 2)
    const { ids, on, answer, fail } = next()
    assert.equal(on, 'retry')
    sent.push(ids)
    await (ids.includes(5) ? fail('22P02') : answer())
  }
  assert.deepEqual(
    sent.map((ids) => ids.length),
    [3, 3, 3, 3, 3, 3, 2, 1, 1, 1],
  )
  const outcomes = await Promise.all(answers)
  assert.deepEqual(
    outcomes.map((outcome, id) => (outcome === id ? 'answered' : outcome)),
    outcomes.map((_, id) => (id === 5 ? '22P02' : 'answered')),
  )
})

test('requests of one patient stay together where a statement is divided', async (t) => {
  const { askFor, next, out } = startSharing(t)
  const answers = ['x', 'a', 'b', 'a', 'c', 'd', 'a', 'd', 'a', 'e', 'a'].map((patient) => askFor(patient))
  await next().answer()
  await next().fail('22P02')
  const sent: number[][] = []
  while (out.length > 0) {
    const { ids, answer } = next()
    sent.push(ids)
    await answer()
  }
  assert.deepEqual(sent, [
    [1, 3],
    [6, 8],
    [10, 2],
    [4, 5],
    [7, 9],
  ])
  await Promise.all(answers)
})

test('after a statement that took too long each request is sent alone, within the time that a statement may take', async (t) => {
  const { askFor, next, time, out } = startSharing(t, {}, 60_000)
  const answers = Array.from({ length: 6 }, () => askFor())
  await next().answer()
  await next().fail('57014')
  assert.deepEqual(
    out.map(({ ids, on }) => [ids, on]),
    [
      [[1], 'retry'],
      [[2], 'retry'],
    ],
  )
  await passMs(time, STATEMENT_TIMEOUT_MS)
  await next().fail('57014')
  await next().answer()
  assert.equal(out.length, 2)
  await passMs(time, 1)
  await next().answer()
  await next().answer()
  assert.deepEqual(await Promise.all(answers), [0, '57014', 2, 3, 4, '57014'])
})

test('blocked requests go behind all others', async (t) => {
  const { askFor, next, time } = startSharing(t)
  const blocked = askFor('blocked')
  await next().fail('55P03')
  const answers = ['a', 'b', 'c', 'd'].map((patient) => askFor(patient))
  await next().answer()
  await next().fail('22P02')
  await time.step()
  const order: number[] = []
  for (let sent = 0; sent < 4; sent++) {
    const { ids, answer } = next()
    order.push(...ids)
    await answer()
  }
  assert.deepEqual(order, [2, 3, 4, 0])
  assert.deepEqual(await Promise.all([blocked, ...answers]), [0, 1, 2, 3, 4])
})
