// The queues of a doctor's list, with how many patients are in each. They stand in the navigation, and above the
// list where the navigation is a bar.
import type { MyPatientsAnswer } from '../../../typescript/src/client.ts'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { Link } from '../design/link.tsx'
import { type Store, useStored } from '../hooks/store.ts'
import { useNarrow } from '../hooks/use-narrow.ts'
import { QUEUES, queueIn, queueWord } from './queue-names.ts'
import './queues.css'

/** Nothing before the list was read. `silentAfter` and `worseBy` are rules of the list; null: there is no such queue. */
export type QueueState = {
  counts?: MyPatientsAnswer['counts'] | undefined
  silentAfter: number | null
  worseBy: number | null
}
export type QueueStore = Store<QueueState>

/** A navigation at the side has room for them, a bar at the foot has not. */
export const useQueuesInBar = () => useNarrow(860)

type Props = {
  address: Address
  path: string /** Under the entry that shows them all. */
  isBelowAll?: boolean
}

export function Queues({ address, path, isBelowAll = false }: Props) {
  const { queues } = useApp()
  const { counts, silentAfter, worseBy } = useStored(queues)
  const current = queueIn(address.query)
  const shown = QUEUES.filter(
    (queue) =>
      !(queue === 'all' && isBelowAll) &&
      !(queue === 'silent' && silentAfter === null) &&
      !(queue === 'worse' && worseBy === null),
  )
  return (
    <div class="queues" role="group" aria-label="Queues">
      {shown.map((queue) => (
        <Link
          key={queue}
          class={`queue ${queue}`}
          address={address}
          current={queue === current}
          to={{ path, query: { queue: queue === 'all' ? undefined : queue, selected: undefined } }}
        >
          <span>{queueWord(queue, silentAfter)}</span> <span class="queue-count">{counts?.[queue]}</span>
        </Link>
      ))}
    </div>
  )
}
