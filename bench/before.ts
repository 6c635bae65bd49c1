// What a change costs: the same requests on it and on a commit before, which is taken from the history of the clone.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unpackCommit } from '../test/support/previous-release.ts'
import type { Figure } from './figures.ts'
import { loadsOn, type Tokens } from './http-loads.ts'
import type { Load } from './loads.ts'
import type { Say } from './rounds.ts'
import { startOurs } from './rows.ts'
import { measureSides, type Side } from './sides.ts'
import type { Database, Stage } from './stage.ts'

const BAR = 0.97

type LoadDatabase = (name: string, migrationsDir?: string) => Promise<Database>
type Setting = { stage: Stage; tokens: Tokens; load: LoadDatabase; say: Say; commit: string }

export async function measureBefore({ stage, tokens, load, say, commit }: Setting): Promise<Figure[]> {
  const dir = join(stage.dir, 'commit-before')
  mkdirSync(dir)
  unpackCommit(commit, dir)
  const before = await start('before', dir)
  const ours = await start('now')
  const { add, get } = loadsOn(tokens, stage.postgresPid)
  const rows = [
    rowOf('add, one reading a request', add),
    ...[1, 20].map((readings) => rowOf(`get of ${readings}`, (side) => get(side, readings))),
    rowOf('a lone get of 20', (side) => get(side, 20, 1)),
  ]
  return measureSides(rows, say)

  async function start(name: string, of?: string): Promise<Side> {
    const database = await load(name, of && join(of, 'migrations'))
    const { url, pid } = await startOurs({ stage, database, tokens }, { dir: of })
    return { url, pid, database }
  }

  function rowOf(name: string, loadOf: (side: Side) => Load) {
    return { name: `${name} / ${commit}`, bar: BAR, ours: loadOf(ours), reference: loadOf(before) }
  }
}
