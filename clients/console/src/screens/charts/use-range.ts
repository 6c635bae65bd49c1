// The range of the charts: as the address has it, as a hand moves it, and as it is once the hand rests.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { addressOfRange, rangeInAddress, rangeOf, type TimeRange } from './time-range.ts'
import { useSettled } from './use-settled.ts'
import { beginMovement, createView, sameRange } from './view.ts'

export function useRange(address: Address, nowMs: number, zone: string) {
  const { query } = address
  const rangeText = ['range', 'from', 'to'].map((name) => query.get(name)).join(' ')
  const chosen = useMemo(() => rangeInAddress(query), [rangeText])
  const wanted = useMemo(() => rangeOf(chosen, nowMs, zone), [chosen, nowMs, zone])
  const view = useMemo(() => createView(wanted), [])
  const [settled, setSettled] = useSettled(view)
  // The address leads; a hand on the charts writes it, and then both agree. A hand that pauses and goes on is ahead of what it
  // wrote: that must not take it back.
  const written = useRef<TimeRange>(undefined)
  // At once: a movement that still waits for the hand to rest is not written over a newer choice.
  useLayoutEffect(() => {
    const isOwn = written.current !== undefined && sameSeconds(wanted, written.current)
    written.current = undefined
    if (isOwn || sameSeconds(wanted, view.range.get())) return
    // What a hand does from here on is another step.
    beginMovement(view)
    view.range.set(wanted)
    setSettled(wanted)
  }, [wanted.fromMs, wanted.toMs])
  // A movement is one step in the history, also where the hand rests in the middle of it.
  const lastStep = useRef(0)
  useEffect(() => {
    if (sameSeconds(settled, wanted)) return
    written.current = settled
    const movement = view.movements.get()
    address.go({ query: addressOfRange(settled) }, { replace: movement === lastStep.current })
    lastStep.current = movement
  }, [settled])
  return { chosen, view, settled }
}

/** The address is to the second. */
function sameSeconds(one: TimeRange, other: TimeRange): boolean {
  const seconds = ({ fromMs, toMs }: TimeRange) => ({
    fromMs: Math.round(fromMs / 1_000),
    toMs: Math.round(toMs / 1_000),
  })
  return sameRange(seconds(one), seconds(other))
}
