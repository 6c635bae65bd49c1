// Asks before a very unusual value is stored. The focus is on the question and not on an answer, so that a second Enter, or the second
// click of a double click, decides nothing.
import { useRef } from 'preact/hooks'
import { unitSign } from '../../format/units.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { Question } from './question.ts'

type Props = {
  question: Question
  /** It is right as it is, or in another unit. */
  onAdd: (unit: string | undefined) => void
  onChange: () => void
}

export function Ask({ question: { doubt, others }, onAdd, onChange }: Props) {
  const meant = others.map(({ text }) => text).join(' or ')
  const isAnswered = useRef(false)
  const answer = (act: () => void) => {
    if (isAnswered.current) return
    isAnswered.current = true
    act()
  }
  const once = (act: () => void) => (event: MouseEvent) => event.detail < 2 && answer(act)
  return (
    <Dialog
      title={doubt}
      question={meant === '' ? 'Is it right?' : `Did you mean ${meant}?`}
      onClose={() => answer(onChange)}
    >
      <div class="actions ask">
        {others.map(({ unit }) => (
          <button key={unit} type="button" class="button" onClick={once(() => onAdd(unit))}>
            It is {unitSign(unit)}
          </button>
        ))}
        <button type="button" class="button" onClick={once(() => onAdd(undefined))}>
          It is right, add it
        </button>
        <button type="button" class="button" onClick={once(onChange)}>
          Change it
        </button>
      </div>
    </Dialog>
  )
}
