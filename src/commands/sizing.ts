// `rounds sizing`: what an installation needs, by arithmetic on what `npm run bench` measured (docs/scale.md).
import { ConfigError } from '../config/config.ts'
import { defineCommand, mustHaveNoArguments, readWholeNumber } from './command.ts'

const HELP = `rounds sizing --patients N --readings-per-day M: estimate disk, WAL, CPU, servers and cost.

Arithmetic on the measured constants of docs/scale.md. It measures nothing and connects to nothing.

Assumed: the busiest hour has four times the average; four types per patient; a checkpoint every two hours; three copies. A
cell has at most 10 million patients, 10,000 adds per second and 50 TB, and memory for the index pages that adds change. EUR per
year: a small server (2 cores, 8 GB) 1,000, a medium one (4 cores, 32 GB) 3,000, a large one (16 cores, 256 GB) 12,000, a router
6,000, a terabyte on three fast disks and in the backup 1,150. People are not in it.

  --patients N              number of patients
  --readings-per-day M      readings of each patient and day
  --readings-per-add K      readings that a device sends in one request (1)
  --years Y                 how long readings are kept (1)

Example:
  npx rounds sizing --patients 2000 --readings-per-day 20
`

export type Demand = { patients: number; readingsPerDay: number; readingsPerAdd: number; years: number }

export const sizingCommand = defineCommand({
  summary:
    'rounds sizing                   estimate disk, WAL, CPU, servers and cost for a number of patients',
  help: HELP,
  options: {
    patients: { type: 'string' },
    'readings-per-day': { type: 'string' },
    'readings-per-add': { type: 'string' },
    years: { type: 'string' },
  },
  async run({ args, options }) {
    mustHaveNoArguments('sizing', args)
    const read = (name: keyof typeof options, max: number) =>
      readWholeNumber(options[name], { name: `--${name}`, min: 1, max })
    const patients = read('patients', 9_999_999_999)
    const readingsPerDay = read('readings-per-day', 100_000)
    if (patients === undefined || readingsPerDay === undefined)
      throw new ConfigError('Say "rounds sizing --patients N --readings-per-day M".')
    const demand = {
      patients,
      readingsPerDay,
      readingsPerAdd: read('readings-per-add', 1_000) ?? 1,
      years: read('years', 100) ?? 1,
    }
    return printSizing(demand, sizeOf(demand))
  },
})

const DAY_S = 86_400
const [KB, GB, TB] = [1e3, 1e9, 1e12]

/** Measured: `npm run bench -- --rows`, PostgreSQL 15 with the settings of docs/operations/install.md. */
const MEASURED = {
  /** On disk, with ids of 36 characters and one number, as pages are filled by adds. */
  bytesPerReading: 510,
  /** In the WAL, for each reading of an add, and for the page of each index that a patient's next reading goes to. */
  walBytesPerReading: 650,
  walBytesPerPage: { byTime: 2_650, byType: 2_300 },
  cpuMicrosPerAdd: { rounds: 71, postgres: 35, router: 141 },
  /** In each of Rounds and PostgreSQL, for each further reading of an add: two cores took 67,000 readings a second. */
  cpuMicrosPerFurtherReading: 15,
}

/** Assumed. */
const ASSUMED = {
  busiestHour: 4,
  typesPerPatient: 4,
  /** checkpoint_timeout of docs/operations/install.md. */
  checkpointS: 2 * 3_600,
  /** Of one cell, three PostgreSQL with two Rounds or more in front of them. */
  maxOfCell: { patients: 10_000_000, addsPerSecond: 10_000, diskBytes: 50 * TB },
  copies: 3,
}

const PAGE_BYTES = 8_192

/** EUR a year, assumed and not measured. Memory in GB. */
const SMALL = { name: 'small', cores: 2, memory: 8, cost: 1_000 }
const MEDIUM = { name: 'medium', cores: 4, memory: 32, cost: 3_000 }
const LARGE = { name: 'large', cores: 16, memory: 256, cost: 12_000 }
const ROUTER = { cores: 16, cost: 6_000 }
/** A terabyte on the fast disks of three copies, and in the backup. */
const COST_PER_TB = 900 + 250

export function sizeOf({ patients, readingsPerDay, readingsPerAdd, years }: Demand) {
  const readingsPerYear = patients * readingsPerDay * 365
  const addsPerDay = (patients * readingsPerDay) / readingsPerAdd
  const addsPerSecond = addsPerDay / DAY_S
  const busiest = addsPerSecond * ASSUMED.busiestHour
  const diskBytes = readingsPerYear * years * MEASURED.bytesPerReading
  const walBytesPerAdd = walOfAdd(readingsPerDay, readingsPerAdd)
  const leafBytes = patients * (1 + ASSUMED.typesPerPatient) * PAGE_BYTES
  const { maxOfCell } = ASSUMED
  const cells = Math.ceil(
    Math.max(
      patients / maxOfCell.patients,
      busiest / maxOfCell.addsPerSecond,
      diskBytes / maxOfCell.diskBytes,
      leafBytes / (LARGE.memory * GB),
    ),
  )
  const cores = busyCores(busiest, readingsPerAdd)
  const postgres = smallestServer(leafBytes / cells, cores.postgres / cells)
  const roundsPerCell = Math.max(2, 1 + Math.ceil(cores.rounds / cells))
  const routers = cells === 1 ? 0 : Math.max(2, 1 + Math.ceil(cores.router / ROUTER.cores))
  const cost =
    cells * (ASSUMED.copies * postgres.cost + roundsPerCell * SMALL.cost) +
    routers * ROUTER.cost +
    (diskBytes / TB) * COST_PER_TB
  return {
    addsPerSecond,
    busiest,
    readings: readingsPerYear * years,
    diskBytes,
    walBytesPerAdd,
    walBytesPerDay: walBytesPerAdd * addsPerDay,
    // PostgreSQL begins a checkpoint at about half of the limit. Busier hours have more checkpoints, with as many adds between them.
    maxWalBytes: (2 * walBytesPerAdd * addsPerSecond * ASSUMED.checkpointS) / cells,
    cores,
    leafBytes,
    cells,
    postgres,
    roundsPerCell,
    routers,
    cost,
  }
}

function busyCores(addsPerSecond: number, readingsPerAdd: number) {
  const { cpuMicrosPerAdd: micros, cpuMicrosPerFurtherReading } = MEASURED
  const further = (readingsPerAdd - 1) * cpuMicrosPerFurtherReading
  return {
    rounds: (addsPerSecond * (micros.rounds + further)) / 1e6,
    postgres: (addsPerSecond * (micros.postgres + further)) / 1e6,
    router: (addsPerSecond * micros.router) / 1e6,
  }
}

/** Bytes of WAL of one add: each reading, and for each of the two indexes the page if it is new since the checkpoint. */
function walOfAdd(readingsPerDay: number, readingsPerAdd: number): number {
  const addsBetweenCheckpoints = (readingsPerDay / readingsPerAdd / DAY_S) * ASSUMED.checkpointS
  const { byTime, byType } = MEASURED.walBytesPerPage
  const types = Math.min(ASSUMED.typesPerPatient, readingsPerAdd)
  return (
    readingsPerAdd * MEASURED.walBytesPerReading +
    byTime * shareOfFirst(addsBetweenCheckpoints) +
    types * byType * shareOfFirst((addsBetweenCheckpoints * types) / ASSUMED.typesPerPatient)
  )
}

/** The share of changes that are the first of their page, where a page gets `changes` on average, at random times. */
function shareOfFirst(changes: number): number {
  return -Math.expm1(-changes) / changes
}

/** The smallest whose memory holds the pages that adds change, and whose cores are at most half busy. */
function smallestServer(pageBytes: number, busy: number) {
  const isEnough = ({ memory, cores }: typeof SMALL) => memory * GB >= pageBytes && cores / 2 >= busy
  return [SMALL, MEDIUM].find(isEnough) ?? LARGE
}

function printSizing(demand: Demand, size: ReturnType<typeof sizeOf>): string {
  const { patients, readingsPerDay, readingsPerAdd, years } = demand
  const { postgres, roundsPerCell, cells, routers } = size
  const lines = [
    [
      'demand',
      `${whole(patients)} patients, ${whole(readingsPerDay)} readings a day each, ${readingsPerAdd} per add`,
    ],
    ['adds', `${some(size.addsPerSecond)} per second; busiest hour ${some(size.busiest)}`],
    ['readings', `${some(size.readings / 1e6)} million in ${years === 1 ? 'a year' : `${years} years`}`],
    ['disk', `${bytes(size.diskBytes)} in each copy`],
    ['WAL', `${bytes(size.walBytesPerAdd)} per add, ${bytes(size.walBytesPerDay)} per day`],
    ['max_wal_size', `${Math.max(4, Math.ceil(size.maxWalBytes / GB))}GB${cells > 1 ? ' in each cell' : ''}`],
    [
      'CPU',
      `busiest hour: ${some(size.cores.rounds)} cores in Rounds, ${some(size.cores.postgres)} in PostgreSQL`,
    ],
    ['memory', `${bytes(size.leafBytes)} of index pages that adds change`],
    ['cells', `${whole(cells)}${routers > 0 ? `, behind ${routers} HAProxy of ${ROUTER.cores} cores` : ''}`],
    [
      cells > 1 ? 'each cell' : 'servers',
      `${ASSUMED.copies} PostgreSQL (${postgres.name}: ${postgres.cores} cores, ${postgres.memory} GB), ${roundsPerCell} Rounds (small)`,
    ],
    [
      'cost',
      `${whole(roundTo(size.cost, 2))} EUR per year (assumed prices), ${some(size.cost / patients)} per patient`,
    ],
  ]
  return lines.map(([name = '', value]) => `${name.padEnd(14)}${value}`).join('\n')
}

const whole = (value: number) => value.toLocaleString('en')
const roundTo = (value: number, digits: number) => Number(value.toPrecision(digits))
/** Two digits that count: these are estimates. */
const some = (value: number) => (value < 0.001 ? 'below 0.001' : whole(roundTo(value, 2)))

function bytes(count: number): string {
  const units = [
    { name: 'PB', size: 1e15 },
    { name: 'TB', size: TB },
    { name: 'GB', size: GB },
    { name: 'MB', size: 1e6 },
  ]
  const unit = units.find(({ size }) => count >= size) ?? { name: 'KB', size: KB }
  return `${some(count / unit.size)} ${unit.name}`
}
