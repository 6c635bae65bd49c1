// The alert that is chosen in the inbox: by pointer or key, in the address after a moment, and what is being done with it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Address } from '../../address.ts'
import type { Shown } from './alert-groups.ts'
import type { Alert } from './listed-alert.ts'

/** A key that is held down passes many rows: browsers refuse a change of the address for each. */
const ADDRESS_AFTER_MS = 300

export const idOfRow = (alertId: string) => `alert-${alertId}`

export type ChosenAlert = ReturnType<typeof useChosenAlert>

type Options = {
  shown: Shown
  order: readonly string[]
  alerts: ReadonlyMap<string, Alert>
  list: { current: HTMLElement | null }
  address: Address
  isPanelAbove: boolean
}

export function useChosenAlert({ shown, order, alerts, list, address, isPanelAbove }: Options) {
  const [alertId, setAlertId] = useState(address.query.get('selected') ?? undefined)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [isAcknowledging, setAcknowledging] = useState(false)
  useInAddress(address, alertId)
  const alert = alertId === undefined ? undefined : alerts.get(alertId)

  const close = () => {
    setPanelOpen(false)
    setAlertId(undefined)
  }
  const showPanel = () => {
    if (alert && isPanelAbove) setPanelOpen(true)
    // Beside the list it is there already: from its heading, Tab leads to what can be done.
    else document.getElementById('side-panel-heading')?.focus()
  }
  const before = useRef(shown)
  useLayoutEffect(() => {
    // Another list begins with nothing chosen.
    if (before.current !== shown) close()
    before.current = shown
  }, [shown])
  return {
    alertId,
    alert,
    isPanelOpen: isPanelAbove && isPanelOpen && alertId !== undefined,
    isAcknowledging,
    /** Without showing more of it. */
    choose: setAlertId,
    acknowledge: () => setAcknowledging(true),
    stop: () => setAcknowledging(false),
    select(id: string) {
      setAlertId(id)
      if (isPanelAbove) setPanelOpen(true)
    },
    closePanel: () => (isPanelAbove ? setPanelOpen(false) : close()),
    commands: {
      move(by: number) {
        if (order.length === 0) return
        const at = alertId === undefined ? -1 : order.indexOf(alertId)
        // From nowhere, the first is next.
        const next = order[at === -1 ? 0 : Math.min(order.length - 1, Math.max(0, at + by))]
        if (next === undefined) return
        setAlertId(next)
        document.getElementById(idOfRow(next))?.scrollIntoView({ block: 'nearest' })
        list.current?.focus({ preventScroll: true })
      },
      open: showPanel,
      showPanel,
      leave() {
        close()
        list.current?.blur()
      },
    },
  }
}

function useInAddress(address: Address, uid: string | undefined) {
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return undefined
    }
    const timer = setTimeout(
      () => address.go({ query: { selected: uid } }, { replace: true }),
      ADDRESS_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [uid])
}
