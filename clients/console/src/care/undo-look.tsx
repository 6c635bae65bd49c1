// The look that was given last, which can be taken back as long as the service takes it, wherever its doctor has gone on to.
import { useState } from 'preact/hooks'
import type { ListedPatient } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { useStored } from '../hooks/store.ts'
import { useCall } from '../hooks/use-call.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { words } from '../words/words.ts'

export type Undoable = Pick<ListedPatient, 'patientUid' | 'sharedAs'> & {
  reviewId: string
  /** By the clock of the browser, which may differ from that of the service. */
  undoUntilMs: number
}

type Props = { now: number; onUndone: () => void }

export function UndoLook({ now, onUndone }: Props) {
  const { rounds, lastLook } = useApp()
  const done = useStored(lastLook)
  const [undoneId, setUndoneId] = useState<string>()
  const { isBusy, error, call } = useCall()
  if (!done || now > done.undoUntilMs) return null
  const { patientUid, sharedAs, reviewId } = done
  const isUndone = undoneId === reviewId
  const undo = async () => {
    await rounds.reviews.undo({ patientUid, reviewId })
    setUndoneId(reviewId)
    onUndone()
  }
  return (
    <div class="undo-look row" role="status">
      {isUndone ? words.overview.undone : words.overview.done}: <bdi>{sharedAs ?? patientUid}</bdi>
      {!isUndone && (
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void call(undo)}>
          {words.overview.undo}
        </button>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </div>
  )
}
