// A list of which the newest page is loaded, and older ones on demand.
import { useState } from 'preact/hooks'
import { type Key, useLoad } from './use-load.ts'

type Page<Item> = { data: Item[]; nextCursor: string | null }

/** How older ones are shown. */
export type Older = { isMore: boolean; isBusy: boolean; error: unknown; show: () => Promise<void> }

export function usePages<Item>(
  key: Key,
  load: (page: { cursor?: string | undefined }, signal?: AbortSignal) => Promise<Page<Item>>,
  version?: readonly unknown[],
) {
  const { data: newest, error, reload } = useLoad(key, (signal) => load({}, signal), version)
  const [stored, setStored] = useState<{ newest: Page<Item> | undefined; page: Page<Item> }>()
  const [olderError, setOlderError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // What is older than another first page begins there.
  const older = stored?.newest === newest ? stored?.page : undefined
  const { nextCursor } = older ?? newest ?? { nextCursor: null }
  const show = async () => {
    setOlderError(undefined)
    setBusy(true)
    try {
      const page = await load({ cursor: nextCursor ?? undefined })
      const data = [...(older?.data ?? []), ...page.data]
      setStored({ newest, page: { data, nextCursor: page.nextCursor } })
    } catch (failure) {
      setOlderError(failure)
    }
    setBusy(false)
  }
  return {
    items: newest && [...newest.data, ...(older?.data ?? [])],
    error,
    reload,
    older: { isMore: nextCursor !== null, isBusy, error: olderError, show } satisfies Older,
  }
}
