// The sessions that a command waits for: a line when they change, and now and then while they stay.

const LINE_EVERY_MS = 10_000

export function sayWaiting(say: (line: string) => void): (sessions: string[]) => void {
  let waitingFor = ''
  let saidAt = 0
  return (sessions) => {
    // Without the ages, which change all the time.
    const pids = sessions.map((session) => session.split(',', 1)[0]).join()
    if (pids === waitingFor && Date.now() - saidAt < LINE_EVERY_MS) return
    waitingFor = pids
    saidAt = Date.now()
    say(`Waiting for ${sessions.join('; ')}.`)
  }
}
