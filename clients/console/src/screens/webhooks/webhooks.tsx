// Webhooks: the systems that are called with changes, how far each is, and what became of the last attempts. For those who run Rounds.
import type { Ref } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Endpoint } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { errorText } from '../../format/error-text.ts'
import { sinceText } from '../../format/times.ts'
import { useNow } from '../../hooks/use-now.ts'
import type { ScreenProps } from '../../screen.ts'
import { EndpointCard } from './endpoint-card.tsx'
import { addressText } from './endpoint-text.ts'
import { type ShownEndpoint, useEndpoints } from './use-endpoints.ts'
import { EVERY_MS } from './use-refreshed.ts'
import './webhooks.css'

export function Webhooks(props: ScreenProps) {
  const { hasWebhooks, session } = useApp()
  if (!hasWebhooks) return <Empty title="This server has no webhooks." />
  if (!session.person.mayManageWebhooks) return <Empty title="Your sign-in may not manage webhooks." />
  return <Endpoints {...props} />
}

function Endpoints({ rounds, zone, address }: ScreenProps) {
  const now = useNow(EVERY_MS)
  const cursor = address.query.get('cursor')
  const endpoints = useEndpoints(rounds, cursor)
  const { shown, nextCursor, error, reload } = endpoints
  const [said, setSaid] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const [removals, setRemovals] = useState(0)
  const { isOpen, toggle } = useOpen(address, shown)
  useEffect(() => {
    // What was removed had the focus.
    if (removals > 0) heading.current?.focus()
  }, [removals])
  if (!shown)
    return error === undefined ? (
      <Loading lines={3} height={150} />
    ) : (
      <ErrorNotice error={error} onRetry={reload} />
    )
  if (shown.length === 0 && cursor === null) return <NoneYet address={address} heading={heading} />
  const onChanged = (endpoint: Endpoint, words: string) => {
    endpoints.set(endpoint)
    setSaid(words)
  }
  return (
    <section aria-labelledby="webhooks-heading">
      <div class="row webhooks-head">
        <h2 id="webhooks-heading" ref={heading} tabIndex={-1}>
          Systems that are called when something changes
        </h2>
        <AddLink address={address} />
      </div>
      <Freshness error={error} readAtMs={endpoints.readAtMs} now={now} zone={zone} />
      <p class="unseen" role="status">
        {said}
      </p>
      <ul class="endpoints">
        {shown.map(({ endpoint, isGone }) => (
          <EndpointCard
            key={endpoint.endpointId}
            rounds={rounds}
            endpoint={endpoint}
            isGone={isGone}
            isOpen={isOpen(endpoint.endpointId)}
            now={now}
            zone={zone}
            onToggle={() => toggle(endpoint.endpointId)}
            onChanged={onChanged}
            onRemoved={() => {
              endpoints.drop(endpoint.endpointId)
              setSaid(`${addressText(endpoint.url)} is removed.`)
              setRemovals((count) => count + 1)
            }}
          />
        ))}
      </ul>
      <Pages address={address} cursor={cursor} nextCursor={nextCursor} />
    </section>
  )
}

const NONE = 'none'

/** Which details are open, in the address: a link shows what its sender saw. An endpoint that is alone is open at first. */
function useOpen(address: Address, shown: readonly ShownEndpoint[] | undefined) {
  const first = useRef<string[]>(undefined)
  if (shown) first.current ??= shown.length === 1 ? shown.map(({ endpoint }) => endpoint.endpointId) : []
  const open = address.query.has('open') ? address.query.getAll('open') : (first.current ?? [])
  return {
    isOpen: (endpointId: string) => open.includes(endpointId),
    toggle: (endpointId: string) => {
      const others = open.filter((id) => id !== endpointId && id !== NONE)
      const after = open.includes(endpointId) ? others : [...others, endpointId]
      address.go({ query: { open: after.length === 0 ? NONE : after } }, { replace: true })
    },
  }
}

type FreshnessProps = { error: unknown; readAtMs: number | undefined; now: number; zone: string }

/** One line, whatever it says: nothing below it moves. */
function Freshness({ error, readAtMs, now, zone }: FreshnessProps) {
  return (
    <p class="small webhooks-note" role="status">
      {error === undefined || readAtMs === undefined ? (
        <span class="muted">
          Read again every {EVERY_MS / 1_000} seconds. Times in {zone}.
        </span>
      ) : (
        <span class="wrong">
          As of {sinceText(readAtMs, now, zone)}. {errorText(error).title}
        </span>
      )}
    </p>
  )
}

function AddLink({ address }: { address: Address }) {
  return (
    <Link class="button primary" address={address} to={{ path: 'add-webhook' }}>
      Add a webhook
    </Link>
  )
}

type NoneProps = { address: Address; heading: Ref<HTMLHeadingElement> }

function NoneYet({ address, heading }: NoneProps) {
  return (
    <section class="panel webhooks-none" aria-labelledby="webhooks-heading">
      <h2 id="webhooks-heading" ref={heading} tabIndex={-1}>
        No other system is called yet
      </h2>
      <p>
        A webhook is an address of another system. Rounds sends it a signed message when readings are added or
        withdrawn, when a patient is erased, and when a patient shares with a doctor. A system that is down
        for a month gets everything when it is back, in order.
      </p>
      <AddLink address={address} />
      <p class="small muted">Or in a shell, where DATABASE_URL and WEBHOOK_KEY are those of this server:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard too. */}
      <pre tabIndex={0} aria-label="Command">
        npx rounds webhook add https://receiver.example/rounds
      </pre>
    </section>
  )
}

type PagesProps = { address: Address; cursor: string | null; nextCursor: string | null }

function Pages({ address, cursor, nextCursor }: PagesProps) {
  if (cursor === null && nextCursor === null) return null
  return (
    <nav class="row more" aria-label="Pages">
      {cursor !== null && (
        <Link class="button" address={address} to={{ query: { cursor: undefined } }}>
          First page
        </Link>
      )}
      {nextCursor !== null && (
        <Link class="button" address={address} to={{ query: { cursor: nextCursor } }}>
          Next page
        </Link>
      )}
    </nav>
  )
}
