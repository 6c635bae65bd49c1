// Three cells and a directory behind a real HAProxy, with the configuration of deploy/haproxy: every request finds its cell, and a wrong
// map delays requests and misplaces nothing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createReadingQueue, createRoundsClient, type Reading } from '../../clients/typescript/src/client.ts'
import { changeRouterMap } from '../../src/modules/cells/move/router-map.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { openStream } from '../support/event-stream.ts'
import { assertRefused, type Envelope, runSql, startRounds } from '../support/harness.ts'
import { connect, startMcp } from '../support/mcp.ts'
import { needs } from '../support/needs.ts'
import { setThirds, thirdOf } from '../support/slots.ts'
import { SLOTS_BY_HAND } from '../support/slots-by-hand.ts'
import { until } from '../support/until.ts'
import { CELL_NAMES, startCellsRouter } from './haproxy-of-cells.ts'

const first = await startMcp()
const issuer = { AUTH_ISSUER: first.issuer.url }
const cells = [first, await startMcp(issuer), await startMcp(issuer)]
const directory = await startRounds({ ...issuer, MODULES: 'appointments' })
await setThirds(cells)

const indexOf = (patientUid: string) => thirdOf(slotOf(patientUid))
const withHaproxy = needs('haproxy')
const router = withHaproxy.skip ? undefined : await startCellsRouter({ cells, directory, cellOf: thirdOf })
const { url = '', mapPath = '', socket = '', mapText = '' } = router ?? {}

type Options = { token: string; body?: unknown; headers?: Record<string, string> }

async function call(path: string, { token, body, headers = {} }: Options) {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as Envelope }
}

const readingOf = (patientUid: string, timestamp: number, extra: object = {}) => ({
  readingType: 'acme.step',
  timestamp,
  ...extra,
  patientUid,
})

/** In which cells a patient has readings, and how many. */
async function whereIs(patientUid: string): Promise<number[]> {
  const counts = cells.map(({ ownerUrl }) =>
    runSql<{ count: number }>(
      ownerUrl,
      'select count(*)::integer as count from casesheet.readings where patient_uid = $1',
      [patientUid],
    ),
  )
  return (await Promise.all(counts)).map(([row]) => row?.count ?? 0)
}

const onlyIn = (index: number, count: number) => [0, 1, 2].map((cell) => (cell === index ? count : 0))

/** A patient of each cell. */
function onePatientOfEach(): string[] {
  const found: string[] = []
  while (found.filter(Boolean).length < 3) {
    const patientUid = randomUUID()
    found[indexOf(patientUid)] ??= patientUid
  }
  return found
}

test(
  'HAProxy computes the slots that were computed by hand, from every place that names a patient',
  withHaproxy,
  async () => {
    for (const [patientUid] of SLOTS_BY_HAND) {
      const token = await first.token({ patientUid })
      const staff = await first.token({ sub: 'dr', scope: 'readings:read readings:withdraw' })
      const named = `patientUid=${encodeURIComponent(patientUid)}`
      const add = (body: unknown) => call('/casesheet/readings/add', { token, body })
      assert.equal((await add(readingOf(patientUid, 1))).status, 200)
      assert.equal((await add([readingOf(patientUid, 2), readingOf(patientUid, 3)])).status, 200)
      assert.deepEqual(await whereIs(patientUid), onlyIn(indexOf(patientUid), 3), patientUid)
      for (const path of [`get?${named}`, `get?limit=5&${named}`, `latest?${named}`, `access-log?${named}`])
        assert.equal((await call(`/casesheet/readings/${path}`, { token: staff })).status, 200, path)
      const assistant = await connect({ url }, staff)
      assert.equal((await assistant.ask('get_readings', { patientUid })).data.length, 3)
      const byToken = await call('/casesheet/readings/get', { token })
      assert.equal(byToken.json.data.length, 3)
      const byList = await call('/casesheet/readings/get', {
        token: await first.token({ patientUid: [patientUid] }),
      })
      assert.equal(byList.json.data.length, 3)
      const { readingId, timestamp } = byToken.json.data[0] as { readingId: string; timestamp: number }
      const withdrawn = await call('/casesheet/readings/withdraw', {
        token: staff,
        body: { patientUid, readingId, timestamp },
      })
      assert.equal(withdrawn.status, 200)
    }
  },
)

test(
  'targets are set, read and removed in the cell of the patient, whom query, body or token names',
  withHaproxy,
  async () => {
    const patientUids = onePatientOfEach()
    const preset = 'home-blood-pressure-esh'
    for (const [index, patientUid] of patientUids.entries()) {
      // The token's first patient is of another cell than the request's.
      const token = await first.token({ patientUid: [...patientUids.slice(index + 1), ...patientUids] })
      const own = await first.token({ patientUid })
      const set = await call('/care/targets/set', { token, body: { preset, patientUid } })
      assert.equal(set.status, 200, set.text)
      for (const [path, as] of [
        [`list?patientUid=${patientUid}`, token],
        ['list', own],
        [`history?limit=5&patientUid=${patientUid}`, token],
      ] as const) {
        const answer = await call(`/care/targets/${path}`, { token: as })
        assert.deepEqual([answer.status, answer.json.data.length], [200, 2], path)
      }
      const report = `/care/reports/blood-pressure?patientUid=${patientUid}&from=1762000000&to=1762600000`
      assert.equal((await call(report, { token })).status, 200)
      const stored = cells.map(({ ownerUrl }) =>
        runSql<{ count: number }>(
          ownerUrl,
          'select count(*)::integer as count from casesheet.targets where patient_uid = $1',
          [patientUid],
        ),
      )
      const counts = (await Promise.all(stored)).map(([row]) => row?.count ?? 0)
      assert.deepEqual(counts, onlyIn(index, 2))
      const removed = await call('/care/targets/remove', {
        token,
        body: { patientUid, readingType: 'bloodPressure' },
      })
      assert.equal(removed.status, 200, removed.text)
      assert.deepEqual((await call('/care/targets/list', { token: own })).json.data, [])
    }
    const token = await first.token({})
    assert.equal((await call('/care/targets/presets', { token })).status, 200)
  },
)

test(
  'a list beyond the buffer is led by its first reading, also where that is large and the patient stands last',
  withHaproxy,
  async () => {
    const [patientUid = '', other = '', third = ''] = onePatientOfEach()
    // The token's first patient is of another cell than the body's.
    const token = await first.token({ patientUid: [other, third, patientUid] })
    const body = Array.from({ length: 900 }, (_, index) =>
      readingOf(patientUid, index, { note: 'x'.repeat(index === 0 ? 60_000 : 3_000) }),
    )
    const { status, text } = await call('/casesheet/readings/add', { token, body })
    assert.equal(status, 200, text)
    assert.deepEqual(await whereIs(patientUid), onlyIn(indexOf(patientUid), 900))
  },
)

test(
  'a list that spans cells is refused with pointers, and the queue of the client divides it',
  withHaproxy,
  async () => {
    const patientUids = onePatientOfEach()
    const token = await first.token({ patientUid: patientUids })
    const list = Array.from({ length: 300 }, (_, index) => readingOf(patientUids[index % 3] ?? '', index))
    const refused = await call('/casesheet/readings/add', { token, body: list })
    assertRefused(refused, 421, 'WrongCell')
    assert.equal(refused.json.errors.length, 200)
    const client = createRoundsClient({ url, token: () => token })
    const rejected: Reading[] = []
    const queue = createReadingQueue({ client, onRefused: (reading) => void rejected.push(reading) })
    await queue.add(list)
    assert.deepEqual(await queue.flush(), { sent: 300, refused: 0 })
    for (const patientUid of patientUids)
      assert.deepEqual(await whereIs(patientUid), onlyIn(indexOf(patientUid), 100))
    // With a reading that is never accepted, the queue asks for verdicts.
    await queue.add(
      list.map((reading, index) => ({ ...reading, timestamp: index === 7 ? -1 : 1_000 + index })),
    )
    assert.deepEqual(await queue.flush(), { sent: 299, refused: 1 })
    assert.equal(rejected.length, 1)
    for (const patientUid of patientUids)
      assert.deepEqual(
        await whereIs(patientUid),
        onlyIn(indexOf(patientUid), patientUid === patientUids[1] ? 199 : 200),
      )
  },
)

test(
  'streams, the changes of each cell, the catalogue and the directory are found',
  withHaproxy,
  async () => {
    for (const [index, patientUid] of onePatientOfEach().entries()) {
      const token = await first.token({ patientUid })
      const service = await first.token({ sub: 'warehouse', scope: 'readings:changes' })
      const begun = await call(`/cells/${CELL_NAMES[index]}/casesheet/readings/changes?start=now`, {
        token: service,
      })
      const stream = await openStream(url, token)
      assert.equal(
        (await call('/casesheet/readings/add', { token, body: readingOf(patientUid, 1) })).status,
        200,
      )
      await until(() => stream.text().includes('event: change'))
      stream.socket.destroy()
      const path = `/cells/${CELL_NAMES[index]}/casesheet/readings/changes?cursor=${begun.json.nextCursor}`
      await until(async () => (await call(path, { token: service })).text.includes(patientUid))
      const apart = await call('/casesheet/readings/changes', { token: service })
      assertRefused(apart, 400, 'CellMissing')
      assert.deepEqual(apart.json.cells, CELL_NAMES)
      const nowhere = await call('/cells/cell_z/casesheet/readings/changes', { token: service })
      assertRefused(nowhere, 421, 'WrongCell')
    }
    const token = await first.token({})
    for (const path of ['/casesheet/readings/types', '/appointments/doctors/list', '/openapi.json'])
      assert.equal((await call(path, { token })).status, 200, path)
    assert.equal((await fetch(`${url}/casesheet/readings/get`)).status, 401)
  },
)

test(
  'a patient whose id stands in the body with escapes is found by the header of the refusal',
  withHaproxy,
  async () => {
    // Of another cell than the text with escapes.
    const patientUid = Array.from({ length: 100 }, (_, index) => `Jürgen ${index}`).find(
      (id) => indexOf(id) !== indexOf(id.replace('ü', '\\u00fc')),
    )
    assert.ok(patientUid)
    const token = await first.token({ patientUid })
    const raw = JSON.stringify(readingOf(patientUid, 1)).replace('ü', '\\u00fc')
    const send = (headers: Record<string, string> = {}) =>
      fetch(`${url}/casesheet/readings/add`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: raw,
      })
    const refused = await send()
    assert.equal(refused.status, 421)
    assert.equal(refused.headers.get('rounds-slot'), String(slotOf(patientUid)))
    assert.equal((await send({ 'rounds-slot': String(slotOf(patientUid)) })).status, 200)
    for (const slot of ['4096', '-1', 'x', ''])
      assert.equal((await send({ 'rounds-slot': slot })).status, 421)
    assert.deepEqual(await whereIs(patientUid), onlyIn(indexOf(patientUid), 1))
    // The client does so by itself: here a proxy on its way writes all JSON with escapes.
    const client = createRoundsClient({
      url,
      token: () => token,
      fetch: (address, init) =>
        fetch(address, { ...init, body: (init.body as string).replaceAll('ü', '\\u00fc') }),
    })
    await client.addReadings(readingOf(patientUid, 2))
    assert.deepEqual(await whereIs(patientUid), onlyIn(indexOf(patientUid), 2))
  },
)

test(
  'with a wrong map requests get 421 and nothing is stored; the map is changed while HAProxy runs',
  withHaproxy,
  async () => {
    const [patientUid = '', ...others] = onePatientOfEach()
    const token = await first.token({ patientUid })
    const add = () => call('/casesheet/readings/add', { token, body: readingOf(patientUid, 1) })
    const change = (backend: string) =>
      changeRouterMap({ path: mapPath, backend, sockets: [socket] }, { first: 0, last: 1_364 })
    for (const backend of ['cell_b', 'cell_z']) {
      await change(backend)
      const refused = await add()
      assert.deepEqual([refused.status, refused.json.code, refused.json.retryable], [421, 'WrongCell', true])
      for (const other of others) {
        const body = readingOf(other, 1)
        assert.equal(
          (await call('/casesheet/readings/add', { token: await first.token({ patientUid: other }), body }))
            .status,
          200,
        )
      }
    }
    assert.deepEqual(await whereIs(patientUid), [0, 0, 0])
    await change('cell_a')
    assert.equal((await add()).status, 200)
    assert.deepEqual(await whereIs(patientUid), onlyIn(0, 1))
    assert.equal(readFileSync(mapPath, 'utf8'), mapText)
  },
)

test('an address that asks too much is refused before any cell is asked', withHaproxy, async () => {
  const { url: limited } = await startCellsRouter({
    cells,
    directory,
    cellOf: thirdOf,
    settings: { ROUNDS_ADDRESS_REQUESTS: '20' },
  })
  const asked = Array.from({ length: 100 }, () => fetch(`${limited}/casesheet/readings/types`))
  const answers = await Promise.all(asked)
  const refused = answers.find(({ status }) => status === 429)
  assert.ok(refused)
  assert.equal(refused.headers.get('retry-after'), '10')
  assert.equal(((await refused.json()) as Envelope).code, 'RateLimited')
})

test(
  'a cell that is down answers 503 in the one error shape, and the others go on',
  withHaproxy,
  async () => {
    const patientUids = onePatientOfEach()
    await cells[2]?.stop()
    await until(async () => !(await router?.isUp('cell_c')))
    for (const [index, patientUid] of patientUids.entries()) {
      const token = await first.token({ patientUid })
      const answer = await call('/casesheet/readings/add', { token, body: readingOf(patientUid, 1) })
      if (index < 2) assert.equal(answer.status, 200)
      else {
        assertRefused(answer, 503, 'ServerUnavailable')
        assert.equal(answer.headers.get('retry-after'), '1')
        await until(() => router?.output().includes(answer.headers.get('x-request-id') ?? 'none') ?? false)
      }
    }
  },
)
