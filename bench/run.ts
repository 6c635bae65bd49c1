// `npm run bench`: every figure side by side in one run, interleaved, three rounds, medians; then the same with ten and a
// hundred times the readings. Each load warms up until the CPU of a request is steady; a row with refused requests has no figure.
// `--short` takes a quarter of an hour: three short rounds of the rows that have a bar, on less data, and no growth. It fails only for a collapse, judged by
// CPU where the host withheld much of it; `--rows` and `--growth` are one part alone, `--largest N` ends the growth at so many million readings, and
// `--only TEXT` the rows whose name holds it; `--doctors N` another size of the directory; `--list` is what a doctor's list of patients takes from the adds. `--write` puts the table of rows into docs/scale.md, and the CPU of its requests into the figures of `rounds sizing`. `--against COMMIT` compares adds and gets with a commit of the history.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { showProgress } from '../src/commands/progress.ts'
import type { MigrateOptions } from '../src/db/migrate/migrate.ts'
import { SENDERS } from './bare.ts'
import { measureBefore } from './before.ts'
import { drawGrowth } from './charts.ts'
import { bytesPerReading, loadDirectory, loadLongHistories, loadReadings } from './data.ts'
import { type Figure, hasCollapsed, printForDocument, printTable, printTargets } from './figures.ts'
import { growthFigures, mustHaveRoom, nameOfSize, SIZES } from './growth.ts'
import { writeTokens } from './http-loads.ts'
import { measureAddsBesideList } from './patient-list.ts'
import { measureFigures } from './rounds.ts'
import { prepareRows } from './rows.ts'
import { cpuForSizing, writeSizingFigures } from './sizing-file.ts'
import { type Database, setStage } from './stage.ts'
import { measureVariants } from './variants.ts'

const DOCS = join(import.meta.dirname, '../docs')

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    largest: { type: 'string', default: '100' },
    list: { type: 'boolean', default: false },
    against: { type: 'string' },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    doctors: { type: 'string', default: '1000000' },
  },
})
const doctors = Number(values.doctors)
const { seconds, rounds, readings, senders } = values.short
  ? { seconds: 3, rounds: 3, readings: 500_000, senders: 1_000 }
  : { seconds: 6, rounds: 3, readings: 1_000_000, senders: SENDERS }
const say = (text: string) => process.stdout.write(`${text}\n`)
const { against } = values
const isPart = values.rows || values.growth || values.list || against !== undefined || values.only !== ''
const isWhole = !(values.short || isPart)
const sizes = SIZES.filter((size) => size <= Number(values.largest) * 1_000_000)
if (isWhole || values.growth) mustHaveRoom(sizes)

const stage = await setStage()
try {
  const tokens = await writeTokens(stage, senders)
  const all: Figure[] = []
  if (against === undefined && !values.list) {
    const database = await loadDatabase(`readings_${readings}`, readings)
    await loadLongHistories(database)
    if (!values.growth) all.push(...(await measureRows(database)))
    if (isWhole || values.growth) all.push(...(await measureSizes(database)))
  }
  if (against !== undefined) all.push(...(await measureAgainst(against)))
  if (values.list || isWhole) all.push(...(await measureList()))

  if (values.json) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`)
  const collapsed = all.filter(hasCollapsed)
  for (const { name, ratio, bar } of collapsed)
    say(`${name} collapsed: ${ratio.toFixed(2)}, less than half of ${bar}`)
  const faulty = all.filter(({ fault }) => fault !== null)
  for (const { name, fault } of faulty) say(`${name} has no figure. ${fault}`)
  process.exitCode = collapsed.length + faulty.length > 0 ? 1 : 0

  async function measureRows(on: Database): Promise<Figure[]> {
    await loadDirectory(on, doctors)
    const possible = await prepareRows({ stage, database: on, tokens }, doctors)
    const rows = possible.filter(
      ({ name, bar, isLong = false }) =>
        name.includes(values.only) && !(values.short && (bar === null || isLong)),
    )
    const measured = await measureFigures(rows, { rounds, seconds, say })
    say(`\n${printTable(measured)}\n\n${printTargets(measured)}\n`)
    if (values.write) writeTable(measured)
    return measured
  }

  async function measureSizes(smallest: Database): Promise<Figure[]> {
    const variants = [{ label: nameOfSize(readings), database: smallest }]
    for (const size of sizes.slice(1))
      variants.push({ label: nameOfSize(size), database: await loadDatabase(`readings_${size}`, size) })
    const curves = await measureVariants(variants, { stage, tokens, seconds, rounds, say })
    for (const [index, { label }] of variants.entries()) {
      say(`\nAt ${label} readings:`)
      say(printTable(curves.flatMap(({ figures }) => figures[index] ?? [])))
    }
    const grown = growthFigures(curves)
    say(`\n${printTable(grown)}\n`)
    if (sizes.length === SIZES.length) writeFileSync(join(DOCS, 'scale.svg'), drawGrowth(curves))
    return grown
  }

  async function measureList(): Promise<Figure[]> {
    const load = (name: string) => loadDatabase(name, readings)
    const measured = await measureAddsBesideList({ stage, tokens, senders, load, say })
    say(`\n${printTable(measured)}\n`)
    return measured
  }

  async function measureAgainst(commit: string): Promise<Figure[]> {
    const load = (name: string, migrationsDir?: string) =>
      loadDatabase(name, readings, migrationsDir ? { migrationsDir } : undefined)
    const measured = await measureBefore({ stage, tokens, load, say, commit })
    say(`\n${printTable(measured)}\n`)
    return measured
  }
} finally {
  await stage.strike()
}

async function loadDatabase(name: string, count: number, options?: MigrateOptions): Promise<Database> {
  const database = await stage.createDatabase(name, options)
  const started = performance.now()
  const progress = showProgress(process.stdout)
  const stageName = `Loading ${nameOfSize(count)} readings`
  await loadReadings(database, count, (share) => progress.show({ stage: stageName, share }))
  progress.end()
  const [took, { table, index }] = [(performance.now() - started) / 1_000, await bytesPerReading(database)]
  say(
    `${name}: ${nameOfSize(count)} readings in ${took.toFixed(0)} s; a reading takes ${table.toFixed(0)} bytes and ${index.toFixed(0)} in the indexes`,
  )
  return database
}

function writeTable(figures: Figure[]) {
  if (figures.some(({ fault }) => fault !== null)) {
    say('docs/scale.md was not written, because a row has no figure.')
    return
  }
  const table = printForDocument(figures.filter(({ bar }) => bar !== null))
  const file = join(DOCS, 'scale.md')
  const marks = /(?<=<!-- bench -->\n\n)[^]*(?=\n\n<!-- \/bench -->)/
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(marks, () => table),
  )
  const cpu = cpuForSizing(figures)
  if (cpu) writeSizingFigures('cpu', `npm run bench -- ${values.short ? '--short' : '--rows'} --write`, cpu)
}
