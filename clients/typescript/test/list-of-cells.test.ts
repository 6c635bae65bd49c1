// A doctor's list behind a router of cells, with answers written by hand. test/cells/patients-of-doctor.test.ts has real cells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRoundsClient, type RoundsClientOptions } from '../src/client.ts'

type Part =
  | { slots: string; order?: string; keys: (string | number)[][]; nextCursor?: string }
  | 'hangs'
  | 'away'

const errorOf = (code: string, more: object = {}) => ({
  status: 'error',
  code,
  message: 'No.',
  requestId: 'r',
  ...more,
})
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })

/** The last part of a list is answered again and again. */
function clientOf(
  parts: Record<string, Part[]>,
  addresses: object = { url: 'https://rounds.example/below' },
) {
  const asked: string[] = []
  const fetch = async (address: string, { signal }: RequestInit): Promise<Response> => {
    asked.push(address)
    const [, name = ''] = /\/cells\/([^/]+)/.exec(address) ?? []
    const left = parts[name]
    if (!left) return json(400, errorOf('CellMissing', { retryable: false, cells: Object.keys(parts) }))
    const part = (left.length > 1 ? left.shift() : left[0]) ?? 'away'
    if (part === 'away') return json(503, errorOf('ServerUnavailable', { retryable: true }))
    if (part === 'hangs')
      return new Promise((_, fail) => signal?.addEventListener('abort', () => fail(new Error('aborted'))))
    const { slots, order = 'asc', keys, nextCursor = null } = part
    const places = keys.map((key) => ({ key, cursor: `after ${key.at(-1)}` }))
    const data = keys.map((key) => ({ patientUid: key.at(-1) }))
    return json(200, { code: 'Ok', message: 'Ok.', data, nextCursor, cell: { slots, order, places } })
  }
  const client = createRoundsClient({ ...addresses, token: 'token', fetch } as RoundsClientOptions)
  const list = async (query: { limit?: number; cursor?: string } = {}, timeoutMs?: number) => {
    const { data, nextCursor, cells, ...rest } = await client.patients.list(query, { timeoutMs })
    assert.equal('cell' in rest, false, 'what is of one part is not in the whole')
    if (cells?.haveMoved) return 'have moved'
    return [
      data.map(({ patientUid }) => patientUid),
      nextCursor?.split('.')[0] ?? null,
      cells?.missing.map(({ cell, code }) => [cell, code]),
    ]
  }
  return { list, asked, client }
}

const LOW = '0-2047'
const HIGH = '2048-4095'

test('parts are merged by numbers and texts, ascending or descending, and the cursor of the last goes to every cell', async () => {
  const low = {
    slots: LOW,
    keys: [
      [1, 'b'],
      [10, 'a'],
      [10, '\u{1f600}'],
    ],
  }
  const high = {
    slots: HIGH,
    keys: [
      [2, 'z'],
      [10, '\ufffd'],
    ],
    nextCursor: 'x',
  }
  const { list, asked, client } = clientOf({ a: [low], b: [high] })
  assert.deepEqual(await list({ limit: 3 }), [['b', 'z', 'a'], 'after a', []])
  assert.deepEqual(await list(), [['b', 'z', 'a', '\ufffd', '\u{1f600}'], 'after \u{1f600}', []])
  await list({ limit: 3, cursor: 'after a' })
  assert.deepEqual(
    asked.slice(-3).toSorted(),
    ['/casesheet', '/cells/a/casesheet', '/cells/b/casesheet'].map(
      (path) => `https://rounds.example/below${path}/patients/list?limit=3&cursor=after%20a`,
    ),
  )
  const { nextCursor } = await client.patients.list({ limit: 3 })
  assert.ok(nextCursor)
  assert.deepEqual(await list({ cursor: nextCursor, limit: 3 }), [['b', 'z', 'a'], 'after a', []])
  assert.match(asked.at(-1) ?? '', /cursor=after%20a&limit=3$/, 'what the client adds to it stays here')
  low.slots = '0-2048'
  high.slots = '2049-4095'
  assert.equal(await list({ cursor: nextCursor, limit: 3 }), 'have moved')
  const down = {
    order: 'desc',
    slots: LOW,
    keys: [
      [0, 'c'],
      [0, 'a'],
    ],
  }
  const { list: listDown } = clientOf({ a: [down], b: [{ ...down, slots: HIGH, keys: [[0, 'b']] }] })
  assert.deepEqual(await listDown(), [['c', 'b', 'a'], null, []])
})

test('addresses of modules apart have their cells too', async () => {
  const addresses = { appointmentsUrl: 'https://d.example/x', casesheetUrl: 'https://r.example/readings/v1' }
  const { list, asked } = clientOf({ a: [{ slots: '0-4095', keys: [] }] }, addresses)
  assert.deepEqual(await list(), [[], null, []])
  assert.deepEqual(asked.at(-1), 'https://r.example/cells/a/readings/v1/patients/list?limit=100')
})

test('after a move between two answers all are asked again; a gap or an overlap that stays is no whole list', async () => {
  const moved = (slots: string, ...uids: string[]) => ({ slots, keys: uids.map((uid) => [uid]) })
  const twice = clientOf({ a: [moved('0-2100', 'm', 'n'), moved(LOW, 'n')], b: [moved(HIGH, 'm')] })
  assert.deepEqual(await twice.list(), [['m', 'n'], null, []])
  const gap = clientOf({ a: [moved(LOW, 'n')], b: [moved('3000-4095'), moved(HIGH, 'm')] })
  assert.deepEqual(await gap.list(), [['m', 'n'], null, []])
  const none = clientOf({ a: [moved(LOW, 'n')], b: [moved('')] })
  assert.deepEqual(await none.list(), [['n'], null, [[null, 'PatientMoving']]])
  const stays = clientOf({ a: [moved('0-2048', 'm')], b: [moved(HIGH, 'm')] })
  await assert.rejects(stays.list(), { code: 'WrongCell' })
})

test('a cell that is away or hangs is named, and all of them away is an error', async () => {
  const here = { slots: LOW, keys: [['n']] }
  assert.deepEqual(await clientOf({ a: [here], b: ['away'] }).list(), [
    ['n'],
    null,
    [['b', 'ServerUnavailable']],
  ])
  assert.deepEqual(await clientOf({ a: [here], b: ['hangs'] }).list({}, 200), [
    ['n'],
    null,
    [['b', 'TimedOut']],
  ])
  await assert.rejects(clientOf({ a: ['away'], b: ['away'] }).list(), { code: 'ServerUnavailable' })
})

test('of the list with who needs attention, counts are added, and it is as old as its oldest part', async () => {
  const asked: string[] = []
  const part = (all: number, behindSince: string | null) => ({ counts: { all, attention: 1 }, behindSince })
  const parts: Record<string, object> = {
    a: { ...part(2, null), asOf: 'a1', cell: { slots: LOW, order: 'asc', places: [] } },
    b: {
      ...part(3, '2026-11-17T08:00:00.000Z'),
      asOf: 'b1',
      cell: { slots: '2048-3000', order: 'asc', places: [] },
    },
    c: {
      ...part(4, '2026-11-17T07:00:00.000Z'),
      asOf: 'c1',
      cell: { slots: '3001-4095', order: 'asc', places: [] },
    },
  }
  const fetch = async (address: string): Promise<Response> => {
    asked.push(address)
    const [, name = ''] = /\/cells\/([^/]+)/.exec(address) ?? []
    return parts[name]
      ? json(200, { code: 'Ok', message: 'Ok.', data: [], nextCursor: null, ...parts[name] })
      : json(400, errorOf('CellMissing', { retryable: false, cells: Object.keys(parts) }))
  }
  const { myPatients } = createRoundsClient({ url: 'https://rounds.example', token: 'token', fetch })
  const { counts, behindSince, asOf } = await myPatients.list()
  assert.deepEqual({ ...counts }, { all: 9, attention: 3 })
  assert.equal(behindSince, '2026-11-17T07:00:00.000Z')
  await myPatients.list({ changedSince: asOf })
  assert.deepEqual(
    asked
      .slice(-3)
      .map((address) => address.replace(/^.*changedSince=/, ''))
      .toSorted(),
    ['a1', 'b1', 'c1'].map((since) => `${since}&limit=50`),
  )
})
