// A button that opens a panel under it. Escape, a press elsewhere and a focus elsewhere close it.
//
// The panel can be focused: a press on a label or on a text in it moves the focus to the nearest element that can be, and without
// this that is `<main>`, which is elsewhere. The panel would close before the press becomes a click.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Props = {
  class: string
  label: ComponentChildren
  /** `close` also returns the focus to the button. */
  children: (close: () => void) => ComponentChildren
}

export function Popup({ class: name, label, children }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const closeElsewhere = (event: Event) => {
      const { current } = details
      if (current?.open && event.target instanceof Node && !current.contains(event.target))
        current.open = false
    }
    addEventListener('pointerdown', closeElsewhere)
    addEventListener('focusin', closeElsewhere)
    return () => {
      removeEventListener('pointerdown', closeElsewhere)
      removeEventListener('focusin', closeElsewhere)
    }
  }, [])
  const close = () => {
    if (!details.current?.open) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }
  return (
    <details class={name} ref={details} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <summary class="button">{label}</summary>
      <div class="chart-options" tabIndex={-1}>
        {children(close)}
      </div>
    </details>
  )
}
