// Which days: usual ranges, or any two dates.
import { useId } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { type DayRange, lastDays } from './chosen-range.ts'

const USUAL: [name: string, days: number][] = [
  ['30 days', 30],
  ['90 days', 90],
  ['A year', 365],
]

export function RangeForm({ range, address, zone }: { range: DayRange; address: Address; zone: string }) {
  const id = useId()
  const isAll = range.from === '' && range.to === ''
  const choose = ({ from, to }: DayRange) =>
    address.go(
      { query: { range: undefined, from: from || undefined, to: to || undefined } },
      { replace: true },
    )
  return (
    <>
      <div class="field">
        <span class="label">Which days?</span>
        <div class="seg" role="group" aria-label="Usual ranges">
          {USUAL.map(([name, days]) => {
            const usual = lastDays(days, Date.now(), zone)
            return (
              <button
                key={name}
                type="button"
                aria-pressed={usual.from === range.from && usual.to === range.to}
                onClick={() => choose(usual)}
              >
                {name}
              </button>
            )
          })}
          <button
            type="button"
            aria-pressed={isAll}
            onClick={() =>
              address.go({ query: { range: 'all', from: undefined, to: undefined } }, { replace: true })
            }
          >
            Everything
          </button>
        </div>
      </div>
      <div class="dates">
        <div class="field">
          <label for={`${id}-from`}>From</label>
          <input
            id={`${id}-from`}
            class="input"
            type="date"
            value={range.from}
            onChange={({ currentTarget }) => choose({ ...range, from: currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for={`${id}-to`}>To</label>
          <input
            id={`${id}-to`}
            class="input"
            type="date"
            value={range.to}
            onChange={({ currentTarget }) => choose({ ...range, to: currentTarget.value })}
          />
        </div>
      </div>
    </>
  )
}
