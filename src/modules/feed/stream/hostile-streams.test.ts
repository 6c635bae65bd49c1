// Streams whose readers misbehave: each is bounded, and no other stream notices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricOf, openStream as openStreamAt } from '../../../../test/support/event-stream.ts'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until } from '../../../../test/support/until.ts'

const rounds = await startRounds()

const openStream = (token: string, headers = '') => openStreamAt(rounds.url, token, headers)
const metric = (name: string) => metricOf(rounds.adminUrl, name)

test('a reader that takes nothing is cut at the bound of unread bytes, and another one gets every change', async () => {
  const { add, patientUid, token } = await newPatient(rounds)
  const [slow, well] = [await openStream(token), await openStream(token)]
  slow.socket.pause()
  const note = 'x'.repeat(60_000)
  let added = 0
  while ((await metric('rounds_streams_aborted_total{reason="slow"}')) === 0) {
    assert.ok(added < 2_000, 'the buffers of the kernel are finite')
    const readings = Array.from({ length: 10 }, () => ({
      patientUid,
      readingType: 'acme.large',
      timestamp: ++added,
      note,
    }))
    assert.equal((await add(readings)).status, 200)
    // Both are sent it now: a transaction of another test may have held it back.
    await until(() => well.text().lastIndexOf(`"timestamp":${added},`) > 0)
  }
  await until(async () => (await metric('rounds_streams')) === 1)
  await until(() => well.text().split('event: change').length === added + 1)
  well.socket.destroy()
})

test('a patient who adds much at once gets a reset, and a stream of another patient gets its change next', async () => {
  const [busy, calm] = [await newPatient(rounds), await newPatient(rounds)]
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(busy.token)))
  const watched = await openStream(await rounds.token({ patientUid: calm.patientUid, sub: 'calm' }))
  for (const { text } of [...streams, watched]) assert.match(text(), /event: open/)
  const delivered = () => metric('rounds_changes_delivered_total{operation="readings/stream"}')
  const before = await delivered()
  await busy.addAt(Array.from({ length: 1_000 }, (_, index) => index + 1))
  await calm.addAt([1])
  await until(() => watched.text().includes('"timestamp":1,'))
  for (const { text } of streams) await until(() => text().includes('event: reset'))
  assert.ok((await delivered()) - before <= 20 * 200 + 1, 'no more than may wait for each')
  // What comes after the reset is shown.
  await busy.addAt([2_000])
  for (const { text } of streams) await until(() => text().includes('"timestamp":2000,'))
  assert.equal(watched.text().includes('event: reset'), false)
  for (const { socket } of [...streams, watched]) socket.destroy()
})

test('an id of a last event that was never given, however long, gets a reset', async () => {
  const { token } = await newPatient(rounds)
  const ids = [
    'x'.repeat(2_000),
    '9'.repeat(400),
    `1.${'9'.repeat(18)}.${'0'.repeat(36)}`,
    '1.1.',
    '-1.1.1',
    '\u00ff',
  ]
  for (const id of ids) {
    const { socket, text } = await openStream(token, `last-event-id: ${id}\r\n`)
    assert.match(text(), /^HTTP\/1.1 200/, `${id.slice(0, 50)}: ${text().slice(0, 200)}`)
    await until(() => text().includes('event: reset'))
    socket.destroy()
  }
  const { socket, text } = await openStream(token, `last-event-id: ${'x'.repeat(20_000)}\r\n`)
  assert.match(text(), /^HTTP\/1.1 4\d\d/)
  socket.destroy()
})

test('the stream of an erased patient shows the erasure and stays open for what is added later', async () => {
  const { addAt, patientUid, token } = await newPatient(rounds)
  await addAt([1])
  const { socket, text } = await openStream(token)
  const { code, output } = await runPatientCommand(['erase', patientUid, ...BY, '--yes'], rounds.ownerUrl)
  assert.equal(code, 0, output)
  await until(() => text().includes(`{"state":"erased","patientUid":"${patientUid}"`))
  await addAt([2])
  await until(() => text().includes('"timestamp":2,'))
  socket.destroy()
})
