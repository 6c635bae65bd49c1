// Adding a webhook: which address, what it gets, of whom, and from when. Then its secret, once.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Endpoint, type EndpointToAdd, RoundsError } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import '../../design/form.css'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { Radios } from '../../design/radios.tsx'
import { useCall } from '../../hooks/use-call.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { byName, TypeChoice } from '../sharing/type-choice.tsx'
import { addressText, type EventType, eventsText, patientsText } from './endpoint-text.ts'
import { Secret } from './secret.tsx'
import { TestDialog } from './test-dialog.tsx'
import './webhooks.css'

const MAX_URL = 2_000
const MAX_DESCRIPTION = 200
const MAX_PATIENTS = 1_000

const USUAL_EVENTS = ['readings.changed', 'patient.erased', 'grant.changed'] as const
const ALERT_EVENTS: readonly EventType[] = [
  'alert.opened',
  'alert.reopened',
  'alert.acknowledged',
  'alert.resolved',
  'alert.retracted',
]
const CHOICES: [events: readonly EventType[], text: string][] = [
  [['readings.changed'], 'Readings that are added, withdrawn or restored'],
  [['patient.erased'], 'Patients whose data is erased'],
  [['grant.changed'], 'What patients share with doctors'],
  [ALERT_EVENTS, 'Alerts, and what becomes of them'],
]

export function AddWebhook(props: ScreenProps) {
  const { hasWebhooks, session, catalogue } = useApp()
  const [added, setAdded] = useState<Added>()
  const { data: types, error, reload } = useLoad('catalogue', () => catalogue())
  if (!hasWebhooks) return <Empty title="This server has no webhooks." />
  if (!session.person.mayManageWebhooks) return <Empty title="Your sign-in may not manage webhooks." />
  if (added) return <AddedPanel {...props} {...added} />
  if (!types && error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  if (!types) return <Loading lines={5} height={64} />
  return <AddForm {...props} types={[...types.keys()].toSorted(byName)} onAdded={setAdded} />
}

type Added = { endpoint: Endpoint; secret: string }

function AddedPanel({ rounds, address, endpoint, secret }: ScreenProps & Added) {
  const [isTesting, setTesting] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // The form had the focus.
  useEffect(() => heading.current?.focus(), [])
  const name = addressText(endpoint.url)
  return (
    <section class="panel stack form" aria-labelledby="added-heading">
      <h2 id="added-heading" ref={heading} tabIndex={-1}>
        <bdi>{name}</bdi> is added
      </h2>
      <Secret secret={secret} />
      <p>Then send a test message, to see that the receiver accepts it.</p>
      <div class="row">
        <button type="button" class="button primary" onClick={() => setTesting(true)}>
          Send a test message
        </button>
        <Link class="button" address={address} to={{ path: 'webhooks' }}>
          To all webhooks
        </Link>
      </div>
      {isTesting && <TestDialog rounds={rounds} endpoint={endpoint} onClose={() => setTesting(false)} />}
    </section>
  )
}

type FormProps = ScreenProps & { types: string[]; onAdded: (added: Added) => void }

/** What is typed and chosen. */
type Typed = {
  url: string
  description: string
  events: readonly EventType[]
  /** Nothing for all. */
  types: readonly string[] | null
  /** One id a line; nothing for all patients. */
  patients: string | null
  thin: boolean
  from: 'now' | 'beginning'
}

const AT_FIRST: Typed = {
  url: '',
  description: '',
  events: USUAL_EVENTS,
  types: null,
  patients: null,
  thin: false,
  from: 'now',
}

function AddForm({ rounds, address, types, onAdded }: FormProps) {
  const [typed, setTyped] = useState(AT_FIRST)
  const { isBusy, error, call, forget } = useCall()
  const id = useId()
  const change = (part: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...part }))
    forget()
  }
  const refusal = isOfAddress(error) ? error : undefined
  const toAdd = webhookFrom(typed)
  const lack = lackOf(toAdd)
  const submit = (event: Event) => {
    event.preventDefault()
    if (lack !== undefined) return
    void call(async () => {
      const { endpoint, secret } = await rounds.webhooks.add(toAdd)
      onAdded({ endpoint, secret })
    })
  }
  return (
    <form class="panel stack form" onSubmit={submit}>
      <Where typed={typed} change={change} refusal={refusal} />
      <EventChoice events={typed.events} choose={(events) => change({ events })} />
      {hasTypes(typed.events) && (
        <TypeChoice
          types={types}
          chosen={typed.types}
          choose={(chosen) => change({ types: chosen })}
          legend="Kinds of readings to send"
        />
      )}
      <PatientChoice patients={typed.patients} choose={(patients) => change({ patients })} />
      <Radios
        legend="What is in a message?"
        choices={[
          [false, 'The readings themselves'],
          [true, 'Only ids: the receiver reads the rest with its own token'],
        ]}
        chosen={typed.thin}
        choose={(thin) => change({ thin })}
      />
      <Radios<Typed['from']>
        legend="From when?"
        choices={[
          ['now', 'What changes from now on'],
          ['beginning', 'First everything that is stored, then what changes'],
        ]}
        chosen={typed.from}
        choose={(from) => change({ from })}
      />
      <p class="notice form-summary" id={`${id}-summary`}>
        <span dir="auto">{lack ?? summaryOf(toAdd)}</span>
      </p>
      {error !== undefined && error !== refusal && <ErrorNotice error={error} />}
      <div class="row">
        <button
          type="submit"
          class="button primary"
          disabled={lack !== undefined}
          aria-disabled={isBusy || undefined}
          aria-describedby={`${id}-summary`}
        >
          {isBusy ? 'One moment…' : 'Add the webhook'}
        </button>
        <Link class="button" address={address} to={{ path: 'webhooks' }}>
          Cancel
        </Link>
      </div>
    </form>
  )
}

/** Whether the address was refused. */
const isOfAddress = (error: unknown) =>
  error instanceof RoundsError &&
  (error.code === 'EndpointExists' || error.errors.some(({ pointer }) => pointer === '/url'))

function webhookFrom(typed: Typed): EndpointToAdd & { events: EventType[] } {
  const { url, events, types, patients, thin, from } = typed
  const description = typed.description.replace(/\s+/g, ' ').trim()
  return {
    url: url.trim(),
    ...(description !== '' && { description }),
    events: [...events],
    ...(types !== null && hasTypes(events) && { readingTypes: [...types] }),
    ...(patients !== null && { patientUids: idsIn(patients) }),
    thin,
    from,
  }
}

const idsIn = (text: string) => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** What is still missing, if anything is. */
function lackOf({ url, events, readingTypes, patientUids }: EndpointToAdd): string | undefined {
  if (url === '') return 'Type the address that is to be called.'
  if (events?.length === 0) return 'Choose at least one kind of change.'
  if (readingTypes?.length === 0) return 'Choose at least one kind of reading.'
  if (patientUids?.length === 0) return 'Type the id of at least one patient.'
  if (patientUids && patientUids.length > MAX_PATIENTS) return 'Name at most 1,000 patients.'
  return undefined
}

/** Who will get whose data, before it is done. */
function summaryOf({ url, events = [], readingTypes, patientUids, thin }: EndpointToAdd): string {
  const what = eventsText({ events, readingTypes })
  const content = thin === true ? ' It gets ids only.' : ''
  return `${addressText(url)} will get ${what} of ${patientsText(patientUids)}.${content} Each patient sees it in “Who has read”.`
}

type PartProps = { typed: Typed; change: (part: Partial<Typed>) => void; refusal: unknown }

function Where({ typed, change, refusal }: PartProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isRefused = refusal !== undefined
  useEffect(() => {
    if (isRefused) input.current?.focus()
  }, [isRefused])
  return (
    <>
      <div class="field">
        <label for={id}>Address</label>
        <input
          id={id}
          ref={input}
          class="input"
          type="url"
          dir="ltr"
          required
          maxLength={MAX_URL}
          autocomplete="off"
          spellcheck={false}
          value={typed.url}
          onInput={({ currentTarget }) => change({ url: currentTarget.value })}
          aria-invalid={isRefused}
          aria-describedby={`${id}-hint`}
        />
        <span class="hint" id={`${id}-hint`}>
          Such as https://receiver.example/rounds. Rounds sends POST requests to it.
        </span>
        {isRefused && <ErrorNotice error={refusal} />}
      </div>
      <div class="field">
        <label for={`${id}-for`}>What is it for? (optional)</label>
        <input
          id={`${id}-for`}
          class="input"
          dir="auto"
          maxLength={MAX_DESCRIPTION}
          autocomplete="off"
          value={typed.description}
          onInput={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      </div>
    </>
  )
}

/** Whether they are about readings of a type. */
const hasTypes = (events: readonly EventType[]) =>
  events.some((event) => event === 'readings.changed' || ALERT_EVENTS.includes(event))

type EventProps = { events: readonly EventType[]; choose: (events: EventType[]) => void }

function EventChoice({ events, choose }: EventProps) {
  const { hasAlerts } = useApp()
  return (
    <fieldset class="field">
      <legend class="label">What does it get?</legend>
      {CHOICES.filter(([of]) => of !== ALERT_EVENTS || hasAlerts).map(([of, text]) => (
        <label key={text} class="check">
          <input
            type="checkbox"
            checked={of.every((event) => events.includes(event))}
            onChange={({ currentTarget }) =>
              choose(
                CHOICES.flatMap(([one]) => one).filter((one) =>
                  of.includes(one) ? currentTarget.checked : events.includes(one),
                ),
              )
            }
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

type PatientProps = { patients: string | null; choose: (patients: string | null) => void }

function PatientChoice({ patients, choose }: PatientProps) {
  const id = useId()
  return (
    <div class="field">
      <span class="label">Of which patients?</span>
      <div class="seg" role="group" aria-label="Of which patients?">
        <button type="button" aria-pressed={patients === null} onClick={() => choose(null)}>
          All
        </button>
        <button type="button" aria-pressed={patients !== null} onClick={() => choose(patients ?? '')}>
          Only some
        </button>
      </div>
      {patients === null ? (
        <span class="hint">Also patients who come later.</span>
      ) : (
        <>
          <label for={id}>Patient ids</label>
          <textarea
            id={id}
            class="input"
            dir="auto"
            rows={4}
            autocomplete="off"
            spellcheck={false}
            value={patients}
            onInput={({ currentTarget }) => choose(currentTarget.value)}
            aria-describedby={`${id}-hint`}
          />
          <span class="hint" id={`${id}-hint`}>
            One id a line, at most 1,000.
          </span>
        </>
      )}
    </div>
  )
}
