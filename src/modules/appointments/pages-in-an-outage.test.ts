// Cached pages of the directory while the database does not answer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { signalAll, treeOf } from '../../../test/faults/processes.ts'
import { fillDirectory } from '../../../test/support/directory.ts'
import { startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import { startThrowawayPostgres } from '../../../tools/dev/throwaway-postgres.ts'

const DEADLINE_MS = 3_000

const postgres = await startThrowawayPostgres()
process.env['TEST_DATABASE_URL'] = postgres.url
const rounds = await startRounds({ REQUEST_DEADLINE_SECONDS: String(DEADLINE_MS / 1_000) })
after(async () => {
  await rounds.stop()
  await postgres.stop()
})
await fillDirectory(rounds.ownerUrl, {
  doctors: [{ doctorId: 'asha', name: 'Dr. Asha Rao (invented)', specialities: [] }],
})
const token = await rounds.token()
const list = () => rounds.call('/appointments/doctors/list', { token })

async function hits(): Promise<number> {
  const text = await (await fetch(`${rounds.adminUrl}/metrics`)).text()
  return Number(/^rounds_directory_cache_requests_total\{outcome="hit"\} (\d+)/m.exec(text)?.[1])
}

test('cached pages are served for as long as the database hangs', async () => {
  await until(async () => {
    const before = await hits()
    await list()
    return (await hits()) > before
  })
  const frozen = await treeOf(postgres.pid)
  signalAll(frozen, 'SIGSTOP')
  try {
    // Several reads of the version fail meanwhile, each at the deadline.
    for (const end = Date.now() + 4 * DEADLINE_MS; Date.now() < end; await pause(20)) {
      const { status, text } = await list()
      assert.equal(status, 200, text)
    }
  } finally {
    signalAll(frozen, 'SIGCONT')
  }
})
