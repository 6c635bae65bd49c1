// Phones that send their backlogs while the database does not answer: what waits is bounded in bytes, so the process survives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoadStage } from '../load/stage.ts'
import { lockReadings } from '../support/lock-readings.ts'

const PHONES = 100
const LOCKED_MS = 15_000
/** By then a request was answered, or its connection closed. */
const ENDED_MS = 60_000

const BACKLOGS: Record<string, (patientUid: string) => object[]> = {
  'of 4 MB': (patientUid) =>
    Array.from({ length: 66 }, (_, timestamp) => ({
      patientUid,
      readingType: 'acme.x',
      note: 'x'.repeat(60_000),
      timestamp,
    })),
  'of 28,000 values': (patientUid) =>
    Array.from({ length: 1_000 }, (_, timestamp) => ({
      patientUid,
      readingType: 'acme.x',
      ...Object.fromEntries([...Array(25).keys()].map((field) => [`v${timestamp}-${field}`, field])),
      timestamp,
    })),
}

for (const [name, backlogOf] of Object.entries(BACKLOGS)) {
  test(`${PHONES} backlogs ${name}, while the readings are locked, do not end a process with a heap of 384 MiB`, async () => {
    const { server, issuer, ownerUrl } = await startLoadStage({
      NODE_OPTIONS: '--max-old-space-size=384',
      // A phone whose backlogs were taken and then refused at their deadline has sent them.
      RATE_LIMIT_BYTES_PER_MINUTE: '1000000000',
    })
    const release = await lockReadings(ownerUrl)
    const lockedUntil = Date.now() + LOCKED_MS
    const answers = new Set<number>()
    async function send(patientUid: string) {
      const token = await issuer.token({ patientUid, sub: patientUid })
      const body = JSON.stringify(backlogOf(patientUid))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      while (Date.now() < lockedUntil) {
        // One that is refused before its body was read may be cut while it is still sending, as HTTP has it.
        const answer = await fetch(`${server.url}/casesheet/readings/add`, {
          method: 'POST',
          headers,
          body,
          signal: AbortSignal.timeout(ENDED_MS),
        }).catch((error: unknown) => {
          if (error instanceof DOMException && error.name === 'TimeoutError') throw error
        })
        await answer?.text()
        if (answer) answers.add(answer.status)
        await new Promise((resume) => setTimeout(resume, 300))
      }
    }
    const phones = Array.from({ length: PHONES }, (_, index) => send(`phone-${index}`))
    await new Promise((resume) => setTimeout(resume, LOCKED_MS))
    await release()
    await Promise.all(phones)
    assert.ok(answers.has(200), `those that waited were stored: ${[...answers].join()}`)
    assert.deepEqual(
      // 408 where this machine is too busy to send.
      [...answers].filter((status) => ![200, 503, 408].includes(status)),
      [],
    )
    assert.equal(server.child.exitCode, null)
  })
}
