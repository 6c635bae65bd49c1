// What a doctor's stream shows, and how it ends with its grant, on two processes of one database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { metricOf, openStream } from '../../../../test/support/event-stream.ts'
import { type GrantByHand, give, giveText, REVOKE, revoke } from '../../../../test/support/grants-by-hand.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { createDoctor } from '../../../../test/support/shared-patient.ts'
import { startProxy } from '../../../../test/support/unavailable-database.ts'
import { until } from '../../../../test/support/until.ts'

const one = await startRounds()
const two = await startRounds({ DATABASE_URL: one.serveUrl, AUTH_ISSUER: one.issuer.url })
const { ownerUrl } = one

/** A patient who shares with a doctor, and streams of the doctor on both processes. */
async function share(limits: Omit<GrantByHand, 'patientUid' | 'doctorId'> = {}) {
  const [patient, doctor] = [await newPatient(one), await createDoctor(one)]
  const { patientUid } = patient
  const grant = { patientUid, doctorId: doctor.doctorId }
  await give(ownerUrl, { ...grant, ...limits })
  const open = ({ url } = two) => openStream(url, doctor.token, '', `?patientUid=${patientUid}`)
  const openBoth = async () => {
    const streams = [await open(one), await open(two)]
    after(() => streams.forEach(({ socket }) => socket.destroy()))
    return streams
  }
  return { ...patient, doctor, grant, open, openBoth }
}

const END = 'event: end\ndata: {"reason":"grantChanged"}'
const hasEnded = ({ text }: { text: () => string }) => text().includes(END)
const SHOWN_WITHIN_MS = 30_000

async function mustEndWithin(streams: { text: () => string }[], ms: number) {
  const began = performance.now()
  await until(() => streams.every(hasEnded), 10_000)
  const tookMs = performance.now() - began
  assert.ok(tookMs <= ms, `it took ${tookMs.toFixed(0)} ms`)
}

test('a stream shows the types that are shared, says which these are, and nothing of another one', async () => {
  const { addAt, stored, openBoth, token, patientUid, doctor } = await share({
    readingTypes: ['acme.shared', 'acme.also'],
  })
  const streams = await openBoth()
  await addAt([1, 2, 3, 4], ['acme.secret', 'acme.shared', 'acme.secret', 'acme.also'])
  for (const { readingId, timestamp } of await stored()) {
    const body = { patientUid, readingId, timestamp }
    for (const verb of ['withdraw', 'restore'])
      assert.equal((await one.call(`/casesheet/readings/${verb}`, { token, body })).status, 200)
  }
  await addAt([9], ['acme.shared'])
  for (const { text } of streams) {
    await until(() => text().includes('"timestamp":9,'), SHOWN_WITHIN_MS)
    assert.match(text(), /x-limited-to: acme.shared,acme.also\r\n/)
    assert.match(text(), /event: open\ndata: \{"limitedTo":\["acme.shared","acme.also"\]\}\n/)
    assert.match(text(), /"readingType":"acme.also"/)
    assert.doesNotMatch(text(), /secret/)
  }
  const logged = await runSql(
    ownerUrl,
    `select distinct allowed_as, doctor_id, reading_types
     from casesheet.access_log
     where patient_uid = $1 and operation = 'readings/stream'`,
    [patientUid],
  )
  assert.deepEqual(logged, [
    { allowed_as: 'grant', doctor_id: doctor.doctorId, reading_types: ['acme.shared', 'acme.also'] },
  ])
})

test('a revocation ends the streams of that doctor within two seconds, and no others', async () => {
  const { grant, openBoth, open, patientUid, token, addAt } = await share()
  const streams = await openBoth()
  const other = await createDoctor(one)
  await give(ownerUrl, { patientUid, doctorId: other.doctorId })
  const others = [
    await openStream(two.url, other.token, '', `?patientUid=${patientUid}`),
    await openStream(two.url, token),
  ]
  const ended = () => metricOf(two.adminUrl, 'rounds_streams_aborted_total{reason="grant"}')
  const before = await ended()
  await revoke(ownerUrl, grant)
  await mustEndWithin(streams, 2_000)
  assert.equal(await ended(), before + 1)
  assert.match((await open()).text(), /^HTTP\/1.1 403 [^]*"NotShared"/)
  await addAt([1])
  for (const { text, socket } of others) {
    await until(() => text().includes('"timestamp":1,'), SHOWN_WITHIN_MS)
    assert.doesNotMatch(text(), /event: end/)
    socket.destroy()
  }
})

test('a grant that is changed or expires ends its streams within two seconds', async () => {
  const { grant, openBoth, open } = await share({ readingTypes: ['acme.one'] })
  const limited = await openBoth()
  await give(ownerUrl, { ...grant, readingTypes: ['acme.two'] })
  await mustEndWithin(limited, 2_000)
  const again = await open()
  assert.match(again.text(), /data: \{"limitedTo":\["acme.two"\]\}/)
  again.socket.destroy()
  const expiresAt = Date.now() + 3_000
  await give(ownerUrl, { ...grant, validUntil: new Date(expiresAt).toISOString() })
  const streams = await openBoth()
  await until(() => Date.now() >= expiresAt)
  await mustEndWithin(streams, 2_000)
})

for (const announce of [[], ['--announce-days', '0']])
  test(`an erasure ends a doctor's streams within two seconds, and is not shown (${announce.join(' ') || 'announced'})`, async () => {
    const [{ patientUid, addAt, openBoth, open, grant }, other] = [await share(), await share()]
    await addAt([1])
    const [streams, others] = [await openBoth(), await other.openBoth()]
    const isGone = async () =>
      (await runSql(ownerUrl, 'select from casesheet.grants where doctor_id = $1', [grant.doctorId]))
        .length === 0
    const erasing = runPatientCommand(['erase', patientUid, ...BY, '--yes', ...announce], ownerUrl)
    await until(isGone)
    await mustEndWithin(streams, 2_000)
    const { code, output } = await erasing
    assert.equal(code, 0, output)
    for (const { text } of streams) assert.doesNotMatch(text(), /erased/)
    assert.match((await open()).text(), /^HTTP\/1.1 403 [^]*"NotShared"/)
    await other.addAt([2])
    for (const { text } of others) {
      await until(() => text().includes('"timestamp":2,'), SHOWN_WITHIN_MS)
      assert.doesNotMatch(text(), /event: end/)
    }
  })

test('a stream is not opened by a grant that was cached and is gone', async () => {
  for (let time = 0; time < 5; time++) {
    const { grant, open, doctor, patientUid } = await share()
    const path = `/casesheet/readings/get?patientUid=${patientUid}`
    assert.equal((await two.call(path, { token: doctor.token })).status, 200)
    await revoke(ownerUrl, grant)
    const { text, socket } = await open()
    assert.match(text(), /^HTTP\/1.1 403 [^]*"NotShared"/)
    socket.destroy()
  }
})

/** Several statements in one transaction. */
const together = (statements: [text: string, values: unknown[]][]) =>
  runSql(ownerUrl, statements.map(([text, values]) => literally(text, values)).join(';\n'))
const literally = (text: string, values: unknown[]) =>
  text.replaceAll(/\$(\d)/g, (_, number: string) => {
    const value = values[Number(number) - 1]
    return typeof value === 'string' ? `'${value}'` : 'null'
  })
const ADD = `insert into casesheet.readings
  (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  values ($1, to_timestamp(7), gen_random_uuid(), 'acme.late', 7, '{}', 'test')`

test('a change that is committed together with the end of the grant is never shown', async () => {
  for (let time = 0; time < 5; time++) {
    const { grant, openBoth, patientUid } = await share()
    const streams = await openBoth()
    const end: [string, unknown[]] =
      time % 2 === 0
        ? [REVOKE, [patientUid, grant.doctorId, 'test']]
        : giveText({ ...grant, validUntil: '2020-01-01' })
    await together([end, [ADD, [patientUid]]])
    await until(() => streams.every(hasEnded), SHOWN_WITHIN_MS)
    for (const { text } of streams) assert.doesNotMatch(text(), /event: change/)
  }
})

/** Rounds on the same database, by a way that can fail. */
async function startApart() {
  const { username, hostname, port, pathname } = new URL(one.serveUrl)
  const proxy = await startProxy(`${decodeURIComponent(hostname)}/.s.PGSQL.${port || 5432}`, username)
  const url = new URL(proxy.url)
  url.pathname = pathname
  const rounds = await startRounds({
    DATABASE_URL: url.href,
    AUTH_ISSUER: one.issuer.url,
    REQUEST_DEADLINE_SECONDS: '1',
  })
  return { rounds, proxy }
}

for (const [how, lose, restore] of [
  ['refuses', 'refuse', 'acceptAgain'],
  ['is silent', 'fallSilent', 'speakAgain'],
] as const)
  test(`while the database ${how}, a stream shows nothing; then it ends with what was revoked meanwhile`, async () => {
    const { rounds, proxy } = await startApart()
    const { addAt, open, doctor, token, patientUid, grant } = await share()
    const { text, socket } = await open(rounds)
    after(() => socket.destroy())
    await addAt([1])
    await until(() => text().includes('"timestamp":1,'), SHOWN_WITHIN_MS)
    await proxy[lose]()
    await addAt([2])
    const path = `/casesheet/readings/get?patientUid=${patientUid}`
    assertRefused(await rounds.call(path, { token: doctor.token }), 503, 'DatabaseUnavailable')
    const revoked = await one.call('/casesheet/grants/revoke', { token, body: grant })
    assert.equal(revoked.status, 200, revoked.text)
    await addAt([3])
    assertRefused(await rounds.call(path, { token: doctor.token }), 503, 'DatabaseUnavailable')
    assert.equal(hasEnded({ text }), false)
    await proxy[restore]()
    await until(() => hasEnded({ text }), SHOWN_WITHIN_MS)
    assert.doesNotMatch(text(), /"timestamp":[23],/)
    await until(async () => (await rounds.call(path, { token: doctor.token })).status === 403)
  })
