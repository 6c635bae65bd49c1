import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { type Room, roomOf } from './level-of-detail.ts'

/** How many points an element has room for; nothing before it is there. */
export function useRoom(element: RefObject<HTMLElement | null>): Room | undefined {
  const [room, setRoom] = useState<Room>()
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const measure = () => setRoom(roomOf(current.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return room
}
