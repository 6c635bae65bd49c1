// However many readings a patient has, and whoever evaluates them: slice by slice, each alert once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type StoredReading, startEvaluating } from '../../../../test/support/evaluated-alerts.ts'
import { evaluateNext } from './keep-alerts.ts'
import { deadlineOf } from './outages.ts'

const stage = await startEvaluating()
after(() => stage.end())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NOW = Math.floor(Date.now() / DAY) * DAY
const HIGH = {
  readingType: 'heartRate',
  field: 'value',
  terms: { unit: '/min', value: { above: 130, times: 1 } },
}
/** Of 7 readings a slice. */
const SMALL = { first: 3, further: 7 }

const beats = (value: number, minutesAgo: number): StoredReading => ({
  id: randomUUID(),
  readingType: 'heartRate',
  measuredAt: NOW - minutesAgo * MINUTE,
  receivedAt: NOW - minutesAgo * MINUTE,
  details: { value },
})

async function newPatient() {
  const [patientUid, doctorId] = [`patient-${randomUUID()}`, `doctor-${randomUUID()}`]
  await stage.share(patientUid, doctorId, NOW - 9 * DAY)
  await stage.setRule({ patientUid, doctorId, ...HIGH }, NOW - 9 * DAY)
  await stage.mark()
  return patientUid
}

test('many slices give what one gives, each alert once', async () => {
  const values = Array.from({ length: 200 }, (_, nth) => (nth % 40 < 20 ? 140 + (nth % 3) : 100))
  const said: string[][] = []
  for (const sizes of [SMALL, { first: 5_000, further: 5_000 }]) {
    const patientUid = await newPatient()
    await stage.write(
      patientUid,
      values.map((value, nth) => beats(value, 200 - nth)),
    )
    await stage.evaluate(NOW, sizes)
    said.push(await stage.said(patientUid))
  }
  assert.deepEqual(said[0], Array(5).fill('opened ended'))
  assert.deepEqual(said[1], said[0])
})

test('an alert that lasts for many slices is opened in the last', async () => {
  const patientUid = await newPatient()
  await stage.write(
    patientUid,
    Array.from({ length: 60 }, (_, nth) => beats(nth === 30 ? 180 : 140, 60 - nth)),
  )
  await stage.evaluate(NOW, SMALL)
  const [alert] = await stage.open(patientUid)
  assert.equal(alert?.since, NOW - 60 * MINUTE)
  assert.equal(alert?.value, 180)
  assert.deepEqual(await stage.said(patientUid), ['opened'])
})

test('what changes while slices are evaluated is found, also behind them', async () => {
  const patientUid = await newPatient()
  const readings = Array.from({ length: 60 }, (_, nth) => beats(100, 60 - nth))
  await stage.write(patientUid, readings)
  await stage.mark()
  await stage.evaluateOnce(NOW, SMALL)
  await stage.evaluateOnce(NOW, SMALL)
  // Where was evaluated, and where was not.
  await stage.write(patientUid, [beats(150, 59.5), beats(160, 0.5)])
  await stage.evaluate(NOW, SMALL)
  assert.deepEqual(await stage.said(patientUid), ['opened ended', 'opened'])
})

test('a late reading is evaluated as far as it reaches, and no further', async () => {
  const patientUid = await newPatient()
  await stage.write(
    patientUid,
    Array.from({ length: 100 }, (_, nth) => beats(100, 200 - nth)),
  )
  await stage.evaluate(NOW)
  await stage.write(patientUid, [{ ...beats(150, 199.5), receivedAt: NOW }])
  await stage.mark()
  let slices = 0
  while ((await stage.evaluateOnce(NOW, SMALL)) > 0) slices++
  assert.deepEqual(await stage.said(patientUid), ['opened ended'])
  assert.ok(slices <= 2, `${slices} slices`)
})

test('a fresh reading of a late alert is announced, also where readings come behind it', async () => {
  const patientUid = await newPatient()
  const late = { receivedAt: NOW - 2 * MINUTE }
  await stage.write(patientUid, [
    { ...beats(140, 3 * 24 * 60), ...late },
    ...Array.from({ length: 100 }, (_, nth) => ({ ...beats(135, 2 * 24 * 60 - nth), ...late })),
  ])
  await stage.evaluate(NOW)
  await stage.write(patientUid, [{ ...beats(136, 3 * 24 * 60 - 1), receivedAt: NOW - 3 * DAY + 2 * MINUTE }])
  await stage.evaluate(NOW, SMALL)
  const said = await stage.run<{ is_announced: boolean }>(
    'select is_announced from casesheet.alert_events where patient_uid = $1 order by at, event_id',
    [patientUid],
  )
  assert.deepEqual(
    said.map(({ is_announced }) => is_announced),
    [false, true],
  )
})

for (const sizes of [SMALL, undefined])
  test(`what ended is known by what its readings are now${sizes ? ', a few readings at a time' : ''}`, async () => {
    const patientUid = await newPatient()
    const [first, worst, last, over] = [beats(140, 50), beats(150, 40), beats(145, 30), beats(100, 20)]
    const shown = async (...changed: StoredReading[]) => {
      await stage.write(patientUid, changed)
      await stage.evaluate(NOW, sizes)
      return (await stage.open(patientUid)).map(({ since, value }) => [(NOW - since) / MINUTE, value])
    }
    const withdrawn = (reading: StoredReading) => ({ ...reading, isWithdrawn: true })
    await shown(beats(100, 60), first, worst, last, over)
    assert.deepEqual(await shown(withdrawn(first)), [])
    assert.deepEqual(await shown(withdrawn(over)), [[40, 150]])
    assert.deepEqual(await shown(over), [])
    await shown(withdrawn(worst))
    assert.deepEqual(await shown(withdrawn(over)), [[30, 145]])
    // All of it, and back again.
    await shown(withdrawn(last), over)
    await shown(first, worst)
    assert.deepEqual(await shown(withdrawn(over)), [[50, 150]])
  })

test('what is equal in one second counts once, also where a slice ends in it', async () => {
  const patientUid = await newPatient()
  const at = NOW - 10 * MINUTE
  const again = { ...beats(140, 10), measuredAt: at + 5, receivedAt: NOW }
  await stage.write(patientUid, [
    beats(100, 11),
    { ...beats(140, 10), measuredAt: at + 700, receivedAt: at + 700 },
  ])
  await stage.evaluate(NOW)
  await stage.write(patientUid, [again, { ...beats(120, 10), measuredAt: at + 1, receivedAt: NOW }])
  await stage.evaluate(NOW, SMALL)
  assert.deepEqual(
    (await stage.open(patientUid)).map(({ since }) => since),
    [at + 700],
  )
})

for (const [count, beyond] of [
  [14, 6],
  [6_000, 5_003],
] as const)
  test(`of ${count} readings of one second all are looked at`, async () => {
    const patientUid = await newPatient()
    await stage.evaluate(NOW)
    // Seven of each millisecond, in the order of their ids.
    const readings = Array.from({ length: count }, (_, nth) => {
      const at = NOW - 10 * MINUTE + Math.floor(nth / 7)
      const id = nth.toString(16).padStart(8, '0') + randomUUID().slice(8)
      return { ...beats(nth === beyond ? 150 : 100, 10), id, measuredAt: at, receivedAt: at }
    })
    await stage.write(patientUid, readings)
    await stage.evaluate(NOW, SMALL)
    const said = await stage.run(
      "select worst ->> 'readingId' as worst from casesheet.alerts where patient_uid = $1",
      [patientUid],
    )
    assert.deepEqual(said, [{ worst: readings[beyond]?.id }])
  })

test('nobody is told of what was over for a day when it was found', async () => {
  const patientUid = await newPatient()
  await stage.write(patientUid, [beats(140, 3 * 24 * 60), beats(100, 3 * 24 * 60 - 30), beats(150, 60)])
  await stage.evaluate(NOW)
  const said = await stage.run<{ event: string }>(
    'select event, is_announced from casesheet.alert_events where patient_uid = $1 order by event_id',
    [patientUid],
  )
  assert.deepEqual(said, [
    { event: 'opened', is_announced: false },
    { event: 'ended', is_announced: false },
    { event: 'opened', is_announced: true },
  ])
})

test('what is worse than was acknowledged opens again, also where that was meanwhile', async () => {
  const patientUid = await newPatient()
  await stage.write(patientUid, [beats(140, 10)])
  await stage.evaluate(NOW)
  await stage.write(patientUid, [beats(160, 1)])
  await stage.mark()
  let isAcknowledged = false
  const query: typeof stage.db.query = async (statement, options) => {
    if (statement.name === 'write-alerts' && !isAcknowledged) {
      isAcknowledged = true
      await stage.run(
        'update casesheet.alerts set acknowledged_at = now(), acknowledged_beyond = beyond where patient_uid = $1',
        [patientUid],
      )
    }
    return stage.db.query(statement, options)
  }
  const db = Object.create(stage.db, { query: { value: query } })
  const failed = async (_: unknown, error: unknown) => Promise.reject(error)
  while ((await evaluateNext(db, { now: new Date(NOW).toISOString(), failed })) > 0);
  assert.deepEqual(await stage.said(patientUid), ['opened reopened'])
})

test('a rule for all holds up nobody whose readings came', async () => {
  const doctorId = `doctor-${randomUUID()}`
  const patients = Array.from({ length: 60 }, () => `patient-${randomUUID()}`)
  for (const each of patients) await stage.share(each, doctorId, NOW - 9 * DAY)
  const patientUid = await newPatient()
  await stage.evaluate(NOW)
  await stage.setRule({ patientUid: null, doctorId, ...HIGH }, NOW - 9 * DAY)
  await stage.mark()
  await stage.write(patientUid, [beats(140, 1)])
  await stage.mark()
  await stage.evaluateOnce(NOW)
  assert.deepEqual(await stage.said(patientUid), ['opened'])
  assert.ok((await stage.run('select from care.alert_marks')).length > 0)
  await stage.evaluate(NOW)
  assert.equal((await stage.run('select from care.alert_marks')).length, 0)
})

test('taken by two at once, it is written once', async () => {
  const patientUid = await newPatient()
  await stage.write(patientUid, [beats(140, 1)])
  await stage.mark()
  // Whoever takes it, another takes it too.
  await stage.run(`create function public.free() returns trigger language plpgsql as
    $$ begin if new.free_at > now() then new.free_at := '-infinity'; end if; return new; end $$;
    create trigger free before update on care.alert_marks for each row execute function public.free()`)
  // The first waits where it would write; the second comes through.
  await stage.run(`create function public.wait() returns trigger language plpgsql as
    $$ begin if pg_try_advisory_xact_lock(7) then perform pg_sleep(0.5); end if; return new; end $$;
    create trigger wait before insert on casesheet.alert_events for each row execute function public.wait()`)
  await Promise.all([stage.evaluateOnce(NOW), stage.evaluateOnce(NOW), stage.evaluateOnce(NOW)])
  assert.deepEqual(await stage.said(patientUid), ['opened'])
  assert.equal((await stage.run('select from care.alert_marks')).length, 0)
})

test('while Rounds was away nothing was missing, and devices get half an hour more', () => {
  const HOUR = 3_600_000_000
  const cases: [outages: { began: number; ended: number }[], hours: number][] = [
    [[], 2],
    [[{ began: -HOUR, ended: 0 }], 2],
    [[{ began: HOUR, ended: 2 * HOUR }], 3.5],
    [[{ began: -HOUR, ended: HOUR }], 3.5],
    [
      [
        { began: HOUR, ended: 1.5 * HOUR },
        { began: 2.25 * HOUR, ended: 3.25 * HOUR },
      ],
      4,
    ],
    [[{ began: 3 * HOUR, ended: 9 * HOUR }], 2],
  ]
  for (const [outages, hours] of cases)
    assert.equal(deadlineOf(0, 2 * HOUR, outages), hours * HOUR, JSON.stringify(outages))
})
