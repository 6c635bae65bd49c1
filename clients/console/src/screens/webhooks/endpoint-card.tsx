// One endpoint: where it is, in which state, what it gets, and what can be done with it.
import { useId, useState } from 'preact/hooks'
import type { Endpoint, RoundsClient } from '../../../../typescript/src/client.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { countText } from '../../format/numbers.ts'
import { dateTimeText } from '../../format/times.ts'
import { useCall } from '../../hooks/use-call.ts'
import { Attempts } from './attempts.tsx'
import { addressText, eventsText, partsOf, patientsText, stateText } from './endpoint-text.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

type Props = {
  rounds: RoundsClient
  endpoint: Endpoint
  /** Another person removed it: the card keeps its place, so that the others keep theirs. */
  isGone: boolean
  isOpen: boolean
  now: number
  zone: string
  onToggle: () => void
  /** What the server says of it now, and what to say of that. */
  onChanged: (endpoint: Endpoint, said: string) => void
  onRemoved: () => void
}

export function EndpointCard(props: Props) {
  const { endpoint, isGone, isOpen, now, zone, onToggle } = props
  const id = useId()
  const { url, description, events, readingTypes, patientUids, thin } = endpoint
  const name = addressText(url)
  const { scheme, host, rest } = partsOf(url)
  const state = isGone
    ? { mark: 'paused', word: 'Removed', rest: ' by another person.' }
    : stateText(endpoint, now, zone)
  return (
    <li class={isGone ? 'panel endpoint gone' : 'panel endpoint'}>
      <div class="endpoint-head">
        <h2 class="clamp">
          {scheme && (
            <span class="endpoint-path" dir="ltr">
              {scheme}
            </span>
          )}
          <bdi>{host}</bdi>
          <span class="endpoint-path" dir="ltr">
            {rest}
          </span>
        </h2>
        {description && (
          <p class="clamp" dir="auto">
            {description}
          </p>
        )}
      </div>
      <p class="endpoint-state">
        <span class={`state-mark ${state.mark}`} aria-hidden="true" />
        <span>
          <strong class={state.mark}>{state.word}</strong>
          {state.rest}
        </span>
      </p>
      <p class="small muted endpoint-gets">
        Gets {eventsText({ events, readingTypes })} · {patientsText(patientUids)}
        {thin && ' · ids only'}
      </p>
      <Actions {...props} name={name} />
      <button
        type="button"
        class="link endpoint-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`Last attempts and details of ${name}`}
        onClick={onToggle}
      >
        <span>Last attempts and details</span>
      </button>
      <div id={id} class="endpoint-details" hidden={!isOpen}>
        {isOpen && <Details {...props} name={name} />}
      </div>
    </li>
  )
}

type PartProps = Props & { name: string }
type Asked = 'test' | 'replay' | 'rotate' | 'remove'

function Actions({ rounds, endpoint, isGone, zone, name, onChanged, onRemoved }: PartProps) {
  const [asked, setAsked] = useState<Asked>()
  const { isBusy, error, call } = useCall()
  const { endpointId, state } = endpoint
  const isPaused = state === 'paused'
  const close = () => setAsked(undefined)
  const dialog = { rounds, endpoint, zone, onClose: close }
  const toggle = () =>
    call(async () => {
      const answer = await (isPaused
        ? rounds.webhooks.resume({ endpointId })
        : rounds.webhooks.pause({ endpointId }))
      onChanged(answer.endpoint, isPaused ? `${name} is called again.` : `${name} is paused.`)
    })
  return (
    <div class="endpoint-actions" inert={isGone}>
      <ActionButton class="button" text="Test" name={name} onPress={() => setAsked('test')} />
      <ActionButton
        class="button endpoint-pause"
        text={isPaused ? 'Resume' : 'Pause'}
        name={name}
        isBusy={isBusy}
        onPress={() => void toggle()}
      />
      <ActionButton class="link" text="Replay" name={name} onPress={() => setAsked('replay')} />
      <ActionButton class="link" text="Rotate secret" name={name} onPress={() => setAsked('rotate')} />
      <ActionButton class="link" text="Remove" name={name} onPress={() => setAsked('remove')} />
      {error !== undefined && <ErrorNotice error={error} />}
      {asked === 'test' && <TestDialog {...dialog} />}
      {asked === 'replay' && (
        <ReplayDialog
          {...dialog}
          onDone={(changed, said) => {
            close()
            onChanged(changed, said)
          }}
        />
      )}
      {asked === 'rotate' && (
        <RotateDialog {...dialog} onDone={(changed) => onChanged(changed, `${name} has a new secret.`)} />
      )}
      {asked === 'remove' && <RemoveDialog {...dialog} onRemoved={onRemoved} />}
    </div>
  )
}

type ButtonProps = { class: string; text: string; name: string; isBusy?: boolean; onPress: () => void }

/** The second click of a double click is none on a button that has become another. */
function ActionButton({ class: style, text, name, isBusy = false, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      class={style}
      aria-label={`${text}: ${name}`}
      aria-disabled={isBusy}
      onClick={({ detail }) => detail < 2 && onPress()}
    >
      {text}
    </button>
  )
}

function Details({ rounds, endpoint, now, zone, name }: PartProps) {
  const { endpointId, url, patientUids, previousSecretUntil, replays, addedBy, addedAt } = endpoint
  return (
    <>
      <Attempts rounds={rounds} endpointId={endpointId} name={name} now={now} zone={zone} />
      <dl class="small">
        <dt>Address</dt>
        <dd dir="ltr">{url}</dd>
        <dt>Id</dt>
        <dd>{endpointId}</dd>
        <dt>Added</dt>
        <dd>
          {dateTimeText(addedAt, zone)} by <bdi>{addedBy}</bdi>
        </dd>
        {replays > 0 && (
          <>
            <dt>Replayed</dt>
            <dd>{countText(replays, 'time')}</dd>
          </>
        )}
        {previousSecretUntil && (
          <>
            <dt>Old secret</dt>
            <dd>valid until {dateTimeText(previousSecretUntil, zone)}</dd>
          </>
        )}
        {patientUids && patientUids.length > 0 && (
          <>
            <dt>Patients</dt>
            <dd>
              <PatientIds patientUids={patientUids} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

/** Ids of patients are personal: only on request. */
function PatientIds({ patientUids }: { patientUids: readonly string[] }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <button type="button" class="link" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'} the ids of {countText(patientUids.length, 'patient')}
      </button>
      {isShown && (
        <ul class="endpoint-patients">
          {patientUids.map((uid) => (
            <li key={uid}>
              <bdi>{uid}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
