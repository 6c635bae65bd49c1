// `npm run bench`: every figure side by side in one run, interleaved, three rounds, medians; then the same with ten and a
// hundred times the readings. `--short` is quick and without the growth; `--rows` and `--growth` are one part alone, and
// `--only TEXT` the rows whose name holds it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { showProgress } from '../src/commands/progress.ts'
import { drawGrowth, drawRatios } from './charts.ts'
import { bytesPerReading, loadDirectory, loadLongHistories, loadReadings } from './data.ts'
import { type Figure, hasCollapsed, printTable } from './figures.ts'
import { growthFigures, nameOfSize, SIZES } from './growth.ts'
import { writeTokens } from './http-loads.ts'
import { measureFigures } from './rounds.ts'
import { prepareRows } from './rows.ts'
import { type Database, setStage } from './stage.ts'
import { measureVariants } from './variants.ts'

const ROUNDS = 3
const DOCS = join(import.meta.dirname, '../docs')

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const seconds = values.short ? 2 : 6
const say = (text: string) => process.stdout.write(`${text}\n`)

const stage = await setStage()
try {
  const tokens = await writeTokens(stage)
  const database = await loadDatabase(1_000_000)
  await loadLongHistories(database)
  const all: Figure[] = []
  if (!values.growth) all.push(...(await measureRows(database)))
  if (!values.short && !values.rows && values.only === '') all.push(...(await measureSizes(database)))

  if (values.json) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`)
  const collapsed = all.filter(hasCollapsed)
  for (const { name, ratio, bar } of collapsed)
    say(`${name} collapsed: ${ratio.toFixed(2)}, less than half of ${bar}`)
  process.exitCode = collapsed.length > 0 ? 1 : 0

  async function measureRows(on: Database): Promise<Figure[]> {
    await loadDirectory(on, values.short ? 100_000 : 1_000_000)
    const possible = await prepareRows({ stage, database: on, tokens, seconds })
    const rows = possible.filter(({ name }) => name.includes(values.only))
    const measured = await measureFigures(rows, ROUNDS, say)
    say(`\n${printTable(measured)}\n`)
    if (!values.short && values.only === '') writeFileSync(join(DOCS, 'bench.svg'), drawRatios(measured))
    return measured
  }

  async function measureSizes(smallest: Database): Promise<Figure[]> {
    const variants = [{ label: nameOfSize(1_000_000), database: smallest }]
    for (const size of SIZES.slice(1))
      variants.push({ label: nameOfSize(size), database: await loadDatabase(size) })
    const curves = await measureVariants(variants, { stage, tokens, seconds, rounds: ROUNDS, say })
    for (const [index, { label }] of variants.entries()) {
      say(`\nAt ${label} readings:`)
      say(printTable(curves.flatMap(({ figures }) => figures[index] ?? [])))
    }
    const grown = growthFigures(curves)
    say(`\n${printTable(grown)}\n`)
    writeFileSync(join(DOCS, 'scale.svg'), drawGrowth(curves))
    return grown
  }
} finally {
  await stage.strike()
}

async function loadDatabase(readings: number): Promise<Database> {
  const name = `readings_${readings}`
  const database = await stage.createDatabase(name)
  const started = performance.now()
  const progress = showProgress(process.stdout)
  const stageName = `Loading ${nameOfSize(readings)} readings`
  await loadReadings(database, readings, (share) => progress.show({ stage: stageName, share }))
  progress.end()
  const [took, { table, index }] = [(performance.now() - started) / 1_000, await bytesPerReading(database)]
  say(
    `${nameOfSize(readings)} readings in ${took.toFixed(0)} s; a reading takes ${table.toFixed(0)} bytes and ${index.toFixed(0)} in the indexes`,
  )
  return database
}
