// A list under its heading: what is loading, what failed and that there is nothing stand in its place.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import './list.css'
import { Awaited, Empty } from './notice.tsx'

type Props<Item> = {
  title: ComponentChildren
  /** How many were removed here: what was removed had the focus. */
  removals: number
  /** Beside the heading. */
  action?: ComponentChildren
  /** Between the heading and the list. */
  before?: ComponentChildren
  /** What has just happened to it. */
  said: string | false | undefined
  items: readonly Item[] | undefined
  error: unknown
  reload: () => void
  keyOf: (item: Item) => string
  empty: readonly [title: string, advice: string]
  children: (item: Item) => ComponentChildren
}

export function List<Item>(props: Props<Item>) {
  const { title, removals, action, before, said, items, error, reload, keyOf, empty, children } = props
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (removals > 0) heading.current?.focus()
  }, [removals])
  return (
    <section aria-labelledby={id}>
      <div class="list-title row">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {action}
      </div>
      {before}
      <p class="unseen" role="status">
        {said}
      </p>
      {(!items || error !== undefined) && <Awaited {...{ error, reload }} lines={3} height={92} />}
      {items?.length === 0 && (
        <Empty title={empty[0]}>
          <span>{empty[1]}</span>
        </Empty>
      )}
      {items && items.length > 0 && (
        <ul class="panel items">
          {items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
