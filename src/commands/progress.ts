// How far long work has come: a bar on a terminal, a line now and then elsewhere (a log would show a bar as garbage).

// Where there is no room for the longer bar, the shorter; where there is none for that either, only the text.
const BAR_WIDTHS = [30, 10]
// Work that is done sooner needs no line.
const LINE_EVERY_MS = 5_000

type Progress = { stage: string; share?: number; details?: string }

export type Output = { write: (text: string) => unknown; isTTY?: boolean; columns?: number }

/** A bar is drawn at each call, a line at most every `lineEveryMs`. */
export function showProgress(output: Output, { lineEveryMs = LINE_EVERY_MS, now = Date.now } = {}) {
  let shown = ''
  let lineAt = now()

  function show({ stage, share, details }: Progress) {
    const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`
    const text = `${stage}${percent}${details === undefined ? '' : `: ${details}`}`
    if (output.isTTY) {
      if (text !== shown) output.write(`\r${fitted(text, share, output)}\u001b[K`)
      shown = text
    } else if (now() - lineAt >= lineEveryMs) {
      output.write(`${text}\n`)
      lineAt = now()
    }
  }
  /** A bar leaves no trace. */
  const end = () => {
    if (output.isTTY && shown !== '') output.write('\r\u001b[K')
    shown = ''
  }
  /** A line that stays. */
  function say(text: string) {
    end()
    output.write(`${text}\n`)
  }
  return { show, say, end }
}

/** A line that wraps could not be drawn over. Some terminals do not know their width, and say 0. */
function fitted(text: string, share: number | undefined, { columns }: Output): string {
  const room = (columns || 80) - 1
  const width = BAR_WIDTHS.find((bar) => `[${' '.repeat(bar)}] ${text}`.length <= room)
  return share === undefined || width === undefined ? text.slice(0, room) : `${barOf(share, width)} ${text}`
}

function barOf(share: number, width: number): string {
  const filled = Math.round(share * width)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`
}
