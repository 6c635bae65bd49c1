// What the database must hold after a run, by what was accepted: each accepted reading once, an access-log row for each
// read that was answered, each accepted look once, no reading withdrawn but by a request, and nothing that a refused request would have left.
import assert from 'node:assert/strict'
import { type Rounds, runSql } from '../support/harness.ts'
import { parsed } from './judge.ts'
import type { FuzzRequest } from './requests.ts'
import type { FuzzAnswer } from './send.ts'

const ADD = '/casesheet/readings/add'
const WITHDRAW = '/casesheet/readings/withdraw'
const REVIEW = '/care/reviews/add'
const PREVIEW = '/care/rules/preview'
/** Without a patient, a doctor gets those for all. */
const TARGETS = '/care/targets/list'
/** They may give nothing, what is of no patient, what is shown later, or what was shown today already. */
const MAY_BE_LOGGED =
  /^\/(casesheet\/readings\/(changes|stream)|care\/(patients|alerts|rules|targets)\/list)$/
/** They show whether there is such a reading, also where they change nothing. */
const CORRECTION = /^\/casesheet\/readings\/(withdraw|restore)$/
const LOGGED =
  /^\/(casesheet\/readings\/(get|latest|statistics|access-log)|care\/(timeline|reports\/[\w-]+))$/

export async function watchData({ ownerUrl }: Rounds) {
  const accepted = new Set<string>()
  const withdrawn = new Set<unknown>()
  const looks = new Set<unknown>()
  const answeredReads = new Set<string>()
  const followed = new Set<string>()
  const answers = new Map<string, string>()
  const directory = () =>
    runSql(ownerUrl, 'select md5(string_agg(doctors::text, $1)) from appointments.doctors', [','])
  const directoryBefore = await directory()
  const countReadings = async () =>
    (await runSql<{ count: number }>(ownerUrl, 'select count(*)::int as count from casesheet.readings'))[0]
      ?.count ?? -1
  let readingsBefore = await countReadings()
  let since = await databaseTime()

  /** Whatever is there now needs no explanation. */
  async function begin() {
    accepted.clear()
    withdrawn.clear()
    looks.clear()
    answeredReads.clear()
    followed.clear()
    answers.clear()
    readingsBefore = await countReadings()
    since = await databaseTime()
  }

  async function databaseTime() {
    const [row] = await runSql<{ now: string }>(ownerUrl, 'select clock_timestamp()::text as now')
    return row?.now
  }

  function note(request: FuzzRequest, { status, headers, body: answer }: FuzzAnswer) {
    const { method, path, query, body } = request
    const requestId = String(headers['x-request-id'])
    answers.set(requestId, `${status} ${method} ${path}?${query}`)
    const hasLooked = method === 'POST' && hasLookedAtReading(status, parsed(answer))
    if (hasLooked && CORRECTION.test(decodeURIComponent(path))) answeredReads.add(requestId)
    // Whoever holds the list already has looked at it too.
    if (status === 304 && MAY_BE_LOGGED.test(decodeURIComponent(path))) followed.add(requestId)
    if (status !== 200) return
    // An escape of a plain letter is that letter.
    const meant = decodeURIComponent(path)
    if (method === 'POST' && meant === REVIEW) looks.add(lookIn(parsed(answer)))
    if (method === 'POST' && meant === ADD)
      noteAdded([parsed(body ?? Buffer.alloc(0))].flat(), parsed(answer))
    if (method === 'POST' && meant === WITHDRAW)
      withdrawn.add(Object(parsed(body ?? Buffer.alloc(0))).readingId)
    // Tried on all, it is a read of those who have such readings.
    if (method === 'POST' && meant === PREVIEW)
      (Object(parsed(body ?? Buffer.alloc(0))).patientUid === undefined ? followed : answeredReads).add(
        requestId,
      )
    if (method === 'GET' && meant === TARGETS && query.includes('patientUid=')) answeredReads.add(requestId)
    const mayBeLogged = method === 'GET' && MAY_BE_LOGGED.test(meant)
    if (mayBeLogged) followed.add(requestId)
    if ((method === 'GET' && LOGGED.test(meant)) || (mayBeLogged && answer.includes('"reading":')))
      answeredReads.add(requestId)
  }

  function noteAdded(readings: unknown[], answer: unknown) {
    const verdicts: unknown = Object(answer).data
    readings.forEach((reading, index) => {
      const verdict = Array.isArray(verdicts) ? verdicts[index]?.verdict : 'stored'
      if (verdict !== 'rejected') accepted.add(JSON.stringify(sorted(reading)))
    })
  }

  /** Asserts that nothing but what was accepted has changed the data. */
  async function mustBeExplained() {
    assert.equal(
      await countReadings(),
      readingsBefore + accepted.size,
      'readings that no accepted add explains, or too few',
    )
    const logged = await runSql<{ request_id: string }>(
      ownerUrl,
      // A delivery to an endpoint is of no request.
      "select distinct request_id from casesheet.access_log where at >= $1 and operation <> 'webhooks'",
      [since],
    )
    const found = new Set(logged.map((row) => row.request_id))
    assert.deepEqual(
      [...found].filter((id) => !answeredReads.has(id) && !followed.has(id)).map((id) => answers.get(id)),
      [],
      'reads in the log that were refused',
    )
    assert.deepEqual(
      [...answeredReads].filter((id) => !found.has(id)).map((id) => answers.get(id)),
      [],
      'reads that are not in the log',
    )
    const marked = await runSql<{ reading_id: string }>(
      ownerUrl,
      'select reading_id from casesheet.readings where withdrawn_at >= $1',
      [since],
    )
    assert.deepEqual(
      marked.filter(({ reading_id }) => !withdrawn.has(reading_id)),
      [],
      'readings withdrawn by no accepted request',
    )
    const [added] = await runSql(
      ownerUrl,
      'select count(*)::int as count from casesheet.looks where at >= $1',
      [since],
    )
    assert.deepEqual(added, { count: looks.size }, 'looks that no accepted request explains, or too few')
    assert.deepEqual(await directory(), directoryBefore)
  }
  return { begin, note, mustBeExplained }
}

/** Sent again, a look is the same. */
function lookIn(answer: unknown) {
  const { patientUid, reviewId } = Object(Object(answer).data)
  return `${patientUid} ${reviewId}`
}

function hasLookedAtReading(status: number, answer: unknown): boolean {
  const { code, message }: { code?: unknown; message?: unknown } = Object(answer)
  return status === 200 || code === 'ReadingNotFound' || String(message).startsWith('Staff has withdrawn')
}

/** The same value with its keys in order: readings are the same in whatever order their fields come. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [`_${key}`, sorted(Object(value)[key])]),
  )
}
