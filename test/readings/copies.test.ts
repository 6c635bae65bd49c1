// Copies that are built from readings/changes: the one of the samples, to which the guide leads, and the one of the simulator. A
// patient who was erased is in neither of them, also where the id is no longer announced. After a restore a copy begins again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type Change,
  type ChangesQuery,
  createRoundsClient,
  type RoundsClient,
} from '../../clients/typescript/src/client.ts'
import { Copy } from '../../tools/simulate/keep-copy.ts'
import { startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'
import { BY, runPatientCommand } from '../support/patient-with-history.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()
const requestToken = () => rounds.token({ sub: 'warehouse', scope: 'readings:changes' })

async function erase(patientUid: string, ...options: string[]) {
  const args = ['erase', patientUid, ...BY, '--yes', ...options]
  const { code, output } = await runPatientCommand(args, rounds.ownerUrl)
  assert.equal(code, 0, output)
}

async function restore() {
  const { code, output } = await runCommand(['migrate', '--restored'], { DATABASE_URL: rounds.ownerUrl })
    .ended
  assert.equal(code, 0, output)
}

const { keepCopy: runExample } = (await import(
  new URL('../../samples/keep-copy.mjs', import.meta.url).href
)) as {
  keepCopy: (client: Pick<RoundsClient, 'changes'>, copy: object) => Promise<never>
}

/** A store as the example needs one. */
function createCopy() {
  const readings = new Map<string, Change>()
  let cursor: string | undefined
  let begunAgainFor: string[] = []
  let timesBegun = 0
  const beganAt = Date.now()
  const store = {
    put: async (readingId: string, change: Change) => void readings.set(readingId, change),
    async deletePatient(patientUid: string) {
      for (const [readingId, change] of readings)
        if (change.state !== 'erased' && change.reading.patientUid === patientUid) readings.delete(readingId)
    },
    setCursor: async (next: string) => void (cursor = next),
  }
  return {
    state: async () => ({ cursor, beganAt, begunAgainFor }),
    async beginAgain(erasures: string[]) {
      timesBegun++
      readings.clear()
      cursor = undefined
      begunAgainFor = [...begunAgainFor, ...erasures]
    },
    transaction: (work: (on: typeof store) => Promise<void>) => work(store),
    patients: () =>
      new Set(
        [...readings.values()].flatMap((change) =>
          change.state === 'erased' ? [] : change.reading.patientUid,
        ),
      ),
    timesBegun: () => timesBegun,
    /** A reading that the restored database does not have. */
    addLost: (patientUid: string) =>
      void readings.set(patientUid, {
        state: 'present',
        reading: {
          readingId: patientUid,
          patientUid,
          readingType: 'acme.step',
          timestamp: 1,
          receivedAt: '',
          measuredAt: '',
        },
      }),
  }
}

/** Runs the example until the function that is returned is called, or the test ends. */
function keep(context: TestContext, copy: ReturnType<typeof createCopy>) {
  const leaving = new AbortController()
  const client = createRoundsClient({ url: rounds.url, token: requestToken })
  const changes = (query?: ChangesQuery) => client.changes({ wait: 1, ...query }, { signal: leaving.signal })
  const running = runExample({ changes }, copy)
  const stop = async () => {
    leaving.abort(new Error('It was stopped.'))
    await assert.rejects(running, /It was stopped/)
  }
  context.after(() => leaving.abort())
  running.catch(() => {})
  return stop
}

async function patients(count: number) {
  const all = await Promise.all(Array.from({ length: count }, () => newPatient(rounds)))
  await Promise.all(all.map(({ addAt }) => addAt([1, 2])))
  return all.map(({ patientUid }) => patientUid)
}

test('the copy of the guide drops a patient who was erased, whether or not the id is announced', async (context) => {
  const copy = createCopy()
  const stop = keep(context, copy)
  const [named = '', unnamed = '', late = '', staying = ''] = await patients(4)
  await until(() => copy.patients().size === 4)
  await erase(named)
  await until(() => !copy.patients().has(named))
  assert.equal(copy.timesBegun(), 0)

  await erase(unnamed, '--announce-days', '0')
  await until(() => copy.timesBegun() === 1 && copy.patients().size === 2)
  assert.deepEqual(copy.patients(), new Set([late, staying]))

  // While the copy is not updated, the time for announcing passes.
  await stop()
  await erase(late, '--announce-days', '0')
  const stopAgain = keep(context, copy)
  await until(() => copy.timesBegun() === 2 && copy.patients().size === 1)
  assert.deepEqual(copy.patients(), new Set([staying]))
  // It is not begun again for the same erasures.
  const [added = ''] = await patients(1)
  await until(() => copy.patients().has(added))
  assert.equal(copy.timesBegun(), 2)
  await stopAgain()
})

test('the copy of the guide begins again after a restore, also while it is not running, and then goes on', async (context) => {
  const copy = createCopy()
  const stop = keep(context, copy)
  const [first = ''] = await patients(1)
  await until(() => copy.patients().has(first))
  const [inAll, begun] = [copy.patients(), copy.timesBegun()]
  copy.addLost('a patient whose readings were lost')

  await restore()
  await until(() => copy.timesBegun() === begun + 1 && copy.patients().has(first))
  assert.deepEqual(copy.patients(), inAll, 'what was lost is in no copy')

  await stop()
  await restore()
  const stopAgain = keep(context, copy)
  const [added = ''] = await patients(1)
  await until(() => copy.timesBegun() === begun + 2 && copy.patients().has(added))
  assert.deepEqual(copy.patients(), new Set([...inAll, added]))
  await stopAgain()
})

test('the copy of the simulator drops a patient who was erased and is not named', async () => {
  const stopping = new AbortController()
  const copying = new Copy({
    url: rounds.url,
    requestToken,
    isOurs: () => true,
    onChange: () => {},
    stopping: stopping.signal,
  })
  const [staying, erased] = [await newPatient(rounds), await newPatient(rounds)]
  const stored = async ({ token }: { token: string }) =>
    (await createRoundsClient({ url: rounds.url, token }).getReadings()).data
  for (const each of [staying, erased]) {
    await each.addAt([1, 2])
    assert.deepEqual(await copying.compare(each.patientUid, await stored(each)), [])
  }
  await erase(erased.patientUid, '--announce-days', '0')
  assert.deepEqual(await copying.compare(erased.patientUid, []), [])
  assert.deepEqual(await copying.compare(staying.patientUid, await stored(staying)), [])
  await copying.stop()
})
