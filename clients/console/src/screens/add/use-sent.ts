// What was added here and was not refused: it waits in the queue of the device, or is stored.
import { useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { type Outbox, useOutbox } from '../../outbox/outbox.ts'

type SentReading = { reading: Reading; state: 'waiting' | 'stored' }

export type SentReadings = {
  readings: SentReading[]
  failure: unknown
  send: (reading: Reading) => Promise<void>
}

export function useSent(outbox: Outbox, patientUid: string): SentReadings {
  const { waiting, refused, failure } = useOutbox(outbox)
  const [added, setAdded] = useState<Reading[]>([])
  const isOfPatient = ({ reading }: { reading: Reading }) => reading.patientUid === patientUid
  const queued = waiting.filter(isOfPatient).map(({ reading }) => reading)
  const [isQueued, isRefused] = [keysOf(queued), keysOf(refused.map(({ reading }) => reading))]
  // Those of an earlier visit wait too.
  const earlier = queued.filter((reading) => !keysOf(added).has(keyOf(reading)))
  const readings = [...earlier, ...added]
    .filter((reading) => !isRefused.has(keyOf(reading)))
    .map((reading): SentReading => ({ reading, state: isQueued.has(keyOf(reading)) ? 'waiting' : 'stored' }))
    .toReversed()
  return {
    readings,
    failure,
    async send(reading) {
      await outbox.add(reading)
      setAdded((others) => [...others, reading])
    },
  }
}

/** What makes a reading the same is its content. */
const keyOf = (reading: Reading) => JSON.stringify(reading)
const keysOf = (readings: Reading[]) => new Set(readings.map(keyOf))
