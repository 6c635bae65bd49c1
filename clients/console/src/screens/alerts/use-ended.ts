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
  const { items, error, reload, older } = usePages<Alert>(
    [shown],
    async ({ cursor }, signal) =>
      shown === 'active' ? NONE : rounds.alerts.list({ state: shown, limit: PAGE, cursor }, { signal }),
    [shown === 'active' ? undefined : since],
  )
  const key = items?.map(({ alertId }) => alertId).join()
  const alerts: ReadonlyMap<string, Alert> = useMemo(
    () => new Map(items?.map((alert) => [alert.alertId, alert])),
    [key, items],
  )
  return { alerts, error, reload, older, isKnown: items !== undefined }
}
