// One subject at every limit at once, beside others who do what people do: what the others notice. The subject is the patient
// with a year of readings. It keeps 64 statistics, 25 reports and more of everything else open than it may have, sends again at the rate that is
// permitted by default, reads none of its whole ranges, and has as many streams as it may.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { spreadOf } from '../load/figures.ts'
import { openStream } from '../support/event-stream.ts'
import { bytesOf, type Hostile, sendOnce } from './send.ts'
import type { LimitsStage } from './stage.ts'

const SECONDS = Number(process.env['LIMITS_SECONDS'] ?? 40)
/** RATE_LIMIT_PER_MINUTE by default. */
const PER_MINUTE = 600
const OTHERS = 20
const CALL_EVERY_MS = 20
const OPEN_STREAMS = 20
const YEAR = 'from=1700000000&to=1731536000'
const SUBJECT = 'year'

/** What the subject keeps open, and how many of each. */
const OPEN: [count: number, path: string][] = [
  [64, `/casesheet/readings/statistics?readingType=interstitialGlucose&${YEAR}`],
  [25, `/care/reports/glucose?${YEAR}&timeZone=America/St_Johns`],
  [25, '/casesheet/readings/latest'],
  [25, '/casesheet/readings/access-log?limit=1000'],
  [25, '/fhir/Observation?_count=500'],
  [25, '/appointments/doctors/list?q=qqqqqq&limit='],
]
const WHOLE_RANGES = 25

export async function measureOthers(stage: LimitsStage) {
  const until = performance.now() + SECONDS * 1_000
  const subject = await stage.bearer({ patientUid: SUBJECT, sub: SUBJECT })
  const streams = await Promise.all(
    Array.from({ length: OTHERS }, async (_, n) =>
      openStream(stage.server.url, await tokenOf(stage, `other-${n}`)),
    ),
  )
  const attack = await beginAttack(stage, subject, until)
  const calls = await callAsOthers(stage, until)
  await attack.end()
  const ended = streams.filter(({ text }) => text().includes('event: end')).length
  streams.forEach(({ socket }) => socket.destroy())
  const refused = calls.filter(({ status }) => status !== 200)
  return {
    p99Ms: spreadOf(calls.map(({ ms }) => ms)).p99,
    calls: calls.length,
    refused: refused.length,
    /** How many by status and path, to find out why. */
    reasons: Object.entries(Object.groupBy(refused, ({ status, path }) => `${status} ${path}`)).map(
      ([reason, those = []]) => `${those.length} ${reason}`,
    ),
    streamsEnded: ended,
    sent: attack.sent(),
  }
}

const tokenOf = ({ issuer }: LimitsStage, uid: string) => issuer.token({ sub: uid, patientUid: uid })

async function beginAttack(stage: LimitsStage, headers: Record<string, string>, until: number) {
  const { url } = stage.server
  let sent = 0
  let budget = PER_MINUTE
  const refill = setInterval(() => budget++, 60_000 / PER_MINUTE)
  async function keepOpen(path: string, worker: number) {
    for (let n = 0; performance.now() < until; n++) {
      if (budget <= 0) await pause(50)
      else {
        budget--
        sent++
        // Pages of the directory are cached by what was asked.
        const own = path.endsWith('=') ? `${path}${1 + ((worker * 37 + n) % 999)}` : path
        await sendOnce(url, bytesOf({ path: own, headers }))
      }
    }
  }
  const workers = OPEN.flatMap(([count, path]) =>
    Array.from({ length: count }, (_, worker) => keepOpen(path, worker)),
  )
  const whole = await Promise.all(
    Array.from({ length: WHOLE_RANGES }, () => sendUnread(url, { path: '/casesheet/readings/get', headers })),
  )
  const token = await tokenOf(stage, SUBJECT)
  const streams = await Promise.all(Array.from({ length: OPEN_STREAMS }, () => openStream(url, token)))
  return {
    sent: () => sent,
    async end() {
      clearInterval(refill)
      await Promise.all(workers)
      for (const socket of [...whole, ...streams.map((stream) => stream.socket)]) socket.destroy()
    },
  }
}

async function sendUnread(url: string, request: Hostile): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytesOf(request))
  return socket
}

/** Others add, get, look at their latest readings and ask for statistics and reports, each with one request at a time. */
async function callAsOthers(stage: LimitsStage, until: number) {
  const calls: { status: number; ms: number; path: string }[] = []
  await Promise.all(
    Array.from({ length: OTHERS }, async (_, n) => {
      const uid = `other-${n}`
      const headers = await stage.bearer({ patientUid: uid, sub: uid })
      const reading = (timestamp: number) =>
        Buffer.from(
          JSON.stringify({
            patientUid: uid,
            readingType: 'interstitialGlucose',
            value: 5.5,
            unit: 'mmol/L',
            timestamp,
          }),
        )
      for (let round = 0; performance.now() < until; round++) {
        const requests: Hostile[] = [
          { path: '/casesheet/readings/add', headers, body: reading(1_700_000_000 + round) },
          { path: '/casesheet/readings/get?limit=20', headers },
          { path: '/casesheet/readings/get', headers },
          { path: '/casesheet/readings/latest', headers },
          {
            path: `/casesheet/readings/statistics?readingType=interstitialGlucose&${YEAR}&bucket=month`,
            headers,
          },
          { path: `/care/reports/glucose?${YEAR}`, headers },
          { path: `/appointments/doctors/list?limit=${1 + ((n * 50 + round) % 999)}`, headers },
        ]
        const request = requests[round % requests.length]
        if (request) {
          const { status, ms } = await sendOnce(stage.server.url, bytesOf(request))
          calls.push({ status, ms, path: request.path.replace(/\?.*/, '') })
        }
        await pause(CALL_EVERY_MS)
      }
    }),
  )
  return calls
}
