// The order of the rows stays while somebody works with them: no row moves under a pointer. It follows the data when nobody is at
// work, and when the person asks for it.
import { useEffect, useRef, useState } from 'preact/hooks'

/** After so long without a sign of somebody, where nothing is chosen, under the pointer or focused. */
const REST_MS = 5_000
/** Else: nobody is about to press anything. */
const AWAY_MS = 120_000
const LOOK_EVERY_MS = 1_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

export type HeldOrder = {
  order: readonly string[]
  /** How many patients stand elsewhere by now, and how many need attention who did not. */
  changed: number
  urgent: number
  /** Sorts them again. */
  apply: () => void
}

type Options = {
  /** Another one is another list: queue, search, sort. */
  view: string
  /** Before that nothing is held: what comes later belongs among what is there. */
  isComplete: boolean
  isAtWork: boolean
  /** Who needs attention. */
  urgent: ReadonlySet<string>
}

type Kept = { view?: string; order: readonly string[]; urgent: ReadonlySet<string> }

export function useHeldOrder(wanted: readonly string[], options: Options): HeldOrder {
  const { view, isComplete, isAtWork, urgent } = options
  const kept = useRef<Kept>({ order: [], urgent })
  const [, setRound] = useState(0)
  const isHeld = isAtWork && kept.current.view === view
  if (!isHeld) kept.current = { ...(isComplete && { view }), order: wanted, urgent }
  const { order, urgent: known } = kept.current
  return {
    order,
    changed: order === wanted ? 0 : countChanged(order, wanted),
    urgent: [...urgent].filter((patientUid) => !known.has(patientUid)).length,
    apply() {
      kept.current = { view, order: wanted, urgent }
      setRound((number) => number + 1)
    },
  }
}

/** Whether somebody works with what is in this place. */
export function useAtWork(place: { current: HTMLElement | null }, isChosen: boolean): boolean {
  const [isAtWork, setAtWork] = useState(isChosen)
  const chosen = useRef(isChosen)
  chosen.current = isChosen
  const signAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const look = () => {
      const element = place.current
      const isNear =
        chosen.current || element?.matches(':hover') || element?.contains(document.activeElement) === true
      setAtWork(performance.now() - signAtMs.current < (isNear ? AWAY_MS : REST_MS))
    }
    const onSign = () => {
      signAtMs.current = performance.now()
      setAtWork(true)
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    for (const sign of SIGNS) addEventListener(sign, onSign, { passive: true, capture: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) removeEventListener(sign, onSign, { capture: true })
    }
  }, [])
  return isAtWork || isChosen
}

/** How many patients one would have to move, add or take away to make the one order the other. */
function countChanged(before: readonly string[], after: readonly string[]): number {
  const places = new Map(before.map((uid, place) => [uid, place]))
  const kept = after.flatMap((uid) => places.get(uid) ?? [])
  return before.length - kept.length + (after.length - kept.length) + (kept.length - longestRising(kept))
}

/** Of the longest part that is in order already: `ends` has the least last number of those of each length. */
function longestRising(numbers: readonly number[]): number {
  const ends: number[] = []
  for (const number of numbers) {
    const place = ends.findIndex((end) => end >= number)
    if (place === -1) ends.push(number)
    else ends[place] = number
  }
  return ends.length
}
