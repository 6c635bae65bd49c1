// What an endpoint is sent: which changes, in which order and pages, and how that goes on after failures and orders of the operator.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { give, revoke } from '../../../../test/support/grants-by-hand.ts'
import { runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { runCommand } from '../../../../test/support/process.ts'
import { until as untilSo } from '../../../../test/support/until.ts'
import {
  ANSWERS,
  type Answer,
  isBusy,
  isSlow,
  readingOf,
  type SentChange,
} from '../../../../test/support/webhook-receiver.ts'
import { managementOf, untilCopied, untilStatesAreRead } from '../../../../test/support/webhooks.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const { follow } = managementOf(rounds)
const { ownerUrl } = rounds

const until = (isSo: Parameters<typeof untilSo>[0]) => untilSo(isSo, 20_000)

async function erase(patientUid: string) {
  const { code, output } = await runPatientCommand(['erase', patientUid, ...BY, '--yes'], ownerUrl)
  assert.equal(code, 0, output)
}

async function add(patientUid: string, ...readings: object[]) {
  const token = await rounds.token({ patientUid })
  const body = readings.map((reading) => ({ patientUid, readingType: 'acme.step', ...reading }))
  const { status, text } = await rounds.call('/casesheet/readings/add', { token, body })
  assert.equal(status, 200, text)
}

async function correct(
  verb: 'withdraw' | 'restore',
  patientUid: string,
  { readingId, timestamp }: { readingId: string; timestamp: number },
) {
  const token = await rounds.token({ patientUid })
  const body = { patientUid, readingId, timestamp, ...(verb === 'withdraw' && { reason: 'mistyped' }) }
  const { status, text } = await rounds.call(`/casesheet/readings/${verb}`, { token, body })
  assert.equal(status, 200, text)
}

/** The rows of the access log that one endpoint has caused: how many readings of the patient each page held. */
async function logged(patientUid: string, endpointId: string) {
  const rows = await runSql<{ readings_count: number; said: string }>(
    ownerUrl,
    `select readings_count::integer, concat_ws(' ', operation, read_by, allowed_as) as said
     from casesheet.access_log
     where patient_uid = $1
       and request_id = $2
     order by at`,
    [patientUid, endpointId],
  )
  for (const { said } of rows) assert.match(said, /^webhooks webhook 127\.0\.0\.1:\d+ service$/)
  return rows.map(({ readings_count }) => readings_count)
}

const newUid = () => `patient-${randomUUID()}`

// Two receivers that hold an attempt for all of its fifteen seconds, which pass while the other tests run.
const late = newUid()
const dripping: Answer = (response, store) => {
  store()
  response.writeHead(200)
  const drops = setInterval(() => response.write('.'), 500)
  response.once('close', () => clearInterval(drops))
}
const held = [await follow({ patientUids: [late] }), await follow({ patientUids: [late] })] as const
held[0].answer(ANSWERS.hangs, ANSWERS.accepts)
held[1].answer(dripping, ANSWERS.accepts)
const heldAt = performance.now()
await add(late, { timestamp: 1 })

test('an endpoint is sent what its filter names, each change once and in order, and no grant widens it', async () => {
  const [a, b, c] = [newUid(), newUid(), newUid()]
  await add(c, { timestamp: 0 })
  const filters: Record<string, object> = {
    all: {},
    types: { readingTypes: ['heartRate'] },
    patients: { patientUids: [a] },
    thin: { thin: true },
    erasures: { events: ['patient.erased'] },
    grants: { events: ['grant.changed'] },
    both: { events: ['readings.changed'], readingTypes: ['acme.step'], patientUids: [b] },
  }
  const endpoints = Object.fromEntries(
    await Promise.all(
      Object.entries(filters).map(async ([name, filter]) => [name, await follow(filter)] as const),
    ),
  )
  const names = new Map([a, b, c].map((uid, index) => [uid, 'abc'[index] ?? '']))
  const summary = (change: SentChange) => {
    const { patientUid } = change.reading ?? change
    const { timestamp } = (change.reading ?? change) as { timestamp?: number }
    return [change.state, names.get(patientUid ?? '') ?? patientUid, timestamp ?? change.doctorId]
      .join(' ')
      .trim()
  }
  const sentTo = (name: string) => endpoints[name]?.received.changes().map(summary) ?? []
  const isSent = (last: string) => until(() => ['all', 'thin'].every((name) => sentTo(name).at(-1) === last))

  await add(a, { readingType: 'heartRate', value: 60, timestamp: 1 })
  await isSent('present a 1')
  await add(a, { timestamp: 2 })
  await add(b, { readingType: 'heartRate', value: 60, timestamp: 3 })
  await isSent('present b 3')
  await add(b, { timestamp: 4 })
  await isSent('present b 4')
  const first = endpoints['all']?.received.changes()[0]
  assert.ok(first?.reading)
  await correct('withdraw', a, first.reading)
  await isSent('withdrawn a 1')
  await give(ownerUrl, { patientUid: b, doctorId: 'doctor-1', readingTypes: ['heartRate'] })
  await isSent('given b doctor-1')
  await revoke(ownerUrl, { patientUid: b, doctorId: 'doctor-1' })
  await isSent('revoked b doctor-1')
  await give(ownerUrl, { patientUid: a, doctorId: 'doctor-1' })
  await isSent('given a doctor-1')
  // What an endpoint was not sent before its patient is erased, it is not sent at all.
  await until(() => sentTo('types').at(-1) === 'given a doctor-1')
  await until(() => sentTo('grants').length === 3 && sentTo('both').length === 1)
  await erase(b)
  await isSent('erased b')
  // The last of each: what comes behind them shows that nothing else came before.
  await add(b, { timestamp: 5 })
  await add(a, { readingType: 'heartRate', value: 61, timestamp: 6 })
  await give(ownerUrl, { patientUid: a, doctorId: 'doctor-2' })
  await erase(c)
  await until(() => ['all', 'thin', 'types', 'erasures'].every((name) => sentTo(name).at(-1) === 'erased c'))
  await until(() => sentTo('patients').at(-1) === 'given a doctor-2')
  await until(() => sentTo('grants').length === 4 && sentTo('both').length === 2)

  const all =
    `present a 1, present a 2, present b 3, present b 4, withdrawn a 1, given b doctor-1, revoked b doctor-1,
    given a doctor-1, erased b, present b 5, present a 6, given a doctor-2, erased c`.split(/,\s+/)
  assert.deepEqual(sentTo('all'), all)
  assert.deepEqual(sentTo('thin'), all)
  assert.deepEqual(
    sentTo('types'),
    all.filter((change) => !['present a 2', 'present b 4', 'present b 5'].includes(change)),
  )
  assert.deepEqual(
    sentTo('patients'),
    all.filter((change) => change.split(' ')[1] === 'a'),
  )
  assert.deepEqual(sentTo('erasures'), ['erased b', 'erased c'])
  assert.deepEqual(
    sentTo('grants'),
    all.filter((change) => /^(given|revoked)/.test(change)),
  )
  assert.deepEqual(sentTo('both'), ['present b 4', 'present b 5'])
  for (const { received } of Object.values(endpoints)) {
    assert.deepEqual(received.wrong, [])
    assert.ok(received.messages.every(({ isStored }) => isStored))
  }
  // Full readings are those of readings/get, and thin ones name them.
  const staff = await rounds.token({ sub: 'staff', scope: 'readings:read' })
  const { json } = await rounds.call(`/casesheet/readings/get?patientUid=${a}`, { token: staff })
  const last = (name: string) =>
    endpoints[name]?.received.changes().findLast((change) => summary(change) === 'present a 6')
  assert.deepEqual(last('all')?.reading, json.data.at(-1))
  const { readingId, readingType, timestamp } = last('all')?.reading ?? {}
  assert.deepEqual(last('thin'), { state: 'present', patientUid: a, readingId, readingType, timestamp })
})

test('a grant that is committed just before a reading is not passed over', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  const TURNS = 20
  for (let turn = 0; turn < TURNS; turn++) {
    await give(ownerUrl, { patientUid, doctorId: `doctor-${turn}` })
    await add(patientUid, { timestamp: turn })
    await until(() => endpoint.received.statesOf(patientUid).length === turn + 1)
  }
  const given = endpoint.received.changes().filter(({ state }) => state === 'given')
  assert.deepEqual(
    given.map(({ doctorId }) => doctorId),
    Array.from({ length: TURNS }, (_, turn) => `doctor-${turn}`),
  )
})

test('a page holds at most 256 KiB and one type of event, and a backlog comes in the order in which it was made', async () => {
  const endpoint = await follow()
  await endpoint.manage('pause')
  const [large, small] = [newUid(), newUid()]
  // Each is stored with three bytes a character, and printed with six.
  const text = '\u2028'.repeat(21_000)
  const largest = (from: number) =>
    add(large, ...Array.from({ length: 6 }, (_, index) => ({ timestamp: from + index, text })))
  await largest(0)
  await give(ownerUrl, { patientUid: small, doctorId: 'doctor-1' })
  await largest(100)
  await add(small, ...Array.from({ length: 1_000 }, (_, timestamp) => ({ timestamp })))
  await largest(200)
  await endpoint.manage('resume')
  await untilCopied(endpoint, ownerUrl, { patientUids: [large, small] })
  const { messages } = endpoint.received
  const types = messages.map(({ type }) => type)
  const grantAt = types.indexOf('grant.changed')
  assert.deepEqual([types.indexOf('grant.changed', grantAt + 1), types[0]], [-1, 'readings.changed'])
  assert.equal(messages.slice(0, grantAt).flatMap(({ changes }) => changes).length, 6)
  const ofLarge = messages.filter(({ bytes }) => bytes > 100_000)
  assert.ok(ofLarge.length >= 9, `${ofLarge.length} pages hold 18 readings of 126 KB`)
  assert.ok(messages.length < 30, `${messages.length} messages`)
  const once = [...endpoint.received.times.values()].every((times) => times === 1)
  assert.ok(once, 'each change came once')
})

test('messages carry both signatures while a secret is rotated, and then only the new one', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  const { received } = endpoint
  const send = async (timestamp: number) => {
    const count = received.messages.length
    await add(patientUid, { timestamp })
    await until(() => received.messages.length > count)
    return received.messages.at(-1)?.verifiedBy
  }
  assert.deepEqual(await send(1), [0])
  // One is under way while the secret changes.
  let letGo = () => {}
  endpoint.answer((response, store) => {
    store()
    letGo = () => response.writeHead(200).end()
  }, ANSWERS.accepts)
  await send(2)
  endpoint.trust((await endpoint.manage('rotate-secret')).secret)
  letGo()
  assert.deepEqual(await send(3), [0, 1])
  assert.equal(String(received.messages.at(-1)?.headers['webhook-signature']).split(' ').length, 2)
  assert.ok(Date.parse((await endpoint.about()).previousSecretUntil ?? '') > Date.now() + 23 * 3_600_000)
  await runSql(
    ownerUrl,
    "update webhooks.endpoints set previous_until = now() - interval '1 second' where endpoint_id = $1",
    [endpoint.endpointId],
  )
  assert.deepEqual(await send(4), [1])
  endpoint.trust((await endpoint.manage('rotate-secret', { overlapHours: 0 })).secret)
  assert.deepEqual(await send(5), [2])
  // Of two rotations at once, the last two secrets count.
  for (const _ of [1, 2]) endpoint.trust((await endpoint.manage('rotate-secret')).secret)
  assert.deepEqual(await send(6), [3, 4])
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
})

test('a paused endpoint is sent nothing, 410 pauses it, and when it is resumed it gets all that it missed', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  const { received } = endpoint
  await add(patientUid, { timestamp: 1 })
  await until(() => received.messages.length === 1)
  endpoint.answer(ANSWERS.isGone)
  await add(patientUid, { timestamp: 2 })
  await until(async () => (await endpoint.about()).pausedBecause === 'gone')
  assert.equal(received.messages.length, 2)
  endpoint.answer(ANSWERS.accepts)
  await add(patientUid, { timestamp: 3 })
  // Another endpoint that gets the change shows that the paused one was passed over.
  const other = await follow({ patientUids: [patientUid], from: 'beginning' })
  await untilCopied(other, ownerUrl, { patientUids: [patientUid] })
  assert.equal(received.messages.length, 2)
  const resumed = await endpoint.manage('resume')
  assert.deepEqual([resumed.endpoint.state, resumed.endpoint.pausedBecause], ['active', undefined])
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  assert.equal(received.messages[2]?.id, received.messages[1]?.id, 'the page that was refused comes first')
  // Paused while one is under way: its answer counts, and nothing follows.
  endpoint.answer(async (response, store) => {
    await endpoint.manage('pause')
    store()
    response.writeHead(204).end()
  }, ANSWERS.accepts)
  await add(patientUid, { timestamp: 4 })
  await until(async () => (await endpoint.about()).pausedBecause === 'asked')
  await add(patientUid, { timestamp: 5 })
  await untilCopied(other, ownerUrl, { patientUids: [patientUid] })
  await endpoint.manage('resume')
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  assert.equal(received.times.size, 5)
})

test('a replay sends again what lies behind its time or everything, under new ids, also while a page is under way', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  const { received } = endpoint
  const all = { patientUids: [patientUid] }
  await add(patientUid, { timestamp: 1 })
  await untilCopied(endpoint, ownerUrl, all)
  // A mark of now, as the server makes one from time to time.
  await runSql(
    ownerUrl,
    'insert into casesheet.feed_marks (generation, xid) select generation, pg_snapshot_xmin(pg_current_snapshot()) from casesheet.feed',
  )
  const soon = Date.now() + 1
  const since = new Date(soon).toISOString()
  await until(() => Date.now() > soon)
  await add(patientUid, { timestamp: 2 })
  await add(patientUid, { timestamp: 3 })
  await untilCopied(endpoint, ownerUrl, all)
  const ids = new Set(received.messages.map(({ id }) => id))
  const timesOf = () => {
    const times = new Map<number, number>()
    for (const { reading } of received.changes())
      times.set(reading?.timestamp ?? 0, (times.get(reading?.timestamp ?? 0) ?? 0) + 1)
    return Object.fromEntries(times)
  }
  assert.equal((await endpoint.manage('replay', { since })).endpoint.replays, 1)
  await until(() => timesOf()[2] === 2 && timesOf()[3] === 2)
  assert.deepEqual(timesOf(), { 1: 1, 2: 2, 3: 2 })
  await endpoint.manage('replay', { since: 'beginning' })
  await until(() => timesOf()[3] === 3)
  assert.deepEqual(timesOf(), { 1: 2, 2: 3, 3: 3 })
  assert.equal(
    new Set(received.messages.map(({ id }) => id)).size,
    received.messages.length,
    'no id came twice',
  )
  assert.ok(ids.size > 0)
  // The answer of a page that was under way must not undo the replay.
  endpoint.answer(async (response, store) => {
    store()
    await endpoint.manage('replay', { since: 'beginning' })
    response.writeHead(204).end()
  }, ANSWERS.accepts)
  await add(patientUid, { timestamp: 4 })
  await until(() => timesOf()[4] === 2)
  assert.deepEqual(timesOf(), { 1: 3, 2: 4, 3: 4, 4: 2 })
  assert.deepEqual(received.wrong, [])
  // One that is asked for in a pause begins when it is resumed, and not with the next change.
  await endpoint.manage('pause')
  await endpoint.manage('replay', { since: 'beginning' })
  await untilStatesAreRead(rounds)
  await endpoint.manage('resume')
  await until(() => timesOf()[4] === 3)
  assert.deepEqual(timesOf(), { 1: 4, 2: 5, 3: 5, 4: 3 })
  // Nor where the replay goes back to where that page began.
  const fresh = await follow({ patientUids: [patientUid], from: 'beginning' })
  fresh.answer(async (response, store) => {
    store()
    await fresh.manage('replay', { since: 'beginning' })
    response.writeHead(204).end()
  }, ANSWERS.accepts)
  await until(() => fresh.received.changes().length === 8)
  assert.equal(new Set(fresh.received.messages.map(({ id }) => id)).size, fresh.received.messages.length)
})

test('a reading that is withdrawn and restored again and again comes under a new id each time', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  await add(patientUid, { timestamp: 1 })
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  const [{ reading } = {}] = endpoint.received.changes()
  assert.ok(reading)
  for (const verb of ['withdraw', 'restore', 'withdraw', 'restore'] as const) {
    await correct(verb, patientUid, reading)
    await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  }
  const { messages } = endpoint.received
  assert.equal(new Set(messages.map(({ id }) => id)).size, 5, 'a receiver ignores an id that it knows')
})

test('attempts are repeated after 1 s, 5 s, 30 s, 2 min and then every 10 min, with the same page and id, until one succeeds', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  const { received } = endpoint
  endpoint.answer(ANSWERS.fails)
  await add(patientUid, { timestamp: 0 })
  for (const [index, seconds] of [1, 5, 30, 120, 600, 600].entries()) {
    await until(async () => (await endpoint.about()).failures === index + 1)
    const { nextAttemptAt = '' } = await endpoint.about()
    const at = performance.timeOrigin + (received.messages.at(-1)?.at ?? 0)
    const waits = (Date.parse(nextAttemptAt) - at) / 1_000
    // The database writes it a little later than the message came.
    assert.ok(
      waits >= seconds * 0.9 - 0.05 && waits <= seconds * 1.1 + 1.5,
      `${waits} s instead of ${seconds}`,
    )
    await add(patientUid, { timestamp: index + 1 })
    // The first comes by itself; an hour of the others must not take one.
    if (index > 0) await endpoint.hurry()
    await until(() => received.messages.length === index + 2)
  }
  const ids = new Set(received.messages.map(({ id, changes }) => `${id} ${changes.length}`))
  assert.equal(ids.size, 1, 'the same page, although more had come')
  assert.equal(received.messages[0]?.changes.length, 1)
  // Retry-After is followed, up to a day.
  const asked: [retryAfter: string, least: number, most: number][] = [
    ['1200', 1_199, 1_202],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_590, 3_602],
    ['99999999999', 86_399, 86_402],
    ['-5', 539, 662],
    ['soon', 539, 662],
  ]
  for (const [retryAfter, least, most] of asked) {
    const before = received.messages.length
    const { failures } = await endpoint.about()
    endpoint.answer(isBusy(retryAfter))
    await endpoint.hurry()
    await until(async () => received.messages.length > before && (await endpoint.about()).failures > failures)
    const waits = (Date.parse((await endpoint.about()).nextAttemptAt ?? '') - Date.now()) / 1_000
    assert.ok(waits >= least - 2 && waits <= most, `${retryAfter}: ${waits} s`)
  }
  endpoint.answer(ANSWERS.accepts)
  await endpoint.hurry()
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  await until(async () => (await endpoint.about()).failures === 0)
  const pages = received.messages.filter(({ isStored }) => isStored)
  assert.ok(pages.length <= 3, `what had gathered came in ${pages.length} pages`)
})

test('a receiver may fail, cut, redirect, answer 10 MB or be down: its copy ends up right, and only the page under way comes twice', async () => {
  const patientUid = newUid()
  const answers: Record<string, Answer> = {
    fails: ANSWERS.fails,
    cutsBeforeStoring: ANSWERS.cutsBeforeStoring,
    storesThenFails: ANSWERS.storesThenFails,
    storesThenCuts: ANSWERS.storesThenCuts,
    closesEarly: ANSWERS.closesEarly,
    answersAtLength: ANSWERS.answersAtLength,
    redirects: ANSWERS.redirects,
    isBusy: isBusy('1'),
    isSlow: isSlow(1_500),
  }
  const endpoints = await Promise.all(
    Object.values(answers).map(async (answer) => {
      const endpoint = await follow({ patientUids: [patientUid] })
      endpoint.answer(answer, ANSWERS.accepts, answer, ANSWERS.accepts)
      return endpoint
    }),
  )
  const down = await follow({ patientUids: [patientUid] })
  const { port } = new URL(down.url)
  await down.stop()
  for (const [first, count] of [
    [0, 3],
    [100, 300],
    [1_000, 2],
  ] as const) {
    await add(patientUid, ...Array.from({ length: count }, (_, index) => ({ timestamp: first + index })))
    // Each meets the misbehaviour anew.
    await Promise.all(
      endpoints.map((endpoint) => untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })),
    )
  }
  for (const [index, { received }] of endpoints.entries()) {
    const name = Object.keys(answers)[index] ?? ''
    const mostTimes = Math.max(...received.times.values())
    assert.ok(mostTimes <= (/^(stores|closes|answers)/.test(name) ? 2 : 1), `${name}: ${mostTimes} times`)
  }
  await until(async () => (await down.about()).failures > 0)
  await new Promise<void>((done) => down.server.listen(Number(port), '127.0.0.1', done))
  await down.hurry()
  await untilCopied(down, ownerUrl, { patientUids: [patientUid] })
  assert.ok([...down.received.times.values()].every((times) => times === 1))
})

test('a patient who is erased disappears from the page under way and is announced, and each page is in the access log once', async () => {
  const [stays, goes] = [await newPatient(rounds), await newPatient(rounds)]
  const patientUids = [stays.patientUid, goes.patientUid]
  const mixed = await follow({ patientUids })
  const alone = await follow({ patientUids: [goes.patientUid] })
  for (const endpoint of [mixed, alone]) endpoint.answer(ANSWERS.fails)
  await Promise.all([mixed.manage('pause'), alone.manage('pause')])
  await goes.addAt([1, 2])
  await stays.addAt([1, 2, 3])
  await Promise.all([mixed.manage('resume'), alone.manage('resume')])
  await until(async () => (await mixed.about()).failures === 1 && (await alone.about()).failures === 1)
  for (const endpoint of [mixed, alone]) {
    await endpoint.hurry()
    await until(async () => (await endpoint.about()).failures === 2)
  }
  assert.deepEqual(
    mixed.received.messages.map(({ changes }) => changes.length),
    [5, 5],
  )
  assert.deepEqual(
    await logged(stays.patientUid, mixed.endpointId),
    [3],
    'a page is logged once, not each attempt',
  )
  assert.deepEqual(await logged(goes.patientUid, mixed.endpointId), [2])
  await erase(goes.patientUid)
  await stays.addAt([4])
  for (const endpoint of [mixed, alone]) {
    endpoint.answer(ANSWERS.accepts)
    await endpoint.hurry()
  }
  await untilCopied(mixed, ownerUrl, { patientUids })
  await until(() => alone.received.messages.some(({ type }) => type === 'patient.erased'))
  const after = [mixed, alone].map(({ received }) =>
    received.messages
      .filter(({ isStored }) => isStored)
      .map(({ type, changes }) => [type, ...changes.map((change) => readingOf(change).patientUid)].join(' ')),
  )
  const { patientUid } = stays
  assert.deepEqual(after, [
    [
      `readings.changed ${patientUid} ${patientUid} ${patientUid}`,
      `patient.erased ${goes.patientUid}`,
      `readings.changed ${patientUid}`,
    ],
    [`patient.erased ${goes.patientUid}`],
  ])
  assert.deepEqual(await logged(patientUid, mixed.endpointId), [3, 1])
  assert.deepEqual(await logged(goes.patientUid, mixed.endpointId), [], 'the log no longer says whose it was')
})

test('an endpoint that is removed is sent nothing more, not even the page that it refused', async () => {
  const patientUid = newUid()
  const [removed, stays] = [
    await follow({ patientUids: [patientUid] }),
    await follow({ patientUids: [patientUid] }),
  ]
  removed.answer(ANSWERS.fails)
  await add(patientUid, { timestamp: 1 })
  await until(async () => (await removed.about()).failures === 1)
  const { nextAttemptAt = assert.fail('no attempt follows') } = await removed.about()
  await removed.manage('remove')
  await removed.manage('remove')
  await until(() => Date.now() > Date.parse(nextAttemptAt))
  await add(patientUid, { timestamp: 2 })
  await untilCopied(stays, ownerUrl, { patientUids: [patientUid] })
  assert.equal(removed.received.messages.length, 1)
  const left = await runSql(ownerUrl, 'select from casesheet.followers where name = $1', [
    `webhook:${removed.endpointId}`,
  ])
  assert.equal(left.length, 0)
})

test('an attempt ends after fifteen seconds, and is repeated', async () => {
  for (const endpoint of held)
    await untilCopied(endpoint, ownerUrl, { patientUids: [late], withinMs: 40_000 })
  const [first, second] = held[0].received.messages
  assert.ok(first && second)
  const took = (second.at - first.at) / 1_000
  assert.ok(took > 15 && took < 19, `${took} s`)
  await add(late, { timestamp: 2 })
  for (const endpoint of held)
    await untilCopied(endpoint, ownerUrl, {
      patientUids: [late],
      withinMs: Math.max(5_000, 30_000 - (performance.now() - heldAt)),
    })
})

test('when the database was restored, every endpoint is told to discard what it holds, and everything follows', async () => {
  const patientUid = newUid()
  const [good, failing] = [
    await follow({ patientUids: [patientUid] }),
    await follow({ patientUids: [patientUid] }),
  ]
  await add(patientUid, ...[1, 2, 3].map((timestamp) => ({ timestamp })))
  for (const endpoint of [good, failing]) await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  failing.answer(ANSWERS.fails)
  await add(patientUid, { timestamp: 4 })
  await until(async () => (await failing.about()).failures > 0)
  const { code, output } = await runCommand(['migrate', '--restored'], { DATABASE_URL: ownerUrl }).ended
  assert.equal(code, 0, output)
  await until(() => failing.received.ofType('feed.reset').length > 0)
  // It comes before everything else, until it was accepted.
  const count = failing.received.messages.length
  failing.answer(ANSWERS.fails, ANSWERS.accepts)
  await failing.hurry()
  await until(() => failing.received.messages.length > count)
  await add(patientUid, { timestamp: 5 })
  await until(async () => (await failing.about()).failures > 2)
  await failing.hurry()
  for (const endpoint of [good, failing]) {
    await until(() =>
      endpoint.received.messages.some(({ type, isStored }) => type === 'feed.reset' && isStored),
    )
    await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
    const types = endpoint.received.messages.map(({ type, isStored }) => `${type} ${isStored}`)
    const resetAt = types.indexOf('feed.reset true')
    assert.equal(types.lastIndexOf('feed.reset true'), resetAt, 'it came once')
    assert.equal(types.indexOf('readings.changed true', resetAt) > resetAt, true)
    const between = types.slice(types.indexOf('feed.reset false'), resetAt)
    assert.ok(
      between.every((type) => type === 'feed.reset false'),
      between.join(),
    )
  }
})

test('no statement of a delivery failed', () => {
  const failures = rounds
    .log()
    .split('\n')
    .filter((line) => /"level":50/.test(line))
  assert.deepEqual(failures, [])
})
