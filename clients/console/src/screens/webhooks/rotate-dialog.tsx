// Gives an endpoint a new secret. Until the receiver knows it, messages are signed with the old one too.
import { useState } from 'preact/hooks'
import type { Endpoint, RoundsClient } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { dateTimeText } from '../../format/times.ts'
import { useCall } from '../../hooks/use-call.ts'
import { addressText } from './endpoint-text.ts'
import { Secret } from './secret.tsx'

const OVERLAPS: [name: string, hours: number][] = [
  ['A day', 24],
  ['A week', 168],
  ['Not at all', 0],
]

type Props = {
  rounds: RoundsClient
  endpoint: Endpoint
  zone: string
  onDone: (endpoint: Endpoint) => void
  onClose: () => void
}

export function RotateDialog({ rounds, endpoint, zone, onDone, onClose }: Props) {
  const { endpointId, url } = endpoint
  const [overlapHours, setOverlap] = useState(24)
  const [secret, setSecret] = useState<string>()
  const { isBusy, error, call } = useCall()
  const rotate = () =>
    call(async () => {
      const answer = await rounds.webhooks.rotateSecret({ endpointId, overlapHours })
      setSecret(answer.secret)
      onDone(answer.endpoint)
    })
  const until = endpoint.previousSecretUntil
  return (
    <Dialog
      title={`Rotate the secret of ${addressText(url)}`}
      isKept={isBusy || secret !== undefined}
      onClose={onClose}
    >
      {secret === undefined ? (
        <div class="stack">
          <div class="field">
            <span class="label">How long is the old secret valid too?</span>
            <div class="seg" role="group" aria-label="How long is the old secret valid too?">
              {OVERLAPS.map(([name, hours]) => (
                <button
                  key={hours}
                  type="button"
                  aria-pressed={overlapHours === hours}
                  onClick={() => setOverlap(hours)}
                >
                  {name}
                </button>
              ))}
            </div>
          </div>
          <p>
            {overlapHours === 0
              ? 'The receiver refuses messages until it knows the new secret. They are sent again until then.'
              : 'Until then each message is signed with both, so the receiver refuses none.'}
            {until && ` The secret before that, valid until ${dateTimeText(until, zone)}, ends now.`}
          </p>
        </div>
      ) : (
        <div class="stack">
          <Secret secret={secret} />
          <p role="status">
            {until
              ? `The old secret is valid until ${dateTimeText(until, zone)}.`
              : 'The old secret is no longer valid.'}
          </p>
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="actions">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => !isBusy && onClose()}>
          {secret === undefined ? 'Cancel' : 'Close'}
        </button>
        {secret === undefined && (
          <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void rotate()}>
            {isBusy ? 'One moment…' : 'Rotate the secret'}
          </button>
        )}
      </div>
    </Dialog>
  )
}
