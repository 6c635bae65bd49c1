// npm run bench:replication -- [--rounds N] [--seconds N]
//   What waiting for a standby costs: adds a second on one cluster, in turns with and without it.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { requestToken } from '../../tools/dev/request-token.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import { startCluster } from './cluster.ts'
import { untilHealed } from './processes.ts'
import { type Service, startService } from './service.ts'

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '8' } },
})
const CALLERS = 32

const cluster = await startCluster()
const service = await startService(cluster)
try {
  say('| round | standby | adds/s | p50, ms | p99, ms |')
  say('| --- | --- | --- | --- | --- |')
  for (let round = 1; round <= Number(options.rounds); round++) {
    for (const isSynchronous of [true, false]) {
      await setSynchronous(isSynchronous)
      const { perSecond, p50, p99 } = await measure(service, Number(options.seconds) * 1_000)
      const cells = [round, isSynchronous ? 'waited for' : 'not waited for', perSecond, p50, p99]
      say(`| ${cells.join(' | ')} |`)
    }
  }
} finally {
  await service.stop()
  await cluster.stop()
  await rm(cluster.dir, { recursive: true, force: true, maxRetries: 10 })
}

async function setSynchronous(isSynchronous: boolean) {
  await cluster.configure({ synchronous_mode: isSynchronous ? 'quorum' : false })
  await untilHealed(async () => {
    const [row] = await runSql<{ names: string }>(
      service.ownerUrl,
      "select current_setting('synchronous_standby_names') as names",
    )
    return (row?.names !== '') === isSynchronous && (!isSynchronous || (await cluster.isWhole()))
  })
}

async function measure({ url, issuer }: Service, forMs: number) {
  const waits: number[] = []
  const endsAt = performance.now() + forMs
  async function keepAdding() {
    const patientUid = randomUUID()
    const token = await requestToken(issuer.source, { patientUids: [patientUid] })
    for (let number = 1; performance.now() < endsAt; number++) {
      const began = performance.now()
      const response = await fetch(`${url}/casesheet/readings/add`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          patientUid,
          readingType: 'heartRate',
          value: 72,
          timestamp: Date.now(),
          number,
        }),
      })
      if (!response.ok) throw new Error(`An add was answered ${response.status}: ${await response.text()}`)
      await response.text()
      waits.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, keepAdding))
  waits.sort((a, b) => a - b)
  const at = (share: number) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1)
  return { perSecond: Math.round(waits.length / (forMs / 1_000)), p50: at(0.5), p99: at(0.99) }
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
