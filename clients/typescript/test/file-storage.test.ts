// The queue on a file: it survives what devices go through.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createReadingQueue, type Reading } from '../src/client.ts'
import { fileStorage } from '../src/file-storage.ts'
import { clientOfNewPatient, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const DEVICE = join(import.meta.dirname, 'device.ts')
const rounds = await startRounds()
const network = await startFaultyNetwork(rounds.url)
const dir = await mkdtemp(join(tmpdir(), 'rounds-client-'))
after(() => rm(dir, { recursive: true }))
const noRefusal = (_reading: Reading, error: Error) => Promise.reject(error)

test('a device that is killed while it takes and sends readings loses none and doubles none', async () => {
  const { client, patientUid, token, storedSequences } = await clientOfNewPatient(rounds)
  const file = join(dir, 'killed')
  network.loseAnswers(3)
  let acknowledged = 0
  for (const until of [150, 300]) {
    const device = spawn(process.execPath, [DEVICE, network.url, token, patientUid, file])
    device.stderr.pipe(process.stderr)
    for await (const line of createInterface(device.stdout)) {
      acknowledged = Math.max(acknowledged, Number(line) + 1)
      if (Number(line) >= until) device.kill('SIGKILL')
    }
  }
  const storage = await fileStorage(file)
  const queue = createReadingQueue({ client, storage, onRefused: noRefusal })
  await queue.flush()
  await storage.close()
  const stored = await storedSequences()
  assert.ok(acknowledged > 300)
  assert.deepEqual(stored.slice(0, acknowledged), firstNumbers(acknowledged))
  assert.equal(new Set(stored).size, stored.length)
})

test('what one process added, the next one finds in order; what was sent is gone, and the file is empty', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const file = join(dir, 'restarted')
  const first = await fileStorage(file)
  await first.append(steps(5))
  await first.remove([1, 3])
  await first.close()
  const second = await fileStorage(file)
  await second.append(steps(6).slice(5))
  assert.deepEqual(
    (await second.oldest(10)).map(({ reading }) => reading['sequence']),
    [1, 3, 4, 5],
  )
  assert.equal((await second.oldest(2)).length, 2)
  const queue = createReadingQueue({ client, storage: second, onRefused: noRefusal })
  assert.deepEqual(await queue.flush(), { sent: 4, refused: 0 })
  await second.close()
  assert.equal(await readFile(file, 'utf8'), '')
  assert.deepEqual(await storedSequences(), [1, 3, 4, 5])
})

test('a line that a power failure cut short spoils no other', async () => {
  const { steps } = await clientOfNewPatient(rounds)
  const file = join(dir, 'torn')
  const before = await fileStorage(file)
  await before.append(steps(2))
  await before.close()
  await appendFile(file, '\n{"key":3,"reading":{"patientUid":"pa')
  for (const count of [2, 3, 4]) {
    const storage = await fileStorage(file)
    assert.equal(await storage.count(), count)
    await storage.append(steps(1))
    await storage.close()
  }
})

test('the file is for its owner only', async () => {
  const file = join(dir, 'private')
  await (await fileStorage(file)).close()
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})
