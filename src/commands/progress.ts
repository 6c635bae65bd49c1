// How long work is getting on: a bar on a terminal, a line now and then elsewhere (a log would show a bar as garbage).
import type { WriteStream } from 'node:tty'

const BAR_WIDTH = 30
// What is done sooner than that needs no line.
const LINE_EVERY_MS = 5_000

type Progress = { stage: string; share?: number }

type Output = Pick<WriteStream, 'write'> & { isTTY?: boolean }

export function showProgress(output: Output) {
  let shown = ''
  let shownAt = Date.now()

  function show({ stage, share }: Progress) {
    const text = share === undefined ? stage : `${stage} ${Math.floor(share * 100)} %`
    if (text === shown) return
    if (output.isTTY) {
      output.write(`\r${share === undefined ? '' : barOf(share)}${text}\u001b[K`)
    } else if (Date.now() - shownAt >= LINE_EVERY_MS) {
      output.write(`${text}\n`)
      shownAt = Date.now()
    }
    shown = text
  }
  const end = () => {
    if (output.isTTY && shown !== '') output.write('\r\u001b[K')
  }
  return { show, end }
}

function barOf(share: number): string {
  const filled = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] `
}
