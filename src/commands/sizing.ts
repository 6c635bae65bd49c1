// `rounds sizing`: what an installation needs, by arithmetic on what bench/sizing.ts measured and wrote to sizing-figures.json.
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import type { Bytes } from '../modules/operators/measure-bytes.ts'
import { defineCommand, mustHaveNoArguments, readWholeNumber } from './command.ts'
import measured from './sizing-figures.json' with { type: 'json' }

const HELP = `rounds sizing --patients N: estimate CPU, memory, disk, WAL, backups, servers and cost.

Arithmetic on measured figures. CPU and WAL are of adds and reads; lists, alerts and webhooks come on top.

Assumed: the busiest hour has four times the average; a read is of 20 readings; four types per patient; a checkpoint every
two hours; patients are in a doctor's list, with a target, a rule and two alerts a month; four weekly backups, restored at
200 MB a second. One machine has at most 8 TB, a cluster at most 10 TB in each of three copies, and a server memory for the
index pages that adds change. EUR per year: 2 cores with 8 GB 1,000, 4 with 32 GB 3,000, 16 with 256 GB 12,000; a terabyte
on a fast disk 300 and in the backup 250. People are not in it.

  --patients N              number of patients
  --readings-per-day M      readings of each patient and day (20)
  --readings-per-add K      readings that a device sends in one request (1)
  --reads-per-day R         reads of each patient's data and day (2)
  --years Y                 how long readings and the access log are kept (1)
  --fhir                    with the module fhir, which has an index of its own
  --measure                 take the bytes of a reading and of a read from the database of DATABASE_URL, as it is on disk:
                            with free space and half-empty pages. It counts all rows, of 100,000 readings or more, as
                            the role that ran "rounds migrate"
  --json                    print JSON, with the figures that it was calculated from
`

type Count = 'patients' | 'readingsPerDay' | 'readingsPerAdd' | 'readsPerDay' | 'years'
type Demand = Record<Count, number> & { hasFhir: boolean }

export const sizingCommand = defineCommand({
  summary: 'rounds sizing                   estimate servers, disk, WAL and cost for a number of patients',
  help: HELP,
  options: {
    patients: { type: 'string' },
    'readings-per-day': { type: 'string' },
    'readings-per-add': { type: 'string' },
    'reads-per-day': { type: 'string' },
    years: { type: 'string' },
    fhir: { type: 'boolean' },
    measure: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ args, options }, { env }) {
    mustHaveNoArguments('sizing', args)
    const { 'readings-per-day': perDay, 'readings-per-add': perAdd, 'reads-per-day': reads } = options
    const patients = readWholeNumber(options.patients, { name: '--patients', min: 1, max: 9_999_999_999 })
    if (patients === undefined) throw new ConfigError('Say "rounds sizing --patients N".')
    const demand = {
      patients,
      readingsPerDay: readWholeNumber(perDay, { name: '--readings-per-day', min: 1, max: 100_000 }) ?? 20,
      readingsPerAdd: readWholeNumber(perAdd, { name: '--readings-per-add', min: 1, max: 1_000 }) ?? 1,
      readsPerDay: readWholeNumber(reads, { name: '--reads-per-day', min: 0, max: 100_000 }) ?? 2,
      years: readWholeNumber(options.years, { name: '--years', min: 1, max: 100 }) ?? 1,
      hasFhir: options.fhir ?? false,
    }
    let bytes: Bytes = measured.disk.bytes
    if (options.measure) {
      const { measureBytesOf } = await import('../modules/operators/measure-bytes.ts')
      bytes = { ...bytes, ...(await measureBytesOf(readDatabaseUrl(env))) }
    }
    const size = sizeOf(demand, bytes)
    if (!options.json) return describe(demand, size)
    return JSON.stringify({ demand, size, bytes, assumed: ASSUMED, measured }, null, 2)
  },
})

const DAY_S = 86_400
const [GB, TB] = [1e9, 1e12]

/** Costs are in EUR a year, memory in GB. */
const ASSUMED = {
  busiestHour: 4,
  typesPerPatient: 4,
  alertsPerPatientAndYear: 24,
  /** checkpoint_timeout of docs/operations/install.md. */
  checkpointS: 2 * 3_600,
  /** Full backups that are kept, one a week, with the WAL since the oldest: docs/operations/backup.md. */
  weeksOfBackups: 4,
  restoreBytesPerSecond: 200e6,
  copies: 3,
  maxDiskOfMachine: 8 * TB,
  maxDiskOfCluster: 10 * TB,
  small: { cores: 2, memory: 8, cost: 1_000 },
  medium: { cores: 4, memory: 32, cost: 3_000 },
  large: { cores: 16, memory: 256, cost: 12_000 },
  costPerTb: { copy: 300, backup: 250 },
  pageBytes: 8_192,
}

export function sizeOf(demand: Demand, bytes: Bytes) {
  const { patients, readingsPerDay, readingsPerAdd, readsPerDay, years, hasFhir } = demand
  const { busiestHour, typesPerPatient, copies, small, large, costPerTb } = ASSUMED
  const addsPerSecond = (patients * readingsPerDay) / readingsPerAdd / DAY_S
  const readsPerSecond = (patients * readsPerDay) / DAY_S
  const readings = patients * readingsPerDay * 365 * years
  const alerts = patients * ASSUMED.alertsPerPatientAndYear * years
  const disk = {
    rows: readings * bytes.row,
    indexes: readings * (bytes.indexes + (hasFhir ? bytes.fhirIndex : 0)),
    accessLog: patients * readsPerDay * 365 * years * bytes.read,
    listsAndAlerts: patients * measured.care.listedPatient + alerts * measured.care.alert,
  }
  const diskBytes = disk.rows + disk.indexes + disk.accessLog + disk.listsAndAlerts
  const wal = hasFhir ? measured.wal.withFhir : measured.wal.usual
  const walBytesPerAdd = walOfAdd(demand, wal)
  const walBytesPerDay = DAY_S * (walBytesPerAdd * addsPerSecond + wal.firstRead * readsPerSecond)
  const fullBackup = diskBytes / measured.disk.compression.backup
  // The newest leaf of each patient in the index by time and in FHIR's, and of each type in the one by type.
  const leafBytes = patients * (typesPerPatient + (hasFhir ? 2 : 1)) * ASSUMED.pageBytes
  const clusters = Math.ceil(Math.max(diskBytes / ASSUMED.maxDiskOfCluster, leafBytes / (large.memory * GB)))
  const { add, readingOfMany, get20 } = measured.cpu
  const coresOf = (who: 'rounds' | 'postgres') => {
    const ofAdd = add[who] + (readingsPerAdd - 1) * readingOfMany[who]
    return (busiestHour * (addsPerSecond * ofAdd + readsPerSecond * get20[who])) / 1e6
  }
  const cores = { rounds: coresOf('rounds'), postgres: coresOf('postgres') }
  const isOnOne = diskBytes <= ASSUMED.maxDiskOfMachine
  const machine = isOnOne ? smallestServer(2 * leafBytes, cores.rounds + cores.postgres) : undefined
  const postgres = smallestServer(leafBytes / clusters, cores.postgres / clusters) ?? large
  const rounds = Math.max(2, 1 + Math.ceil(cores.rounds / clusters))
  const diskCost = (count: number) => (diskBytes / TB) * (count * costPerTb.copy + costPerTb.backup)
  return {
    addsPerSecond,
    readings,
    disk,
    diskBytes,
    walBytesPerAdd,
    walBytesPerDay,
    // PostgreSQL begins a checkpoint at about half of the limit. Busier hours have more checkpoints, with as many adds between them.
    maxWalBytes: ((2 * walBytesPerDay) / DAY_S / clusters) * ASSUMED.checkpointS,
    backupBytes: ASSUMED.weeksOfBackups * (fullBackup + 7 * walBytesPerDay),
    restoreSeconds: diskBytes / clusters / ASSUMED.restoreBytesPerSecond,
    cores,
    leafBytes,
    machine,
    machineCost: machine && machine.cost + diskCost(1),
    clusters,
    postgres,
    rounds,
    cost: clusters * (copies * postgres.cost + rounds * small.cost) + diskCost(copies),
  }
}

/** Bytes of WAL of one add: each reading, and the pages of the indexes that are new since the checkpoint. */
function walOfAdd({ readingsPerDay, readingsPerAdd }: Demand, wal: typeof measured.wal.usual): number {
  const addsBetweenCheckpoints = (readingsPerDay / readingsPerAdd / DAY_S) * ASSUMED.checkpointS
  const types = Math.min(ASSUMED.typesPerPatient, readingsPerAdd)
  return (
    readingsPerAdd * wal.always +
    wal.pagesOfPatient * shareOfFirst(addsBetweenCheckpoints) +
    types * wal.pageOfType * shareOfFirst((addsBetweenCheckpoints * types) / ASSUMED.typesPerPatient)
  )
}

/** The share of changes that are the first of their page, where a page gets `changes` on average, at random times. */
export function shareOfFirst(changes: number): number {
  return -Math.expm1(-changes) / changes
}

/** The smallest whose memory holds the pages that adds change, and whose cores are at most half busy. */
function smallestServer(pageBytes: number, busy: number) {
  const isEnough = ({ memory, cores }: typeof ASSUMED.small) => memory * GB >= pageBytes && cores / 2 >= busy
  return [ASSUMED.small, ASSUMED.medium, ASSUMED.large].find(isEnough)
}

function describe({ patients, years }: Demand, size: ReturnType<typeof sizeOf>): string {
  const { machine, machineCost = 0, clusters, postgres, rounds, cores, disk } = size
  const server = ({ cores: count, memory }: typeof ASSUMED.small) => `${count} cores, ${memory} GB`
  const { fileSystem } = measured.disk.compression
  const each = clusters > 1 ? ' in each cluster' : ''
  const lines = {
    demand: `${patients.toLocaleString('en')} patients, ${some(size.addsPerSecond)} adds a second, ${some(size.readings / 1e6)} million readings in ${years === 1 ? 'a year' : `${years} years`}`,
    'one machine': machine ? `${server(machine)}: ${some(machineCost)} EUR a year` : 'is not enough',
    [clusters > 1 ? `${some(clusters)} clusters` : 'a cluster']:
      `${ASSUMED.copies} PostgreSQL (${server(postgres)}), ${rounds} Rounds (${server(ASSUMED.small)})${each}: ${some(size.cost)} EUR a year`,
    CPU: `${some(cores.rounds)} cores in Rounds and ${some(cores.postgres)} in PostgreSQL, in the busiest hour`,
    memory: `${inBytes(size.leafBytes)} of index pages that adds change`,
    disk: `${inBytes(size.diskBytes)} in each copy: rows ${inBytes(disk.rows)}, indexes ${inBytes(disk.indexes)}, access log ${inBytes(disk.accessLog)}, lists and alerts ${inBytes(disk.listsAndAlerts)}; ${inBytes(size.diskBytes / fileSystem)} on a file system with zstd`,
    WAL: `${inBytes(size.walBytesPerDay)} a day, ${inBytes(size.walBytesPerAdd)} an add`,
    max_wal_size: `${Math.max(4, Math.ceil(size.maxWalBytes / GB))}GB${each}`,
    backups: `${inBytes(size.backupBytes)}; nightly differences come on top`,
    restore: `${some(Math.max(0.1, size.restoreSeconds / 3_600))} hours${each}`,
  }
  return Object.entries(lines)
    .map(([name, text]) => `${name.padEnd(16)}${text}`)
    .join('\n')
}

/** Two digits that count: these are estimates. */
const some = (value: number) =>
  value < 0.001 ? 'below 0.001' : Number(value.toPrecision(2)).toLocaleString('en')

function inBytes(count: number): string {
  const units = { PB: 1e15, TB, GB, MB: 1e6 }
  const [name, size] = Object.entries(units).find(([, least]) => count >= least) ?? ['KB', 1e3]
  return `${some(count / size)} ${name}`
}
