// An upgrade as docs/operations/upgrade.md has it: the release before serves while this one migrates, goes on serving, hands over, and
// takes over again. Everything that was stored is read the same, byte for byte.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { temporaryDirectory } from '../support/dev.ts'
import { AUDIENCE, createEmptyDatabase, runSql, startIssuer } from '../support/harness.ts'
import { hasHistory, unpackPreviousRelease } from '../support/previous-release.ts'
import { type Command, runCommand, runProgram, untilSaid } from '../support/process.ts'

const PATIENT = 'patient-1'
const DAY_MS = 86_400_000
const START_MS = 1_762_000_000_000
const ROOT = join(import.meta.dirname, '../..')
const SAMPLES = join(ROOT, 'samples/directory.json')
const namesIn = (dir: string) =>
  readdirSync(join(dir, 'migrations')).flatMap((file) => /^(.+)\.sql$/.exec(file)?.[1] ?? [])

const [ownerUrl, issuer] = await Promise.all([createEmptyDatabase(), startIssuer()])
const previous = unpackPreviousRelease(temporaryDirectory())
const token = await issuer.token({ patientUid: [PATIENT, 'patient-2'] })

const runPrevious = (args: string[], environment: Record<string, string>) =>
  runProgram(process.execPath, ['src/cli.ts', ...args], environment, previous)
const asOwner = { DATABASE_URL: ownerUrl }

type Run = (args: string[], environment: Record<string, string>) => Command

async function startServer(run: Run, serveUrl: string) {
  const server = run(['serve'], {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '1000000',
  })
  const said = /Rounds answers at (http:[^,\s]+),.* health at (http:\S+?)\/readyz/
  const [, url = '', adminUrl = ''] = await untilSaid(server, said)
  async function call(path: string, { body, as = token, accept = '*/*' }: Call = {}) {
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${as}`,
        accept,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, `${path}: ${text}`)
    return text
  }
  async function stop() {
    server.child.kill('SIGTERM')
    const { code, output } = await server.ended
    assert.equal(code, 0, output)
    // A statement that fails for good, and a connection that is lost, are logged as warnings or errors.
    assert.doesNotMatch(output, /"level":[45]0/)
  }
  return { call, stop, isReady: async () => (await fetch(`${adminUrl}/readyz`)).ok }
}

type Call = { body?: object | string; as?: string; accept?: string }
type Server = Awaited<ReturnType<typeof startServer>>

const reading = (number: number, patientUid = PATIENT) => ({
  patientUid,
  readingType: number % 3 === 0 ? 'acme.count' : 'heartRate',
  value: 60 + (number % 40),
  timestamp: START_MS + number * 60_000,
})
/** What is easily changed on its way: numbers, names and the order of fields, another alphabet, seconds. */
const ODD = `[
  {"timestamp":1762000001,"patientUid":"${PATIENT}","readingType":"acme.odd","b":1.0,"a":1e2,"10":-0,"text":"é 心 \\u0041"},
  {"patientUid":"${PATIENT}","readingType":"symptom","timestamp":1762000000123.5,
   "symptoms":[{"symptom":"headache","severity":"MODERATE","note":null}]},
  {"patientUid":"${PATIENT}","readingType":"bloodPressure","timestamp":0,"systolic":120,"diastolic":80}
]`

/** Everything that can be read, as bytes; but what a release may add to beside its `data`. */
async function readAll({ call }: Server): Promise<Record<string, string>> {
  const get = `/casesheet/readings/get?patientUid=${PATIENT}`
  const window = `&from=${START_MS}&to=${START_MS + DAY_MS}`
  const dataOf = (text: string) => JSON.stringify((JSON.parse(text) as { data: unknown }).data)
  return {
    all: await call(get),
    page: await call(`${get}&limit=7&order=desc`),
    typed: await call(`${get}&readingType=acme.count${window}`),
    csv: withoutNewColumns(await call(get, { accept: 'text/csv' })),
    lines: await call(get, { accept: 'application/x-ndjson' }),
    latest: dataOf(await call(`/casesheet/readings/latest?patientUid=${PATIENT}`)),
    statistics: dataOf(
      await call(
        `/casesheet/readings/statistics?patientUid=${PATIENT}&readingType=heartRate&timeZone=Europe/Berlin&bucket=day${window}`,
      ),
    ),
    doctors: await call('/appointments/doctors/list?limit=50'),
    specialities: await call('/appointments/doctors/specialities/list'),
  }
}

/** The columns of CSV that the release before has too. */
function withoutNewColumns(csv: string): string {
  const records: Record<string, string>[] = parse(csv, { columns: true })
  return JSON.stringify(records.map(({ sourceKind: _kind, sourceDevice: _device, ...known }) => known))
}

/** Adds and gets, one after the other, none of them repeated, until it is stopped. */
function keepSending({ call }: Server) {
  const progress = { sent: 0, isOver: false }
  const sending = (async () => {
    for (; !progress.isOver; progress.sent++) {
      const body = reading(progress.sent, 'patient-2')
      await call('/casesheet/readings/add', { body })
      const newest = await call('/casesheet/readings/get?patientUid=patient-2&order=desc&limit=1')
      assert.match(newest, new RegExp(`"timestamp":${body.timestamp}\\b`))
    }
  })()
  const untilSent = async (count: number) => {
    for (const goal = progress.sent + count; progress.sent < goal; )
      await Promise.race([sending, new Promise((resume) => setTimeout(resume, 5))])
  }
  const stop = async () => {
    progress.isOver = true
    await sending
    return progress.sent
  }
  return { untilSent, stop }
}

/** Follows the changes from the beginning: each reading once. Transactions of other tests hold them back for a moment. */
async function untilFollowed({ call }: Server, count: number) {
  const as = await issuer.token({ sub: 'warehouse', scope: 'readings:changes' })
  const ids: string[] = []
  let cursor = ''
  for (const end = Date.now() + 60_000; ids.length < count && Date.now() < end; ) {
    const page = JSON.parse(await call(`/casesheet/readings/changes?limit=1000${cursor}`, { as })) as {
      data: { reading: { readingId: string } }[]
      nextCursor: string
    }
    ids.push(...page.data.map(({ reading: { readingId } }) => readingId))
    cursor = `&cursor=${page.nextCursor}`
    if (page.data.length === 0) await new Promise((resume) => setTimeout(resume, 20))
  }
  assert.deepEqual([ids.length, new Set(ids).size], [count, count])
}

test('the release before serves during and after the migration, and both read the same', async (t) => {
  if (!hasHistory) return t.diagnostic('not rehearsed: this clone has no release before this one')
  const ended = async (command: Command) => {
    const { code, output } = await command.ended
    assert.equal(code, 0, output)
    return output
  }
  await ended(runPrevious(['migrate'], asOwner))
  await ended(runPrevious(['directory', 'import', SAMPLES], asOwner))
  const serveUrl = new URL(ownerUrl)
  serveUrl.username = `${serveUrl.pathname.slice(1)}_api`
  await runSql(ownerUrl, `create role ${serveUrl.username} login in role rounds_server`)

  const old = await startServer(runPrevious, serveUrl.href)
  const bulk = Array.from({ length: 200 }, (_, number) => reading(number))
  await old.call('/casesheet/readings/add', { body: ODD })
  await old.call('/casesheet/readings/add', { body: bulk })
  const before = await readAll(old)

  const phone = keepSending(old)
  await phone.untilSent(20)
  const migrated = await ended(runCommand(['migrate'], asOwner))
  await phone.untilSent(20)
  const sent = await phone.stop()
  const added = namesIn(ROOT).filter((name) => !namesIn(previous).includes(name))
  // As docs/operations/upgrade.md shows it.
  assert.deepEqual(
    migrated.match(/^Appl.*$/gm),
    added
      .map((name, index) => `Applying ${name} (${index + 1} of ${added.length}).`)
      .concat(`Applied ${added.join(', ')}.`),
  )
  assert.ok(await old.isReady())
  assert.deepEqual(await readAll(old), before)
  await old.call('/casesheet/readings/add', { body: reading(1_000) })
  const checked = await ended(runPrevious(['migrate', '--check'], asOwner))
  for (const name of added) assert.ok(checked.includes(name), 'it says that the database is ahead')

  const current = await startServer(runCommand, serveUrl.href)
  assert.ok(await current.isReady())
  const after = await readAll(current)
  assert.deepEqual(after, await readAll(old))
  // Identity has not changed: what the release before stored is not stored again.
  await current.call('/casesheet/readings/add', { body: ODD })
  await current.call('/casesheet/readings/add', { body: bulk })
  assert.deepEqual(await readAll(current), after)
  assert.deepEqual(
    await runSql(
      ownerUrl,
      'select patient_uid, count(*)::integer as readings from casesheet.readings group by 1 order by 1',
    ),
    [
      { patient_uid: PATIENT, readings: bulk.length + 3 + 1 },
      { patient_uid: 'patient-2', readings: sent },
    ],
  )

  // What the release before added, also after the migration, is in the sequence of changes.
  await untilFollowed(current, bulk.length + 3 + 1 + sent)

  // Both at once, as during a rolling restart, and back.
  await current.call('/casesheet/readings/add', { body: reading(1_001) })
  const beside = await readAll(current)
  assert.deepEqual(await readAll(old), beside)
  await Promise.all([old.stop(), current.stop()])
  const back = await startServer(runPrevious, serveUrl.href)
  assert.deepEqual(await readAll(back), beside)
  await back.stop()
})
