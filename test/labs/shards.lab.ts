// Half of the partitions move from one cluster to another while patients add and read, the script that moves them is killed twice,
// and the first cluster fails over in the middle. Nothing is lost, doubled or answered empty; adds and reads sent to the wrong cluster are refused.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { runSql } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { runProgram, untilSaid } from '../support/process.ts'
import { type ShardedClusters, startShardedClusters } from '../support/sharded-clusters.ts'
import { until } from '../support/until.ts'

const PARTITIONS = 32
const MOVED = Number(process.env['SHARDS_MOVED'] ?? PARTITIONS / 2)
const TEXTS = Number(process.env['SHARDS_TEXTS'] ?? 10_000)
/** What a partition may be unserved on a machine that does little else. */
const MAX_UNSERVED_MS = Number(process.env['SHARDS_UNSERVED_MS'] ?? 2_000)
const CLIENTS = 8
/** Between two turns of a client. */
const PAUSE_MS = 40
const NEEDED = needs('haproxy', 'psql', 'perl')

const PARTITION_OF = `
  select array(
    select (select n from generate_series(0, ${PARTITIONS - 1}) as n
      where satisfies_hash_partition('casesheet.readings'::regclass, ${PARTITIONS}, n, patient_uid))
    from unnest($1::text[]) with ordinality as named (patient_uid, nth)
    order by nth
  ) as partitions`

async function partitionsOf(url: string, texts: string[]): Promise<number[]> {
  const [row] = await runSql<{ partitions: number[] }>(url, PARTITION_OF, [texts])
  return row?.partitions ?? []
}

type Answer = {
  status: number
  json: { code?: string; data?: Record<string, unknown>[]; nextCursor?: string; hasMore?: boolean }
}

async function call(url: string, token: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  try {
    const answer = await fetch(url, { ...sent, signal: AbortSignal.timeout(40_000) })
    return { status: answer.status, json: (await answer.json()) as Answer['json'] }
  } catch {
    return { status: 0, json: {} }
  }
}

/** What the same request may succeed after: the partition is on its way, or the primary is. */
const isAway = ({ status }: Answer) => [0, 421, 502, 503, 504].includes(status)

/** Sends it until it is answered with something else. */
async function insist(url: string, token: string, body?: object): Promise<Answer> {
  for (const giveUpAt = Date.now() + 120_000; ; await pause(10)) {
    const answer = await call(url, token, body)
    if (!isAway(answer) || Date.now() > giveUpAt) return answer
  }
}

type Patient = { patientUid: string; token: string; partition: number; acknowledged: number[] }

/** Two of each partition, with names in several scripts. */
async function makePatients({ first, issuer }: ShardedClusters): Promise<Patient[]> {
  const names = Array.from(
    { length: 800 },
    (_, index) => `${['patient', 'रोगी', '患者', 'Zoë 🩺'][index % 4]}-${index}`,
  )
  const partitions = await partitionsOf(first.ownerUrl, names)
  const chosen = Array.from({ length: PARTITIONS }, (_, partition) =>
    names.filter((_name, index) => partitions[index] === partition).slice(0, 2),
  )
  return Promise.all(
    chosen.flatMap((uids, partition) =>
      uids.map(async (patientUid) => ({
        patientUid,
        token: await issuer.token({ patientUid }),
        partition,
        acknowledged: [],
      })),
    ),
  )
}

const readingOf = (patientUid: string, timestamp: number) => ({
  patientUid,
  readingType: 'heartRate',
  value: 60 + (timestamp % 40),
  timestamp,
})
const targetOf = (patientUid: string) => ({
  patientUid,
  readingType: 'heartRate',
  unit: '/min',
  fields: { value: { low: 50, high: 90 } },
})

const FOR_ALL = `
  insert into casesheet.targets (author_kind, author_id, reading_type, unit, fields, set_by)
  values ('doctor', 'of-all', 'heartRate', '/min', '{"value": {"high": 90}}', 'of-all')`
const SHOW_FOR_ALL = `
  select target_id, at, targets.fields
  from casesheet.targets
  join casesheet.target_changes using (target_id)
  where targets.patient_uid is null and targets.author_id = 'of-all'`

/** Adds and reads for each of its patients in turn, until it is over. */
async function play(url: string, patients: Patient[], wrong: string[], isOver: () => boolean) {
  for (let turn = 1; !isOver(); turn++) {
    for (const patient of patients) {
      const { patientUid, token, acknowledged } = patient
      const added = await insist(`${url}/casesheet/readings/add`, token, readingOf(patientUid, turn))
      if (added.status !== 200) wrong.push(`an add was answered ${added.status}`)
      else acknowledged.push(turn)
      const named = turn % 2 ? `&patientUid=${encodeURIComponent(patientUid)}` : ''
      const read = await insist(`${url}/casesheet/readings/get?from=1${named}`, token)
      if (read.status !== 200 || read.json.data?.length !== acknowledged.length)
        wrong.push(`${read.json.data?.length} of ${acknowledged.length} readings, ${read.status}`)
      const targets = await insist(`${url}/care/targets/list?${named.slice(1)}`, token)
      if (targets.json.data?.length !== 1)
        wrong.push(`${targets.json.data?.length} targets, ${targets.status}`)
      await pause(PAUSE_MS)
    }
  }
}

/** Follows the changes of a cluster, and notes each reading. */
async function follow(url: string, token: string, seen: Set<string>, isOver: () => boolean) {
  let cursor = ''
  for (let isEnd = false; !isEnd || !isOver(); ) {
    const { status, json } = await insist(`${url}/casesheet/readings/changes?limit=1000${cursor}`, token)
    assert.equal(status, 200, JSON.stringify(json))
    for (const { reading } of (json.data ?? []) as { reading: { patientUid: string; timestamp: number } }[])
      seen.add(`${reading.patientUid} ${reading.timestamp}`)
    cursor = `&cursor=${json.nextCursor}`
    isEnd = json.data?.length === 0
    if (isEnd) await pause(100)
  }
}

/** Between the last "not served" that the script says and "served", in ms. */
function unservedIn(output: string): number {
  const times = ['not served', 'served by NEW'].map((said) => {
    const [, time = ''] = new RegExp(`.*^([\\d:.]+) partition \\d+: ${said}$`, 'ms').exec(output) ?? []
    return Date.parse(`2026-01-01T${time}Z`)
  })
  const [from = Number.NaN, to = Number.NaN] = times
  // Killed late, it had nothing left to do but to say so.
  return Number.isNaN(from) ? 0 : (to - from + 86_400_000) % 86_400_000
}

/** The longest time without an answer to reads of a patient, until it is over. */
async function longestGap(url: string, { token }: Patient, isOver: () => boolean) {
  let [gap, answeredAt] = [0, performance.now()]
  while (!isOver()) {
    if ((await call(`${url}/casesheet/readings/get?limit=1`, token)).status === 200) {
      gap = Math.max(gap, performance.now() - answeredAt)
      answeredAt = performance.now()
    }
    await pause(5)
  }
  return gap
}

async function mustBeRefused(url: string, { patientUid, token }: Patient) {
  const answers = await Promise.all([
    call(`${url}/casesheet/readings/add`, token, readingOf(patientUid, 1_000_000)),
    call(`${url}/casesheet/readings/withdraw`, token, { patientUid, timestamp: 1, readingId: NO_ID }),
    call(`${url}/care/targets/set`, token, targetOf(patientUid)),
    call(`${url}/care/targets/remove`, token, { patientUid, readingType: 'heartRate' }),
    call(`${url}/casesheet/grants/revoke`, token, { patientUid, doctorId: 'doctor-1' }),
    call(`${url}/casesheet/readings/get`, token),
    call(`${url}/care/targets/list`, token),
  ])
  assert.deepEqual(
    answers.map(({ status, json }) => `${status} ${json.code}`),
    answers.map(() => '421 MisdirectedRequest'),
  )
}

const NO_ID = '00000000-0000-8000-8000-000000000000'

/** The end of a patient's stream. */
async function streamEnds(url: string, { token }: Patient) {
  const { body } = await fetch(`${url}/casesheet/readings/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.ok(body)
  const ended = body.pipeTo(new WritableStream()).then(
    () => true,
    () => true,
  )
  return () => Promise.race([ended, pause(10_000, false)])
}

test(`${MOVED} partitions move while patients add and read`, { ...NEEDED, timeout: 1_500_000 }, async (t) => {
  const clusters = await startShardedClusters()
  const standby = MOVED > 1 ? await clusters.first.addStandby() : undefined
  try {
    const { url, first, second, firstUrl, secondUrl, move, issuer } = clusters
    const prepared = await move('prepare').ended
    assert.equal(prepared.code, 0, prepared.output)
    const patients = await makePatients(clusters)
    for (const { patientUid, token } of patients)
      assert.equal((await call(`${url}/care/targets/set`, token, targetOf(patientUid))).status, 200)

    let isOver = false
    const wrong: string[] = []
    const seen = new Set<string>()
    const warehouse = await issuer.token({ sub: 'warehouse', scope: 'readings:changes' })
    const playing = Array.from({ length: CLIENTS }, (_, nth) =>
      play(
        url,
        patients.filter((_patient, index) => index % CLIENTS === nth),
        wrong,
        () => isOver,
      ),
    )
    let isFollowed = false
    const following = [firstUrl, secondUrl].map((each) => follow(each, warehouse, seen, () => isFollowed))

    // Rows without a patient have the hash of the first partition, and belong to none.
    await runSql(first.ownerUrl, FOR_ALL)
    const partitions = Array.from({ length: MOVED }, (_, nth) => (nth * 2) % PARTITIONS)
    const unserved: string[] = []
    for (const [nth, partition] of partitions.entries()) {
      const patient = patients.find((each) => each.partition === partition) ?? assert.fail()
      const hasStreamEnded = nth === 0 ? await streamEnds(url, patient) : undefined
      let isMoved = false
      const gap = longestGap(url, patient, () => isMoved)
      const fault = await strike(nth, partition)
      const { code, output } = await move(String(partition)).ended
      assert.equal(code, 0, output)
      await pause(200)
      isMoved = true
      const ms = unservedIn(output)
      unserved.push(`${ms} (to a client ${Math.round(await gap)}${fault && `, ${fault}`})`)
      assert.ok(ms <= MAX_UNSERVED_MS, `unserved for ${ms} ms:\n${output}`)
      if (hasStreamEnded) assert.ok(await hasStreamEnded(), 'the stream has ended')
      await mustBeRefused(firstUrl, patient)
    }

    /** Starts the script and does something to it; what that was. */
    async function strike(nth: number, partition: number): Promise<string> {
      const [said, fault] = FAULTS[MOVED > 1 ? nth : -1] ?? []
      if (!said || !fault) return ''
      const script = move(String(partition))
      await untilSaid(script, said)
      if (fault !== 'failover, and then killed') await pause(randomInt(300))
      if (fault !== 'killed') await standby?.takeOver()
      script.child.kill('SIGKILL')
      await script.ended
      return fault
    }

    isOver = true
    await Promise.all(playing)
    await pause(1_000)
    isFollowed = true
    await Promise.all(following)
    assert.deepEqual(wrong, [])
    const forAll = await Promise.all([first, second].map(({ ownerUrl }) => runSql(ownerUrl, SHOW_FOR_ALL)))
    assert.equal(forAll[0]?.length, 1)
    assert.deepEqual(forAll[1], forAll[0], 'both clusters have the target for all')

    const stored = await Promise.all(
      [first, second].map(({ ownerUrl }) =>
        runSql<{ patient_uid: string; times: number[] }>(
          ownerUrl,
          'select patient_uid, array_agg(sent_timestamp order by sent_timestamp) as times from casesheet.readings group by 1',
        ),
      ),
    )
    for (const patient of patients) {
      const { patientUid, partition, acknowledged } = patient
      const isThere = stored.map((rows) => rows.find((row) => row.patient_uid === patientUid)?.times ?? [])
      const isMoved = partitions.includes(partition)
      assert.deepEqual(isThere, isMoved ? [[], acknowledged] : [acknowledged, []])
      await mustBeRefused(isMoved ? firstUrl : secondUrl, patient)
      for (const time of acknowledged) assert.ok(seen.has(`${patientUid} ${time}`), 'changes have it')
    }
    const count = patients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    t.diagnostic(
      `${count} readings, 0 lost, 0 doubled; ${partitions.length} partitions; unserved ms: ${unserved.join(', ')}`,
    )
  } catch (error) {
    t.diagnostic(clusters.output().slice(-3_000))
    throw error
  } finally {
    await standby?.stop()
    await clusters.stop()
  }
})

/** By the partition, from the first: when it strikes, and what. */
const FAULTS: Record<number, [RegExp, 'killed' | 'failover, and then killed']> = {
  2: [/the copy begins/, 'killed'],
  5: [/not served/, 'killed'],
  8: [/not served/, 'failover, and then killed'],
}

test(`HAProxy finds the partition of ${TEXTS} texts as PostgreSQL does`, {
  ...NEEDED,
  timeout: 300_000,
}, async () => {
  const texts = Array.from({ length: TEXTS }, (_, index) => randomText(1 + (index % 200)))
  const expected = await partitionsOf(process.env['TEST_DATABASE_TEMPLATE'] ?? '', texts)
  const port = await findFreePort()
  const file = join(temporaryDirectory(), 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  lua-load deploy/shards/patient-partition.lua
defaults
  mode http
  timeout client 30s
frontend partitions
  bind 127.0.0.1:${port}
  option http-buffer-request
  http-request return status 200 content-type text/plain lf-string %[lua.patient_partition]
`,
  )
  const haproxy = runProgram(programOf('haproxy'), ['-db', '-f', file], {})
  await until(async () => (await ask(port, 0, 'x').catch(() => '')) !== '')
  const found: number[] = []
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, nth) => {
      for (let index = nth; index < texts.length; index += CLIENTS)
        found[index] = Number(await ask(port, index % 4, texts[index] ?? ''))
    }),
  )
  assert.deepEqual(found, expected)
  haproxy.child.kill('SIGKILL')
  await haproxy.ended
})

/** Of code points of a few of the blocks of Unicode, without halves of pairs. */
function randomText(length: number): string {
  const starts = Array.from({ length: 4 }, () => randomInt(0x20, randomInt(2) ? 0xff_00 : 0x2_ff_00))
  const points = Array.from({ length }, () => (starts[randomInt(4)] ?? 0x41) + randomInt(0x100))
  return String.fromCodePoint(
    ...points.map((point) => (point >= 0xd8_00 && point <= 0xdf_ff ? point - 0x20_00 : point)),
  )
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const escaped = (json: string) =>
  json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The text as the patient of a query, of a body, of a body in ASCII, or of a token. */
function ask(port: number, where: number, patientUid: string): Promise<string> {
  const path = where === 0 ? `/?limit=1&patientUid=${encodeURIComponent(patientUid)}` : '/'
  const json = JSON.stringify([{ note: 'patientUid', patientUid, value: 1 }])
  const body = ['', json, escaped(json), ''][where]
  const authorization =
    where === 3 ? `Bearer e30.${base64url(JSON.stringify({ patientUid: [patientUid] }))}.x` : ''
  return new Promise((done, fail) => {
    const sent = request(
      { port, path, method: body ? 'POST' : 'GET', headers: { authorization } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.once('end', () => done(text))
      },
    )
    sent.once('error', fail)
    sent.end(body)
  })
}
