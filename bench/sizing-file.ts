// The figures that `rounds sizing` calculates with. Each part says which command measured it, when, and on which commit.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from './figures.ts'

const FILE = join(import.meta.dirname, '../src/commands/sizing-figures.json')

type Part = 'disk' | 'care' | 'wal' | 'cpu'

/** Other parts stay as they are. */
export function writeSizingFigures(part: Part, by: string, found: object) {
  const figures: object = JSON.parse(readFileSync(FILE, 'utf8'))
  const measured = {
    on: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim(),
    by,
  }
  writeFileSync(FILE, `${JSON.stringify({ ...figures, [part]: { measured, ...found } }, null, 2)}\n`)
}

/** CPU of Rounds and of PostgreSQL for a request, in microseconds; undefined where a row was not measured. */
export function cpuForSizing(figures: Figure[]) {
  const of = (name: string) => {
    const cpu = figures.find((figure) => figure.name.startsWith(name))?.cpuUs.ours
    return cpu ? { rounds: Math.round(cpu.server), postgres: Math.round(cpu.postgres) } : undefined
  }
  const [add, readingOfMany, get20] = [
    of('add, one reading a request'),
    of('add, 1,000 a request'),
    of('get of 20 /'),
  ]
  return add && readingOfMany && get20 ? { add, readingOfMany, get20 } : undefined
}
