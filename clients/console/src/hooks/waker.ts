// A pause that ends early when something asks for it, and not while nobody sees the window.
import { useEffect, useMemo } from 'preact/hooks'

export type Waker = { wake: () => void; pause: () => Promise<void> }

/** Woken by itself when the window is seen again and when the network is back. */
export function useWaker(everyMs: number): Waker {
  const waker = useMemo(() => createWaker(everyMs), [everyMs])
  useEffect(() => {
    document.addEventListener('visibilitychange', waker.wake)
    addEventListener('online', waker.wake)
    return () => {
      document.removeEventListener('visibilitychange', waker.wake)
      removeEventListener('online', waker.wake)
    }
  }, [waker])
  return waker
}

function createWaker(everyMs: number): Waker {
  let wakeNow = () => {}
  return {
    wake: () => wakeNow(),
    async pause() {
      const woken = new Promise<void>((resolve) => (wakeNow = resolve))
      let timer: ReturnType<typeof setTimeout> | undefined
      const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, everyMs)))
      await (document.visibilityState === 'visible' ? Promise.race([woken, elapsed]) : woken)
      clearTimeout(timer)
    },
  }
}
