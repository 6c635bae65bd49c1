// Streams whose readers misbehave: each is bounded, and no other stream notices.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startRounds } from '../../../../test/harness.ts'
import { newPatient } from '../../../../test/patient.ts'
import { BY, runPatientCommand } from '../../../../test/patient-with-history.ts'

const rounds = await startRounds()

/** A stream on a socket of its own, which reads until it is told not to. */
async function openStream(token: string, headers = '') {
  const { hostname, port } = new URL(rounds.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /casesheet/readings/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`,
  )
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => {})
  await until(() => text.includes('event: open') || /^HTTP\/1.1 [45]/.test(text))
  return { socket, text: () => text }
}

async function until(isTrue: () => boolean | Promise<boolean>) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if (await isTrue()) return
    await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error('It did not happen.')
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${rounds.adminUrl}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}

test('a reader that takes nothing is cut at the bound of unread bytes, and another one gets every change', async () => {
  const { add, patientUid, token } = await newPatient(rounds)
  const [slow, well] = [await openStream(token), await openStream(token)]
  slow.socket.pause()
  const note = 'x'.repeat(60_000)
  let added = 0
  while ((await metric('rounds_streams_cut_total{reason="slow"}')) === 0) {
    assert.ok(added < 2_000, 'the buffers of the kernel are finite')
    const readings = Array.from({ length: 10 }, () => ({
      patientUid,
      readingType: 'acme.large',
      timestamp: ++added,
      note,
    }))
    assert.equal((await add(readings)).status, 200)
  }
  await until(async () => (await metric('rounds_streams')) === 1)
  await until(() => well.text().split('event: change').length === added + 1)
  well.socket.destroy()
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
