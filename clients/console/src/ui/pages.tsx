// The ways to the other pages of a list whose cursor is in the address.
import type { Address } from '../address.ts'
import { Link } from './link.tsx'

export function Pages({ address, next }: { address: Address; next: string | null }) {
  const linkTo = (words: string, cursor: string | undefined) => (
    <Link class="button" address={address} to={{ query: { cursor } }}>
      {words}
    </Link>
  )
  return (
    <nav class="pages" aria-label="Pages">
      {address.query.has('cursor') && linkTo('First page', undefined)}
      {next !== null && linkTo('Next page', next)}
    </nav>
  )
}
