// A value that changes at most so often, for what is costly to follow. The last one is not missed.
import { useEffect, useRef, useState } from 'preact/hooks'

export function useAtMostEvery<Value>(value: Value, ms: number): Value {
  const [followed, setFollowed] = useState(value)
  const followedAtMs = useRef(Date.now())
  useEffect(() => {
    if (Object.is(value, followed)) return undefined
    const follow = () => {
      followedAtMs.current = Date.now()
      setFollowed(value)
    }
    const timer = setTimeout(follow, Math.max(0, followedAtMs.current + ms - Date.now()))
    return () => clearTimeout(timer)
  }, [value, followed, ms])
  return followed
}
