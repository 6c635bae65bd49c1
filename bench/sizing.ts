// `node bench/sizing.ts`: measures the bytes that `rounds sizing` calculates with, and writes src/commands/sizing-figures.json, part by
// part. They do not depend on how busy the machine is. On two idle cores it takes about ten minutes, and 4 GB of disk. `--millions N` says
// of how many million readings; `--only PART` measures disk, care or wal alone. CPU is measured by run.ts.
import { parseArgs } from 'node:util'
import { measureBytes } from '../src/modules/operators/measure-bytes.ts'
import { writeSizingFigures } from './sizing-file.ts'
import { type Stage, setStage } from './stage.ts'
import { LISTED, loadPatients, measureCare, measureCompression } from './storage.ts'
import { fitWal, measureWal } from './wal.ts'

const HOURS = 200

const { values } = parseArgs({
  options: { millions: { type: 'string', default: '2' }, only: { type: 'string' } },
})
const readings = Math.round(Number(values.millions) * 1e6)

/** What is measured, by the name that it has in the file. */
const PARTS = {
  async disk(stage: Stage) {
    const database = await stage.createDatabase('disk')
    const size = { patients: Math.round(readings / HOURS), hours: HOURS }
    await loadPatients(database, size)
    const [server] = await database.sql<{ version: string }>(
      "select current_setting('server_version') as version",
    )
    return {
      postgres: server?.version.split(' ')[0],
      readings: size.patients * HOURS,
      bytes: await measureBytes((text) => database.sql(text)),
      compression: await measureCompression(database),
    }
  },
  async care(stage: Stage) {
    const database = await stage.createDatabase('care')
    await loadPatients(database, { patients: LISTED, hours: HOURS })
    return measureCare(stage, database)
  },
  async wal(stage: Stage) {
    const measure = async (modules: string[]) => {
      const wal = await measureWal(stage, modules)
      return { ...wal, ...fitWal(wal) }
    }
    return { usual: await measure([]), withFhir: await measure(['fhir']) }
  },
}

const stage = await setStage()
try {
  for (const name of ['disk', 'care', 'wal'] as const) {
    if (values.only !== undefined && values.only !== name) continue
    const found = await PARTS[name](stage)
    process.stdout.write(`${name}: ${JSON.stringify(found)}\n`)
    writeSizingFigures(name, `node bench/sizing.ts --only ${name}`, found)
  }
} finally {
  await stage.strike()
}
