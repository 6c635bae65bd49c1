// Who withdrew and who restored a reading: every correction leaves a row, is shown, and decides who may restore.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { patientWithReadings } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { runCommand } from '../../../../test/support/process.ts'
import { correctionStatement } from './withdraw-reading.ts'

const rounds = await startRounds()
const clinician = await rounds.token({ sub: 'dr-invented', scope: 'readings:read readings:withdraw' })

type Verb = 'withdraw' | 'restore'
type Correction = { action: Verb; readingId: string; readingType: string; reason: string | null }
type Entry = {
  readBy: string
  allowedAs: string
  operation: string
  from: string | null
  to: string | null
  readingsCount: number
  requestId: string
  correction?: Correction
}
type Withdrawn = {
  at: string
  by: string
  allowedAs: string | null
  reason: string | null
  corrections: unknown[]
}

async function patientWith(timestamps: number[]) {
  const patient = await patientWithReadings(rounds, timestamps)
  const { patientUid, token } = patient
  const readings = (await patient.get()).json.data as { readingId: string; timestamp: number }[]
  const named = readings.map(({ readingId, timestamp }) => ({ patientUid, readingId, timestamp }))
  const [first = { patientUid, readingId: '', timestamp: 0 }] = named
  const post = (verb: Verb, as = token, more: object = {}) =>
    rounds.call(`/casesheet/readings/${verb}`, { token: as, body: { ...first, ...more } })
  /** Entries of corrections, oldest first. */
  const log = async () => {
    const { json } = await rounds.call(`/casesheet/readings/access-log?patientUid=${patientUid}&limit=1000`, {
      token: clinician,
    })
    const entries = json.data as Entry[]
    return entries.filter(({ operation }) => /withdraw|restore/.test(operation)).toReversed()
  }
  const rows = () =>
    runSql<{ action: Verb; corrected_by: string; allowed_as: string; reason: string | null }>(
      rounds.ownerUrl,
      `select action, corrected_by, allowed_as, reason
       from casesheet.corrections
       where patient_uid = $1
       order by at`,
      [patientUid],
    )
  const withdrawnOf = async (path = 'get') => {
    const { json } = await rounds.call(`/casesheet/readings/${path}?withdrawn=include`, { token })
    return json.data[0]?.['withdrawn'] as Withdrawn | undefined
  }
  return { ...patient, first, post, log, rows, withdrawnOf }
}

test('each withdrawal and restoration leaves a row, and the log says who changed which reading and why', async () => {
  const { post, rows, log, first, patientUid } = await patientWith([1_000])
  await post('withdraw', undefined, { reason: 'Typed in pounds' })
  await post('restore')
  await post('withdraw', clinician, { reason: 'Entered for the wrong person' })
  await post('restore', clinician)
  const sub = (await log())[0]?.readBy ?? ''
  assert.deepEqual(await rows(), [
    { action: 'withdraw', corrected_by: sub, allowed_as: 'patient', reason: 'Typed in pounds' },
    { action: 'restore', corrected_by: sub, allowed_as: 'patient', reason: null },
    {
      action: 'withdraw',
      corrected_by: 'dr-invented',
      allowed_as: 'staff',
      reason: 'Entered for the wrong person',
    },
    { action: 'restore', corrected_by: 'dr-invented', allowed_as: 'staff', reason: null },
  ])
  const measuredAt = '1970-01-01T00:16:40.000Z'
  const correction = { readingId: first.readingId, readingType: 'acme.step', measuredAt }
  assert.deepEqual(
    (await log()).map(({ readBy, allowedAs, from, to, readingsCount, correction: done }) => [
      readBy,
      allowedAs,
      from,
      to,
      readingsCount,
      done,
    ]),
    [
      [
        sub,
        'patient',
        measuredAt,
        measuredAt,
        1,
        { action: 'withdraw', ...correction, reason: 'Typed in pounds' },
      ],
      [sub, 'patient', measuredAt, measuredAt, 1, { action: 'restore', ...correction, reason: null }],
      [
        'dr-invented',
        'staff',
        measuredAt,
        measuredAt,
        1,
        { action: 'withdraw', ...correction, reason: 'Entered for the wrong person' },
      ],
      ['dr-invented', 'staff', measuredAt, measuredAt, 1, { action: 'restore', ...correction, reason: null }],
    ],
  )
  assert.ok(
    (await rounds.call(`/casesheet/readings/get?patientUid=${patientUid}`, { token: clinician })).json
      .data[0],
  )
})

test('a patient and a carer restore only what patient or carer withdrew, and staff restores all', async () => {
  const { post, patientUid, rows, get } = await patientWith([1_000])
  const carer = await rounds.token({ sub: 'carer', patientUid: [patientUid, 'another'] })
  await post('withdraw', clinician)
  for (const token of [undefined, carer]) {
    const refused = await post('restore', token)
    assertRefused(refused, 403, 'ScopeMissing')
    assert.equal(refused.json.message, 'Staff has withdrawn this reading, and only staff can restore it.')
    assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/)
  }
  assert.deepEqual((await get()).json.data, [])
  // Withdrawing it once more changes nothing, and does not make it the patient's withdrawal.
  assert.equal((await post('withdraw')).status, 200)
  assertRefused(await post('restore'), 403, 'ScopeMissing')
  assert.equal((await post('restore', clinician)).status, 200)
  assert.equal((await get()).json.data.length, 1)
  await post('withdraw', carer)
  assert.equal((await post('restore')).status, 200)
  await post('withdraw')
  assert.equal((await post('restore', carer)).status, 200)
  await post('withdraw')
  assert.equal((await post('restore', clinician)).status, 200)
  assert.deepEqual(
    (await rows()).map(({ action, allowed_as }) => `${action} ${allowed_as}`),
    [
      'withdraw staff',
      'restore staff',
      'withdraw patient',
      'restore patient',
      'withdraw patient',
      'restore patient',
      'withdraw patient',
      'restore staff',
    ],
  )
})

test('staff withdraws what a patient withdrew before: it is recorded, shown, and only staff restores it', async () => {
  const { post, rows, log, withdrawnOf } = await patientWith([1_000])
  await post('withdraw', undefined, { reason: 'typo' })
  const ofPatient = await withdrawnOf()
  assert.equal((await post('withdraw', clinician, { reason: 'Entered for the wrong person' })).status, 200)
  const withdrawn = await withdrawnOf()
  assert.deepEqual(
    [withdrawn?.at, withdrawn?.by, withdrawn?.allowedAs, withdrawn?.reason],
    [ofPatient?.at, 'dr-invented', 'staff', 'Entered for the wrong person'],
  )
  assertRefused(await post('restore'), 403, 'ScopeMissing')
  // Neither takes the place of staff's: not the patient's own, not one more of staff.
  for (const token of [undefined, clinician])
    assert.equal((await post('withdraw', token, { reason: 'later' })).status, 200)
  assert.deepEqual(await withdrawnOf(), withdrawn)
  assert.equal((await post('restore', clinician)).status, 200)
  const expected = [
    ['withdraw', 'patient', 'typo'],
    ['withdraw', 'staff', 'Entered for the wrong person'],
    ['restore', 'staff', null],
  ]
  assert.deepEqual(
    (await rows()).map(({ action, allowed_as, reason }) => [action, allowed_as, reason]),
    expected,
  )
  assert.deepEqual(
    (await log()).flatMap(({ allowedAs, correction }) =>
      correction ? [[correction.action, allowedAs, correction.reason]] : [],
    ),
    expected,
  )
})

test('a reading that an earlier release has withdrawn is restored by staff only', async () => {
  const { post, patientUid, withdrawnOf } = await patientWith([1_000])
  await post('withdraw')
  await post('restore')
  // As that release does: it does not know who may restore, and leaves no row.
  const asBefore = (by: string | null) =>
    runSql(rounds.ownerUrl, 'update casesheet.readings set withdrawn_by = $2 where patient_uid = $1', [
      patientUid,
      by,
    ])
  await post('withdraw')
  await asBefore(null)
  await asBefore('dr-of-before')
  assert.equal((await withdrawnOf())?.allowedAs, null)
  assertRefused(await post('restore'), 403, 'ScopeMissing')
  assert.equal((await post('restore', clinician)).status, 200)
})

test('every call that looked at a reading is logged: of a reading that is not there, repeated or refused', async () => {
  const { post, log, first } = await patientWith([1_000])
  const call = async (verb: Verb, token: string | undefined, more: object) =>
    (await post(verb, token, more)).status
  const nowhere = { timestamp: 5 }
  assert.deepEqual(
    [
      await call('withdraw', clinician, nowhere),
      await call('restore', clinician, nowhere),
      await call('restore', undefined, {}),
      await call('withdraw', clinician, {}),
      await call('withdraw', undefined, {}),
      await call('restore', undefined, {}),
    ],
    [404, 404, 200, 200, 200, 403],
  )
  assert.deepEqual(
    (await log()).map(({ operation, allowedAs, readingsCount, correction }) => [
      operation,
      allowedAs,
      readingsCount,
      correction?.readingId,
    ]),
    [
      ['readings/withdraw', 'staff', 0, undefined],
      ['readings/restore', 'staff', 0, undefined],
      ['readings/restore', 'patient', 1, undefined],
      ['readings/withdraw', 'staff', 1, first.readingId],
      ['readings/withdraw', 'patient', 1, undefined],
      ['readings/restore', 'patient', 1, undefined],
    ],
  )
  // Of a patient whom nobody knows, too.
  const stranger = { patientUid: 'nobody-known', readingId: first.readingId, timestamp: 1 }
  assertRefused(
    await rounds.call('/casesheet/readings/restore', { token: clinician, body: stranger }),
    404,
    'ReadingNotFound',
  )
  const rows = await runSql(
    rounds.ownerUrl,
    "select read_by, operation, readings_count from casesheet.access_log where patient_uid = 'nobody-known'",
  )
  assert.deepEqual(rows, [{ read_by: 'dr-invented', operation: 'readings/restore', readings_count: 0 }])
})

test('withdrawn=include shows who, when and why, and what came before, at most ten', async () => {
  const { post, withdrawnOf, rows } = await patientWith([1_000])
  for (let time = 0; time < 6; time++) {
    await post('withdraw', clinician, { reason: `reason "${time}" ä\u{1F600}` })
    await post('restore', clinician)
  }
  await post('withdraw', undefined, { reason: 'last' })
  assert.equal((await rows()).length, 13)
  for (const path of ['get', 'latest']) {
    const withdrawn = await withdrawnOf(path)
    assert.deepEqual([withdrawn?.allowedAs, withdrawn?.reason], ['patient', 'last'])
    const corrections = (withdrawn?.corrections ?? []) as {
      action: Verb
      by: string
      at: string
      reason: string
    }[]
    assert.deepEqual(
      corrections.map(({ action, reason }) => [action, reason]),
      [
        ['restore', null],
        ...[2, 3, 4, 5].flatMap((time) => [
          ['withdraw', `reason "${time}" ä\u{1F600}`],
          ['restore', null],
        ]),
        ['withdraw', 'last'],
      ],
    )
    const times = corrections.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted())
    assert.equal(corrections[0]?.by, 'dr-invented')
  }
})

test('corrections that race leave as many rows as changes, in turn', async () => {
  const { post, rows, log } = await patientWith([1_000])
  const verbs = Array.from({ length: 60 }, (_, n): Verb => (n % 2 ? 'withdraw' : 'restore'))
  const answers = await Promise.all(verbs.map((verb, n) => post(verb, n % 3 ? clinician : undefined)))
  for (const { status } of answers) assert.ok(status === 200 || status === 403, `${status}`)
  const whys = (await rows()).map(({ action, allowed_as }) => `${action} ${allowed_as}`)
  assert.ok(whys.length > 0)
  // Staff also withdraws what a patient withdrew. No patient has restored what staff withdrew.
  const mayFollow: Record<string, string[]> = {
    'withdraw patient': ['withdraw staff', 'restore patient', 'restore staff'],
    'withdraw staff': ['restore staff'],
    restored: ['withdraw patient', 'withdraw staff'],
  }
  for (const [index, why] of whys.entries()) {
    const before = whys[index - 1] ?? 'restored'
    assert.ok(mayFollow[before.replace(/^restore .*/, 'restored')]?.includes(why), `${why} after ${before}`)
  }
  assert.equal((await log()).length, 60)
})

test('a statement that is sent again after its answer was lost records nothing twice, and undoes no later correction', async () => {
  const { post, rows, first, withdrawnOf } = await patientWith([1_000])
  const by = { readBy: 'dr-invented', allowedAs: 'staff' as const, requestId: 'lost-answer' }
  const { text, values } = correctionStatement('withdraw', {
    ...first,
    reason: 'once',
    by,
    correctionId: '0b8f6d3e-6b0e-4b5e-9d55-1f2e3d4c5b6a',
  })
  const send = () => runSql(rounds.serveUrl, text, values)
  assert.deepEqual(await send(), [{ is_known: true, is_refused: false }])
  assert.deepEqual(await send(), [{ is_known: true, is_refused: false }])
  assert.equal((await rows()).length, 1)
  await post('restore', clinician)
  assert.deepEqual(await send(), [{ is_known: true, is_refused: false }])
  assert.deepEqual(
    (await rows()).map(({ action }) => action),
    ['withdraw', 'restore'],
  )
  assert.equal(await withdrawnOf(), undefined)
})

test('the serving role adds corrections and reads them, and cannot date, change or remove one', async () => {
  const { post, patientUid } = await patientWith([1_000])
  await post('withdraw')
  const columns = 'patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as'
  const values = "'p', gen_random_uuid(), now(), gen_random_uuid(), 'withdraw', 'x', 'staff'"
  for (const attempt of [
    'update casesheet.corrections set corrected_by = corrected_by',
    'delete from casesheet.corrections',
    'truncate casesheet.corrections',
    `insert into casesheet.corrections (${columns}, at) values (${values}, '2001-01-01')`,
  ])
    await assert.rejects(runSql(rounds.serveUrl, attempt), { code: '42501' }, attempt)
  const read = `select from casesheet.corrections where patient_uid = '${patientUid}'`
  assert.equal((await runSql(rounds.serveUrl, read)).length, 1)
})

test('an export has every correction, trimming the log keeps them, and an erasure leaves none', async () => {
  const { post, patientUid, rows, log } = await patientWith([1_000, 2_000])
  await post('withdraw', undefined, { reason: 'mine' })
  await post('restore', clinician)
  const { output } = await runPatientCommand(['export', patientUid, ...BY], rounds.ownerUrl)
  const lines = output
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { correction?: Correction & { by: string }; end?: { corrections: number } },
    )
  assert.deepEqual(
    lines.flatMap(({ correction }) => (correction ? [[correction.action, correction.reason]] : [])),
    [
      ['withdraw', 'mine'],
      ['restore', null],
    ],
  )
  assert.equal(lines.at(-1)?.end?.corrections, 2)
  await runSql(rounds.ownerUrl, `update casesheet.access_log set at = '2020-01-01' where patient_uid = $1`, [
    patientUid,
  ])
  const trimmed = await runCommand(['access-log', 'trim', '--before', '2020-02-01', ...BY, '--yes'], {
    DATABASE_URL: rounds.ownerUrl,
  }).ended
  assert.equal(trimmed.code, 0, trimmed.output)
  assert.deepEqual((await log()).map(({ correction }) => String(correction?.action)).toSorted(), [
    'restore',
    'withdraw',
  ])
  const erased = await runPatientCommand(['erase', patientUid, ...BY, '--yes'], rounds.ownerUrl)
  assert.equal(erased.code, 0, erased.output)
  assert.deepEqual(await rows(), [])
})
