// A queue's readings in a file, for devices that run Node: a journal of lines that is only appended to, and emptied when
// nothing is left. One process may use a file at a time.
import { open } from 'node:fs/promises'
import type { Reading } from './contract.ts'
import { firstOf, type QueueStorage } from './queue-storage.ts'

type Line = { key: number; reading: Reading } | { removed: number[] }

export async function fileStorage(path: string): Promise<QueueStorage & { close: () => Promise<void> }> {
  // Readable by its owner only: these are patients' readings.
  const file = await open(path, 'a+', 0o600)
  const readings = new Map<number, Reading>()
  let lastKey = 0
  for (const line of whole(await file.readFile('utf8'))) {
    if ('removed' in line) for (const key of line.removed) readings.delete(key)
    else {
      readings.set(line.key, line.reading)
      lastKey = line.key
    }
  }

  async function write(lines: Line[]) {
    // Begins with a line break, so that a line cut short by a power failure spoils no other.
    await file.appendFile(`\n${lines.map((line) => JSON.stringify(line)).join('\n')}`)
  }
  return {
    count: async () => readings.size,
    async append(added) {
      const lines = added.map((reading) => ({ key: ++lastKey, reading }))
      await write(lines)
      await file.datasync()
      for (const { key, reading } of lines) readings.set(key, reading)
    },
    oldest: async (limit) => firstOf(readings, limit),
    async remove(keys) {
      for (const key of keys) readings.delete(key)
      if (readings.size > 0) await write([{ removed: keys }])
      else await file.truncate(0)
    },
    close: () => file.close(),
  }
}

/** The lines that were written to their end. One that was not had not been acknowledged. */
function* whole(journal: string): Generator<Line> {
  for (const text of journal.split('\n')) {
    const line = parsed(text)
    if (line !== undefined) yield line
  }
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
