// The alerts that are over, the newest first, older ones on demand.
import { useMemo } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { usePages } from '../../hooks/use-pages.ts'
import type { Shown } from './alert-groups.ts'
import type { Alert } from './listed-alert.ts'

const PAGE = 50
const NONE: { data: Alert[]; nextCursor: null } = { data: [], nextCursor: null }

type Options = {
  shown: Shown
  /** The active ones: where they change, one of them may be over. */
  since: readonly Alert[] | undefined
}

export function useEnded(rounds: RoundsClient, { shown, since }: Options) {
  const { items, error, reload, older } = usePages<Alert & { of: Shown }>(
    async ({ cursor }, signal) => {
      if (shown === 'active') return { ...NONE, data: [] }
      const { data, nextCursor } = await rounds.alerts.list({ state: shown, limit: PAGE, cursor }, { signal })
      return { data: data.map((alert) => ({ ...alert, of: shown })), nextCursor }
    },
    [shown, shown === 'active' ? undefined : since],
  )
  // What was loaded for another choice is none of this one.
  const own = items?.filter(({ of }) => of === shown)
  const key = own?.map(({ alertId }) => alertId).join()
  const alerts: ReadonlyMap<string, Alert> = useMemo(
    () => new Map(own?.map((alert) => [alert.alertId, alert])),
    [key, items],
  )
  return { alerts, error, reload, older, isKnown: items !== undefined && items.length === own?.length }
}
