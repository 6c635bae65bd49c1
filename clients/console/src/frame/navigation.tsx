import type { Address } from '../address.ts'
import { Account } from './account.tsx'
import { Icon } from './icons.tsx'
import { Link } from './link.tsx'
import { screenAt, sections } from './screens.ts'

export function Navigation({ address, mayAdd }: { address: Address; mayAdd: boolean }) {
  const current = screenAt(address.path)?.within ?? address.path
  const entries = sections.filter(({ path }) => path !== 'add' || mayAdd)
  return (
    <header class="side">
      <div class="brand">
        <i aria-hidden="true" />
        Rounds
      </div>
      <nav aria-label="Sections">
        {entries.map(({ path, name, short, icon }) => (
          <Link key={path} address={address} to={{ path }} current={path === current}>
            <Icon name={icon} />
            <span class="name">{name}</span>
            <span class="short">{short}</span>
          </Link>
        ))}
      </nav>
      <div class="wide-only who">
        <Account />
      </div>
    </header>
  )
}
