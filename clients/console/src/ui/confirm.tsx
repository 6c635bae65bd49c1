// Asks before something is taken away. Nothing is chosen beforehand.
import { useCall } from '../hooks/use-call.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './notice.tsx'

type Props = {
  title: string
  question: string
  act: () => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

export function ConfirmRemoval({ title, question, act, onDone, onClose }: Props) {
  const { isBusy, error, call } = useCall()
  const remove = async () => {
    await act()
    onClose()
    onDone()
  }
  return (
    <Dialog title={title} question={question} onClose={onClose}>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.kit.keepIt}
        </button>
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void call(remove)}>
          {isBusy ? words.kit.oneMoment : words.kit.remove}
        </button>
      </div>
    </Dialog>
  )
}
