// `rounds cell`: patients are divided between database clusters by slots; this shows and moves them.
import { ConfigError, readDatabaseUrl } from '../../config/config.ts'
import { type Deps, defineCommand } from '../command.ts'
import { abort } from './abort.ts'
import { clean } from './clean.ts'
import { move } from './move.ts'
import { status } from './status.ts'

const HELP = `rounds cell status [--json] [--map FILE]: show which slots this database has, how much it holds, and its moves; with CELLS,
  those of all cells, and exit with 1 if a slot is not served by exactly one of them, the one to which the map leads.
rounds cell join: make this new, empty database a cell that serves no slots yet. Do so before a router leads to it.
rounds cell move --slots A-B --to DATABASE_URL (--map FILE --as NAME | --map-by-hand) [--dry-run | --yes]: move the patients of
  some slots to another cell while they are served.
rounds cell abort --to DATABASE_URL [--lost]: end a move that the other cell has not taken over, and remove the copy there.
rounds cell clean [--after-hours HOURS] [--yes]: remove what was moved to other cells.

Patients have a slot from 0 to 4095, by a hash of their id. A cell serves some of the slots; the only cell serves all. The old
cell needs "wal_level = logical"; the new one an empty, migrated database, or one that serves other slots. For a few seconds
neither serves the slots, and requests for them get 503 with Retry-After: 1. Every command may be stopped and run again. Ctrl-C
cancels the statements of a move in both servers and says what is left; once the new cell takes over, it finishes first.
A move needs, in the old cell, a role with REPLICATION and CREATE on the database; in the new one a superuser, or since
PostgreSQL 16 a role with pg_create_subscription and CREATE. It says which right is missing before it changes anything.

  --slots A-B               the slots to move, both included, such as 2048-4095
  --to DATABASE_URL         the address of the new cell, of the role that ran "rounds migrate" there (CELL_TO)
  --via DATABASE_URL        the address at which PostgreSQL of the new cell reaches the old one (CELL_VIA, else DATABASE_URL);
                            that cell stores it, with its password, until the move has ended
  --limit SECONDS           give up a switch that takes longer, and serve the slots in the old cell again (30); the commits that
                            close and open the slots have no limit, and wait for a standby where there is one
  --map FILE                the map of the router, by its path in HAProxy's configuration; written anew in the switch
  --as NAME                 with --map: the backend of the new cell
  --router SOCKET           with --map: the socket of a running HAProxy, a path or host:port; may be repeated
  --map-by-hand             instead of --map: you change the map right after the move; until then requests for the slots get 421
  --dry-run                 move: change nothing; print rows, bytes, the time it may take, the oldest transaction and the routers,
                            and exit with 1 if a right is missing or something else is in the way
  --json                    status: as JSON, with rows counted, which reads the tables; else the planner's counts are shown
  --lost                    abort: a new cell that cannot be reached never comes back; serve the slots here whatever it did, and do
                            without the log of what services read there
  --after-hours HOURS       clean: only what was moved at least so long ago (24)
  --yes                     move, clean: do not ask for confirmation

Needed:
  DATABASE_URL              postgres:// address of this, the old cell, of the role that ran "rounds migrate"
Optional:
  CELLS                     status: name and address of each cell, as "cell_a=postgres://… cell_b=postgres://…", instead of
                            DATABASE_URL; the names are those of the map
  CELL_TO, CELL_VIA         instead of --to and --via: other users of this machine see the arguments of a command, with passwords

Example:
  DATABASE_URL=postgres://owner@one/rounds CELL_TO=postgres://owner@two/rounds npx rounds cell move --slots 2048-4095 --map-by-hand
`

const OPTIONS_OF: Record<string, string[]> = {
  status: ['json', 'map'],
  join: [],
  move: ['slots', 'to', 'via', 'limit', 'map', 'as', 'router', 'map-by-hand', 'dry-run', 'yes'],
  abort: ['to', 'lost'],
  clean: ['after-hours', 'yes'],
}

export const cellCommand = defineCommand({
  summary: `rounds cell status              show the slots of a cell and its moves
  rounds cell join                make an empty database a cell
  rounds cell move                move patients to another cell
  rounds cell abort               end a move
  rounds cell clean               remove what was moved`,
  help: HELP,
  options: {
    slots: { type: 'string' },
    to: { type: 'string' },
    via: { type: 'string' },
    limit: { type: 'string' },
    map: { type: 'string' },
    as: { type: 'string' },
    router: { type: 'string', multiple: true },
    'map-by-hand': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
    lost: { type: 'boolean' },
    'after-hours': { type: 'string' },
    yes: { type: 'boolean' },
  },
  async run({ args: [verb = '', ...others], options }, deps) {
    const allowed = OPTIONS_OF[verb]
    if (!allowed || others.length > 0)
      throw new ConfigError(
        'Say "rounds cell status", "rounds cell join", "rounds cell move", "rounds cell abort" or "rounds cell clean".',
      )
    const wrong = Object.keys(options).find((option) => !allowed.includes(option))
    if (wrong) throw new ConfigError(`"rounds cell ${verb}" has no option --${wrong}.`)
    if (verb === 'move') return move(options, deps)
    if (verb === 'abort') return abort(options, deps)
    if (verb === 'join') return join(deps)
    return verb === 'clean' ? clean(options, deps) : status(options, deps)
  },
})

/** A new, empty database becomes a cell. */
async function join({ env }: Deps): Promise<string> {
  const { joinCells } = await import('../../modules/cells/move/take-over.ts')
  await joinCells(readDatabaseUrl(env))
  return 'This database is a cell that serves no slots yet: "rounds cell move" brings it some.'
}
