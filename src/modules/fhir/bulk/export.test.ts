// Bulk export through HTTP: what a service gets, what it is refused, and what is written about it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ASYNC, exporterOf, statesOf } from '../../../../test/support/bulk.ts'
import { assertOutcome, type FhirRounds, type Resource, startFhir } from '../../../../test/support/fhir.ts'
import { runSql } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { ALL, LOWER, patientIn, setSlots, UPPER } from '../../../../test/support/slots.ts'

const rounds = await startFhir()

/** Invented patients, some of whose ids FHIR does not allow, each with readings of several types; the last one is withdrawn. */
async function addPatients(to: FhirRounds, count: number) {
  const own = Array.from({ length: count }, (_, number) => `${number % 3 ? 'p' : 'Zoë '}-${randomUUID()}`)
  for (const patientUid of own) {
    const token = await to.token({ sub: patientUid, patientUid })
    const body = [
      { patientUid, readingType: 'heartRate', value: 71, timestamp: 1_762_000_000 },
      {
        patientUid,
        readingType: 'bloodPressure',
        systolic: 120,
        diastolic: 80,
        timestamp: 1_762_000_001_500,
        source: { kind: 'device', device: { name: 'Cuff' } },
      },
      { patientUid, readingType: 'acme.note', text: 'line\u2028 one\ntwo', timestamp: 1_762_000_002 },
    ]
    const added = await to.call('/casesheet/readings/add', { token, body })
    assert.equal(added.status, 200, added.text)
    const stored = (await to.call('/casesheet/readings/get', { token })).json.data
    const { readingId, timestamp } = stored[2] ?? {}
    const withdrawal = { patientUid, readingId, timestamp, reason: 'mistyped' }
    assert.equal((await to.call('/casesheet/readings/withdraw', { token, body: withdrawal })).status, 200)
  }
  return own
}

test('an export holds every Observation as a search shows it, and each patient has one entry in the access log', async () => {
  const all = await startFhir()
  const patients = await addPatients(all, 12)
  const exporter = await exporterOf(all)
  const empty = await exporterOf(await startFhir())
  assert.deepEqual((await empty.exportAll()).manifest.output, [])

  for (const path of ['/$export', '/Patient/$export']) {
    const address = await exporter.begin('?_type=Observation&_outputFormat=ndjson', path)
    const status = await fetch(address, { headers: exporter.headers })
    assert.equal(status.headers.get('content-type'), 'application/json; charset=utf-8')
    const hours = (Date.parse(status.headers.get('expires') ?? '') - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours <= 24, String(hours))
    const manifest = await exporter.manifestAt(address)
    assert.equal(manifest.request, `${all.url}/fhir${path}?_type=Observation&_outputFormat=ndjson`)
    assert.deepEqual([manifest.requiresAccessToken, manifest.error, manifest.deleted], [true, [], []])
    assert.ok(Math.abs(Date.parse(manifest.transactionTime) - Date.now()) < 60_000)
    const exported = await exporter.linesOf(manifest.output)
    const searched = []
    for (const uid of patients) {
      const token = await all.token({ patientUid: uid })
      searched.push(...(await all.search('status=final,entered-in-error', token)))
    }
    const byId = (one: Resource, other: Resource) => (String(one['id']) < String(other['id']) ? -1 : 1)
    assert.equal(exported.length, 3 * patients.length)
    assert.deepEqual(exported.toSorted(byId), searched.toSorted(byId))
  }
  for (const uid of patients) {
    const { json } = await all.call('/casesheet/readings/access-log', {
      token: await all.token({ patientUid: uid }),
    })
    const entries = json.data.filter(({ operation }) => operation === 'fhir/export')
    assert.deepEqual(
      entries.map(({ readBy, allowedAs, readingsCount, from, to }) => [
        readBy,
        allowedAs,
        readingsCount,
        from,
        to,
      ]),
      Array.from({ length: 2 }, () => ['warehouse', 'staff', 3, null, null]),
    )
  }
  assert.match(all.log(), /"lines":\d+,"seconds":[\d.]+,"isWhole":true,"msg":"a file of an export was sent"/)
  for (const uid of patients) assert.ok(!all.log().includes(uid))
})

test('a patient with more readings than a page is one entry of the access log, and large readings are all there', async () => {
  const { patientUid, token, add } = await newPatient(rounds)
  const small = Array.from({ length: 2_500 }, (_, n) => ({
    patientUid,
    readingType: 'heartRate',
    value: 40 + (n % 100),
    timestamp: 1_700_000_000 + n,
  }))
  for (let first = 0; first < 2_500; first += 500)
    assert.equal((await add(small.slice(first, first + 500))).status, 200)
  for (let n = 0; n < 40; n++) {
    const large = {
      patientUid,
      readingType: 'acme.wave',
      text: String(n).repeat(30_000),
      timestamp: 1_710_000_000 + n,
    }
    assert.equal((await add(large)).status, 200)
  }
  const { exportAll } = await exporterOf(rounds, { sub: 'pages' })
  const { observations } = await exportAll()
  const own = observations.filter(({ subject }) => JSON.stringify(subject).includes(patientUid))
  assert.equal(new Set(own.map(({ id }) => id)).size, 2_540)
  assert.equal(own.length, 2_540)
  const { json } = await rounds.call('/casesheet/readings/access-log', { token })
  const entries = json.data.filter(({ operation }) => operation === 'fhir/export')
  assert.deepEqual(
    entries.map(({ readingsCount }) => readingsCount),
    [2_540],
  )
})

test('compressed for a client that accepts it', async () => {
  await addPatients(rounds, 1)
  const { begin, manifestAt, headers } = await exporterOf(rounds, { sub: 'compressing' })
  const [file] = (await manifestAt(await begin())).output
  const response = await fetch(file?.url ?? '', { headers: { ...headers, 'accept-encoding': 'gzip' } })
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.match(await response.text(), /^\{"resourceType":"Observation",.*\}\n$/s)
})

test('a request that cannot be done as asked is refused, and names the parameter', async () => {
  const { token } = await exporterOf(rounds)
  for (const [query, name] of [
    ['_type=Patient', '_type'],
    ['_type=Observation,Patient', '_type'],
    ['_outputFormat=text/csv', '_outputFormat'],
    ['_since=2026-11-18', '_since'],
    ['_since=2026-02-30T00:00:00Z', '_since'],
    ['_since=2026-11-18T08:00:00', '_since'],
    ['_since=2026-11-18T08:00:00Z&_since=2026-11-18T08:00:00Z', '_since'],
    ['_typeFilter=Observation?code=8867-4', '_typeFilter'],
    ['_elements=id', '_elements'],
    ['patient=x', 'patient'],
  ] as const) {
    const [issue] = assertOutcome(
      await rounds.fhir(`/$export?${query}`, { token, headers: ASYNC }),
      400,
      'ValidationFailed',
    )
    assert.match(issue?.details.text ?? '', new RegExp(name))
  }
  for (const prefer of ['', 'handling=lenient', 'respond-sync'])
    assertOutcome(await rounds.fhir('/$export', { token, headers: { prefer } }), 400, 'ValidationFailed')
  const long = `/$export?_since=2026-11-18T08:00:00Z&${'_pretty=true&'.repeat(60)}`
  assertOutcome(await rounds.fhir(long, { token, headers: ASYNC }), 400, 'ValidationFailed')
  assert.equal(
    (
      await rounds.fhir('/$export?_outputFormat=application/fhir+ndjson&_since=2026-11-18T08:00:00+02:00', {
        token,
        headers: ASYNC,
      })
    ).status,
    202,
  )
})

test('only a program with system/Observation.rs or staff may export, and only their own export', async () => {
  const { begin, manifestAt, headers } = await exporterOf(rounds, { sub: 'owner' })
  const address = await begin()
  const [file] = (await manifestAt(address)).output
  assert.ok(file)
  const at = (url: string) => url.slice(`${rounds.url}/fhir`.length)
  for (const claims of [
    { patientUid: 'p-1' },
    { patientUid: 'p-1', scope: 'system/Observation.rs' },
    { scope: 'user/Observation.rs', fhirUser: 'Practitioner/1' },
    { scope: 'system/Observation.r' },
    { scope: 'system/Observation.s' },
    { scope: 'system/Observation.rs launch/patient' },
    { scope: 'readings:changes' },
    { doctorId: 'doctor-1' },
  ]) {
    const token = await rounds.token({ sub: 'owner', ...claims })
    for (const path of ['/$export', '/Patient/$export', at(address), at(file.url)])
      assertOutcome(await rounds.fhir(path, { token, headers: ASYNC }), 403, 'ScopeMissing')
  }
  const other = await exporterOf(rounds, { sub: 'another' })
  for (const path of [at(address), at(file.url), `/$export/0/${randomUUID()}`, '/$export/0/x'])
    assertOutcome(await rounds.fhir(path, { token: other.token }), 404, 'NotFound')
  const own = await rounds.token({ sub: 'owner', scope: 'readings:read' })
  assertOutcome(await rounds.fhir(`${at(address)}/Observation-33.ndjson`, { token: own }), 404, 'NotFound')
  assertOutcome(await rounds.fhir(at(address), { token: other.token, method: 'DELETE' }), 404, 'NotFound')
  assert.equal((await fetch(address, { headers })).status, 200)
  // A POST begins one too, with all that it says in the address; no other method does anything.
  const begun = await rounds.fhir('/$export?_type=Observation', {
    token: own,
    method: 'POST',
    headers: ASYNC,
  })
  assert.equal(begun.status, 202)
  const body = { resourceType: 'Parameters', parameter: [{ name: '_type', valueString: 'Observation' }] }
  assertOutcome(await rounds.fhir('/$export', { token: own, body, headers: ASYNC }), 400, 'ValidationFailed')
  assertOutcome(await rounds.fhir('/$export', { token: own, method: 'PUT' }), 405, 'MethodNotAllowed')
})

test('staff who must give a reason give it once, and each patient sees it', async () => {
  const strict = await startFhir({ STAFF_REASON: 'required' })
  const [patientUid = ''] = await addPatients(strict, 1)
  const token = await strict.token({ sub: 'head', scope: 'readings:read' })
  assertOutcome(await strict.fhir('/$export', { token, headers: ASYNC }), 403, 'ReasonRequired')
  const reason = { 'x-access-reason': 'Registry%20of%20hypertension' }
  const begun = await strict.fhir('/$export', { token, headers: { ...ASYNC, ...reason } })
  const { manifestAt, linesOf } = await exporterOf(strict, { sub: 'head', scope: 'readings:read' })
  await linesOf((await manifestAt(begun.headers.get('content-location') ?? '')).output)
  const own = await strict.token({ patientUid })
  const { json } = await strict.call('/casesheet/readings/access-log', { token: own })
  const entry = json.data.find(({ operation }) => operation === 'fhir/export')
  assert.deepEqual([entry?.['readBy'], entry?.['reason']], ['head', 'Registry of hypertension'])
})

test('a caller has ten exports at a time; one that is deleted or has expired is not found, and makes room', async () => {
  const { begin, token, headers } = await exporterOf(rounds, { sub: 'eager' })
  const addresses = await Promise.all(Array.from({ length: 10 }, () => begin()))
  const refused = await rounds.fhir('/$export', { token, headers: ASYNC })
  assertOutcome(refused, 429, 'RateLimited')
  assert.equal(refused.headers.get('retry-after'), '60')
  const [first = '', second = ''] = addresses
  assert.equal((await fetch(first, { method: 'DELETE', headers })).status, 202)
  for (const method of ['GET', 'DELETE']) assert.equal((await fetch(first, { method, headers })).status, 404)
  await begin()
  assertOutcome(await rounds.fhir('/$export', { token, headers: ASYNC }), 429, 'RateLimited')
  const expire = 'update fhir.exports set expires_at = now() where export_id = $1'
  await runSql(rounds.ownerUrl, expire, [second.slice(-36)])
  assert.equal((await fetch(second, { headers })).status, 404)
  await begin()
})

test('an export fails when the database was restored or copied', async () => {
  const own = await startFhir()
  await addPatients(own, 1)
  const { begin, manifestAt, headers } = await exporterOf(own)
  const address = await begin()
  const [file] = (await manifestAt(address)).output
  await runSql(own.ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
  for (const url of [address, file?.url ?? '']) {
    const response = await fetch(url, { headers })
    assert.deepEqual([response.status, /restored or copied/.test(await response.text())], [404, true])
  }
})

test('a cell exports its own patients; while they move the export waits, and when they have moved it fails', async () => {
  const cell = await startFhir()
  const [here, there] = [patientIn('lower'), patientIn('upper')]
  for (const patientUid of [here, there]) {
    const token = await cell.token({ patientUid })
    const body = { patientUid, readingType: 'heartRate', value: 70, timestamp: 1_762_000_000 }
    assert.equal((await cell.call('/casesheet/readings/add', { token, body })).status, 200)
  }
  const { begin, manifestAt, linesOf, exportAll, headers, token } = await exporterOf(cell)
  const patientsIn = (found: Resource[]) =>
    found
      .map(({ subject }) => (subject as { reference: string }).reference.slice('Patient/'.length))
      .toSorted()
  const whole = await begin()
  const { output } = await manifestAt(whole)
  await setSlots(cell.ownerUrl, { open: LOWER, closing: UPPER })
  assertOutcome(await cell.fhir('/$export', { token, headers: ASYNC }), 503, 'PatientMoving')
  const waiting = await fetch(whole, { headers })
  assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [202, '5'])
  assert.match(waiting.headers.get('x-progress') ?? '', /moved to another cell/)
  for (const { url } of output) assert.equal((await fetch(url, { headers })).status, 503)
  // The move was aborted.
  await setSlots(cell.ownerUrl, { open: ALL })
  assert.deepEqual(patientsIn(await linesOf((await manifestAt(whole)).output)), [here, there].toSorted())
  await setSlots(cell.ownerUrl, { open: LOWER })
  for (const url of [whole, ...output.map((file) => file.url)]) {
    const response = await fetch(url, { headers })
    assert.deepEqual([response.status, /moved to another cell/.test(await response.text())], [404, true])
  }
  const { observations } = await exportAll()
  assert.deepEqual(patientsIn(observations), [here])
  // What comes in later is not of an export that began before.
  const before = await begin()
  await setSlots(cell.ownerUrl, { open: ALL })
  assert.deepEqual(patientsIn(await linesOf((await manifestAt(before)).output)), [here])
  await setSlots(cell.ownerUrl, { open: UPPER })
  assert.match(await begin(), /\/\$export\/2048\//)
})

test('an erased patient is in no file, and in the deletions of the next export', async () => {
  const own = await startFhir()
  const [plain, other, left] = [`p-${randomUUID()}`, 'Zoë / one', `p-${randomUUID()}`]
  for (const patientUid of [plain, other, left]) {
    const token = await own.token({ patientUid })
    const body = { patientUid, readingType: 'heartRate', value: 70, timestamp: 1_762_000_000 }
    assert.equal((await own.call('/casesheet/readings/add', { token, body })).status, 200)
  }
  const { begin, manifestAt, linesOf, exportAll, after } = await exporterOf(own)
  const first = await exportAll()
  const begun = await begin()
  for (const uid of [plain, other]) {
    const { code, output } = await runPatientCommand(['erase', uid, ...BY, '--yes'], own.ownerUrl)
    assert.equal(code, 0, output)
  }
  assert.equal((await linesOf((await manifestAt(begun)).output)).length, 1)
  const next = await exportAll(after(first.manifest))
  assert.deepEqual(next.observations, [])
  const deletions = await linesOf(next.manifest.deleted)
  const urls = deletions.flatMap(({ type, entry }) => {
    assert.equal(type, 'transaction')
    return (entry as { request: { method: string; url: string } }[]).map(
      ({ request }) => `${request.method} ${request.url}`,
    )
  })
  const coded = 'urn:rounds:patient|Zo%C3%AB%20%2F%20one'
  assert.deepEqual(
    urls.toSorted(),
    [
      `DELETE Observation?patient=Patient/${plain}`,
      `DELETE Patient/${plain}`,
      `DELETE Observation?patient:identifier=${coded}`,
      `DELETE Patient?identifier=${coded}`,
    ].toSorted(),
  )
  assert.deepEqual((await exportAll(after(next.manifest))).manifest.deleted, [])
  assert.equal(statesOf((await exportAll()).observations).size, 1)
})
