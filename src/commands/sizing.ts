// `rounds sizing`: what an installation needs, by arithmetic on what bench/sizing.ts measured and wrote to sizing-figures.json.
import { ConfigError } from '../config/config.ts'
import { defineCommand, mustHaveNoArguments, readWholeNumber } from './command.ts'
import measured from './sizing-figures.json' with { type: 'json' }

const HELP = `rounds sizing --patients N: estimate CPU, memory, disk, WAL, backups, servers and cost, and which shape fits.

Arithmetic on measured figures. It measures nothing and connects to nothing. "node bench/sizing.ts" measures them again.

CPU and WAL are of adds and reads; lists, alerts and webhooks come on top.

Assumed: the busiest hour has four times the average; a read is of 20 readings; four types per patient; a checkpoint every
two hours; patients are in a doctor's list, with a target, a rule and two alerts a month; four weekly backups, restored at
200 MB a second. One machine has at most 8 TB. A cell has at most 10 million patients, 10,000 adds per second and 50 TB, and
memory for the index pages that adds change. EUR per year: a small server (2 cores, 8 GB) 1,000, a medium one (4 cores,
32 GB) 3,000, a large one (16 cores, 256 GB) 12,000, a router 6,000, a terabyte on a fast disk 300 and in the backup 250.
People are not in it.

  --patients N              number of patients
  --readings-per-day M      readings of each patient and day (20)
  --readings-per-add K      readings that a device sends in one request (1)
  --reads-per-day R         reads of each patient's data and day (2)
  --years Y                 how long readings and the access log are kept (1)
  --fhir                    with the module fhir, which has an index of its own
  --json                    print JSON, with the figures that it was calculated from

Example:
  npx rounds sizing --patients 2000 --readings-per-day 20
`

export type Demand = {
  patients: number
  readingsPerDay: number
  readingsPerAdd: number
  readsPerDay: number
  years: number
  hasFhir: boolean
}

export const sizingCommand = defineCommand({
  summary:
    'rounds sizing                   estimate CPU, memory, disk, WAL, servers and cost for a number of patients',
  help: HELP,
  options: {
    patients: { type: 'string' },
    'readings-per-day': { type: 'string' },
    'readings-per-add': { type: 'string' },
    'reads-per-day': { type: 'string' },
    years: { type: 'string' },
    fhir: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ args, options }) {
    mustHaveNoArguments('sizing', args)
    const read = (
      name: 'patients' | 'readings-per-day' | 'readings-per-add' | 'reads-per-day' | 'years',
      max: number,
      min = 1,
    ) => readWholeNumber(options[name], { name: `--${name}`, min, max })
    const patients = read('patients', 9_999_999_999)
    if (patients === undefined) throw new ConfigError('Say "rounds sizing --patients N".')
    const demand = {
      patients,
      readingsPerDay: read('readings-per-day', 100_000) ?? 20,
      readingsPerAdd: read('readings-per-add', 1_000) ?? 1,
      readsPerDay: read('reads-per-day', 100_000, 0) ?? 2,
      years: read('years', 100) ?? 1,
      hasFhir: options.fhir ?? false,
    }
    const size = sizeOf(demand)
    return options.json
      ? JSON.stringify({ demand, size, assumed: ASSUMED, measured }, null, 2)
      : printSizing(demand, size)
  },
})

const DAY_S = 86_400
const [KB, GB, TB] = [1e3, 1e9, 1e12]

const ASSUMED = {
  busiestHour: 4,
  typesPerPatient: 4,
  alertsPerPatientAndYear: 24,
  /** checkpoint_timeout of docs/operations/install.md. */
  checkpointS: 2 * 3_600,
  /** Full backups that are kept, one a week, with the WAL since the oldest: docs/operations/backup.md. */
  weeksOfBackups: 4,
  /** Of one cell, three PostgreSQL with two Rounds or more in front of them. */
  maxOfCell: { patients: 10_000_000, addsPerSecond: 10_000, diskBytes: 50 * TB },
  copies: 3,
  /** From the backup to the disk. */
  restoreBytesPerSecond: 200e6,
}

const PAGE_BYTES = 8_192

/** EUR a year, assumed and not measured. Memory in GB. */
const SMALL = { name: 'small', cores: 2, memory: 8, cost: 1_000 }
const MEDIUM = { name: 'medium', cores: 4, memory: 32, cost: 3_000 }
const LARGE = { name: 'large', cores: 16, memory: 256, cost: 12_000 }
const ROUTER = { cores: 16, cost: 6_000 }
/** A terabyte on the fast disks of one copy, and in the backup. */
const COST_PER_TB = { copy: 300, backup: 250 }
/** What one machine holds on its own disks. */
const MAX_DISK_OF_MACHINE = 8 * TB

/** Bytes of the indexes of a reading on disk. The one by change is the feed's, the one by update is FHIR's. */
function indexBytesOf({ hasFhir }: Demand): number {
  const { byTime, byType, byChange, byUpdate } = measured.disk.reading
  return byTime + byType + byChange + (hasFhir ? byUpdate : 0)
}

const READ_BYTES = measured.disk.read.row + measured.disk.read.byPatient

export function sizeOf(demand: Demand) {
  const { patients, readingsPerDay, readingsPerAdd, readsPerDay, years, hasFhir } = demand
  const addsPerDay = (patients * readingsPerDay) / readingsPerAdd
  const addsPerSecond = addsPerDay / DAY_S
  const readsPerSecond = (patients * readsPerDay) / DAY_S
  const readings = patients * readingsPerDay * 365 * years
  const disk = {
    rows: readings * measured.disk.reading.row,
    indexes: readings * indexBytesOf(demand),
    accessLog: patients * readsPerDay * 365 * years * READ_BYTES,
    listsAndAlerts:
      patients *
      (measured.care.listedPatient + ASSUMED.alertsPerPatientAndYear * years * measured.care.alert),
  }
  const diskBytes = disk.rows + disk.indexes + disk.accessLog + disk.listsAndAlerts
  const walBytesPerAdd = walOfAdd(demand)
  const walBytesPerDay = walBytesPerAdd * addsPerDay + walOf(demand).firstRead * patients * readsPerDay
  // The newest leaf of each patient in the index by time and in FHIR's, and of each type in the one by type.
  const leaves = ASSUMED.typesPerPatient + (hasFhir ? 2 : 1)
  const leafBytes = patients * leaves * PAGE_BYTES
  const { maxOfCell, busiestHour } = ASSUMED
  const cells = Math.ceil(
    Math.max(
      patients / maxOfCell.patients,
      (addsPerSecond * busiestHour) / maxOfCell.addsPerSecond,
      diskBytes / maxOfCell.diskBytes,
      leafBytes / (LARGE.memory * GB),
    ),
  )
  const cores = busyCores(addsPerSecond * busiestHour, readingsPerAdd, readsPerSecond * busiestHour)
  const postgres = smallestServer(leafBytes / cells, cores.postgres / cells)
  const roundsPerCell = Math.max(2, 1 + Math.ceil(cores.rounds / cells))
  const routers = cells === 1 ? 0 : Math.max(2, 1 + Math.ceil(cores.router / ROUTER.cores))
  const machine = machineFor(leafBytes, cores.rounds + cores.postgres, diskBytes)
  const cost =
    cells * (ASSUMED.copies * postgres.cost + roundsPerCell * SMALL.cost) +
    routers * ROUTER.cost +
    (diskBytes / TB) * (ASSUMED.copies * COST_PER_TB.copy + COST_PER_TB.backup)
  const machineCost = machine && machine.cost + (diskBytes / TB) * (COST_PER_TB.copy + COST_PER_TB.backup)
  return {
    addsPerSecond,
    readsPerSecond,
    readings,
    diskBytes,
    disk,
    compressedBytes: diskBytes / measured.disk.compression.fileSystem,
    walBytesPerAdd,
    walBytesPerDay,
    // PostgreSQL begins a checkpoint at about half of the limit. Busier hours have more checkpoints, with as many adds between them.
    maxWalBytes: ((2 * walBytesPerDay) / DAY_S / cells) * ASSUMED.checkpointS,
    backupBytes: ASSUMED.weeksOfBackups * (diskBytes / measured.disk.compression.backup + 7 * walBytesPerDay),
    restoreSeconds: diskBytes / cells / ASSUMED.restoreBytesPerSecond,
    cores,
    leaves,
    leafBytes,
    machine,
    cells,
    postgres,
    roundsPerCell,
    routers,
    cost,
    machineCost,
  }
}

function busyCores(addsPerSecond: number, readingsPerAdd: number, readsPerSecond: number) {
  const { add, readingOfMany, get20 } = measured.cpu
  const coresOf = (who: 'rounds' | 'postgres') =>
    (addsPerSecond * (add[who] + (readingsPerAdd - 1) * readingOfMany[who]) + readsPerSecond * get20[who]) /
    1e6
  return {
    rounds: coresOf('rounds'),
    postgres: coresOf('postgres'),
    router: ((addsPerSecond + readsPerSecond) * measured.router.micros) / 1e6,
  }
}

const walOf = ({ hasFhir }: Demand) => (hasFhir ? measured.wal.withFhir : measured.wal.usual)

/** Bytes of WAL of one add: each reading, and the pages of the indexes that are new since the checkpoint. */
function walOfAdd(demand: Demand): number {
  const { readingsPerDay, readingsPerAdd } = demand
  const addsBetweenCheckpoints = (readingsPerDay / readingsPerAdd / DAY_S) * ASSUMED.checkpointS
  const { always, pagesOfPatient, pageOfType } = walOf(demand)
  const types = Math.min(ASSUMED.typesPerPatient, readingsPerAdd)
  return (
    readingsPerAdd * always +
    pagesOfPatient * shareOfFirst(addsBetweenCheckpoints) +
    types * pageOfType * shareOfFirst((addsBetweenCheckpoints * types) / ASSUMED.typesPerPatient)
  )
}

/** The share of changes that are the first of their page, where a page gets `changes` on average, at random times. */
export function shareOfFirst(changes: number): number {
  return -Math.expm1(-changes) / changes
}

/** The smallest whose memory holds the pages that adds change, and whose cores are at most half busy. */
function smallestServer(pageBytes: number, busy: number) {
  return [SMALL, MEDIUM].find((server) => isEnough(server, pageBytes, busy)) ?? LARGE
}

/** One machine for PostgreSQL and Rounds together, where one is enough. */
function machineFor(pageBytes: number, busy: number, diskBytes: number) {
  if (diskBytes > MAX_DISK_OF_MACHINE) return undefined
  return [SMALL, MEDIUM, LARGE].find((server) => isEnough(server, 2 * pageBytes, busy))
}

const isEnough = ({ memory, cores }: typeof SMALL, pageBytes: number, busy: number) =>
  memory * GB >= pageBytes && cores / 2 >= busy

type Size = ReturnType<typeof sizeOf>

function printSizing(demand: Demand, size: Size): string {
  const { patients, readingsPerDay, readingsPerAdd, readsPerDay, years, hasFhir } = demand
  const { cells, disk } = size
  const {
    disk: { reading },
    care,
  } = measured
  const { add, get20 } = measured.cpu
  const kept = years === 1 ? 'a year' : `${years} years`
  const each = cells > 1 ? ' in each cell' : ''
  const lines = [
    [
      'demand',
      `${whole(patients)} patients, each day ${whole(readingsPerDay)} readings (${readingsPerAdd} per add) and ${whole(readsPerDay)} reads`,
    ],
    ['shape', shapeOf(size)],
    ['servers', serversOf(size)],
    [
      'CPU',
      `busiest hour: ${some(size.cores.rounds)} cores in Rounds (${add.rounds} µs an add, ${get20.rounds} a read), ${some(size.cores.postgres)} in PostgreSQL (${add.postgres}, ${get20.postgres})`,
    ],
    [
      'memory',
      `${bytes(size.leafBytes)} of index pages that adds change (${size.leaves} of 8 KiB per patient)`,
    ],
    [
      'adds',
      `${some(size.addsPerSecond)} per second, ${some(size.readings / 1e6)} million readings in ${kept}`,
    ],
    ['disk', `${bytes(size.diskBytes)} in each copy after ${kept}, of which`],
    ['  rows', `${bytes(disk.rows)} (${reading.row} bytes a reading)`],
    [
      '  indexes',
      `${bytes(disk.indexes)} (${indexBytesOf(demand)} a reading; FHIR's takes ${reading.byUpdate}${hasFhir ? '' : ', and is not counted'})`,
    ],
    ['  access log', `${bytes(disk.accessLog)} (${READ_BYTES} a read)`],
    [
      '  lists, alerts',
      `${bytes(disk.listsAndAlerts)} (${care.listedPatient} a patient, ${care.alert} an alert)`,
    ],
    [
      '  with zstd',
      `${bytes(size.compressedBytes)} on a file system that compresses (${measured.disk.compression.fileSystem} times)`,
    ],
    [
      'WAL',
      `${bytes(size.walBytesPerDay)} a day (${bytes(size.walBytesPerAdd)} an add, ${bytes(walOf(demand).firstRead)} a read)`,
    ],
    ['max_wal_size', `${Math.max(4, Math.ceil(size.maxWalBytes / GB))}GB${each}`],
    [
      'backups',
      `${bytes(size.backupBytes)}: ${ASSUMED.weeksOfBackups} full ones, ${measured.disk.compression.backup} times smaller, with their WAL; nightly differences come on top`,
    ],
    [
      'restore',
      `${some(Math.max(0.1, size.restoreSeconds / 3_600))} hours${each}, at ${bytes(ASSUMED.restoreBytesPerSecond)} a second`,
    ],
    ['cost', costOf(size, patients)],
    ['measured', sources()],
  ]
  return lines.map(([name = '', value]) => `${name.padEnd(16)}${value}`).join('\n')
}

function shapeOf({ machine, cells }: Size): string {
  if (cells > 1) return `${whole(cells)} cells, each a cluster`
  if (!machine) return 'a cluster: one machine has too little disk or memory'
  return 'one machine, or a cluster if you cannot wait for a restore'
}

function serversOf({ machine, cells, postgres, roundsPerCell, routers }: Size): string {
  const cluster = `${ASSUMED.copies} PostgreSQL (${sizeName(postgres)}) and ${roundsPerCell} Rounds (small)`
  if (cells > 1) return `each cell ${cluster}; ${routers} HAProxy of ${ROUTER.cores} cores`
  return machine ? `machine: ${sizeName(machine)}; cluster: ${cluster}` : cluster
}

/** Where the figures come from: which command measured them, when, and on which commit. */
function sources(): string {
  const { disk, wal, care, cpu, router } = measured
  return Object.entries({ disk, wal, 'lists, alerts': care, CPU: cpu, router })
    .map(
      ([
        name,
        {
          measured: { on, commit, by },
        },
      ]) => `${name}: ${by} (${on}, ${commit})`,
    )
    .join(`\n${' '.repeat(16)}`)
}

function costOf({ cost, machineCost }: Size, patients: number): string {
  const ofMachine = machineCost === undefined ? '' : `${euros(machineCost)} for one machine, `
  return `${ofMachine}${euros(cost)} for ${machineCost === undefined ? 'all' : 'a cluster'} (${some(cost / patients)} per patient), by assumed prices`
}

const euros = (value: number) => `${whole(roundTo(value, 2))} EUR per year`

const sizeName = ({ name, cores, memory }: typeof SMALL) => `${name}: ${cores} cores, ${memory} GB`

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
