// A real Prometheus on loopback that scrapes one target of each job, with the settings and rules of deploy/monitoring.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { parse, stringify } from 'yaml'
import { findFreePort } from './free-port.ts'
import { programOf } from './needs.ts'
import { runProgram } from './process.ts'

export const MONITORING = join(import.meta.dirname, '../../deploy/monitoring')

type Sample = { metric: Record<string, string>; value: [number, string] }
type Rule = { name: string; health: string; lastError?: string }

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

/** `targets` has an address for each job that is to be scraped. */
export async function startPrometheus(targets: Record<string, string>) {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-prometheus-'))
  after(() => rm(dir, { recursive: true, force: true }))
  const config = join(dir, 'prometheus.yml')
  await writeFile(config, await settingsFor(targets))
  const url = `http://127.0.0.1:${await findFreePort()}`
  const { child, ended, output } = runProgram(
    programOf('prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    {},
  )
  after(async () => {
    child.kill('SIGKILL')
    await ended
  })

  async function ask<Data>(path: string, parameters: Record<string, string> = {}): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string }
    if (status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${error}`)
    return data
  }
  const query = async (text: string) => (await ask<{ result: Sample[] }>('query', { query: text })).result

  /** Fails unless the expression gives at least one number. */
  async function mustKnow(expression: string) {
    const result = await query(expression)
    if (!result.some(({ value: [, number] }) => Number.isFinite(Number(number))))
      throw new Error(`${result.length === 0 ? 'empty' : 'no number'}: ${expression}`)
  }

  /** Waits until it has scraped all targets so often more. */
  async function scrapes(count: number) {
    const scraped = async () => {
      const [sample] = await query('min(sum_over_time(up[1h]))').catch(() => [])
      return Number(sample?.value[1] ?? 0)
    }
    const before = await scraped()
    const deadline = Date.now() + 30_000
    while ((await scraped()) < before + count) {
      if (Date.now() > deadline) throw new Error(`Prometheus did not scrape:\n${output()}`)
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  const rules = async () =>
    (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap((group) => group.rules)
  return { mustKnow, scrapes, rules }
}

/** The settings as they are shipped, but for the addresses and the pace. */
async function settingsFor(targets: Record<string, string>): Promise<string> {
  const { global, rule_files, scrape_configs } = parse(
    await readFile(join(MONITORING, 'prometheus.yml'), 'utf8'),
  ) as {
    global: object
    rule_files: string[]
    scrape_configs: { job_name: string; static_configs: object[] }[]
  }
  const pace = { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' }
  return stringify({
    global: { ...global, ...pace },
    rule_files: rule_files.map((file) => join(MONITORING, file)),
    scrape_configs: Object.entries(targets).map(([job, url]) => {
      const shipped = scrape_configs.find(({ job_name }) => job_name === job)
      if (!shipped) throw new Error(`prometheus.yml has no job ${job}.`)
      const static_configs = shipped.static_configs.map((each) => ({ ...each, targets: [new URL(url).host] }))
      return { ...shipped, static_configs }
    }),
  })
}
