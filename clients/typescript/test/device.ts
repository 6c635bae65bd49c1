// A device as a process of its own, for a test to kill: it takes readings and flushes them all the time, and prints the
// number of each reading once its queue has it.   node device.ts URL TOKEN PATIENT FILE
import { createReadingQueue, createRoundsClient } from '../src/client.ts'
import { fileStorage } from '../src/file-storage.ts'

const [, , url = '', token = '', patientUid = '', file = ''] = process.argv
const queue = createReadingQueue({
  client: createRoundsClient({ url, token: () => token, attempts: 1 }),
  storage: await fileStorage(file),
  onRefused: (_reading, error) => {
    throw error
  },
})

for (let sequence = 0; ; sequence++) {
  await queue.add({ patientUid, readingType: 'acme.step', timestamp: 1_763_000_000_000 + sequence, sequence })
  process.stdout.write(`${sequence}\n`)
  // Its network is bad: a flush that fails leaves everything for the next one.
  if (sequence % 20 === 0) void queue.flush().catch(() => undefined)
}
