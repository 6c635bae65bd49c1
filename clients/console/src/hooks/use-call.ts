// A call that a person asks for by a press: one at a time, with what went wrong.
import { useState } from 'preact/hooks'

export function useCall() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const call = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return { isBusy, error, call, forget: () => setError(undefined) }
}
