// Which patients the list of a doctor shows in which order, what of it changed, and how it is followed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedPatient, MyPatientsAnswer } from '../../typescript/src/client.ts'
import { followPatients, type Listed } from '../src/screens/my-patients/follow-patients.ts'
import { countChanged, orderOf, viewIn } from '../src/screens/my-patients/list-view.ts'

function listed(patientUid: string, part: Partial<ListedPatient> & { percent?: number } = {}): ListedPatient {
  const { percent, ...rest } = part
  const none = { newest: null, targets: [], bands: null, farthest: null, days: [] }
  const share = { judged: 100, inTarget: percent ?? 0, before: { judged: 0, inTarget: 0 } }
  return {
    patientUid,
    sharedAs: null,
    permission: 'view',
    readingTypes: null,
    validUntil: null,
    sharedSince: '2026-01-01T00:00:00.000Z',
    behindSince: null,
    status: 'inTarget',
    reason: 'All readings of blood pressure in 14 days are in target.',
    rule: null,
    decidedAt: null,
    openAlerts: null,
    acknowledgedAlerts: null,
    isPreparing: false,
    isNew: false,
    lastReadingAt: null,
    lastReview: null,
    daysWithData: { days: 30, withData: 0, fromDevices: 0 },
    types: percent === undefined ? [] : [{ readingType: 'heartRate', unit: '/min', ...none, share }],
    ...rest,
  }
}

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z`

const PATIENTS = [
  listed('p-1', {
    sharedAs: 'Chloé Exemple',
    percent: 86,
    lastReadingAt: at(3),
    daysWithData: { days: 30, withData: 9, fromDevices: 0 },
  }),
  listed('p-2', {
    sharedAs: 'Ada Example',
    status: 'attention',
    decidedAt: at(2),
    percent: 40,
    isNew: true,
    lastReview: { at: at(1), note: null },
  }),
  listed('p-3', {
    sharedAs: 'ben example',
    status: 'attention',
    decidedAt: at(9),
    percent: 70,
    lastReadingAt: at(9),
  }),
  listed('p-4', { status: 'silent', isNew: true, lastReview: { at: at(5), note: null } }),
  listed('p-10', { status: 'noTarget' }),
]

test('patients are shown by queue, search and order', () => {
  for (const [query, expected] of [
    ['', 'p-3 p-2 p-4 p-1 p-10'],
    ['order=asc', 'p-10 p-1 p-4 p-2 p-3'],
    ['sort=name', 'p-2 p-3 p-1 p-4 p-10'],
    ['sort=name&order=desc', 'p-10 p-4 p-1 p-3 p-2'],
    // Whoever has no share comes last in both directions.
    ['sort=share', 'p-2 p-3 p-1 p-4 p-10'],
    ['sort=share&order=desc', 'p-1 p-3 p-2 p-4 p-10'],
    ['sort=daysWithData&order=desc', 'p-1 p-3 p-2 p-4 p-10'],
    ['sort=lastReading', 'p-2 p-4 p-10 p-1 p-3'],
    // Nobody has looked at these yet: they are longest ago.
    ['sort=lastReview', 'p-3 p-1 p-10 p-2 p-4'],
    ['queue=attention', 'p-3 p-2'],
    ['queue=new', 'p-2 p-4'],
    ['queue=worse', ''],
    ['queue=nonsense&sort=nonsense', 'p-3 p-2 p-4 p-1 p-10'],
    ['find=CHLOE', 'p-1'],
    ['find=EXAMPLE&sort=name', 'p-2 p-3'],
    ['find=p-1', 'p-1 p-10'],
    ['find=%20', 'p-3 p-2 p-4 p-1 p-10'],
  ] as const)
    assert.equal(orderOf(PATIENTS, viewIn(new URLSearchParams(query))).join(' '), expected, query)
})

test('what changed is who moved, came or left, not who was pushed along', () => {
  for (const [before, after, changed] of [
    ['a b c d', 'a b c d', 0],
    ['a b c d', 'd a b c', 1],
    ['a b c d', 'b a d c', 2],
    ['a b c', 'a b c x', 1],
    ['a b c', 'a c', 1],
    ['a b c', 'x y', 5],
  ] as const)
    assert.equal(countChanged(before.split(' '), after.split(' ')), changed, `${before} → ${after}`)
})

function answer(
  data: ListedPatient[],
  all: ListedPatient[],
  more: Partial<MyPatientsAnswer> = {},
): MyPatientsAnswer {
  const count = (status: string) => all.filter((one) => one.status === status).length
  const [attention, silent, inTarget, noTarget] = ['attention', 'silent', 'inTarget', 'noTarget'].map(count)
  const none = { review: 0, worse: 0, reviewed: 0, noData: 0, preparing: 0, beyond: 0 }
  const counts = {
    ...none,
    attention,
    silent,
    inTarget,
    noTarget,
    new: all.filter(({ isNew }) => isNew).length,
  }
  return {
    code: 'Ok',
    message: 'Patients obtained successfully.',
    timeZone: 'UTC',
    asOf: 'now',
    behindSince: null,
    data,
    nextCursor: null,
    ...more,
    counts: { ...counts, all: all.length } as MyPatientsAnswer['counts'],
  }
}

test('the list is read page after page, then what changed; who shares no more is gone with the next answer', async () => {
  const leaving = new AbortController()
  const asked: string[] = []
  const seen: Listed[] = []
  const failures: unknown[] = []
  const changed = listed('p-1', { status: 'attention' })
  const after = [changed, ...PATIENTS.slice(1, 4)]
  const answers = [
    answer(PATIENTS.slice(0, 3), PATIENTS, { asOf: 'first', nextCursor: 'two' }),
    answer(PATIENTS.slice(3), PATIENTS, { asOf: 'later' }),
    answer([], PATIENTS, { asOf: 'second' }),
    // One changed, and p-10 has stopped sharing.
    answer([changed], after, { asOf: 'third' }),
    answer(after, after, { asOf: 'fourth' }),
    new Error('The server cannot be reached.'),
    answer([], after, { asOf: 'fifth' }),
  ]
  let pauses = 0
  await followPatients({
    async list({ changedSince = '', cursor = '' } = {}) {
      asked.push(`${changedSince}/${cursor}`)
      const next = answers.shift()
      if (next instanceof Error || !next) throw next ?? new Error('Nothing more was expected.')
      return next
    },
    query: { timeZone: 'UTC' },
    async pause() {
      pauses++
      if (answers.length === 0) leaving.abort()
    },
    onListed: (one) => seen.push(one),
    onFailed: (error) => failures.push(error),
    signal: leaving.signal,
  })
  assert.deepEqual(asked, ['/', '/two', 'first/', 'second/', '/', 'fourth/', 'fourth/'])
  assert.deepEqual(
    seen.map(({ patients, isComplete }) => `${patients.size}${isComplete ? '' : '…'}`),
    ['3…', '5', '5', '5', '4', '4'],
  )
  // What did not change is the same object: nothing is drawn again for it.
  assert.equal(seen[1]?.patients, seen[2]?.patients)
  assert.equal(seen.at(-1)?.patients.get('p-1')?.status, 'attention')
  assert.equal(seen.at(-1)?.patients.has('p-10'), false)
  assert.equal(failures.length, 1)
  assert.equal(pauses, 5)
})
