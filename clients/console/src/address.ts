// The address as state: what a screen shows is in its path and query, so a link shows what its sender saw.
import { useEffect, useMemo, useState } from 'preact/hooks'

const BASE = '/console/'
/** Of a path such as /console/today. */
export const screenOf = (pathname: string) => pathname.slice(BASE.length)

/** Fields of the query by name; a list repeats one, undefined removes it. */
type Query = Record<string, string | readonly string[] | undefined>
export type AddressChange = { path?: string; query?: Query }

export type Address = {
  /** The screen, such as `today`. */
  path: string
  query: URLSearchParams
  /** Changes the query, or goes to another screen, of the same patient. `replace`: without a step in the history. */
  go: (change: AddressChange, options?: { replace?: boolean }) => void
  /** The address that `go` would lead to, for a link. */
  of: (change: AddressChange) => string
}

/** What holds for every screen: whose readings are shown, in which zone, and the queue that is worked through. */
const KEPT = new Set(['patient', 'zone', 'queue'])

/** The query of another screen begins anew, but for these. */
export function addressAfter(now: { path: string; query: URLSearchParams }, change: AddressChange): string {
  const path = change.path ?? now.path
  const query = new URLSearchParams(
    path === now.path ? now.query : [...now.query].filter(([name]) => KEPT.has(name)),
  )
  for (const [name, value] of Object.entries(change.query ?? {})) {
    query.delete(name)
    for (const one of [value ?? []].flat()) query.append(name, one)
  }
  const text = query.toString()
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`
}

export function useAddress(): Address {
  const [, setHref] = useState(location.href)
  useEffect(() => {
    const onChange = () => setHref(location.href)
    addEventListener('popstate', onChange)
    return () => removeEventListener('popstate', onChange)
  }, [])
  const { pathname, search } = location
  return useMemo(() => {
    const now = { path: screenOf(pathname), query: new URLSearchParams(search) }
    return {
      ...now,
      of: (change) => addressAfter(now, change),
      go(change, { replace = false } = {}) {
        // By the address of now, not of the last rendering: two changes in a row both count.
        const current = {
          path: screenOf(location.pathname),
          query: new URLSearchParams(location.search),
        }
        const href = addressAfter(current, change)
        // What changes nothing is no step.
        if (replace || href === `${location.pathname}${location.search}`) history.replaceState(null, '', href)
        else history.pushState(null, '', href)
        setHref(location.href)
      },
    }
  }, [pathname, search])
}
