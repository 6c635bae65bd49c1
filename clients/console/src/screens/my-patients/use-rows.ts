// The rows of the list: which patients, in which order, held while somebody works with them.
import { useMemo, useRef } from 'preact/hooks'
import type { Address } from '../../address.ts'
import type { Listed } from './follow-patients.ts'
import { naturalOrder, orderOf, type Sort, type View, viewIn } from './list-view.ts'
import { useAtWork, useHeldOrder } from './use-held-order.ts'

export type Rows = ReturnType<typeof useRows>

type Options = { listed: Listed | undefined; address: Address; screen: { current: HTMLElement | null } }

export function useRows({ listed, address, screen }: Options) {
  const view: View = viewIn(address.query)
  const key = JSON.stringify(view)
  /** What takes the focus, what scrolls, and where one searches. */
  const [list, scroller, find] = [
    useRef<HTMLElement>(null),
    useRef<HTMLElement>(null),
    useRef<HTMLInputElement>(null),
  ]
  const patients = listed?.patients
  const wanted = useMemo(() => orderOf(patients?.values() ?? [], view), [patients, key])
  const urgent = useMemo(
    () => new Set(wanted.filter((patientUid) => patients?.get(patientUid)?.status === 'attention')),
    [wanted, patients],
  )
  const isAtWork = useAtWork(scroller, address.query.has('selected'))
  const held = useHeldOrder(wanted, { view: key, isComplete: listed?.isComplete === true, isAtWork, urgent })
  return {
    view,
    ...held,
    list,
    scroller,
    find,
    /** By the column again: in the other direction. */
    sortBy(sort: Sort) {
      const isSame = sort === view.sort
      const order = isSame ? (view.order === 'asc' ? 'desc' : 'asc') : naturalOrder(sort)
      const isNatural = order === naturalOrder(sort)
      address.go(
        { query: { sort: sort === 'attention' ? undefined : sort, order: isNatural ? undefined : order } },
        { replace: true },
      )
      scroller.current?.scrollTo({ top: 0 })
    },
    sortAgain() {
      held.apply()
      scroller.current?.scrollTo({ top: 0 })
    },
    search(text: string) {
      address.go({ query: { find: text === '' ? undefined : text } }, { replace: true })
    },
    screen,
  }
}
