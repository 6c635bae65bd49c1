// `npm run bench`: every figure side by side in one run, interleaved, three rounds, medians.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadDirectory, loadReadings } from './data.ts'
import { drawChart, figureOf, printTable } from './report.ts'
import { HISTORY, prepareRows } from './rows.ts'
import { setStage } from './stage.ts'

const ROUNDS = 3
const CHART = join(import.meta.dirname, '../docs/bench.svg')

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, json: { type: 'string' }, only: { type: 'string' } },
})
const seconds = values.short ? 2 : 6
const say = (text: string) => process.stdout.write(`${text}\n`)

const stage = await setStage()
try {
  say('Loading 1,000,000 readings and the directory …')
  await loadReadings(stage, 'get-', HISTORY)
  await loadDirectory(stage, values.short ? 100_000 : 1_000_000)
  await stage.sql('vacuum analyze casesheet.readings')
  const rows = (await prepareRows(stage, seconds)).filter(({ name }) => name.includes(values.only ?? ''))
  const rounds = rows.map(() => [] as Parameters<typeof figureOf>[1])
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [index, row] of rows.entries()) {
      const reference = await row.reference()
      const ours = await row.ours()
      rounds[index]?.push({ ours, reference })
      say(`round ${round}  ${row.name}: ${Math.round(ours.perSecond)} / ${Math.round(reference.perSecond)}`)
    }
  }
  const figures = rows.map((row, index) => figureOf(row, rounds[index] ?? []))
  say(`\n${printTable(figures)}`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
  if (!values.short && !values.only) writeFileSync(CHART, drawChart(figures))
  // A short run on a shared machine can only tell a collapse from noise.
  const collapsed = figures.filter(({ bar, ratio }) => bar !== null && ratio < bar / 2)
  for (const { name, ratio, bar } of collapsed)
    say(`${name} collapsed: ${ratio.toFixed(2)}, less than half of ${bar}`)
  process.exitCode = collapsed.length > 0 ? 1 : 0
} finally {
  await stage.strike()
}
