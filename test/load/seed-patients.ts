// `node test/load/seed-patients.ts DIR [--patients 1000] [--readings 100000]`: a PostgreSQL in DIR with the patients of one doctor, for
// test/labs/patient-list.lab.ts at full size. A hundred million readings take about 40 GB and an hour.
import { parseArgs } from 'node:util'
import { bytesPerReading } from '../../bench/data.ts'
import { showProgress } from '../../src/commands/progress.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { loadPatients } from './patients-of-doctor.ts'

const {
  values,
  positionals: [dir],
} = parseArgs({
  options: {
    patients: { type: 'string', default: '1000' },
    readings: { type: 'string', default: '100000' },
    days: { type: 'string', default: '365' },
  },
  allowPositionals: true,
})
if (dir === undefined) throw new Error('Name the directory of the cluster.')

const postgres = await startThrowawayPostgres(
  { shared_buffers: '2GB', max_wal_size: '4GB', checkpoint_timeout: '30min', autovacuum: 'off' },
  dir,
)
try {
  const began = performance.now()
  await migrate(postgres.url)
  const progress = showProgress(process.stdout)
  const panel = {
    patients: Number(values.patients),
    readings: Number(values.readings),
    days: Number(values.days),
  }
  await loadPatients(postgres.url, panel, (share) => progress.show({ stage: 'Storing readings', share }))
  progress.end()
  const bytes = await bytesPerReading({
    url: postgres.url,
    sql: (text, parameters) => runSql(postgres.url, text, parameters),
  })
  const took = (performance.now() - began) / 1_000
  process.stdout.write(
    `${panel.patients} patients in ${took.toFixed(0)} s; a reading takes ${bytes.table.toFixed(0)} bytes and ${bytes.index.toFixed(0)} in the indexes\n`,
  )
} finally {
  await postgres.stop()
}
