// The loads that the bench puts on a server over HTTP, ours or another that answers at the same paths.
import { SENDERS, STEP_OF_SENDERS } from './bare.ts'
import { DOCTOR, FIRST_S, LAST_90_DAYS, LONG, SPACING_S, WATCHED } from './data.ts'
import { CONNECTIONS, type HttpLoad, type Load, loadHttp, type Measured } from './loads.ts'
import type { Stage } from './stage.ts'

const ADD = '/casesheet/readings/add'
const GET = '/casesheet/readings/get'
const STATISTICS = `/casesheet/readings/statistics?readingType=interstitialGlucose&bucket=day&timeZone=Europe/Berlin&from=${LAST_90_DAYS.from}&to=${LAST_90_DAYS.to}`

/** Files of tokens: of those who send, of the patients whose ranges are read, of their doctor, and of those with a long history. */
export type Tokens = { senders: string; readers: string; doctors: string; long: string }

export async function writeTokens(stage: Stage, count = SENDERS): Promise<Tokens> {
  const senders = await stage.writeTokens('senders', (index) => `p-${index * STEP_OF_SENDERS}`, count)
  const watched = (index: number) => `watched-${index % WATCHED.patients}`
  const readers = await stage.writeTokens('readers', watched, count)
  const doctors = await stage.writeTokens('doctors', watched, count, DOCTOR)
  const long = await stage.writeTokens('long', (index) => `long-${index}`, LONG.patients)
  return { senders, readers, doctors, long }
}

/** Where the requests go, and the process that answers them. */
export type Server = { url: string; pid: number }

export function loadsOn({ senders, readers, doctors, long }: Tokens, postgres: number) {
  const load = (script: HttpLoad['script'], { url, pid }: Server, path: string, more: More) =>
    loadHttp({ script, url: url + path, pids: { server: pid, postgres }, ...more })
  const lone = (server: Server, path: string) => load('get', server, path, { tokens: long, connections: 1 })
  const range = (readings: number) => ({ READINGS: readings, HISTORY: WATCHED.each, SPACING_S, FIRST_S })
  return {
    add: (server: Server, connections = CONNECTIONS) =>
      load('add', server, ADD, { tokens: senders, connections }),

    /** Readings from a time on, which each run asks for. */
    addFrom: (server: Server, nextStartMs: () => number) =>
      load('add', server, ADD, {
        tokens: senders,
        settings: {
          get START_MS() {
            return nextStartMs()
          },
        },
      }),

    /** Readings a second, a thousand in each request. */
    addThousands: (server: Server): Load => {
      const thousands = load('add', server, ADD, {
        tokens: senders,
        connections: 4,
        settings: { READINGS: 1_000 },
      })
      return async (seconds) => ofEach(await thousands(seconds), 1_000)
    },

    get: (server: Server, readings: number, connections = CONNECTIONS) =>
      load('get', server, GET, { tokens: readers, connections, settings: range(readings) }),

    /** The same ranges, by the doctor with whom the patients share them. */
    getAsDoctor: (server: Server, readings: number) =>
      load('get', server, GET, { tokens: doctors, settings: range(readings) }),

    /** The pages of the doctor's list of patients, one after the other. */
    listPatients: (server: Server, paths: string) =>
      load('pages', server, '', { tokens: doctors, connections: 1, settings: { PATHS: paths } }),

    observe: (server: Server) => load('observe', server, '/fhir/Observation', { tokens: senders }),

    search: (server: Server, readings: number) =>
      load('search', server, '/fhir/Observation', { tokens: readers, settings: range(readings) }),

    latest: (server: Server) => lone(server, '/casesheet/readings/latest'),
    statistics: (server: Server) => lone(server, STATISTICS),

    list: (server: Server, path: string) => load('get', server, path, { tokens: senders }),

    /** Each line of the file of paths is requested once. */
    newPages: (server: Server, paths: string) =>
      load('pages', server, '', { tokens: senders, connections: 24, settings: { PATHS: paths } }),

    mixed: (server: Server, delayMs: number) =>
      load('mixed', server, '', { tokens: readers, settings: { ...range(20), DELAY_MS: delayMs } }),
  }
}

type More = Pick<HttpLoad, 'tokens' | 'connections' | 'settings'>

/** What a request of so many readings is for each of them. */
function ofEach({ perSecond, cpuUs, ...others }: Measured, readings: number): Measured {
  return {
    ...others,
    perSecond: perSecond * readings,
    ...(cpuUs ? { cpuUs: { server: cpuUs.server / readings, postgres: cpuUs.postgres / readings } } : {}),
  }
}
