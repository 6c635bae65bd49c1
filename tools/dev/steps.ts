// The start of `rounds dev`, step by step: on a terminal each is shown while it takes its time, elsewhere when it is done.
export type Output = { write: (text: string) => unknown; isTTY?: boolean }

/** `done` says what to print afterwards; nothing by default. */
export type Step = <T>(doing: string, work: () => Promise<T>, done?: (result: T) => string) => Promise<T>

/** No step begins once a stop was asked for. */
export function showSteps(output: Output, stopping: AbortSignal): Step {
  return async (doing, work, done = () => '') => {
    stopping.throwIfAborted()
    if (output.isTTY) output.write(`… ${doing}`)
    const startOfLine = output.isTTY ? '\r\u001b[K' : ''
    try {
      const result = await work()
      const text = done(result)
      output.write(text === '' ? startOfLine : `${startOfLine}✓ ${text}\n`)
      return result
    } catch (error) {
      output.write(startOfLine)
      throw error
    }
  }
}
