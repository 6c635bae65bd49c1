// A list of which the newest page is loaded, and older ones on demand.
import { useEffect, useState } from 'preact/hooks'
import { useLoad } from './use-load.ts'

type Page<Item> = { data: Item[]; nextCursor: string | null }

/** How older ones are shown. */
export type Older = { isMore: boolean; isBusy: boolean; error: unknown; show: () => Promise<void> }

export function usePages<Item>(
  load: (page: { cursor?: string | undefined }, signal?: AbortSignal) => Promise<Page<Item>>,
  dependencies: unknown[],
) {
  const { data, error, reload } = useLoad((signal) => load({}, signal), dependencies)
  const [older, setOlder] = useState<Page<Item>>()
  const [olderError, setOlderError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // What is older than another first page begins there.
  useEffect(() => setOlder(undefined), [data])
  const { nextCursor } = older ?? data ?? { nextCursor: null }
  const show = async () => {
    setOlderError(undefined)
    setBusy(true)
    try {
      const page = await load({ cursor: nextCursor ?? undefined })
      setOlder({ data: [...(older?.data ?? []), ...page.data], nextCursor: page.nextCursor })
    } catch (failure) {
      setOlderError(failure)
    }
    setBusy(false)
  }
  return {
    items: data && [...data.data, ...(older?.data ?? [])],
    error,
    reload,
    older: { isMore: nextCursor !== null, isBusy, error: olderError, show } satisfies Older,
  }
}
