// A load on a running Rounds, in a process of its own (see load.ts): adds that nobody sent before, and gets of twenty readings.
//
// Open loop: requests fall due at a constant rate, whatever becomes of those before, as patients do not wait for each other.
// Each time is taken from when the request was due, so that one which had to wait for a free connection is not
// reported as fast. Closed loop (no rate): each connection sends when its last answer has come; that finds the capacity.
import { type Answered, type Connection, openConnection } from './connection.ts'
import { type Figures, spreadOf } from './figures.ts'
import type { Load } from './load.ts'

process.once('message', (load: Load) => {
  void run(load).then((figures) => process.send?.(figures, () => process.disconnect()))
})

async function run({ url, patients, connections, seconds, ratePerSecond, getShare, startMs }: Load) {
  const accepted: { due: number; ms: number }[] = []
  const refused: number[] = []
  const lateness: number[] = []
  const others: Record<string, number> = {}
  const errors: string[] = []
  const address = new URL(url)
  const line: Connection[] = []
  const open = Array.from({ length: connections }, () =>
    openConnection(address, (error) => void errors.push(error.message)),
  )
  const all = await Promise.all(open)
  // One request each beforehand: a connection without any is closed after some seconds.
  const greeting = `GET /nothing HTTP/1.1\r\nHost: ${address.host}\r\n\r\n`
  await Promise.all(all.map((connection) => new Promise<Answered>((done) => connection.send(greeting, done))))
  line.push(...all)
  const overdue: number[] = []
  let sent = 0
  let answers = 0
  const began = performance.now()
  const end = began + seconds * 1000

  function requestNumber(number: number): string {
    const patient = patients[number % patients.length] as Load['patients'][number]
    const head = `HTTP/1.1\r\nHost: ${address.host}\r\nAuthorization: Bearer ${patient.token}\r\n`
    const isGet = (number * 0.618_034) % 1 < getShare
    if (isGet) {
      const from = patient.firstS + (number % 50)
      const path = `/casesheet/readings/get?patientUid=${patient.uid}&from=${from}&to=${from + 19}`
      return `GET ${path} ${head}\r\n`
    }
    const fields = patient.fields ?? `"readingType":"heartRate","value":${50 + (number % 100)}`
    const body = `{"patientUid":"${patient.uid}",${fields},"timestamp":${startMs + number}}`
    return `POST /casesheet/readings/add ${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }

  function send(connection: Connection, due: number) {
    lateness.push(performance.now() - due)
    connection.send(requestNumber(sent++), (answer) => {
      note(answer, due)
      goOn(connection)
    })
  }

  function note({ status, hasRetryAfter }: Answered, due: number) {
    answers++
    const ms = performance.now() - due
    if (status === 200) accepted.push({ due: due - began, ms })
    else if ((status === 429 || status === 503) && hasRetryAfter) refused.push(ms)
    else others[status] = (others[status] ?? 0) + 1
  }

  function goOn(connection: Connection) {
    const now = performance.now()
    if (ratePerSecond === undefined && now < end) return send(connection, now)
    const due = overdue.shift()
    if (due === undefined) line.push(connection)
    else send(connection, due)
  }

  if (ratePerSecond === undefined) {
    for (const connection of line.splice(0)) send(connection, performance.now())
  } else await sendInTime(ratePerSecond)
  const giveUp = Math.max(performance.now(), end) + 10_000
  const isAnswered = () => answers === sent && performance.now() >= end
  while (!isAnswered() && errors.length === 0 && performance.now() < giveUp) {
    await new Promise((resume) => setTimeout(resume, 20))
  }
  if (answers < sent) errors.push(`${sent - answers} requests had no answer.`)
  for (const connection of all) connection.close()
  return figures()

  async function sendInTime(rate: number) {
    const total = rate * seconds
    for (let due = 0; due < total; ) {
      const now = performance.now()
      for (; due < total && began + (due / rate) * 1000 <= now; due++) {
        const dueAt = began + (due / rate) * 1000
        const connection = line.pop()
        if (connection) send(connection, dueAt)
        else overdue.push(dueAt)
      }
      await new Promise((resume) => setTimeout(resume, 1))
    }
  }

  function figures(): Figures {
    const inSecond = (second: number) =>
      accepted.filter(({ due }) => Math.floor(due / 1000) === second).map(({ ms }) => ms)
    return {
      seconds,
      sent,
      accepted: spreadOf(accepted.map(({ ms }) => ms)),
      refused: spreadOf(refused),
      others,
      errors: [...new Set(errors)],
      lateness: spreadOf(lateness),
      bySecond: Array.from({ length: Math.floor(seconds) }, (_, second) => spreadOf(inSecond(second))),
    }
  }
}
