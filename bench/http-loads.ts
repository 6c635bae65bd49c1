// The loads that the bench puts on a server over HTTP, ours or another that answers at the same paths.
import { STEP_OF_SENDERS } from './bare.ts'
import { FIRST_S, SPACING_S, WATCHED } from './data.ts'
import { loadHttp, type Measured } from './loads.ts'
import type { Stage } from './stage.ts'

const ADD = '/casesheet/readings/add'
const GET = '/casesheet/readings/get'

/** Files of tokens: of those who send, and of the patients whose ranges are read. */
export type Tokens = { senders: string; readers: string }

export async function writeTokens(stage: Stage): Promise<Tokens> {
  const senders = await stage.writeTokens('senders', (index) => `p-${index * STEP_OF_SENDERS}`)
  const readers = await stage.writeTokens('readers', (index) => `watched-${index % WATCHED.patients}`)
  return { senders, readers }
}

export function loadsOn({ senders, readers }: Tokens, seconds: number) {
  const range = (readings: number) => ({ READINGS: readings, HISTORY: WATCHED.each, SPACING_S, FIRST_S })
  return {
    add: (url: string, connections = 64) =>
      loadHttp({ script: 'add', url: url + ADD, tokens: senders, seconds, connections }),

    /** Readings a second, a thousand in each request. */
    addThousands: async (url: string): Promise<Measured> => {
      const load = { script: 'add', url: url + ADD, tokens: senders, seconds, connections: 4 } as const
      const measured = await loadHttp({ ...load, settings: { READINGS: 1_000 } })
      return { ...measured, perSecond: measured.perSecond * 1_000 }
    },

    get: (url: string, readings: number, connections = 64) =>
      loadHttp({
        script: 'get',
        url: url + GET,
        tokens: readers,
        seconds,
        connections,
        settings: range(readings),
      }),

    list: (url: string, path: string) =>
      loadHttp({ script: 'get', url: url + path, tokens: senders, seconds }),

    mixed: (url: string, delayMs: number) =>
      loadHttp({
        script: 'mixed',
        url,
        tokens: readers,
        seconds,
        settings: { ...range(20), DELAY_MS: delayMs },
      }),
  }
}
