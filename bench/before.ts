// What this release costs: the same requests on it and on the release before, or on any commit, which is taken from the history of
// the clone.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unpackCommit, unpackPreviousRelease } from '../test/support/previous-release.ts'
import type { Figure } from './figures.ts'
import { loadsOn, type Tokens } from './http-loads.ts'
import type { Load } from './loads.ts'
import type { Say } from './rounds.ts'
import { startOurs } from './rows.ts'
import { measureSides, type Side } from './sides.ts'
import type { Database, Stage } from './stage.ts'

const BAR = 0.9
/** Of a commit: one change may cost less than a release. */
const BAR_OF_COMMIT = 0.97

type LoadDatabase = (name: string, migrationsDir?: string) => Promise<Database>
type Setting = { stage: Stage; tokens: Tokens; load: LoadDatabase; say: Say; commit?: string | undefined }

export async function measureBefore({ stage, tokens, load, say, commit }: Setting): Promise<Figure[]> {
  const dir = join(stage.dir, 'release-before')
  mkdirSync(dir)
  if (commit) unpackCommit(commit, dir)
  else unpackPreviousRelease(dir)
  const [named, bar] = commit ? [commit, BAR_OF_COMMIT] : ['the release before', BAR]
  const before = await start('release_before', dir)
  const ours = await start('this_release')
  const { add, addThousands, get } = loadsOn(tokens, stage.postgresPid)
  const adds = rowOf('add, one reading a request', add)
  const rows = commit
    ? [
        adds,
        ...[1, 20].map((readings) => rowOf(`get of ${readings}`, (side) => get(side, readings))),
        rowOf('a lone get of 20', (side) => get(side, 20, 1)),
      ]
    : [adds, rowOf('add, 1,000 a request (readings)', addThousands)]
  return measureSides(rows, say)

  async function start(name: string, of?: string): Promise<Side> {
    const database = await load(name, of && join(of, 'migrations'))
    const { url, pid } = await startOurs({ stage, database, tokens }, { dir: of })
    return { url, pid, database }
  }

  function rowOf(name: string, loadOf: (side: Side) => Load) {
    return { name: `${name} / ${named}`, bar, ours: loadOf(ours), reference: loadOf(before) }
  }
}
