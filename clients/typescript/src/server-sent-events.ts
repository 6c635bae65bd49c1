// Server-sent events out of the text of a response, as the HTML standard has them. The memory is bounded: a line, or the data
// of an event, that is longer than the bound is an error, because no event of Rounds is.
import { RoundsError } from './rounds-error.ts'

// A reading takes 64 KiB at most.
const MAX_CHARS = 1_048_576

/** The fields of one event; those that it lacks are undefined. */
export type ServerSentEvent = {
  event: string
  data: string
  id: string | undefined
  retryMs: number | undefined
}

/** Takes the text piece by piece, however it is cut, and gives the events that are complete. */
export function createEventParser(maxChars = MAX_CHARS): (text: string) => ServerSentEvent[] {
  let rest = ''
  let endedWithCr = false
  let fields = new Map<string, string>()

  function take(line: string): ServerSentEvent | undefined {
    if (line === '') return complete()
    const colon = line.indexOf(':')
    // A comment, such as a heartbeat.
    if (colon === 0) return undefined
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (!KNOWN.has(name)) return undefined
    const before = name === 'data' ? fields.get('data') : undefined
    fields.set(name, mustFit(before === undefined ? value : `${before}\n${value}`))
    return undefined
  }

  function complete(): ServerSentEvent | undefined {
    if (fields.size === 0) return undefined
    const { event = 'message', data = '', id, retry } = Object.fromEntries(fields)
    fields = new Map()
    return {
      event,
      data,
      // It is sent back in a header.
      id: id !== undefined && /^[\x21-\x7e]{1,256}$/.test(id) ? id : undefined,
      retryMs: retry !== undefined && /^\d{1,9}$/.test(retry) ? Number(retry) : undefined,
    }
  }

  function mustFit(text: string): string {
    if (text.length <= maxChars) return text
    throw new RoundsError({
      code: 'UnexpectedAnswer',
      message: `An event of the stream is longer than ${maxChars} characters, so it did not come from Rounds.`,
      retryable: false,
      status: 200,
    })
  }

  return (text) => {
    if (text === '') return []
    // The end of a line, "\r\n", may be cut in two.
    const piece = endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    endedWithCr = text.endsWith('\r')
    const [first = '', ...others] = piece.split(/\r\n|\r|\n/)
    const lines = [rest + first, ...others]
    rest = mustFit(lines.pop() ?? '')
    return lines.flatMap((line) => take(mustFit(line)) ?? [])
  }
}

const KNOWN = new Set(['event', 'data', 'id', 'retry'])
