// `rounds cell`: patients are divided between database clusters by slots; this shows and moves them.
import { ConfigError } from '../../config/config.ts'
import { defineCommand } from '../command.ts'
import { abort } from './abort.ts'
import { clean } from './clean.ts'
import { join } from './join.ts'
import { move } from './move.ts'
import { status } from './status.ts'

const HELP = `rounds cell status: show which slots this database has, how much it holds, and its moves.
rounds cell join: make this new, empty database a cell that serves no slots yet. Do so before a router leads to it.
rounds cell move --slots A-B --to DATABASE_URL: move the patients of some slots to another cell while they are served.
rounds cell abort --to DATABASE_URL [--lost]: end a move that the other cell has not taken over, and remove the copy there.
rounds cell clean [--after-hours HOURS] [--yes]: remove what was moved to other cells.

Patients have a slot from 0 to 4095, by a hash of their id. A cell serves some of the slots; the only cell serves all. The old
cell needs "wal_level = logical"; the new one an empty, migrated database, or one that serves other slots. For a few seconds
neither serves the slots, and requests for them get 503 with Retry-After: 1. Every command may be stopped and run again.

  --slots A-B               the slots to move, both included, such as 2048-4095
  --to DATABASE_URL         the address of the new cell, of the role that ran "rounds migrate" there (CELL_TO)
  --via DATABASE_URL        the address at which PostgreSQL of the new cell reaches the old one (CELL_VIA, else DATABASE_URL);
                            that cell stores it, with its password, until the move has ended
  --limit SECONDS           give up a switch that takes longer, and serve the slots in the old cell again (30); the commits that
                            close and open the slots have no limit, and wait for a standby where there is one
  --map FILE                the map of the router, by its path in HAProxy's configuration; written anew in the switch
  --as NAME                 with --map: the backend of the new cell
  --router SOCKET           with --map: the socket of a running HAProxy, a path or host:port; may be repeated
  --lost                    abort: a new cell that cannot be reached never comes back; serve the slots here whatever it did, and do
                            without the log of what services read there
  --after-hours HOURS       clean: only what was moved at least so long ago (24)
  --yes                     clean: do not ask for confirmation

Needed:
  DATABASE_URL              postgres:// address of this, the old cell, of the role that ran "rounds migrate"
Optional:
  CELL_TO, CELL_VIA         instead of --to and --via: other users of this machine see the arguments of a command, with passwords

Example:
  DATABASE_URL=postgres://owner@one/rounds CELL_TO=postgres://owner@two/rounds npx rounds cell move --slots 2048-4095
`

const OPTIONS_OF: Record<string, string[]> = {
  status: [],
  join: [],
  move: ['slots', 'to', 'via', 'limit', 'map', 'as', 'router'],
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
    lost: { type: 'boolean' },
    'after-hours': { type: 'string' },
    yes: { type: 'boolean' },
  },
  async run({ args: [verb = '', ...others], options }, surroundings) {
    const allowed = OPTIONS_OF[verb]
    if (!allowed || others.length > 0)
      throw new ConfigError(
        'Say "rounds cell status", "rounds cell join", "rounds cell move", "rounds cell abort" or "rounds cell clean".',
      )
    const wrong = Object.keys(options).find((option) => !allowed.includes(option))
    if (wrong) throw new ConfigError(`"rounds cell ${verb}" has no option --${wrong}.`)
    if (verb === 'move') return move(options, surroundings)
    if (verb === 'abort') return abort(options, surroundings)
    if (verb === 'join') return join(surroundings)
    return verb === 'clean' ? clean(options, surroundings) : status(surroundings)
  },
})
