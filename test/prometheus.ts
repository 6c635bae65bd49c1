// A real Prometheus on loopback that scrapes one instance, with the settings and rules of deploy/monitoring.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { parse, stringify } from 'yaml'
import { findFreePort } from './free-port.ts'
import { programOf } from './needs.ts'
import { runProgram } from './process.ts'

export const MONITORING = join(import.meta.dirname, '../deploy/monitoring')

type Sample = { metric: Record<string, string>; value: [number, string] }
type Rule = { name: string; health: string; lastError?: string }

export async function startPrometheus(adminUrl: string) {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-prometheus-'))
  after(() => rm(dir, { recursive: true, force: true }))
  const config = join(dir, 'prometheus.yml')
  await writeFile(config, await settingsFor(adminUrl))
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

  /** Waits until it has scraped so often more. */
  async function scrapes(count: number) {
    const scraped = async () => {
      const [sample] = await query('sum_over_time(up{job="rounds"}[1h])').catch(() => [])
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
  return { query, scrapes, rules }
}

/** The settings as they are shipped, but for the address and the pace. */
async function settingsFor(adminUrl: string): Promise<string> {
  const settings = parse(await readFile(join(MONITORING, 'prometheus.yml'), 'utf8')) as {
    global: object
    rule_files: string[]
    scrape_configs: { static_configs: { targets: string[] }[] }[]
  }
  const target = settings.scrape_configs[0]?.static_configs[0]
  if (!target) throw new Error('prometheus.yml names no target.')
  target.targets = [new URL(adminUrl).host]
  const pace = { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' }
  const ruleFiles = settings.rule_files.map((file) => join(MONITORING, file))
  return stringify({ ...settings, global: { ...settings.global, ...pace }, rule_files: ruleFiles })
}
