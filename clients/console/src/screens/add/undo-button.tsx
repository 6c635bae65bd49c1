// Undo, for a minute. It does not vanish under a finger, a pointer or the focus.
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'

const OFFERED_MS = 60_000

type Props = {
  label: string
  /** When the minute began. */
  since: number
  onUndo: () => Promise<void>
}

export function UndoButton({ label, since, onUndo }: Props) {
  const element = useRef<HTMLButtonElement>(null)
  const isOver = () => Date.now() - since > OFFERED_MS
  const [isOffered, setOffered] = useState(!isOver())
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    setOffered(!isOver())
    const timer = setInterval(() => {
      if (isOver() && !element.current?.matches(':focus, :hover')) setOffered(false)
    }, 1_000)
    return () => clearInterval(timer)
  }, [since])
  if (!isOffered) return null
  const undo = async () => {
    setPressed(true)
    // The button goes, and the focus stays with what is said about it.
    document.querySelector<HTMLElement>('#sent-heading')?.focus()
    try {
      await onUndo()
    } finally {
      setPressed(false)
    }
  }
  return (
    <button
      ref={element}
      type="button"
      class="link undo"
      aria-label={label}
      disabled={isPressed}
      onClick={() => void undo()}
    >
      {words.add.undo}
    </button>
  )
}
