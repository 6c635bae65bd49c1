// What the commands that change or hand out a patient's data ask first: who is asking, and to confirm.
import { createInterface } from 'node:readline/promises'
import { ConfigError } from '../config/config.ts'
import { CommandError } from '../refusal.ts'
import type { Terminal } from './command.ts'

export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.valueOf()) && at.toISOString().startsWith(text)
}

/** The record of what was done names a person, not the role or the machine, which several people share. */
export function whoAsks(by: string | undefined): string {
  if (!by?.trim())
    throw new ConfigError('Say with --by who you are: it is kept in the record of what you do.')
  return by.trim()
}

/** Goes on once the person has typed `word`. */
export async function mustBeConfirmed(question: string, word: string, terminal: Terminal) {
  if (!terminal.input.isTTY) throw new ConfigError('stdin is not a terminal: pass --yes to confirm.')
  if (!(await isConfirmed(question, word, terminal))) throw new CommandError('Nothing was changed.')
}

/** Whether the person at the terminal types `word`. */
export async function isConfirmed(question: string, word: string, { input, errors }: Terminal) {
  const lines = createInterface({ input, output: errors })
  // Ctrl-C rejects the question by itself; Ctrl-D and a closed terminal only close it.
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  const answer = await lines
    .question(`${question}\nType ${word} to go on: `, { signal: closed.signal })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error
      errors.write('\n')
      return undefined
    })
  lines.close()
  return answer === word
}
