// Figures of runs, judged and as a table.
import type { Fault } from './fault.ts'
import type { Findings } from './findings.ts'
import { CUT } from './traffic.ts'

/** Without findings where the run could not be brought to its end. */
export type Run = { fault: string; title: string; findings?: Findings; problems: string[] }

/** Sentences about what must not be. */
export function whatIsWrong(fault: Fault, findings: Findings): string[] {
  const { maxGapSeconds, mayRefuse = false, mayCut = false } = fault
  const { gapSeconds, failedRequests, lost, doubled, unexpected, wrongReads, getsNotLogged } = findings
  const { wrongStates, followed, followedWrong, outOfOrder } = findings
  const { posted, postedWrong, postedOutOfOrder, wrongPosts } = findings
  const { alerts, alertsWrong, alertEventsWrong } = findings
  const { revocations, readsAfterRevoke, refusedGrants } = findings
  const failed = failedRequests - (mayCut ? cutAnswers(findings) : 0)
  const problems: [boolean, string][] = [
    [lost > 0, `${lost} acknowledged readings are lost.`],
    [doubled > 0, `${doubled} readings are there twice.`],
    [unexpected > 0, `${unexpected} readings are there that nobody sent.`],
    [wrongReads > 0, `${wrongReads} reads did not show what had been acknowledged.`],
    [wrongStates > 0, `${wrongStates} readings are not withdrawn or restored as was acknowledged.`],
    [followed === 0, 'The consumer of readings/changes was given nothing.'],
    [
      followedWrong > 0,
      `${followedWrong} readings are wrong in the copy that was built from readings/changes.`,
    ],
    [outOfOrder > 0, `${outOfOrder} changes came twice or out of order.`],
    [posted === 0, 'The receiver of webhooks was sent nothing.'],
    [postedWrong > 0, `${postedWrong} readings are wrong in the copy that was built from webhooks.`],
    [postedOutOfOrder > 0, `${postedOutOfOrder} changes came out of order, or again, in webhooks.`],
    [wrongPosts > 0, `${wrongPosts} webhooks were not signed or not as promised.`],
    [alerts === 0, 'No alert opened.'],
    [alertsWrong > 0, `${alertsWrong} patients have other alerts than their readings give.`],
    [alertEventsWrong > 0, `${alertEventsWrong} alerts were not announced once and in order.`],
    [revocations === 0, 'No revocation was acknowledged.'],
    [readsAfterRevoke > 0, `${readsAfterRevoke} reads of doctors succeeded after a revocation.`],
    [refusedGrants > 0, `${refusedGrants} reads of doctors were refused although the grant stood.`],
    [getsNotLogged > 0, `${getsNotLogged} answered gets are not in the access log.`],
    [gapSeconds > maxGapSeconds, `No add was acknowledged for ${gapSeconds.toFixed(1)} s.`],
    [failed > 0 && !mayRefuse, `${failed} requests failed.`],
  ]
  return problems.filter(([isSo]) => isSo).map(([, problem]) => problem)
}

function cutAnswers({ failures }: Findings): number {
  const cut = Object.entries(failures).filter(([what]) => what.endsWith(CUT))
  return cut.reduce((sum, [, times]) => sum + times, 0)
}

export function inOneLine({
  gapSeconds,
  acknowledged,
  lost,
  doubled,
  failedRequests,
  failures,
  followed,
  followedWrong,
  outOfOrder,
  posted,
  postedWrong,
  postedOutOfOrder,
  alerts,
  alertsWrong,
  alertEventsWrong,
  revocations,
  readsAfterRevoke,
}: Findings): string {
  const figures = [
    `gap ${gapSeconds.toFixed(1)} s`,
    `${acknowledged} acknowledged`,
    `${lost} lost`,
    `${doubled} doubled`,
    `${followed} changes followed`,
    `${followedWrong} wrong in the copy`,
    `${outOfOrder} out of order`,
    `${posted} changes posted`,
    `${postedWrong} wrong in that copy`,
    `${postedOutOfOrder} out of order`,
    `${alerts} alerts`,
    `${alertsWrong} patients with wrong ones`,
    `${alertEventsWrong} not announced once in order`,
    `${revocations} revocations`,
    `${readsAfterRevoke} reads after one`,
    `${failedRequests} failed`,
    ...Object.entries(failures).map(([what, times]) => `${times} × ${what}`),
  ]
  return figures.join(', ')
}

/** A list in Markdown with an item for each fault, its runs together, and sentences about all of them. */
export function listOf(runs: Run[]): string {
  const items = [...Map.groupBy(runs, ({ fault }) => fault)].map(([name, ofFault]) => {
    const gap = spreadOf(ofFault.flatMap(({ findings }) => findings?.gapSeconds ?? []))
    return `- \`${name}\`, ${gap} s: ${ofFault[0]?.title}`
  })
  const failed = [...Map.groupBy(runs, ({ fault }) => fault)]
    .map(([name, ofFault]) => ({ name, count: totalOf(ofFault, ({ failedRequests }) => failedRequests) }))
    .filter(({ count }) => count !== '0')
    .map(({ name, count }) => `${count} in \`${name}\``)
  const requests = totalOf(runs, (run) => run.requests)
  const acknowledged = totalOf(runs, (run) => run.acknowledged)
  const lost = totalOf(runs, (run) => run.lost)
  const doubled = totalOf(runs, (run) => run.doubled)
  return `${items.join('\n')}

Failed requests: ${failed.join(', ') || '0'}. In all: ${requests} requests, ${acknowledged} readings acknowledged, ${lost} lost,
${doubled} doubled.`
}

const totalOf = (runs: Run[], figure: (findings: Findings) => number) =>
  runs.reduce((sum, { findings }) => sum + (findings ? figure(findings) : 0), 0).toLocaleString('en')

function spreadOf(figures: number[]): string {
  const [least, most] = [Math.min(...figures).toFixed(1), Math.max(...figures).toFixed(1)]
  return least === most ? most : `${least}–${most}`
}
