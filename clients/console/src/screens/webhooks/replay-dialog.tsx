// Sends again what an endpoint got before.
import { useId, useState } from 'preact/hooks'
import type { Endpoint, RoundsClient } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { dateTimeText, instantOfLocal, localInput } from '../../format/times.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { useCall } from '../../hooks/use-call.ts'
import { addressText } from './endpoint-text.ts'

type Props = {
  rounds: RoundsClient
  endpoint: Endpoint
  zone: string
  onDone: (endpoint: Endpoint, said: string) => void
  onClose: () => void
}

export function ReplayDialog({ rounds, endpoint, zone, onDone, onClose }: Props) {
  const { endpointId, url } = endpoint
  const [isAll, setAll] = useState(false)
  const [local, setLocal] = useState(() => localInput(Date.now() - DAY_MS, zone))
  const { isBusy, error, call } = useCall()
  const id = useId()
  const since = instantOfLocal(local, zone)
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isAll && since === undefined) return
    const from = isAll || since === undefined ? 'beginning' : new Date(since).toISOString()
    void call(async () => {
      const answer = await rounds.webhooks.replay({ endpointId, since: from })
      const words = from === 'beginning' ? 'everything' : `everything since ${dateTimeText(from, zone)}`
      onDone(answer.endpoint, `${addressText(url)} gets ${words} once more.`)
    })
  }
  return (
    <Dialog title={`Replay to ${addressText(url)}`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <div class="seg" role="group" aria-label="What to replay">
          <button type="button" aria-pressed={!isAll} onClick={() => setAll(false)}>
            Since a time
          </button>
          <button type="button" aria-pressed={isAll} onClick={() => setAll(true)}>
            From the beginning
          </button>
        </div>
        {!isAll && (
          <div class="field">
            <label for={id}>Since</label>
            <input
              id={id}
              class="input"
              type="datetime-local"
              required
              max={localInput(Date.now(), zone)}
              value={local}
              onInput={({ currentTarget }) => setLocal(currentTarget.value)}
              aria-describedby={`${id}-zone`}
            />
            <span class="hint" id={`${id}-zone`}>
              In {zone}.
            </span>
          </div>
        )}
        <p>
          {isAll
            ? 'The receiver gets everything once more, from the first reading that is stored.'
            : 'The receiver gets everything that changed since then once more.'}{' '}
          New changes follow after it, in order.
        </p>
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            {isBusy ? 'One moment…' : 'Replay'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
