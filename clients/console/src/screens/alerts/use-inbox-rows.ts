// The rows of the inbox: which alerts, in which group and order, held while somebody works with them, and what is new and urgent.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAtWork, useHeldOrder } from '../../hooks/use-held-order.ts'
import { groupOf, newUrgent, orderOf, sectionsOf, standingOf } from './alert-groups.ts'
import type { Listed } from './follow-alerts.ts'
import type { Alert } from './listed-alert.ts'

const NONE: readonly Alert[] = []

export function useInboxRows(listed: Listed | undefined) {
  const list = useRef<HTMLElement>(null)
  const active = listed?.alerts ?? NONE
  const alerts = useMemo(() => new Map(active.map((alert) => [alert.alertId, alert])), [active])
  const groups = useMemo(() => new Map(active.map((alert) => [alert.alertId, groupOf(alert)])), [active])
  const wanted = useMemo(() => orderOf(active), [active])
  const urgent = useMemo(
    () => new Set(wanted.filter((id) => alerts.get(id)?.severity === 'urgent' && groups.get(id) === 'open')),
    [wanted],
  )
  const isAtWork = useAtWork(list, false)
  const held = useHeldOrder(wanted, { view: 'active', isComplete: listed !== undefined, isAtWork, urgent })
  const sections = useMemo(() => sectionsOf(held.order, groups), [held.order])
  // One that would stay in its place may belong to another group.
  const standing = useMemo(() => standingOf(sections, groups), [sections, groups])
  const changed = Math.max(held.changed, standing.open.moved + standing.acknowledged.moved)
  return { list, alerts, sections, standing, ...held, changed, newcomers: useNewUrgent(listed) }
}

/** The urgent alerts of the last answer that brought any: they are read out. What was there when the screen opened is not new. */
function useNewUrgent(listed: Listed | undefined): readonly Alert[] {
  const before = useRef<readonly Alert[]>(undefined)
  const [newcomers, setNewcomers] = useState(NONE)
  const active = listed?.alerts
  useEffect(() => {
    if (!active) return
    const found = before.current ? newUrgent(before.current, active) : NONE
    before.current = active
    if (found.length > 0) setNewcomers(found)
  }, [active])
  return newcomers
}
