// How often a value is expected: a longer silence is listed.
import { useState } from 'preact/hooks'
import { everyText } from '../../format/iso-duration.ts'
import { SelectField } from '../../ui/fields.tsx'
import { words } from '../../words/words.ts'
import { expectText } from './limits-text.ts'

const EXPECTED = ['P1D', 'P2D', 'P3D', 'P4D', 'P7D', 'P14D', 'P30D']

export function ExpectEvery({ every, choose }: { every: string; choose: (every: string) => void }) {
  const [begun] = useState(every)
  const options = begun === '' || EXPECTED.includes(begun) ? EXPECTED : [begun, ...EXPECTED]
  return (
    <SelectField
      label={words.targetForm.expect}
      hint={`${expectText(every || null)}. ${every === '' ? '' : words.targetForm.longerIsListed}`}
      value={every}
      set={choose}
      options={[
        ...options.map((one) => [one, everyText(one)] as const),
        ['', words.targetForm.expectNothing],
      ]}
    />
  )
}
