// The queues of a doctor's list, in the order in which they are worked through: a shape and a word for each, and how many are left in it.
import { useEffect } from 'preact/hooks'
import type { ListedPatient, MyPatientsAnswer } from '../../../typescript/src/client.ts'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { useStored } from '../hooks/store.ts'
import { useLoad } from '../hooks/use-load.ts'
import { useTick } from '../hooks/use-now.ts'
import { MY_PATIENTS } from '../layout/screen-names.ts'
import { Link } from '../ui/link.tsx'
import './queues.css'
import { words } from '../words/words.ts'

const SIGNS = { actNow: '!', thisWeek: '◆', silent: '◌', seen: '◉', fine: '○', notJudged: '–' } as const
export type Queue = ListedPatient['queue']
const QUEUE_NAMES = Object.keys(SIGNS) as Queue[]

/** Of the address; undefined for all patients. */
export const queueOf = ({ query }: Address) => QUEUE_NAMES.find((name) => name === query.get('queue'))

export const QueueMark = ({ queue }: { queue: Queue }) => (
  <i aria-hidden="true" class={`queue-mark ${queue}`}>
    {SIGNS[queue]}
  </i>
)

/** Undefined where it is not known now: an old number is not shown. */
export type QueueCounts = MyPatientsAnswer['counts'] | undefined

const EVERY_MS = 30_000

/** The list says them while it is shown; elsewhere they are asked for from time to time. */
export function useQueueCounts({ isAsked }: { isAsked: boolean }): QueueCounts {
  const { rounds, queueCounts } = useApp()
  const tick = useTick(EVERY_MS)
  const { data, error } = useLoad(
    [isAsked],
    async (signal) => (isAsked ? (await rounds.myPatients.list({ limit: 1 }, { signal })).counts : undefined),
    [tick],
  )
  useEffect(() => {
    if (isAsked) queueCounts.set(error === undefined ? data : undefined)
  }, [isAsked, data, error])
  return useStored(queueCounts)
}

type Props = {
  counts: QueueCounts
  address: Address
  /** Whether all patients are one of them. */
  hasAll?: boolean
}

/** The ways to the queues, each with what is left in it. */
export function Queues({ counts, address, hasAll = false }: Props) {
  return (
    <div class="queues" role="group" aria-label={words.reasons.queuesLabel}>
      {[...(hasAll ? [undefined] : []), ...QUEUE_NAMES].map((queue) => (
        <Link
          key={queue}
          address={address}
          current={queue === queueOf(address)}
          to={{
            path: MY_PATIENTS,
            query: { patient: undefined, queue, cursor: undefined, selected: undefined, find: undefined },
          }}
        >
          {queue && <QueueMark queue={queue} />}{' '}
          <span>{queue ? words.reasons.queues[queue] : words.reasons.all}</span>{' '}
          <b>{counts?.[queue ?? 'all']}</b>
        </Link>
      ))}
    </div>
  )
}
