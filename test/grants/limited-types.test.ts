// A grant of two types shows nothing of a third: every pair of types, every way to read, whatever is asked for. The readings carry
// notes that name their types, and their ids are known, so that a trace of one is found in an answer of any format.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../support/until.ts'
import { readFirstEvent } from './held-stream.ts'
import { NOTE, READS, type SharedPatient, typesNoted, typesShown, unique } from './reads.ts'
import { type Answered, startStage } from './stage.ts'

// One begins as another does.
const TYPES = ['heartRate', 'oxygenSaturation', 'acme.grip', 'acme.grip.left', 'acme.mood']
const PAIRS = TYPES.flatMap((one, nth) => TYPES.slice(nth + 1).map((other): [string, string] => [one, other]))
const doctors = PAIRS.map((_, nth) => `doctor-${nth}`)
const stage = await startStage(doctors, 1)
const patient = await stage.newPatient([...TYPES, ...TYPES.toReversed()])
const AHEAD_S = Math.ceil(Date.now() / 1_000) + 30 * 86_400
const { patientUid } = patient
const tokens = new Map<string, string>()
for (const [nth, readingTypes] of PAIRS.entries()) {
  const doctorId = doctors[nth] ?? ''
  const given = await stage.give(0, patient, { doctorId, readingTypes })
  assert.equal(given.status, 200, given.text)
  tokens.set(doctorId, await stage.doctorToken(doctorId))
}
await stage.call(0, '/casesheet/readings/add', {
  token: patient.token,
  body: TYPES.map((readingType) => ({
    patientUid,
    readingType,
    timestamp: AHEAD_S,
    value: 60,
    note: NOTE(readingType),
  })),
})
const idsOf = await idsByType(patient)

/** The ids of the readings and of their Observations. */
async function idsByType({ token }: SharedPatient): Promise<Map<string, string[]>> {
  const { text } = await stage.call(0, `/casesheet/readings/get?patientUid=${patientUid}`, { token })
  const { data } = JSON.parse(text) as { data: { readingType: string; readingId: string }[] }
  return new Map(
    TYPES.map((type, nth) => [
      type,
      [
        ...data.filter(({ readingType }) => readingType === type).map(({ readingId }) => readingId),
        patient.observations[nth] ?? '',
      ],
    ]),
  )
}

/** Asserts that nothing of another type is in an answer, and that it says to what it is limited. */
function assertLimited({ headers, text }: Answered, granted: string[], what: string) {
  for (const type of TYPES.filter((other) => !granted.includes(other))) {
    assert.ok(!text.includes(NOTE(type)), `${what}: a note of ${type}`)
    for (const id of idsOf.get(type) ?? []) assert.ok(!text.includes(id), `${what}: an id of ${type}`)
  }
  assert.deepEqual(headers.get('x-limited-to')?.split(',').toSorted(), granted.toSorted(), what)
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) {
    const { limitedTo } = JSON.parse(text) as { limitedTo: string[] }
    assert.deepEqual(limitedTo.toSorted(), granted.toSorted(), what)
  }
  if (/"resourceType":"Bundle"/.test(text)) assert.deepEqual(limitsInOutcome(text, granted), [], what)
}

/** The granted types that the OperationOutcome of a searchset does not name. */
function limitsInOutcome(text: string, granted: string[]): string[] {
  const { entry } = JSON.parse(text) as { entry: { search: { mode: string }; resource: object }[] }
  const outcome = JSON.stringify(entry.filter(({ search }) => search.mode === 'outcome'))
  return granted.filter((type) => !outcome.includes(type))
}

type Shown = { data: object[]; units?: object }

const ask = (types: string[]) => types.map((type) => `&readingType=${type}`).join('')
const codes = (types: string[]) =>
  types.map((type) => encodeURIComponent(`urn:rounds:reading-type|${type}`)).join()

for (const [nth, granted] of PAIRS.entries()) {
  const token = tokens.get(doctors[nth] ?? '') ?? ''
  const others = TYPES.filter((type) => !granted.includes(type))
  const call = (path: string, headers = {}, body?: unknown) => stage.call(0, path, { token, headers, body })

  test(`${granted.join(' and ')}: every read shows these alone, and says so`, async () => {
    for (const kind of READS.filter(({ isStream }) => !isStream)) {
      for (const [about, type] of TYPES.entries()) {
        const answer = await call(kind.path(patient, about), kind.headers)
        const shown = kind.shown(patient, about, (one) => granted.includes(one))
        const what = `${kind.name} ${type}`
        assert.equal(answer.status, shown ? 200 : 404, `${what}: ${answer.text}`)
        if (!shown) continue
        assert.deepEqual(typesShown(kind, answer.text, type), shown, what)
        if (kind.name !== 'FHIR read') assertLimited(answer, granted, what)
      }
    }
  })

  test(`${granted.join(' and ')}: what is asked for beside them shows nothing`, async () => {
    const [third = ''] = others
    for (const asked of [[third], others, [third, granted[0]], [...others, ...granted], TYPES.toReversed()]) {
      const shown = unique(asked.filter((type) => granted.includes(type)))
      for (const [path, headers] of [
        [`/casesheet/readings/get?patientUid=${patientUid}${ask(asked)}`, {}],
        [`/casesheet/readings/get?patientUid=${patientUid}${ask(asked)}&limit=1000&order=desc`, {}],
        [`/casesheet/readings/get?patientUid=${patientUid}${ask(asked)}`, { accept: 'text/csv' }],
        [`/casesheet/readings/get?patientUid=${patientUid}${ask(asked)}`, { accept: 'application/x-ndjson' }],
        [`/casesheet/readings/latest?patientUid=${patientUid}${ask(asked)}`, {}],
        [`/fhir/Observation?patient=${patientUid}&code=${codes(asked)}`, {}],
      ] as const) {
        const answer = await call(path, headers)
        assert.equal(answer.status, 200, `${path}: ${answer.text}`)
        assert.deepEqual(typesNoted(answer.text), shown, path)
        assertLimited(answer, granted, path)
      }
    }
  })

  test(`${granted.join(' and ')}: no count, unit, page or log tells of another`, async () => {
    const latest = await call(`/casesheet/readings/latest?patientUid=${patientUid}`)
    assert.equal((JSON.parse(latest.text) as { typesBeyond: number }).typesBeyond, granted.length)
    // As of a time without readings: units that the catalogue names are there too.
    for (const type of others) {
      const of = `/casesheet/readings/statistics?patientUid=${patientUid}&readingType=${type}&bucket=month`
      const shown = JSON.parse((await call(`${of}&from=1700000000&to=1700086400`)).text) as Shown
      const { text } = await stage.call(0, `${of}&from=1000000000&to=1000086400`, { token: patient.token })
      const empty = JSON.parse(text) as Shown
      assert.deepEqual([shown.data, shown.units], [[], empty.units], type)
    }
    // Page by page to the end, in the interface and in FHIR.
    assert.equal(
      await countPages((cursor) => `/casesheet/readings/get?patientUid=${patientUid}&limit=1${cursor}`),
      6,
    )
    const log = await call(`/casesheet/readings/access-log?patientUid=${patientUid}&limit=1000`)
    const { data } = JSON.parse(log.text) as { data: { readBy: string; allowedAs: string }[] }
    assert.deepEqual(unique(data.map(({ readBy }) => readBy)), [`subject-of-${doctors[nth]}`])
    assert.deepEqual(unique(data.map(({ allowedAs }) => allowedAs)), ['grant'])
  })

  async function countPages(path: (cursor: string) => string): Promise<number> {
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const answer: Answered = await call(path(cursor === '' ? '' : `&cursor=${cursor}`))
      assert.equal(answer.status, 200, answer.text)
      assertLimited(answer, granted, `page ${pages}`)
      const page = JSON.parse(answer.text) as { data: object[]; nextCursor: string | null }
      assert.equal(page.data.length, 1, 'no page is short because of another type')
      cursor = page.nextCursor
    }
    return pages
  }
}

test('streams show additions, withdrawals and restorations of the granted types alone, also when they are resumed', async () => {
  const path = `${stage.urls[0]}/casesheet/readings/stream?patientUid=${patientUid}`
  const open = (nth: number, more = {}) => readFirstEvent(path, tokens.get(doctors[nth] ?? '') ?? '', more)
  const streams = await Promise.all(PAIRS.map((_, nth) => open(nth)))
  const body = TYPES.map((readingType, nth) => ({
    patientUid,
    readingType,
    timestamp: 1_700_010_000 + nth,
    value: 70,
    note: NOTE(readingType),
  }))
  const { token } = patient
  await stage.call(0, '/casesheet/readings/add', { token, body })
  const { text } = await stage.call(
    0,
    `/casesheet/readings/get?patientUid=${patientUid}&from=1700010000&to=1700020000`,
    { token },
  )
  const { data } = JSON.parse(text) as {
    data: { readingType: string; readingId: string; timestamp: number }[]
  }
  assert.equal(data.length, TYPES.length)
  for (const verb of ['withdraw', 'restore']) {
    for (const { readingId, timestamp, readingType } of data) {
      const done = await stage.call(0, `/casesheet/readings/${verb}`, {
        token,
        body: { patientUid, readingId, timestamp },
      })
      assert.equal(done.status, 200, `${readingType}: ${done.text}`)
    }
  }
  const expected = (granted: string[]) => data.filter(({ readingType }) => granted.includes(readingType))
  for (const [nth, granted] of PAIRS.entries()) {
    const stream = streams[nth] ?? assert.fail()
    const lastOf = (events: string, id: string) => events.lastIndexOf(id)
    // The last change of all is the restoration of the last type that is granted.
    await until(() => expected(granted).every(({ readingId }) => lastOf(stream.textSoFar(), readingId) >= 0))
    const resumed = await open(nth, { 'last-event-id': /^id: (.*)$/m.exec(stream.textSoFar())?.[1] ?? '' })
    await until(() => /event: (change|reset)/.test(resumed.textSoFar()))
    for (const seen of [stream, resumed]) {
      assert.deepEqual(
        typesNoted(seen.textSoFar()).filter((type) => !granted.includes(type)),
        [],
      )
      for (const { readingType, readingId } of data.filter((one) => !granted.includes(one.readingType)))
        assert.ok(!seen.textSoFar().includes(readingId), readingType)
      assert.deepEqual(seen.headers.get('x-limited-to')?.split(',').toSorted(), granted.toSorted())
      const [first = ''] = seen.textSoFar().split('\n\n')
      assert.deepEqual(
        JSON.parse(/^data: (.*)$/m.exec(first)?.[1] ?? '{}').limitedTo?.toSorted(),
        granted.toSorted(),
      )
      await seen.leave()
    }
  }
})
