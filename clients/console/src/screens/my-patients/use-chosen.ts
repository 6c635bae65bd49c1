// The patient who is chosen in the list: by pointer or key, in the address after a moment, and whether the panel is open.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { idOfRow } from './patient-rows.tsx'
import type { Rows } from './use-rows.ts'

/** A key that is held down passes many rows: browsers refuse a change of the address for each. */
const ADDRESS_AFTER_MS = 300
/** The first of two clicks must not put anything under the second. */
const DOUBLE_CLICK_MS = 260

export type Chosen = ReturnType<typeof useChosen>

type Options = { rows: Rows; address: Address; isPanelAbove: boolean }

export function useChosen({ rows, address, isPanelAbove }: Options) {
  const [uid, setUid] = useState(address.query.get('selected') ?? undefined)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { order } = rows
  useInAddress(address, uid)
  const [queue, find] = [address.query.get('queue'), address.query.get('find')]
  const before = useRef({ queue })
  useEffect(() => {
    // Another queue begins with nobody chosen.
    if (before.current.queue !== queue) setUid(undefined)
    before.current = { queue }
  }, [queue, find])
  useEffect(() => () => clearTimeout(opening.current), [])

  const show = (isShown: boolean) => {
    clearTimeout(opening.current)
    setPanelOpen(isShown)
  }
  const openRecord = (patientUid: string | undefined) => {
    if (patientUid === undefined) return
    show(false)
    // Back leads to the list with this patient chosen.
    address.go({ query: { selected: patientUid } }, { replace: true })
    address.go({ path: 'today', query: { patient: patientUid } })
  }
  const close = () => {
    show(false)
    setUid(undefined)
  }
  return {
    uid,
    isPanelOpen: isPanelAbove && isPanelOpen && uid !== undefined,
    select(patientUid: string) {
      setUid(patientUid)
      clearTimeout(opening.current)
      if (isPanelAbove) opening.current = setTimeout(() => setPanelOpen(true), DOUBLE_CLICK_MS)
    },
    closePanel: () => (isPanelAbove ? show(false) : close()),
    openRecord,
    commands: {
      move(by: number) {
        if (order.length === 0) return
        const at = uid === undefined ? -1 : order.indexOf(uid)
        // From nowhere, the first is next.
        const next = order[at === -1 ? 0 : Math.min(order.length - 1, Math.max(0, at + by))]
        if (next === undefined) return
        setUid(next)
        document.getElementById(idOfRow(next))?.scrollIntoView({ block: 'nearest' })
        rows.list.current?.focus({ preventScroll: true })
      },
      open: () => openRecord(uid),
      showPanel() {
        if (uid !== undefined && isPanelAbove) show(true)
        // Beside the list it is there already: from its heading, Tab leads to what can be done.
        else document.getElementById('side-panel-heading')?.focus()
      },
      leave() {
        const isSearching = document.activeElement === rows.find.current
        if (isSearching && rows.view.find !== '') rows.search('')
        else if (isSearching) rows.list.current?.focus({ preventScroll: true })
        else {
          close()
          // Nobody is at work there any more.
          rows.list.current?.blur()
        }
      },
    },
  }
}

export function useInAddress(address: Address, uid: string | undefined) {
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
