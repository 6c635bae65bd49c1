// What a simulation found, in a few lines.
import type { Simulation } from './options.ts'
import { DAY_MS } from './patient.ts'
import { grouped } from './progress.ts'
import type { Tally } from './tally.ts'

export type Report = {
  simulation: Simulation
  tally: Tally
  end: 'proven' | 'refuted' | 'stopped'
}

export function describeReport({ simulation, tally, end }: Report): string {
  const { patients, days, seed } = simulation
  const firstDay = new Date(days.first * DAY_MS).toISOString().slice(0, 10)
  const seconds = tally.sendingMs / 1_000
  const speed = seconds > 0 ? Math.round(tally.sent / seconds) : 0
  const rows: [string, number, string?][] = [
    ['distinct readings', tally.distinct],
    ['requests to add', tally.addRequests, `p50 ${msAt(tally, 50)} ms, p99 ${msAt(tally, 99)} ms`],
    ['duplicates sent', tally.duplicates],
    ['answers dropped', tally.droppedAnswers],
    ['retries', tally.retries],
    ['errors', tally.errors],
    ['read back', tally.readBack],
    ['missing', tally.missing],
    ['doubled', tally.doubled],
    ['unexpected', tally.unexpected],
    ...(simulation.withdrawnShare > 0 ? correctedRows(tally) : []),
    ...(simulation.isFollowed ? followedRows(tally) : []),
  ]
  return [
    `${grouped(patients)} patients, ${grouped(days.end - days.first)} days from ${firstDay}, seed ${seed}: sent in ${seconds.toFixed(1)} s, ${grouped(speed)} readings/s`,
    ...rows.map(
      ([name, count, note]) =>
        `  ${name.padEnd(18)}${grouped(count).padStart(12)}${note ? `   ${note}` : ''}`,
    ),
    ...tally.examples.map((example) => `  ${example}`),
    VERDICT[end],
    ...(simulation.isFollowed && end === 'proven' ? [COPY_PROVEN] : []),
  ].join('\n')
}

function correctedRows({ withdrawn, restored, wrongState }: Tally): [string, number][] {
  return [
    ['withdrawn', withdrawn],
    ['restored', restored],
    ['in a wrong state', wrongState],
  ]
}

function followedRows({ followed, followedWrong }: Tally): [string, number][] {
  return [
    ['changes followed', followed],
    ['wrong in the copy', followedWrong],
  ]
}

const COPY_PROVEN = 'Proven: the copy that was built from readings/changes is what readings/get gives.'

const VERDICT = {
  proven: 'Proven: each reading is there exactly once, as it was sent, and no other.',
  refuted: 'Not proven: what is stored is not what was sent.',
  stopped: 'Not proven: it ended before everything was sent and read back.',
}

function msAt({ addMicroseconds }: Tally, percent: number): string {
  return (addMicroseconds.percentile(percent) / 1_000).toFixed(1)
}
