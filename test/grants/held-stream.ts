// A stream of changes as a doctor's screen has it: opened, and left at once or held until the server ends it.
import { now } from './history.ts'
import type { Answered } from './stage.ts'

type Opened = Answered & { leave: () => Promise<void>; whenEnded: Promise<number>; textSoFar: () => string }

/** Opens a stream, and waits for its first event, or for the refusal. */
export async function readFirstEvent(
  url: string,
  token: string,
  more: Record<string, string> = {},
): Promise<Opened> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...more },
    signal: leaving.signal,
  })
  let text = ''
  let isFirst: () => void = () => {}
  const first = new Promise<void>((done) => (isFirst = done))
  async function follow() {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        if (text.includes('\n\n')) isFirst()
      }
    } catch {
      // Left, or cut by the server.
    }
    isFirst()
    return now()
  }
  const whenEnded = follow()
  await (response.ok ? first : whenEnded)
  return {
    status: response.status,
    headers: response.headers,
    text,
    textSoFar: () => text,
    whenEnded,
    async leave() {
      leaving.abort()
      await whenEnded
    },
  }
}

export type HeldStream = ReturnType<typeof holdStream>

/** When a stream was requested and open, and when the server ended it; one that never ends is left after this time. */
export function holdStream({ whenEnded, leave }: Opened, times: { began: number; opened: number }) {
  let hasEnded = false
  void whenEnded.then(() => (hasEnded = true))
  return {
    hasEnded: () => hasEnded,
    async ended(withinMs: number) {
      const timer = setTimeout(() => void leave(), withinMs)
      const endedAt = await whenEnded
      clearTimeout(timer)
      return { ...times, endedAt }
    },
  }
}
