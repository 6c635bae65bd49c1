// The loads that the bench puts on a server over HTTP, ours or another that answers at the same paths.
import { SENDERS, STEP_OF_SENDERS } from './bare.ts'
import { DOCTOR, FIRST_S, LAST_90_DAYS, LONG, SPACING_S, WATCHED } from './data.ts'
import { loadHttp, type Measured } from './loads.ts'
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

export function loadsOn({ senders, readers, doctors, long }: Tokens, seconds: number) {
  const lone = (url: string) => loadHttp({ script: 'get', url, tokens: long, seconds, connections: 1 })
  const range = (readings: number) => ({ READINGS: readings, HISTORY: WATCHED.each, SPACING_S, FIRST_S })
  return {
    add: (url: string, connections = 64) =>
      loadHttp({ script: 'add', url: url + ADD, tokens: senders, seconds, connections }),

    /** Readings from this time on. A few requests of others are admitted beside them. */
    addFrom: (url: string, startMs: number) =>
      loadHttp({
        script: 'add',
        url: url + ADD,
        tokens: senders,
        seconds,
        connections: 56,
        settings: { START_MS: startMs },
      }),

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

    /** The same ranges, by the doctor with whom the patients share them. */
    getAsDoctor: (url: string, readings: number, connections = 64) =>
      loadHttp({
        script: 'get',
        url: url + GET,
        tokens: doctors,
        seconds,
        connections,
        settings: range(readings),
      }),

    /** The pages of the doctor's list of patients, one after the other. */
    listPatients: (url: string, paths: string) =>
      loadHttp({
        script: 'pages',
        url,
        tokens: doctors,
        seconds,
        connections: 1,
        settings: { PATHS: paths },
      }),

    observe: (url: string) =>
      loadHttp({ script: 'observe', url: `${url}/fhir/Observation`, tokens: senders, seconds }),

    search: (url: string, readings: number) =>
      loadHttp({
        script: 'search',
        url: `${url}/fhir/Observation`,
        tokens: readers,
        seconds,
        settings: range(readings),
      }),

    latest: (url: string) => lone(`${url}/casesheet/readings/latest`),
    statistics: (url: string) => lone(url + STATISTICS),

    list: (url: string, path: string) =>
      loadHttp({ script: 'get', url: url + path, tokens: senders, seconds }),

    /** Each line of the file of paths is requested once. */
    newPages: (url: string, paths: string) =>
      loadHttp({ script: 'pages', url, tokens: senders, seconds, settings: { PATHS: paths } }),

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
