// The ways to the other pages of a list whose cursor is in the address.
import type { Address } from '../address.ts'
import { words } from '../words/words.ts'
import { Link } from './link.tsx'

export function Pages({ address, next }: { address: Address; next: string | null }) {
  const linkTo = (text: string, cursor: string | undefined) => (
    <Link class="button" address={address} to={{ query: { cursor } }}>
      {text}
    </Link>
  )
  return (
    <nav class="pages" aria-label={words.kit.pages}>
      {address.query.has('cursor') && linkTo(words.kit.firstPage, undefined)}
      {next !== null && linkTo(words.kit.nextPage, next)}
    </nav>
  )
}
