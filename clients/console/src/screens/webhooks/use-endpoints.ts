// The endpoints as they stand now, each where it stood when the screen was opened: what a person is about to press does not move.
import { useRef } from 'preact/hooks'
import type { Endpoint, RoundsClient } from '../../../../typescript/src/client.ts'
import { useRefreshed } from './use-refreshed.ts'

const PAGE = 100

export type ShownEndpoint = { endpoint: Endpoint; isGone: boolean }

export function useEndpoints(rounds: RoundsClient, cursor: string | null) {
  const { data, error, reload } = useRefreshed([cursor], async (signal) => {
    const page = await rounds.webhooks.list({ limit: PAGE, cursor: cursor ?? undefined }, { signal })
    return { ...page, cursor, atMs: Date.now() }
  })
  const kept = useRef<{ page: typeof data; shown: ShownEndpoint[] }>({ page: undefined, shown: [] })
  if (data && data !== kept.current.page) {
    const { page, shown } = kept.current
    kept.current = {
      page: data,
      shown: page?.cursor === data.cursor ? steady(shown, data.data) : fresh(data.data),
    }
  }
  return {
    shown: data ? kept.current.shown : undefined,
    nextCursor: data?.nextCursor ?? null,
    readAtMs: data?.atMs,
    error,
    reload,
    /** What an answer says of an endpoint. An older answer that is on its way is dropped by reading anew. */
    set(endpoint: Endpoint) {
      kept.current.shown = kept.current.shown.map((one) =>
        one.endpoint.endpointId === endpoint.endpointId ? { endpoint, isGone: false } : one,
      )
      reload()
    },
    /** This person removed it. */
    drop(endpointId: string) {
      kept.current.shown = kept.current.shown.filter(({ endpoint }) => endpoint.endpointId !== endpointId)
      reload()
    },
  }
}

/** Those that somebody must look after come first. */
const fresh = (endpoints: readonly Endpoint[]): ShownEndpoint[] =>
  endpoints
    .toSorted((one, other) => Number(isInTrouble(other)) - Number(isInTrouble(one)))
    .map((endpoint) => ({ endpoint, isGone: false }))

const isInTrouble = ({ state, pausedBecause, failures }: Endpoint) =>
  state === 'paused' ? pausedBecause === 'gone' : failures > 0

/** Those that were shown keep their place, also those that are gone; others follow. */
function steady(shown: readonly ShownEndpoint[], endpoints: readonly Endpoint[]): ShownEndpoint[] {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.endpointId, endpoint]))
  const before = shown.map(({ endpoint }) => {
    const now = byId.get(endpoint.endpointId)
    byId.delete(endpoint.endpointId)
    return { endpoint: now ?? endpoint, isGone: now === undefined }
  })
  return [...before, ...fresh([...byId.values()])]
}
