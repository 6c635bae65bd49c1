// A list by keyboard: the arrows move, Enter opens what is chosen, Space leads to the panel, Escape leaves.
import { useEffect, useRef } from 'preact/hooks'

export type ListCommands = {
  /** To the next or the one before; to the first or last with Infinity. */
  move: (by: number) => void
  open: () => void
  showPanel: () => void
  /** Out of the panel. */
  leave: () => void
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

/** `list` is what takes the keys of a list. */
export function useListKeys(list: { current: HTMLElement | null }, commands: ListCommands) {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof Element) || document.querySelector('dialog[open]')) return
      const command = commandOf(event, event.target)
      if (!command) return
      event.preventDefault()
      command(latest.current)
    }
    const commandOf = ({ key }: KeyboardEvent, target: Element): Command | undefined => {
      if (key === 'Escape') return ({ leave }) => leave()
      if (target.matches('input, select, textarea')) return undefined
      const isFree = target === list.current || target.matches('body, main, h1')
      return isFree && Object.hasOwn(ON_LIST, key) ? ON_LIST[key] : undefined
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
