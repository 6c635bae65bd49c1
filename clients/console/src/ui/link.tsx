// A link to another screen: an ordinary link, which opens in another tab with the usual keys, and without a reload otherwise.
import type { ComponentChildren } from 'preact'
import type { Address, AddressChange } from '../address.ts'

type Props = {
  address: Address
  to: AddressChange
  class?: string
  current?: boolean
  label?: string
  /** Instead of going there at once. */
  onFollow?: () => void
  children: ComponentChildren
}

export function Link({ address, to, current = false, label, onFollow, children, ...rest }: Props) {
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (onFollow) onFollow()
    else address.go(to)
  }
  return (
    <a
      href={address.of(to)}
      onClick={onClick}
      aria-label={label}
      {...(current ? { 'aria-current': 'page' as const } : {})}
      {...rest}
    >
      {children}
    </a>
  )
}
