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
}: Findings): string {
  const figures = [
    `gap ${gapSeconds.toFixed(1)} s`,
    `${acknowledged} acknowledged`,
    `${lost} lost`,
    `${doubled} doubled`,
    `${followed} changes followed`,
    `${followedWrong} wrong in the copy`,
    `${outOfOrder} out of order`,
    `${failedRequests} failed`,
    ...Object.entries(failures).map(([what, times]) => `${times} × ${what}`),
  ]
  return figures.join(', ')
}

/** A table in Markdown: a row for each fault, its runs together. */
export function tableOf(runs: Run[]): string {
  const rows = [...Map.groupBy(runs, ({ fault }) => fault)].map(([name, ofFault]) => {
    const found = ofFault.flatMap(({ findings }) => findings ?? [])
    const total = (figure: (run: Findings) => number) =>
      found.reduce((sum, run) => sum + figure(run), 0).toLocaleString('en')
    const spread = (figure: (run: Findings) => number) => {
      const figures = found.map(figure)
      const [least, most] = [Math.min(...figures).toFixed(1), Math.max(...figures).toFixed(1)]
      return least === most ? most : `${least}–${most}`
    }
    return [
      `\`${name}\``,
      ofFault[0]?.title,
      ofFault.length,
      spread(({ gapSeconds }) => gapSeconds),
      total(({ requests }) => requests),
      total(({ failedRequests }) => failedRequests),
      total(({ acknowledged }) => acknowledged),
      total(({ lost }) => lost),
      total(({ doubled }) => doubled),
    ]
  })
  const head = ['name', 'fault', 'runs', 'gap, s', 'requests', 'failed', 'acknowledged', 'lost', 'doubled']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
