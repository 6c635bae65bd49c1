// Patients of two cells give and revoke grants at random, and doctors list at random, at two processes of each cell. Each list is
// judged by what its caller can know: a grant whose revocation was answered before a page was asked for is not on it, and whoever
// shares throughout a list is in it once. It is the list of names, or the one with who needs attention, by name.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../../tools/simulate/random.ts'
import { patientsOfBoth, type startTwoCells } from './patients-of-doctor.ts'

type Write = { isGiven: boolean; startedAt: number; endedAt: number }

const PATIENTS = 12
const WRITES = 25
const NAMES = ['Ann', 'Ben', 'Cleo', 'Dan', undefined] as const

export async function runListHistories(
  stage: Awaited<ReturnType<typeof startTwoCells>>,
  doctorIds: readonly [string, ...string[]],
  seed: number,
) {
  const histories = new Map<string, Write[]>()
  const historyOf = (patientUid: string, doctorId: string): Write[] => {
    const key = `${patientUid} ${doctorId}`
    const history = histories.get(key) ?? []
    histories.set(key, history)
    return history
  }
  const patientUids = patientsOfBoth(PATIENTS)
  const over = new AbortController()
  let [lists, shown] = [0, 0]

  async function write(patientUid: string, nth: number) {
    const random = createRandom(seed, nth)
    const [one, two] = stage.routers
    const clients = [await stage.patientOf(patientUid, one), await stage.patientOf(patientUid, two)] as const
    for (let writes = 0; writes < WRITES; writes++) {
      await pause(random.between(0, 120))
      const doctorId = random.pick(doctorIds)
      const isGiven = random.chance(0.6)
      const { grants } = random.pick(clients)
      const name = random.pick(NAMES)
      const entry: Write = { isGiven, startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY }
      historyOf(patientUid, doctorId).push(entry)
      if (isGiven) await grants.add({ patientUid, doctorId, permission: 'view', sharedAs: name })
      else await grants.revoke({ patientUid, doctorId })
      entry.endedAt = performance.now()
    }
  }

  async function readOn(doctorId: string, nth: number) {
    const random = createRandom(seed, 1_000 + nth)
    const [one, two] = stage.routers
    const clients = [await stage.doctorOf(doctorId, one), await stage.doctorOf(doctorId, two)] as const
    while (!over.signal.aborted) {
      const limit = Math.floor(random.between(1, 12))
      const isCare = random.chance(0.5)
      const listStartedAt = performance.now()
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const askedAt = performance.now()
        const { patients, myPatients } = random.pick(clients)
        const page = await (isCare
          ? myPatients.list({ limit, cursor, sort: 'name' })
          : patients.list({ limit, cursor }))
        const answeredAt = performance.now()
        assert.deepEqual(page.cells?.missing, [])
        for (const { patientUid } of page.data) {
          assert.ok(
            mayShare(historyOf(patientUid, doctorId), askedAt, answeredAt),
            `${patientUid} had not shared, or had revoked, before the page was asked for`,
          )
          found.push(patientUid)
        }
        cursor = page.nextCursor
      }
      const endedAt = performance.now()
      for (const patientUid of patientUids) {
        const isShared = sharesThroughout(historyOf(patientUid, doctorId), listStartedAt, endedAt)
        if (isShared === undefined) continue
        const count = found.filter((other) => other === patientUid).length
        assert.equal(count, isShared ? 1 : 0, patientUid)
      }
      lists++
      shown += found.length
    }
  }

  const readers = Promise.all([...doctorIds, ...doctorIds].map(readOn))
  await Promise.race([Promise.all(patientUids.map(write)), readers])
  over.abort()
  await readers
  return { lists, shown, writes: PATIENTS * 2 * WRITES }
}

/** Whether a page that was asked for and answered then may show the patient. */
function mayShare(history: Write[], askedAt: number, answeredAt: number): boolean {
  const last = history.findLast(({ endedAt }) => endedAt < askedAt)
  const isOpen = history.some(
    ({ isGiven, startedAt, endedAt }) => isGiven && startedAt < answeredAt && endedAt >= askedAt,
  )
  return isOpen || last?.isGiven === true
}

/** Whether the patient shared from the start of a list to its end; undefined where a write was under way meanwhile. */
function sharesThroughout(history: Write[], startedAt: number, endedAt: number): boolean | undefined {
  if (history.some((write) => write.endedAt >= startedAt && write.startedAt <= endedAt)) return undefined
  return history.findLast((write) => write.endedAt < startedAt)?.isGiven === true
}
