// What a run amounts to: the figures of the callers, and whether all they were promised holds.
import { runSql } from '../../tools/dev/run-sql.ts'
import { countOutOfOrder } from './order.ts'
import type { Service } from './service.ts'
import { isWithdrawn, type Patient, type Seen, type Traffic } from './traffic.ts'

export type Findings = {
  /** The longest time without an acknowledged add, from the strike on. */
  gapSeconds: number
  longestWaitSeconds: number
  requests: number
  failedRequests: number
  /** Each kind of failure and how often it was seen. */
  failures: Record<string, number>
  acknowledged: number
  lost: number
  doubled: number
  /** Stored though nobody sent it, as far as its numbers tell. */
  unexpected: number
  wrongReads: number
  /** Readings that are withdrawn although their restoration was acknowledged, or the other way round. */
  wrongStates: number
  /** Changes that the consumer of readings/changes was given. */
  followed: number
  /** Readings that its copy lacks, has otherwise, or has beyond what is stored. */
  followedWrong: number
  /** Changes that it was given twice, or before one that the same patient had made earlier. */
  outOfOrder: number
  /** The same three of the receiver of webhooks, and messages that were not as promised. */
  posted: number
  postedWrong: number
  postedOutOfOrder: number
  wrongPosts: number
  /** Alerts that opened; patients whose alerts are not those that their readings give; alerts not announced once, or out of order. */
  alerts: number
  alertsWrong: number
  alertEventsWrong: number
  gets: number
  getsNotLogged: number
  /** Revocations that were acknowledged, doctors' reads that succeeded after one, and those refused although the grant stood. */
  revocations: number
  readsAfterRevoke: number
  refusedGrants: number
}

/** To be called when the traffic has stopped and the cluster is whole. */
export async function findOut(traffic: Traffic, service: Service, struckAt: number): Promise<Findings> {
  const { seen } = traffic
  const { revocations, readsAfterRevoke, refusedGrants } = await traffic.sharing.findOut()
  const { alerts, alertsWrong, alertEventsWrong } = await traffic.alerting.findOut()
  const findings: Findings = {
    gapSeconds: longestGap(seen, struckAt) / 1_000,
    longestWaitSeconds: seen.longestWaitMs / 1_000,
    requests: seen.requests,
    failedRequests: seen.failures.length,
    failures: {},
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    unexpected: 0,
    wrongReads: seen.wrongReads.length,
    wrongStates: 0,
    followed: 0,
    followedWrong: 0,
    outOfOrder: 0,
    posted: 0,
    postedWrong: 0,
    postedOutOfOrder: 0,
    wrongPosts: 0,
    alerts,
    alertsWrong,
    alertEventsWrong,
    gets: 0,
    getsNotLogged: 0,
    revocations,
    readsAfterRevoke,
    refusedGrants,
  }
  for (const { what } of seen.failures) findings.failures[what] = (findings.failures[what] ?? 0) + 1
  for (const patient of seen.patients) {
    const stored = await traffic.stored(patient, 0)
    if (!stored) throw new Error('What is stored could not be read at the end.')
    const counts = new Map<number, number>()
    for (const { number } of stored) counts.set(number, (counts.get(number) ?? 0) + 1)
    const { acknowledged, uncertain } = patient
    findings.acknowledged += acknowledged.size
    findings.lost += [...acknowledged].filter((number) => !counts.has(number)).length
    findings.doubled += [...counts.values()].filter((count) => count > 1).length
    findings.unexpected += [...counts.keys()].filter(
      (number) => !acknowledged.has(number) && !uncertain.has(number),
    ).length
    const certain = patient.isSettled ? stored : []
    findings.wrongStates += certain.filter(
      ({ number, withdrawn }) => (withdrawn !== undefined) !== isWithdrawn(patient, number),
    ).length
    findings.followedWrong += (await traffic.copy.compare(patient.uid, stored)).length
    findings.followed += patient.followed.length
    findings.outOfOrder += countOutOfOrder(patient.steps, patient.followed)
    findings.postedWrong += await traffic.posts.compare(patient.uid, stored)
    const posted = traffic.posts.changesOf(patient.uid)
    findings.posted += posted.length
    findings.postedOutOfOrder += countOutOfOrder(patient.steps, posted)
    findings.gets += patient.gets.length
    findings.getsNotLogged += await countNotLogged(patient, service)
  }
  findings.wrongPosts = traffic.posts.wrong.length
  await traffic.posts.remove()
  return findings
}

function longestGap({ acknowledgedAt }: Seen, struckAt: number): number {
  const after = acknowledgedAt.filter((at) => at > struckAt)
  return Math.max(...after.map((at, index) => at - (after[index - 1] ?? struckAt)))
}

async function countNotLogged({ uid, gets }: Patient, { ownerUrl }: Service): Promise<number> {
  const rows = await runSql<{ request_id: string }>(
    ownerUrl,
    'select request_id from casesheet.access_log where patient_uid = $1',
    [uid],
  )
  const logged = new Set(rows.map(({ request_id }) => request_id))
  return gets.filter((requestId) => !logged.has(requestId)).length
}
