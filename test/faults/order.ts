// Whether the changes of a patient came in the order in which the patient made them, each at most once. Changes are present
// states: one that was replaced before it could be given is left out.

export type State = 'present' | 'withdrawn'

/** What a patient did to readings, known by their numbers. */
export type Step = { numbers: Set<number>; state: State }

/** How many of the changes fit no step behind those of the changes before them. */
export function countOutOfOrder(steps: Step[], followed: { number: number; state: State }[]): number {
  let at = 0
  const lastOf = new Map<number, number>()
  let count = 0
  for (const { number, state } of followed) {
    const from = Math.max(at, (lastOf.get(number) ?? -1) + 1)
    // The earliest that fits leaves the most to those that follow.
    const step = steps.findIndex(
      (one, index) => index >= from && one.state === state && one.numbers.has(number),
    )
    if (step === -1) count++
    else {
      at = step
      lastOf.set(number, step)
    }
  }
  return count
}
