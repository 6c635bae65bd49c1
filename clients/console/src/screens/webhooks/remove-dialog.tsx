import type { Endpoint, RoundsClient } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { useCall } from '../../hooks/use-call.ts'
import { addressText } from './endpoint-text.ts'

type Props = { rounds: RoundsClient; endpoint: Endpoint; onRemoved: () => void; onClose: () => void }

export function RemoveDialog({ rounds, endpoint, onRemoved, onClose }: Props) {
  const { endpointId, url } = endpoint
  const { isBusy, error, call } = useCall()
  const remove = () =>
    call(async () => {
      await rounds.webhooks.remove({ endpointId })
      onClose()
      onRemoved()
    })
  return (
    <Dialog
      title={`Remove ${addressText(url)}?`}
      question="It is not called any more. Its secret, its place among the changes and its attempts are deleted. To stop for a while, pause it."
      onClose={onClose}
    >
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void remove()}>
          {isBusy ? 'One moment…' : 'Remove'}
        </button>
      </div>
    </Dialog>
  )
}
