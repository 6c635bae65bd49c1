// How a step of bringing in a file ends: its own ways on, and another file.
import type { ComponentChildren } from 'preact'

export function WaysOn({ again, children }: { again: () => void; children: ComponentChildren }) {
  return (
    <p class="row">
      {children}
      <button type="button" class="button" onClick={again}>
        Another file
      </button>
    </p>
  )
}

/** Without `goOn` it sends the form in which it stands. */
export const GoOn = ({ goOn }: { goOn?: () => void }) => (
  <button type={goOn ? 'button' : 'submit'} class="button primary" onClick={goOn}>
    Go on
  </button>
)
