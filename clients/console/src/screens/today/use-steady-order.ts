// The order of the cards stays as it was when the screen was loaded: a reading that arrives moves no card under a finger. It follows
// the readings while the person is away.
import { useEffect, useRef, useState } from 'preact/hooks'

/** Without a movement, a key or a scroll for so long, nobody is about to press anything: a screen on a wall. */
const AWAY_MS = 120_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchstart'] as const

/** `isKnown`: from then on, `wanted` is an order that may stay. What comes later stands at the end. */
export function useSteadyOrder(wanted: readonly string[], isKnown: boolean): string[] {
  const isAway = useAway()
  const kept = useRef<readonly string[]>(undefined)
  if (isKnown && (kept.current === undefined || isAway)) kept.current = wanted
  const order = kept.current ?? wanted
  return [...order.filter((type) => wanted.includes(type)), ...wanted.filter((type) => !order.includes(type))]
}

function useAway(): boolean {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const leave = () => {
      // A screen reader moves without keys: where the focus is among the cards, somebody may be reading.
      if (document.activeElement?.closest('.cards')) return watch()
      return setAway(true)
    }
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(leave, AWAY_MS)
      setAway(document.visibilityState === 'hidden')
    }
    watch()
    document.addEventListener('visibilitychange', watch)
    for (const sign of SIGNS) addEventListener(sign, watch, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', watch)
      for (const sign of SIGNS) removeEventListener(sign, watch, { capture: true })
    }
  }, [])
  return isAway
}
