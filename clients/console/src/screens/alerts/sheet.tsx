// What is chosen in a list, above it: for windows that have no room beside it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** As high as the window. The way back of the browser or the phone closes it. */
export function Sheet({
  name,
  onClose,
  children,
}: {
  name: string
  onClose: () => void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog class="list-sheet" ref={dialog} aria-label={name} closedby="any" onClose={onClose}>
      {children}
    </dialog>
  )
}
