// Signals that ask a command to stop.

/** The next of these signals. From the first call on, none of them ends the process by itself. */
export function nextSignal(signals: NodeJS.Signals[]): Promise<NodeJS.Signals> {
  return new Promise((received) => {
    for (const signal of signals) process.on(signal, received)
  })
}

/** Aborted by the first signal to stop. Later ones change nothing: npx sends on a Ctrl-C that came to us already. */
export function stopSignal(env: NodeJS.ProcessEnv): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort())
  // npx puts a shell between itself and us, and a signal to npx ends that shell without reaching us: our parent changes.
  const parent = process.ppid
  if (env['npm_command'] !== undefined)
    setInterval(() => process.ppid === parent || controller.abort(), 200).unref()
  return controller.signal
}
