// What the reader should know about the connection: live or not, offline, readings that wait, a sign-in that has ended.
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { BringInBanner } from '../bring-in/bring-in-banner.tsx'
import { useLasting } from '../hooks/use-lasting.ts'
import { useOnline } from '../hooks/use-online.ts'
import { LiveContext } from '../live/live.ts'
import { useOutbox } from '../outbox/outbox.ts'
import { RefusedReadings } from '../outbox/refused-readings.tsx'
import { words } from '../words/words.ts'

const HELD_UP_MS = 2_000

export function LiveLight() {
  const { state, lateSeconds } = useContext(LiveContext)
  const isOnline = useOnline()
  // A stream takes a while to notice that it is cut; the browser knows at once.
  const shown = isOnline ? state : 'offline'
  return (
    <span class={`live is-${shown}`}>
      <i aria-hidden="true" />
      <span>{shown === 'late' ? words.frame.late(lateSeconds) : words.frame.live[shown]}</span>
    </span>
  )
}

type Props = {
  address: Address
  zone: string
  /** Whether the screen itself shows which readings were not accepted. */
  isRefusalShown: boolean
}

export function Banners({ address, zone, isRefusalShown }: Props) {
  const { outbox, session } = useApp()
  const { waiting } = useOutbox(outbox)
  const isOnline = useOnline()
  const [hasEnded, setEnded] = useState(false)
  useEffect(() => session.onEnded(() => setEnded(true)), [session])
  const isHeldUp = useLasting(waiting.length > 0, HELD_UP_MS)
  return (
    <div class="banners" aria-live="polite">
      {hasEnded && (
        <div class="notice bad">
          <strong>{words.frame.signInEnded}</strong>
          <span>{words.frame.signInAgainToGoOn}</span>
          <button type="button" class="button primary" onClick={() => void session.signInAgain()}>
            {words.frame.signInAgain}
          </button>
        </div>
      )}
      {!isOnline && !hasEnded && (
        <div class="notice">
          <strong>{words.frame.offline}</strong>
          <span>{waiting.length > 0 ? words.frame.heldOffline(waiting.length) : words.frame.mayBeOld}</span>
        </div>
      )}
      {isOnline && !hasEnded && isHeldUp && (
        <div class="notice">
          <span>{words.frame.heldUp(waiting.length)}</span>
        </div>
      )}
      <BringInBanner address={address} />
      {!isRefusalShown && <RefusedReadings address={address} zone={zone} />}
    </div>
  )
}
