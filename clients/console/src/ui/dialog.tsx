// A modal dialog of the browser: it holds the focus, Escape closes it, and the focus returns to where it was. One with a question is
// focused itself and read out as a whole; none of its answers is chosen beforehand. One that is kept is closed by its button alone: what
// it shows is not shown again.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export function Dialog({
  title,
  question,
  isKept = false,
  onClose,
  children,
}: {
  title: string
  question?: string
  isKept?: boolean
  onClose: () => void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    if (question !== undefined) element?.focus()
    return () => {
      const { activeElement, body } = document
      // Not where an answer has moved the focus on.
      const isLost = activeElement === body || element?.contains(activeElement)
      if (element?.isConnected) element.close()
      if (isLost && before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby={isKept ? 'none' : 'closerequest'}
      // For browsers that do not know `closedby`.
      onCancel={(event) => isKept && event.preventDefault()}
      onClose={onClose}
      {...(question === undefined
        ? {}
        : { role: 'alertdialog', tabIndex: -1, 'aria-describedby': `${id}-question` })}
    >
      <h2 id={id}>{title}</h2>
      {question !== undefined && <p id={`${id}-question`}>{question}</p>}
      {children}
    </dialog>
  )
}
