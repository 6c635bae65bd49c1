// A text that is searched for as it is typed: the address follows a moment later, in one step of the history.
import { useEffect, useId, useState } from 'preact/hooks'
import type { Address } from '../address.ts'

const TYPING_MS = 250

type Props = {
  label: string
  /** In the address. */
  name: string
  maxLength: number
  /** Instead of the label, where there is little room. */
  placeholder?: string
  address: Address
}

export function TypedField({ label, name, maxLength, placeholder, address }: Props) {
  const id = useId()
  const inAddress = address.query.get(name) ?? ''
  const [text, setText] = useState(inAddress)
  // The way back in the history, or a link.
  useEffect(() => {
    if (inAddress !== text.trim()) setText(inAddress)
  }, [inAddress])
  useEffect(() => {
    if (text.trim() === inAddress) return undefined
    const timer = setTimeout(
      () => address.go({ query: { [name]: text.trim() || undefined, cursor: undefined } }, { replace: true }),
      TYPING_MS,
    )
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="field">
      <label for={id} class={placeholder === undefined ? undefined : 'unseen'}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type="search"
        dir="auto"
        maxLength={maxLength}
        {...(placeholder !== undefined && { placeholder })}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  )
}
