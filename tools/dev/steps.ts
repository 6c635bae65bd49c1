// The start of `rounds dev`, step by step: on a terminal each is shown while it takes its time. What they did is printed at the
// end, below the address that a newcomer looks for first.
export type Output = { write: (text: string) => unknown; isTTY?: boolean }

/** `done` says what to print afterwards; nothing by default. */
export type Step = <T>(doing: string, work: () => Promise<T>, done?: (result: T) => string) => Promise<T>

/** No step begins once a stop was asked for. */
export function showSteps(output: Output, stopping: AbortSignal) {
  const lines: string[] = []
  const step: Step = async (doing, work, done = () => '') => {
    stopping.throwIfAborted()
    if (output.isTTY) output.write(`… ${doing}`)
    try {
      const result = await work()
      const text = done(result)
      if (text !== '') lines.push(`✓ ${text}\n`)
      return result
    } finally {
      if (output.isTTY) output.write('\r\u001b[K')
    }
  }
  return { step, done: () => lines.join('') }
}
