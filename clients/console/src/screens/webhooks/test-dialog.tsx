// Sends a test message now, and says what the receiver answered.
import { useEffect, useState } from 'preact/hooks'
import type { Endpoint, RoundsClient, TestEndpointAnswer } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { useCall } from '../../hooks/use-call.ts'
import { addressText, outcomeText, tookText } from './endpoint-text.ts'

type Props = { rounds: RoundsClient; endpoint: Endpoint; onClose: () => void }

export function TestDialog({ rounds, endpoint, onClose }: Props) {
  const { endpointId, url } = endpoint
  const [attempt, setAttempt] = useState<TestEndpointAnswer['attempt']>()
  const { isBusy, error, call } = useCall()
  const send = () =>
    call(async () => {
      setAttempt(undefined)
      const answer = await rounds.webhooks.test({ endpointId })
      setAttempt(answer.attempt)
    })
  useEffect(() => void send(), [])
  return (
    <Dialog
      title={`Test of ${addressText(url)}`}
      question="It gets a signed message of the type endpoint.test, which holds no reading."
      onClose={onClose}
    >
      <div class="webhook-tested" role="status">
        {isBusy && <span class="muted">Waiting for the receiver…</span>}
        {attempt && (
          <div class={attempt.error ? 'notice bad' : 'notice good'}>
            <strong>{outcomeText(attempt)}</strong>
            <span class="muted">after {tookText(attempt.durationMs)}</span>
          </div>
        )}
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="actions">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void send()}>
          Test again
        </button>
        <button type="button" class="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
