// A list by keyboard: J and K or the arrows move, Enter opens what is chosen, Escape leaves, and letters that each list has of its own.
import { useEffect, useRef } from 'preact/hooks'

export type ListCommands = {
  /** To the next or the one before; to the first or last with Infinity. */
  move: (by: number) => void
  open: () => void
  showPanel: () => void
  /** Out of the search or the panel. */
  leave: () => void
  /** Of this list alone, by the letter or sign. */
  letters: Readonly<Record<string, () => void>>
}

type Command = (commands: ListCommands) => void

/** Only where nothing else in the page takes them: the list itself, or nothing, has the focus. */
const ON_LIST: Readonly<Record<string, Command>> = {
  ArrowDown: ({ move }) => move(1),
  ArrowUp: ({ move }) => move(-1),
  PageDown: ({ move }) => move(8),
  PageUp: ({ move }) => move(-8),
  Home: ({ move }) => move(Number.NEGATIVE_INFINITY),
  End: ({ move }) => move(Number.POSITIVE_INFINITY),
  Enter: ({ open }) => open(),
  ' ': ({ showPanel }) => showPanel(),
}

const LETTERS: Readonly<Record<string, Command>> = {
  j: ({ move }) => move(1),
  k: ({ move }) => move(-1),
}

/** `list` is what takes the keys of a list. */
export function useListKeys(
  list: { current: HTMLElement | null },
  commands: ListCommands,
  hasLetterKeys: boolean,
) {
  const latest = useRef({ commands, hasLetterKeys })
  latest.current = { commands, hasLetterKeys }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof Element) || document.querySelector('dialog[open]')) return
      const command = commandOf(event, event.target)
      if (!command) return
      event.preventDefault()
      command(latest.current.commands)
    }
    const commandOf = ({ key }: KeyboardEvent, target: Element): Command | undefined => {
      if (key === 'Escape') return ({ leave }) => leave()
      const isSearch = target.matches('.list-find')
      if (isSearch && (key === 'ArrowDown' || key === 'Enter')) return ({ move }) => move(0)
      if (target.matches('input, select, textarea')) return undefined
      const isFree = target === list.current || target.matches('body, main, h1')
      if (isFree && Object.hasOwn(ON_LIST, key)) return ON_LIST[key]
      const letter = key.toLowerCase()
      const { commands: now, hasLetterKeys: hasLetters } = latest.current
      if (!hasLetters) return undefined
      if (Object.hasOwn(LETTERS, letter)) return LETTERS[letter]
      return Object.hasOwn(now.letters, letter) ? now.letters[letter] : undefined
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
