// What sends through the router while slots move: simulated devices, which repeat what fails, and a probe, which repeats nothing.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { requestToken } from '../../tools/dev/request-token.ts'
import { runCommand } from '../support/process.ts'
import { countIn } from '../support/simulate-stage.ts'
import { CELL_NAMES } from './haproxy-of-cells.ts'
import { FIRST_SLOTS, type Issuer, isMoving, type Stage } from './stage.ts'

const PATIENTS = 8

/**
 * A seed with several patients whose slots move, and several others. The first one is asked for before anything is sent, and without
 * patience: it is of the cell to which nothing happens.
 */
function nextSeed(last: number): number {
  for (let seed = last + 1; ; seed++) {
    const uids = Array.from({ length: PATIENTS }, (_, index) => `simulated-${seed}-000${index + 1}`)
    const moving = uids.filter(isMoving).length
    if (moving >= 3 && moving <= 5 && slotOf(uids[0] ?? '') >= FIRST_SLOTS[2]) return seed
  }
}

/**
 * Simulations through the router, one after the other and each proven at its end, until they are stopped: two at a time, so that
 * readings are sent at every moment.
 */
export function startSimulations({ url }: Stage, issuer: Issuer) {
  const over = new AbortController()
  let seed = 0
  const outputs: string[] = []
  async function simulateOnAndOn() {
    while (!over.signal.aborted) {
      seed = nextSeed(seed)
      const options = `--patients ${PATIENTS} --days 1 --seed ${seed} --rate 40 --duplicates 5% --drop-answers 5% --withdraw 10% --follow --cells ${CELL_NAMES.join()}`
      const { code, output } = await runCommand(['simulate', '--url', url, ...options.split(' ')], {
        AUTH_ISSUER: issuer.url,
        AUTH_CLIENT_SECRET: issuer.clientSecret,
      }).ended
      outputs.push(output)
      assert.equal(code, 0, output)
    }
  }
  const running = Promise.all([simulateOnAndOn(), simulateOnAndOn()])
  // A failure is shown where they are stopped.
  running.catch(() => {})
  return {
    /** Does the work, which waits for what is sent, and fails at once where no more is. */
    during: <T>(work: Promise<T>): Promise<T> =>
      Promise.race([work, running.then(() => assert.fail('the simulations have ended'))]),
    /** The report of each simulation; all of them are proven. */
    async stop() {
      over.abort()
      await running
      for (const output of outputs) {
        assert.match(output, /^Proven: each reading is there exactly once, as it was sent, and no other\.$/m)
        assert.match(output, /^Proven: the copy that was built from readings\/changes is what/m)
        for (const name of ['errors', 'missing', 'doubled', 'unexpected', 'in a wrong state'])
          assert.equal(countIn(output, name), 0, name)
      }
      return {
        distinct: outputs.reduce((sum, output) => sum + countIn(output, 'distinct readings'), 0),
        runs: outputs.length,
      }
    },
  }
}

/** A device that repeats nothing: what it is answered, apart from 200. */
export function startProbe({ url }: Stage, issuer: Issuer) {
  const patientUid = 'probe-4'
  assert.ok(isMoving(patientUid), 'it must be of a slot that moves')
  const over = new AbortController()
  const others: string[] = []
  const counts = { answered: 0, moving: 0 }
  async function ask() {
    const token = await requestToken(issuer, { patientUids: [patientUid] })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (let timestamp = 1; !over.signal.aborted; timestamp++) {
      const body = JSON.stringify({ patientUid, readingType: 'acme.step', timestamp })
      for (const [path, init] of [
        ['add', { method: 'POST', body, headers }],
        [`get?patientUid=${patientUid}&limit=1`, { headers }],
      ] as const) {
        const response = await fetch(`${url}/casesheet/readings/${path}`, init)
        const answer = await response.text()
        counts.answered++
        if (response.ok) continue
        const isExpected = response.status === 503 && response.headers.get('retry-after') === '1'
        if (isExpected && answer.includes('PatientMoving')) counts.moving++
        else others.push(`${response.status} ${answer}`)
      }
    }
  }
  const asking = ask()
  asking.catch(() => {})
  after(() => over.abort())
  return {
    async stop() {
      over.abort()
      await asking
      return { ...counts, others }
    },
  }
}
