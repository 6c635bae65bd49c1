// How far a long work has come: a bar on a terminal, a line for each tenth elsewhere.
const WIDTH = 30

export function showProgress(title: string, output = process.stdout): (share: number) => void {
  const started = performance.now()
  let shownTenth = -1
  let shownAt = 0
  return (share) => {
    const seconds = (performance.now() - started) / 1_000
    const tenth = Math.floor(share * 10)
    if (output.isTTY && (share === 1 || performance.now() - shownAt > 100)) {
      shownAt = performance.now()
      const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.')
      const left = share > 0 ? `${Math.round((seconds / share) * (1 - share))} s left` : ''
      output.write(
        `\r\u001b[K${title} [${bar}] ${Math.floor(share * 100)} % ${left}${share === 1 ? '\n' : ''}`,
      )
    } else if (!output.isTTY && tenth > shownTenth) {
      shownTenth = tenth
      output.write(`${title}: ${tenth * 10} % after ${seconds.toFixed(0)} s\n`)
    }
  }
}
