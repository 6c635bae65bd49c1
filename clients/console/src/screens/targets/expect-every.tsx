// How often a value is expected: a longer silence is listed.
import { useState } from 'preact/hooks'
import { Labelled } from '../add/fields.tsx'
import { everyText, expectText } from './limits-text.ts'

const EXPECTED = ['P1D', 'P2D', 'P3D', 'P4D', 'P7D', 'P14D', 'P30D']

export function ExpectEvery({ every, choose }: { every: string; choose: (every: string) => void }) {
  const [begun] = useState(every)
  const options = begun === '' || EXPECTED.includes(begun) ? EXPECTED : [begun, ...EXPECTED]
  return (
    <Labelled label="Expect a value every" mistake={undefined}>
      {(attributes) => (
        <>
          <select
            {...attributes}
            class="input"
            value={every}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {options.map((one) => (
              <option key={one} value={one}>
                {everyText(one)}
              </option>
            ))}
            <option value="">Expect nothing</option>
          </select>
          <span class="hint" role="status">
            {expectText(every || null)}. {every !== '' && 'A longer silence is listed.'}
          </span>
        </>
      )}
    </Labelled>
  )
}
